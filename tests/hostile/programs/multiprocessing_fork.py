# SPDX-License-Identifier: Apache-2.0
"""Process, Queue, Pipe, Lock, Value and Event with fork."""
import multiprocessing
import sys


def worker(number, queue, lock, total, pipe):
    with lock:
        total.value += number
    queue.put((number, multiprocessing.current_process().name))
    pipe.send(number * number)
    sys.exit(number)


if __name__ == "__main__":
    context = multiprocessing.get_context("fork")
    queue, lock, total = context.Queue(), context.Lock(), context.Value("i", 0)
    ends = [context.Pipe() for _ in range(4)]
    workers = [context.Process(target=worker, args=(i, queue, lock, total, ends[i][1])) for i in range(4)]
    for one in workers:
        one.start()
    print(sorted(queue.get() for _ in workers), [end[0].recv() for end in ends])
    for one in workers:
        one.join()
    print(total.value, [one.exitcode for one in workers], multiprocessing.active_children())
