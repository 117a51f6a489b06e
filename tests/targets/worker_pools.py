# SPDX-License-Identifier: Apache-2.0
"""Lines that others work for: threads of an OpenMP team, other native threads, processes of a pool that run nothing of
this file. argv: the library made of worker_pool.c, rounds of each thread. Prints the CPU seconds of each as JSON."""
import ctypes
import json
import multiprocessing
import resource
import sys


def cpu():
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def main(library, rounds):
    times = [cpu()]
    native = ctypes.CDLL(library)
    native.team(ctypes.c_long(rounds))  # mark: team
    times.append(cpu())
    native.joined(ctypes.c_long(rounds))  # mark: joined
    times.append(cpu())
    x = 0
    for i in range(rounds // 40): x = (x * 31 + i) & 0xFFFF  # mark: loop
    times.append(cpu())
    pool = multiprocessing.get_context("fork").Pool(2)  # mark: processes
    pool.map(sum, [range(rounds // 60)] * 8, 1)  # mark: processes
    pool.close()
    pool.join()  # mark: processes
    times.append(cpu())
    names = ("team", "joined", "loop", "processes")
    print(json.dumps({name: end - begin for name, begin, end in zip(names, times, times[1:])}))


main(sys.argv[1], int(sys.argv[2]))
