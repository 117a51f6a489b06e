# SPDX-License-Identifier: Apache-2.0
import pytest
import pythons


def pytest_generate_tests(metafunc):
    if "python" in metafunc.fixturenames:
        metafunc.parametrize("python", pythons.split()[0], ids=str)


@pytest.fixture(scope="session", autouse=True)
def own_state(tmp_path_factory):
    """Runs without -o must not replace the last run of the person who tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        yield


@pytest.fixture(scope="session")
def one_python():
    return pythons.split()[0][0]
