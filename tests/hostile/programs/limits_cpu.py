# SPDX-License-Identifier: Apache-2.0
"""RLIMIT_CPU: SIGXCPU comes as without us, and RLIMIT_FSIZE stops the program's files only."""
# short: no
import resource
import signal

resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
try:
    with open("file", "wb", buffering=0) as file:
        print(file.write(bytes(2000)))
        print(file.write(bytes(2000)))
except OSError as error:
    print(error.errno)
resource.setrlimit(resource.RLIMIT_CPU, (1, 2))
print("burning", flush=True)
while True:
    pass
