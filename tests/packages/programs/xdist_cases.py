# SPDX-License-Identifier: Apache-2.0
"""Tests that pytest-xdist runs in two processes; $LOOPS sets the work of each."""
import os

import pytest
from burning import Burning


@pytest.mark.parametrize("index", range(12))
def test_short(index):
    x = index
    with Burning("short"):
        for i in range(int(os.environ["LOOPS"])): x = (x * 31 + i) & 0xFFFF  # mark: short
    assert x >= 0


@pytest.mark.parametrize("index", range(6))
def test_long(index):
    x = index
    with Burning("long"):
        for i in range(3 * int(os.environ["LOOPS"])): x = (x * 31 + i) & 0xFFFF  # mark: long
    assert x >= 0


def test_failing():
    assert [1, 2] == [1, 3]
