# SPDX-License-Identifier: Apache-2.0
"""Every kind of wait on its own line, one after another. argv: truth file, seconds of each wait."""
import queue
import select
import socket
import subprocess
import sys
import threading
import time

from truth import Truth

TRIAL_RANGE = 2000000


def later(seconds, function, *args):
    def wait_and_call():
        time.sleep(seconds)
        function(*args)

    thread = threading.Thread(target=wait_and_call)
    thread.start()
    return thread


def sleep(phase, seconds):
    with phase:
        time.sleep(seconds)  # mark: sleep


def receive(phase, seconds):
    near, far = socket.socketpair()
    later(seconds, far.send, b"x")
    with phase:
        near.recv(1)  # mark: receive


def poll(phase, seconds):
    near, far = socket.socketpair()
    with phase:
        select.select([near], [], [], seconds)  # mark: poll
    near.close()
    far.close()


def lock(phase, seconds):
    taken = threading.Lock()
    taken.acquire()
    later(seconds, taken.release)
    with phase:
        taken.acquire()  # mark: lock


def get(phase, seconds):
    jobs = queue.Queue()
    later(seconds, jobs.put, 1)
    with phase:
        jobs.get()  # mark: get


def join(phase, seconds):
    thread = later(seconds, int)
    with phase:
        thread.join()  # mark: join


def child(phase, seconds):
    process = subprocess.Popen(["sleep", str(seconds)])
    with phase:
        process.wait()  # mark: child


def gil(phase, seconds):
    start = time.thread_time_ns()
    sum(range(TRIAL_RANGE))
    count = int(TRIAL_RANGE * seconds * 1e9 / (time.thread_time_ns() - start))
    go, done = threading.Event(), []

    def hold():
        go.wait()
        sum(range(count))
        done.append(True)

    thread = threading.Thread(target=hold)
    thread.start()
    spins = 0
    with phase:
        go.set()
        while not done: spins += 1  # mark: gil
    thread.join()


def main(path, seconds):
    truth = Truth()
    for wait in (sleep, receive, poll, lock, get, join, child, gil):
        wait(truth.wait(wait.__name__), seconds)
    truth.write(path)


main(sys.argv[1], float(sys.argv[2]))
