# SPDX-License-Identifier: Apache-2.0
"""A program that never imports asyncio; tells what task_probe needs, and waits until stdin ends."""

import ctypes
import json
import os
import sys
import types

print(
    json.dumps(
        {
            "pid": os.getpid(),
            "version": sys.hexversion,
            "runtime": ctypes.addressof(ctypes.c_char.in_dll(ctypes.pythonapi, "_PyRuntime")),
            "types": {
                "code": id(types.CodeType),
                "generator": id(types.GeneratorType),
                "coroutine": id(types.CoroutineType),
                "async_generator": id(types.AsyncGeneratorType),
            },
        }
    ),
    flush=True,
)
sys.stdin.read()
