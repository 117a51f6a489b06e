# SPDX-License-Identifier: Apache-2.0
"""Types of objects, found from outside by the memory that was allocated for them."""

import pytest
from interpreters import interpreters
from probe import blocked_target, probe


@pytest.mark.parametrize("python", interpreters(), ids=lambda python: python.name)
def test_types_of_blocks(python):
    with blocked_target(python, "", "type_target.py") as truth:
        found = probe("walk_probe", "types", truth, blocks=truth["blocks"])
    assert [name.rpartition(".")[2] for name in found] == [block[2] for block in truth["blocks"]]
