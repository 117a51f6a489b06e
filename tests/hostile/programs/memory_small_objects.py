# SPDX-License-Identifier: Apache-2.0
"""Small objects, whose sampled ones come from another allocator: contents, growth, books, threads and forks."""
import gc
import os
import sys
import threading
import tracemalloc
import warnings

warnings.simplefilter("ignore")
gc.disable()


class Node:
    __slots__ = ("name", "next")

    def __init__(self, name, next_node):
        self.name, self.next = name, next_node


def chain(length):
    node = None
    for number in range(length):
        node = Node(f"node {number}", node)
    return node


def names_of(node):
    total = 0
    while node is not None:
        total += len(node.name)
        node = node.next
    return total


def blocks_taken_by(make):
    """What `make` leaves allocated, by pymalloc's own books, and what is left when that is dropped again."""
    make()
    before = sys.getallocatedblocks()
    kept = make()
    held = sys.getallocatedblocks() - before
    del kept
    return held, sys.getallocatedblocks() - before


print(names_of(chain(20000)))
print(blocks_taken_by(lambda: chain(20000)))
print(blocks_taken_by(lambda: [bytes(number) for number in range(2, 1200)]))
print(blocks_taken_by(lambda: [{number: str(number)} for number in range(1000, 6000)]))

# Growth and shrinkage within pymalloc's sizes, out of them, and back.
lists = [[] for _ in range(300)]
for number in range(200):
    for one in lists:
        one.append(number)
print(sum(map(sum, lists)))
for one in lists:
    del one[3:]
print([sum(one) for one in lists] == [3] * 300)
arrays = [bytearray(b"x" * (number % 700)) for number in range(3000)]
for number, array in enumerate(arrays):
    array.extend(b"y" * (number % 600))
    del array[number % 100 + 1 :]
print(sum(map(sum, arrays)), sum(map(len, arrays)))
text = ""
for number in range(5000):
    text += "z"
print(len(text), text == "z" * 5000)
print(sum(map(len, [bytes(32)] * 10)), all(bytes(size) == b"\0" * size for size in range(600)))

# Made in one thread, dropped in another.
shared = []
maker = threading.Thread(target=lambda: shared.extend(Node(str(number), None) for number in range(20000)))
maker.start()
maker.join()
print(sum(len(node.name) for node in shared))
dropper = threading.Thread(target=shared.clear)
dropper.start()
dropper.join()

# What a child of a fork inherits is its own to drop.
inherited = [Node(str(number), None) for number in range(20000)]
before = sys.getallocatedblocks()
child = os.fork()
if child == 0:
    inherited.clear()
    freed = before - sys.getallocatedblocks()
    os._exit(0 if freed >= 39000 and names_of(chain(1000)) == 7890 else 1)
print(os.waitpid(child, 0)[1], len(inherited))

tracemalloc.start()
traced = [Node(str(number), None) for number in range(10000, 12000)]
size, _ = tracemalloc.get_traced_memory()
lines = tracemalloc.take_snapshot().filter_traces([tracemalloc.Filter(True, __file__)]).statistics("lineno")
print([(line.size, line.count) for line in lines if line.count > 1000])
del traced
print(size > tracemalloc.get_traced_memory()[0])
tracemalloc.stop()
