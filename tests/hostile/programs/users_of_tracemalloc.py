# SPDX-License-Identifier: Apache-2.0
"""tracemalloc, sys.getsizeof, allocated blocks and gc callbacks: no allocation that is not the program's."""
import gc
import sys
import tracemalloc

gc.collect()
phases = []
gc.callbacks.append(lambda phase, info: phases.append((phase, info["generation"])))
gc.collect(0)
gc.collect(2)
print(phases, len(gc.callbacks))
gc.callbacks.clear()
tracemalloc.start(5)
kept = [bytes(1000 + number) for number in range(1000)]
snapshot = tracemalloc.take_snapshot()
lines = [s for s in snapshot.statistics("lineno") if s.traceback[0].filename == __file__]
print(lines[0].traceback[0].lineno, lines[0].count, lines[0].size)
print(tracemalloc.get_object_traceback(kept[5]))
tracemalloc.stop()
before = sys.getallocatedblocks()
more = [object() for _ in range(100000)]
print(100000 <= sys.getallocatedblocks() - before <= 100010, sys.getrefcount(more[0]))
