# SPDX-License-Identifier: Apache-2.0
"""set_wakeup_fd, siginterrupt, pause, pthread_kill: bytes of foreign signals must not turn up."""
import os
import signal
import socket
import threading
import time

near, far = socket.socketpair()
far.setblocking(False)
near.setblocking(False)
print(signal.set_wakeup_fd(far.fileno()))
signal.signal(signal.SIGUSR1, lambda *_: None)
deadline = time.process_time() + 0.2
while time.process_time() < deadline:
    pass
signal.pthread_kill(threading.get_ident(), signal.SIGUSR1)
time.sleep(0.05)
print(near.recv(100), signal.set_wakeup_fd(-1) == far.fileno())
signal.siginterrupt(signal.SIGUSR1, False)
woken = threading.Event()


def wake():
    # Again and again: the first one may come before the pause.
    while not woken.wait(0.1):
        os.kill(os.getpid(), signal.SIGUSR1)


threading.Thread(target=wake).start()
signal.pause()
woken.set()
print("woken")
