# SPDX-License-Identifier: Apache-2.0
"""A C call of seconds in the main thread while a worker goes through three phases.

argv: truth file, seconds of the call, `release` or `hold` (what the call does with the GIL).
"""
import hashlib
import sys
import threading
import time

from truth import Truth

TRIAL_ROUNDS = 20000
TRIAL_RANGE = 1000000


def derive(rounds):
    return hashlib.pbkdf2_hmac("sha256", b"password", b"salt", rounds)


def rate_of(function, units):
    start = time.thread_time_ns()
    function(units)
    return units * 1e9 / (time.thread_time_ns() - start)


def one(phase, goal_ns):
    x = 1
    while phase.cpu_ns < goal_ns:
        with phase:
            for i in range(200000): x = (x * 31 + i) & 0xFFFF  # mark: one


def two(phase, goal_ns):
    x = 1
    while phase.cpu_ns < goal_ns:
        with phase:
            for i in range(200000): x = (x * 31 + i) & 0xFFFF  # mark: two


def three(phase, goal_ns):
    x = 1
    while phase.cpu_ns < goal_ns:
        with phase:
            for i in range(200000): x = (x * 31 + i) & 0xFFFF  # mark: three


def three_phases(truth, seconds):
    for function, share in ((one, 0.5), (two, 0.3), (three, 0.2)):
        function(truth.phase(function.__name__), share * seconds * 1e9)


def release(truth, seconds):
    rounds = int(rate_of(derive, TRIAL_ROUNDS) * seconds)
    worker = threading.Thread(target=three_phases, args=(truth, seconds * 0.6))
    call = truth.phase("call")
    worker.start()
    with call:
        hashlib.pbkdf2_hmac("sha256", b"password", b"salt", rounds)  # mark: call
    worker.join()


def hold(truth, seconds):
    rounds = int(rate_of(derive, TRIAL_ROUNDS) * seconds * 0.4)
    count = int(rate_of(lambda n: sum(range(n)), TRIAL_RANGE) * seconds)
    free, call, ready = truth.wait("free"), truth.phase("call"), threading.Event()

    def work():
        with free:
            ready.set()
            hashlib.pbkdf2_hmac("sha256", b"password", b"salt", rounds)  # mark: free
        three_phases(truth, seconds * 0.3)

    worker = threading.Thread(target=work)
    worker.start()
    ready.wait()
    with call:
        sum(range(count))  # mark: call
    worker.join()


def main(path, seconds, mode):
    truth = Truth()
    {"release": release, "hold": hold}[mode](truth, seconds)
    truth.write(path)


main(sys.argv[1], float(sys.argv[2]), sys.argv[3])
