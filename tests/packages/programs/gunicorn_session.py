# SPDX-License-Identifier: Apache-2.0
"""A life of gunicorn: requests, one more worker, a reload, requests, the end. argv: folder, class, requests."""
import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from burning import tell_everything

PATIENCE_SECONDS = 600


class UnixConnection(http.client.HTTPConnection):
    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(self.host)


class Gunicorn:
    """A master with two workers, and what its hooks note."""

    def __init__(self, folder, worker_class):
        self._socket = os.path.join(folder, "socket")
        self._notes = os.environ["NOTES"] = os.path.join(folder, "notes")
        hooks = os.path.join(os.path.dirname(os.path.abspath(__file__)), "gunicorn_hooks.py")
        command = [sys.executable, "-m", "gunicorn", "-c", hooks, "-b", "unix:" + self._socket, "-w", "2"]
        command += ["-k", worker_class, "--threads", "2" if worker_class == "gthread" else "1"]
        self._process = subprocess.Popen(command + ["--log-level", "critical", "wsgi:application"])

    def workers(self):
        """(those that have become ready, those of them that are still there)"""
        ready, gone = [], set()
        if os.path.exists(self._notes):
            for line in open(self._notes):
                word, pid = line.split()
                ready.append(pid) if word == "ready" else gone.add(pid)
        return ready, [pid for pid in ready if pid not in gone]

    def wait_for(self, ready, present):
        """Until so many workers have become ready and so many are there."""
        end = time.monotonic() + PATIENCE_SECONDS
        while [len(pids) for pids in self.workers()] != [ready, present]:
            if time.monotonic() > end or self._process.poll() is not None:
                sys.exit(f"{self.workers()} instead of {ready} and {present}")
            time.sleep(0.02)
        print(ready, "workers so far,", present, "now")

    def ask(self, path):
        connection = UnixConnection(self._socket)
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read()

    def signal(self, number):
        self._process.send_signal(number)

    def end(self):
        self.signal(signal.SIGTERM)
        print("gunicorn ends with", self._process.wait(PATIENCE_SECONDS))


def requests(server, count):
    paths = ["/red", "/blue"] * (count // 2)
    with ThreadPoolExecutor(2) as clients:
        answers = list(clients.map(server.ask, paths))
    print(len(answers), sorted(set(answers)))


def main(folder, worker_class, count):
    server = Gunicorn(folder, worker_class)
    server.wait_for(2, 2)
    requests(server, count)
    server.signal(signal.SIGTTIN)
    server.wait_for(3, 3)
    server.signal(signal.SIGHUP)
    server.wait_for(5, 2)
    requests(server, count)
    server.end()
    print(len(server.workers()[1]), "workers left")
    tell_everything()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
