# SPDX-License-Identifier: Apache-2.0
import pytest
from package_environment import candidates, environment

# Their assertions should say what differs.
pytest.register_assert_rewrite("comparison", "pyrometer_tool", "sessions")


def pytest_generate_tests(metafunc):
    if "python" in metafunc.fixturenames:
        found = candidates(metafunc.config.getoption("--long"))
        metafunc.parametrize("python", found, ids=str, indirect=True)


@pytest.fixture
def python(request):
    """An interpreter that has the packages."""
    return request.param._replace(path=environment(request.param))
