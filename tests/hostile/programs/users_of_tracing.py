# SPDX-License-Identifier: Apache-2.0
"""sys.settrace, sys.setprofile and threading's versions see exactly the program's own events."""
import sys
import threading

events = []


def work():
    total = 0
    for number in range(3):
        total += len(str(number))
    return total


def trace(frame, event, argument):
    if frame.f_code is work.__code__:
        events.append((event, frame.f_lineno - work.__code__.co_firstlineno))
    return trace


def profile(frame, event, argument):
    events.append((event, frame.f_code.co_name))


sys.settrace(trace)
work()
sys.settrace(None)
print(events)
del events[:]
sys.setprofile(profile)
work()
sys.setprofile(None)
print(events)
del events[:]
threading.settrace(trace)
thread = threading.Thread(target=work)
thread.start()
thread.join()
threading.settrace(None)
print(events, sys.gettrace())
