# SPDX-License-Identifier: Apache-2.0
import pytest
from package_environment import candidates, environment

# Their assertions should say what differs.
pytest.register_assert_rewrite("comparison", "pyrometer_tool", "sessions")


def pytest_generate_tests(metafunc):
    long = metafunc.config.getoption("--long")
    found = candidates(long)
    if "python" in metafunc.fixturenames:
        metafunc.parametrize("python", found, ids=str, indirect=True)
    elif "recent_python" in metafunc.fixturenames:
        metafunc.parametrize("recent_python", found if long else found[-1:], ids=str, indirect=True)


@pytest.fixture
def python(request):
    """An interpreter that has the packages; in turn each of them."""
    return request.param._replace(path=environment(request.param))


@pytest.fixture
def recent_python(request):
    """The same, for what depends little on the version: the newest of the short run."""
    return request.param._replace(path=environment(request.param))
