# SPDX-License-Identifier: Apache-2.0
"""One wheel for all Pythons: built once, installed into clean environments of
the oldest and the newest Python at hand, and used there."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

import pytest

from interpreters import interpreters

ROOT = pathlib.Path(__file__).resolve().parents[2]
RELEASE = ROOT / "build" / "release"
# What any Linux with glibc has. Everything else must be inside the wheel.
SYSTEM_LIBRARIES = re.compile(r"^(libc|libm|libpthread|libdl|librt|ld-linux-[\w-]+)\.so\.\d+$")


# A wheel that is compiled is a matter of minutes, on a slow machine of many.
BUILD_SECONDS = 3600


def clean_environment():
    """Without what would make the installed package look like the checkout."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYROMETER"))}


def run(*command, **options):
    return subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, env=clean_environment(), timeout=BUILD_SECONDS, **options
    )


def can_make_environments(interpreter):
    return not interpreter.root and run(interpreter.path, "-c", "import venv, ensurepip").returncode == 0


def oldest_and_newest():
    usable = [interpreter for interpreter in interpreters() if can_make_environments(interpreter)]
    return usable if len(usable) < 2 else [usable[0], usable[-1]]


def release_is_up_to_date():
    """Which is what ./test has seen to; whoever runs this file alone waits for it here."""
    return run("ninja", "-C", RELEASE, "pyrometer").returncode == 0


def build_settings(folder, from_scratch):
    """A build tree of its own, which takes the page and the objects that were made by the same commands for `release`."""
    settings = {"build-dir": folder / "build"}
    if not from_scratch and release_is_up_to_date():
        settings["cmake.define.CMAKE_CXX_COMPILER_LAUNCHER"] = f"{sys.executable};{ROOT / 'tools/reuse_objects'};{RELEASE}"
        settings["cmake.define.PYRO_VIEWER_PAGE"] = RELEASE / "viewer/dist/page.html"
    return [f"--config-settings={name}={value}" for name, value in settings.items()]


@pytest.fixture(scope="session")
def wheel(tmp_path_factory, long_run):
    """`--long` compiles everything, page and all."""
    folder = tmp_path_factory.mktemp("wheel")
    settings = build_settings(folder, from_scratch=long_run)
    result = run(sys.executable, "-m", "pip", "wheel", "--no-deps", *settings, "-w", folder, ROOT, cwd=folder)
    assert result.returncode == 0, result.stdout + result.stderr
    (path,) = folder.glob("*.whl")
    return path


class Environment:
    """A virtual environment with nothing in it but the wheel."""

    def __init__(self, python, folder, wheel):
        assert run(python, "-m", "venv", folder).returncode == 0
        self.bin = folder / "bin"
        installed = run(self.bin / "python", "-m", "pip", "install", "--no-index", "--no-deps", wheel)
        assert installed.returncode == 0, installed.stderr

    def run(self, program, *arguments, **options):
        return run(self.bin / program, *arguments, **options)


@pytest.fixture(scope="session", params=oldest_and_newest(), ids=lambda interpreter: interpreter.name)
def environment(request, wheel, tmp_path_factory):
    return Environment(request.param.path, tmp_path_factory.mktemp("environment"), wheel)


def test_the_wheel_is_for_every_python_3(wheel):
    assert re.fullmatch(r"pyrometer-[\d.]+-py3-none-\w+\.whl", wheel.name)


def test_the_wheel_holds_the_program_the_agent_and_the_package_only(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert {name for name in names if ".dist-info/" not in name} == {
        "pyrometer/__init__.py",
        "pyrometer/__main__.py",
        "pyrometer/bin/pyrometer",
        "pyrometer/lib/libpyrometer_agent.so",
        "pyrometer/lib/libpyrometer_agent_time.so",
    }


@pytest.mark.skipif(not shutil.which("readelf"), reason="needs readelf")
@pytest.mark.parametrize("name", ["bin/pyrometer", "lib/libpyrometer_agent.so", "lib/libpyrometer_agent_time.so"])
def test_the_wheel_needs_only_libc(wheel, tmp_path, name):
    binary = zipfile.ZipFile(wheel).extract(f"pyrometer/{name}", tmp_path)
    needed = re.findall(r"\(NEEDED\).*\[(.+?)\]", run("readelf", "-d", "-W", binary).stdout)
    assert needed
    assert [library for library in needed if not SYSTEM_LIBRARIES.match(library)] == []


def test_version(environment):
    result = environment.run("pyrometer", "--version")
    assert result.returncode == 0, result.stderr
    package = environment.run("python", "-c", "import pyrometer; print(pyrometer.__version__)").stdout.strip()
    assert package in result.stdout


def test_runs_code_with_the_python_that_called_it(environment, tmp_path):
    code = "import sys; print(sys.prefix); sys.exit(3)"
    result = environment.run("python", "-m", "pyrometer", "run", "-c", code, cwd=tmp_path)
    assert result.returncode == 3, result.stderr
    assert result.stdout.splitlines()[0] == str(environment.bin.parent)


def test_profiles_a_script_by_its_console_command(environment, tmp_path):
    script = tmp_path / "busy.py"
    script.write_text("x = 0\nfor i in range(10_000_000): x = (x * 31 + i) & 0xFFFF\n")
    report = tmp_path / "report.json"
    result = environment.run("pyrometer", "run", "--no-report", "--json", report, script, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert "busy.py" in report.read_text()
