# SPDX-License-Identifier: Apache-2.0
import pytest
import pythons

# Its assertions should say what differs.
pytest.register_assert_rewrite("comparison", "pyrometer_tool")


def pytest_generate_tests(metafunc):
    if "python" in metafunc.fixturenames:
        chosen = pythons.found() if metafunc.config.getoption("--long") else pythons.split()[0]
        metafunc.parametrize("python", chosen, ids=str)
    elif "any_python" in metafunc.fixturenames:
        metafunc.parametrize("any_python", pythons.found() + pythons.foreign(), ids=str)
