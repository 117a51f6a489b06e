# SPDX-License-Identifier: Apache-2.0
"""Loads and unloads copies of a library while using it. argv: library, scratch folder, rounds. Prints a checksum."""
import _ctypes
import ctypes
import os
import shutil
import sys
import threading

from burning import Burning

COPIES = 8
DATA = bytes(range(256)) * 32768


def use(path):
    library = ctypes.CDLL(path)
    library.crc32.argtypes = [ctypes.c_ulong, ctypes.c_char_p, ctypes.c_uint]
    library.crc32.restype = ctypes.c_ulong
    result = library.crc32(0, DATA, len(DATA))  # mark: library
    _ctypes.dlclose(library._handle)
    return result


def worker(paths, rounds, results):
    with Burning("library"):
        results.append(sum(use(paths[i % len(paths)]) for i in range(rounds)))


def main(library, folder, rounds):
    paths = [shutil.copy(library, os.path.join(folder, "copy%d.so" % i)) for i in range(COPIES)]
    results = []
    threads = [threading.Thread(target=worker, args=(paths[i::2], rounds // 2, results)) for i in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(results)


main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
