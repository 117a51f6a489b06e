# SPDX-License-Identifier: Apache-2.0
"""A JIT of its own: three loops in machine code (x86-64), two of which have a name in a perf map file.

argv: seconds of CPU time. Prints what each used, as JSON. The first keeps a frame pointer, the others have none.
"""
import ctypes
import json
import mmap
import os
import sys
import time

LOOP = bytes.fromhex("4889f9" "48ffc9" "75fb")  # mov %rdi,%rcx; 1: dec %rcx; jnz 1b
CODES = {
    "with_frame": bytes.fromhex("554889e5") + LOOP + bytes.fromhex("5dc3"),
    "without_frame": LOOP + bytes.fromhex("c3"),
    "unnamed": LOOP + bytes.fromhex("c3"),
}
PLACE_BYTES = 64


def generate():
    memory = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    start = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    functions = {}
    with open("/tmp/perf-%d.map" % os.getpid(), "w") as perf_map:
        for number, (name, code) in enumerate(CODES.items()):
            memory[number * PLACE_BYTES : number * PLACE_BYTES + len(code)] = code
            place = start + number * PLACE_BYTES
            functions[name] = ctypes.CFUNCTYPE(None, ctypes.c_uint64)(place)
            if name != "unnamed":
                perf_map.write("%x %x %s\n" % (place, len(code), name))
    return memory, functions


def main(seconds):
    memory, functions = generate()
    used = dict.fromkeys(functions, 0.0)
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        for name, function in functions.items():
            begin = time.thread_time()
            function(20000000)  # mark: jit
            used[name] += time.thread_time() - begin
    os.remove("/tmp/perf-%d.map" % os.getpid())
    print(json.dumps(used))
    del functions, memory


main(float(sys.argv[1]))
