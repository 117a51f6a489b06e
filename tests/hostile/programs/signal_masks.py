# SPDX-License-Identifier: Apache-2.0
"""Masks, pending signals, sigwait, sigtimedwait and inheritance of the mask by threads and children."""
import os
import signal
import subprocess
import sys
import threading
import time

ALL = signal.valid_signals()
SHOW = "import signal; print(sorted(map(int, signal.pthread_sigmask(signal.SIG_BLOCK, []))))"
print(sorted(map(int, signal.pthread_sigmask(signal.SIG_SETMASK, ALL))))
deadline = time.process_time() + 0.1
while time.process_time() < deadline:
    pass
print(sorted(map(int, signal.pthread_sigmask(signal.SIG_BLOCK, []))), sorted(map(int, signal.sigpending())))
exec(SHOW)
thread = threading.Thread(target=exec, args=(SHOW,))
thread.start()
thread.join()
sys.stdout.flush()
subprocess.run([sys.executable, "-c", SHOW])
os.kill(os.getpid(), signal.SIGUSR1)
print(sorted(map(int, signal.sigpending())), int(signal.sigwait([signal.SIGUSR1])))
os.kill(os.getpid(), signal.SIGRTMIN + 3)
print(signal.sigtimedwait([signal.SIGRTMIN + 3], 1).si_signo - signal.SIGRTMIN)
deadline = time.process_time() + 0.1
while time.process_time() < deadline:
    pass
print(signal.sigtimedwait(ALL, 0.2).si_signo, signal.sigtimedwait(ALL, 0.1), sorted(map(int, signal.sigpending())))
signal.pthread_sigmask(signal.SIG_SETMASK, [])
print(sorted(map(int, signal.pthread_sigmask(signal.SIG_UNBLOCK, ALL))))
