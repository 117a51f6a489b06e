# SPDX-License-Identifier: Apache-2.0
"""tests/page_data.py reads the containers of tests/corpus as all other readers do."""

import json
import pathlib

import pytest

from page_data import PageData

CORPUS = json.loads((pathlib.Path(__file__).resolve().parents[1] / "corpus" / "page-container.json").read_text())


@pytest.mark.parametrize("case", CORPUS, ids=lambda case: case["name"])
def test_a_container_is_read_or_refused(case):
    data = bytes.fromhex(case["bytes"])
    if case.get("refused"):
        with pytest.raises((AssertionError, UnicodeDecodeError)):
            PageData(data)
        return
    values = {section["name"]: section["values"] for section in case["sections"]}
    assert PageData(data).sections == values
