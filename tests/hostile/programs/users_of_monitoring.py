# SPDX-License-Identifier: Apache-2.0
"""sys.monitoring: all tool ids are free, and the events are the program's own."""
# since: 3.12
import sys

monitoring = sys.monitoring
print([monitoring.get_tool(number) for number in range(6)])
events = []


def work():
    return sum(len(str(number)) for number in range(3))


for number in range(6):
    monitoring.use_tool_id(number, "tool %d" % number)
kinds = monitoring.events
for kind in (kinds.PY_START, kinds.PY_RETURN, kinds.CALL, kinds.LINE, kinds.PY_YIELD):
    monitoring.register_callback(3, kind, lambda code, *rest, kind=kind: events.append((kind, code.co_name)))
monitoring.set_events(3, kinds.PY_START | kinds.PY_RETURN | kinds.CALL | kinds.LINE | kinds.PY_YIELD)
work()
monitoring.set_events(3, 0)
print(events)
