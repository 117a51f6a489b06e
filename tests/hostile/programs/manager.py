# SPDX-License-Identifier: Apache-2.0
"""A multiprocessing manager and shared memory: a server process that must end by itself."""
import multiprocessing
import multiprocessing.shared_memory


def fill(shared, name, number):
    shared[number] = number * 2
    block = multiprocessing.shared_memory.SharedMemory(name=name)
    block.buf[number] = number + 1
    block.close()


if __name__ == "__main__":
    context = multiprocessing.get_context("fork")
    block = multiprocessing.shared_memory.SharedMemory(create=True, size=16)
    with context.Manager() as manager:
        shared = manager.dict()
        workers = [context.Process(target=fill, args=(shared, block.name, i)) for i in range(4)]
        for one in workers:
            one.start()
        for one in workers:
            one.join()
        print(sorted(shared.items()), bytes(block.buf[:4]))
    block.close()
    block.unlink()
