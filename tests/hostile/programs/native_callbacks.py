# SPDX-License-Identifier: Apache-2.0
"""ctypes callbacks from C, from C threads and with exceptions in them; qsort, and a thread made by pthread_create."""
import ctypes

libc = ctypes.CDLL(None)
COMPARE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_int), ctypes.POINTER(ctypes.c_int))
START = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)
values = (ctypes.c_int * 5000)(*((number * 7919) % 5000 for number in range(5000)))
libc.qsort(values, 5000, 4, COMPARE(lambda left, right: left[0] - right[0]))
print(list(values) == list(range(5000)))
seen = []


def body(argument):
    seen.append(sum(range(10000)))
    return argument


start = START(body)
threads = [ctypes.c_ulong() for _ in range(20)]
pthread_create, pthread_join = libc.pthread_create, libc.pthread_join
for thread in threads:
    print(pthread_create(ctypes.byref(thread), None, start, ctypes.c_void_p(77)), end=" ")
result = ctypes.c_void_p()
print([(pthread_join(thread, ctypes.byref(result)), result.value) for thread in threads][:2], len(seen))
