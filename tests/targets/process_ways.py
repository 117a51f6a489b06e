# SPDX-License-Identifier: Apache-2.0
"""Processes by every way to start one, each with known CPU time on two lines.

argv: way, folder, CPU seconds of each process, and what the way needs. Every process that works leaves its truth in the
folder, a file by its process id.
"""
import concurrent.futures
import json
import multiprocessing
import os
import pty
import signal
import subprocess
import sys
import time

HERE = os.path.abspath(__file__)
CHILDREN = 3


def first(n, x=1):
    for i in range(n): x = (x * 31 + i) & 0xFFFF  # mark: first


def second(n, x=1):
    for i in range(n): x = (x * 31 + i) & 0xFFFF  # mark: second


def work(folder, seconds):
    """Three quarters on the first line, then the rest on the second."""
    truth = {}
    for line, part in ((first, 0.75), (second, 0.25)):
        spent = 0
        while spent < seconds * part * 1e9:
            before = time.thread_time_ns()
            line(100_000)
            spent += time.thread_time_ns() - before
        truth[line.__name__] = spent / 1e9
    path = os.path.join(folder, str(os.getpid()))
    with open(path + ".new", "w") as file:
        json.dump(truth, file)
    os.rename(path + ".new", path)


def work_and_spin(folder, seconds):
    """Never ends: whoever kills it finds it at work."""
    work(folder, seconds)
    while True:
        sum(range(1000))


def wait_for_truth(folder, count):
    while sum(name.isdigit() for name in os.listdir(folder)) < count:
        time.sleep(0.01)


def wait(children):
    for child in children:
        os.waitpid(child, 0)


def words(folder, seconds, *options, python=sys.executable):
    return [python, *options, HERE, "work", folder, str(seconds)]


def forked(end):
    def run(folder, seconds):
        children = []
        for _ in range(CHILDREN):
            children.append(os.fork())
            if children[-1] == 0:
                work(folder, seconds)
                end(0)
        wait(children)

    return run


def pty_fork(folder, seconds):
    child, terminal = pty.fork()
    if child == 0:
        work(folder, seconds)
        os._exit(0)
    wait([child])
    os.close(terminal)


def killed(folder, seconds):
    children = []
    for _ in range(CHILDREN):
        children.append(os.fork())
        if children[-1] == 0:
            work_and_spin(folder, seconds)
    wait_for_truth(folder, CHILDREN)
    for child in children:
        os.kill(child, signal.SIGKILL)
    wait(children)


def process(method):
    def run(folder, seconds):
        context = multiprocessing.get_context(method)
        children = [context.Process(target=work, args=(folder, seconds)) for _ in range(CHILDREN)]
        for child in children:
            child.start()
        for child in children:
            child.join()

    return run


def executor(folder, seconds):
    with concurrent.futures.ProcessPoolExecutor(CHILDREN) as workers:
        for future in [workers.submit(work, folder, seconds) for _ in range(CHILDREN)]:
            future.result()


def pool_one_task_each(folder, seconds):
    with multiprocessing.Pool(2, maxtasksperchild=1) as workers:
        workers.starmap(work, [(folder, seconds)] * CHILDREN, chunksize=1)
        workers.close()
        workers.join()


def pool_terminated(folder, seconds):
    workers = multiprocessing.Pool(2)
    for _ in range(4):
        workers.apply_async(work_and_spin, (folder, seconds))
    wait_for_truth(folder, 2)
    workers.terminate()
    workers.join()


def command(*options):
    def run(folder, seconds):
        subprocess.run(words(folder, seconds, *options), check=True)

    return run


def command_with_pipes(folder, seconds):
    """As many options as make subprocess choose another way than posix_spawn."""
    subprocess.run(words(folder, seconds), check=True, close_fds=True, cwd="/", stdout=subprocess.PIPE, pass_fds=[0])


def shebang(folder, seconds):
    script = os.path.join(folder, "script")
    with open(script, "w") as file:
        file.write(f"#!{sys.executable}\nimport runpy\nrunpy.run_path({HERE!r}, run_name='__main__')\n")
    os.chmod(script, 0o755)
    subprocess.run([script, "work", folder, str(seconds)], check=True)


def posix_spawn(folder, seconds):
    wait([os.posix_spawn(sys.executable, words(folder, seconds), os.environ)])


def other_python(folder, seconds, python):
    """Of another version, or of a virtual environment."""
    subprocess.run(words(folder, seconds, python=python), check=True)


def exec_other(folder, seconds, python):
    """One process, one program after the other."""
    child = os.fork()
    if child == 0:
        work(folder, seconds)
        os.rename(os.path.join(folder, str(os.getpid())), os.path.join(folder, f"0{os.getpid()}"))
        os.execv(python, words(folder, seconds, python=python))
    wait([child])


def daemon(folder, seconds):
    """Forked twice, and at work when its parents are gone."""
    child = os.fork()
    if child == 0:
        os.setsid()
        if os.fork() == 0:
            os.closerange(0, 3)
            work(folder, seconds)
            time.sleep(1)
        os._exit(0)
    wait([child])


WAYS = {
    "work": work,
    "fork": forked(sys.exit),
    "fork-exit-now": forked(os._exit),
    "pty-fork": pty_fork,
    "killed": killed,
    "process-fork": process("fork"),
    "process-spawn": process("spawn"),
    "process-forkserver": process("forkserver"),
    "executor": executor,
    "pool-one-task-each": pool_one_task_each,
    "pool-terminated": pool_terminated,
    "command": command(),
    "command-with-pipes": command_with_pipes,
    "command-E": command("-E"),
    "command-I": command("-I"),
    "command-S": command("-S"),
    "shebang": shebang,
    "posix-spawn": posix_spawn,
    "other-python": other_python,
    "exec-other": exec_other,
    "daemon": daemon,
}

if __name__ == "__main__":
    WAYS[sys.argv[1]](sys.argv[2], float(sys.argv[3]), *sys.argv[4:])
