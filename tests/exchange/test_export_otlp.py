# SPDX-License-Identifier: Apache-2.0
"""OpenTelemetry's profiles, read by its own messages."""

import json
import re
import subprocess

import consumers
from exported import MEMORY, TIMES

READ = """
import collections, json, sys
from opentelemetry.proto.profiles.v1development.profiles_pb2 import ProfilesData
data = ProfilesData()
data.ParseFromString(open(sys.argv[1], "rb").read())
tables = data.dictionary
text = list(tables.string_table)
assert text[0] == ""
for table in (tables.mapping_table, tables.location_table, tables.function_table, tables.link_table, tables.attribute_table, tables.stack_table):
    assert table[0].ByteSize() == 0
sums, attributes, leaves = collections.Counter(), set(), set()
for resource in data.resource_profiles:
    assert any(entry.key == "process.pid" and entry.value.int_value > 0 for entry in resource.resource.attributes)
    for scope in resource.scope_profiles:
        assert scope.scope.name == "pyrometer"
        for profile in scope.profiles:
            for sample in profile.samples:
                sums[text[profile.sample_type.type_strindex]] += sum(sample.values)
                attributes |= {text[tables.attribute_table[i].key_strindex] for i in sample.attribute_indices}
                leaf = tables.location_table[tables.stack_table[sample.stack_index].location_indices[0]].lines[0]
                leaves.add(text[tables.function_table[leaf.function_index].name_strindex] + ":" + str(leaf.line))
print(json.dumps({"sums": sums, "attributes": sorted(attributes), "leaves": sorted(leaves)}))
"""


def test_sums_and_tables(exports, totals):
    words = [consumers.python(), "-c", READ, exports.path("otlp")]
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert {name: found["sums"].get(name, 0) for name in ["samples", *TIMES, *MEMORY]} == {
        name: totals[name] for name in ["samples", *TIMES, *MEMORY]
    }
    assert {"thread.id", "thread.name", "task"} <= set(found["attributes"])
    assert any(re.search(r"(^burn|<genexpr>):\d+$", name) for name in found["leaves"])
