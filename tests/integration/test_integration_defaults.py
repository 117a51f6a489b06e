# SPDX-License-Identifier: Apache-2.0
"""Options by command line, environment and pyproject.toml: the same effect, and in that order."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from pyrometer_tool import TESTS, pyrometer, tool

PROGRAM = """
import os, signal, sys, textwrap, time
print({name: value for name, value in os.environ.items() if name.startswith("PYROMETER_")})
sys.stdout.flush()
def burn(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        textwrap.wrap("word " * 1000)
if "signal" in sys.argv:
    os.kill(os.getppid(), signal.SIGUSR2)
burn(0.1)
end = time.monotonic() + 30
while "wait" in sys.argv and not os.path.exists("out.pyro") and time.monotonic() < end:
    time.sleep(0.01)
if "wait" in sys.argv:
    print("written" if os.path.exists("out.pyro") else "nothing")
"""
ALWAYS = {"help", "no-config"}


def options_of(command):
    """Long names of a command's options that take part, as its help has them."""
    text = pyrometer("help", command).stdout.decode()
    return set(re.findall(r"^ +(?:-\w,)?--([\w-]+)", text, re.MULTILINE)) - ALWAYS


class Run:
    """The program of this test in its folder, run with options that come from anywhere."""

    def __init__(self, folder):
        self.folder = folder
        (folder / "program.py").write_text(PROGRAM)

    def configure(self, **keys):
        lines = [f"{name.replace('_', '-')} = {json.dumps(value)}\n" for name, value in keys.items()]
        (self.folder / "pyproject.toml").write_text("[tool.pyrometer]\n" + "".join(lines))

    def __call__(self, *options, env=(), words=(), program=("program.py",), command="run"):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYROMETER_")}
        return pyrometer(command, *options, *program, *words, cwd=self.folder, env={**environment, **dict(env)})

    def options(self, *options, **more):
        """What was recorded with, as the recording itself says."""
        done = self("-o", "asked.pyro", "--no-report", *options, **more)
        assert done.returncode == 0, done.stderr
        shown = pyrometer("report", "--json", "-", "asked.pyro", "--no-config", cwd=self.folder)
        return dict(pair.split("=") for pair in json.loads(shown.stdout)["run"]["options"].split(";"))


@pytest.fixture
def run(tmp_path):
    return Run(tmp_path)


def variable(name):
    return "PYROMETER_" + name.upper().replace("-", "_")


def as_text(value):
    return ":".join(value) if isinstance(value, list) else str(value).lower() if isinstance(value, bool) else str(value)


def give(run, way, name, value):
    """(words of the command line, environment) that set an option, or a pyproject.toml that does."""
    if way == "environment":
        return [], {variable(name): as_text(value)}
    if way == "pyproject":
        run.configure(**{name: value})
        return [], {}
    values = value if isinstance(value, list) else [value]
    return [word for one in values for word in ([f"--{name}={as_text(one)}"])], {}


def recorded(key, value):
    def check(run, words, env):
        assert run.options(*words, env=env)[key] == value

    return check


def report_has(test):
    def check(run, words, env):
        done = run("--json", "out.json", *words, env=env)
        assert done.returncode == 0, done.stderr
        assert test(json.loads((run.folder / "out.json").read_text())), done.stderr.decode()

    return check


def in_scope(report):
    return {os.path.basename(file["path"]) for file in report["merged"]["files"] if file["in_scope"]}


def writes(name):
    def check(run, words, env):
        done = run(*words, env=env)
        assert done.returncode == 0, done.stderr
        assert (run.folder / name).stat().st_size > 0

    return check


def check_no_report(run, words, env):
    assert run(*words, env=env).stderr == b""


def check_reduced(run, words, env):
    assert b"def burn" in run("--no-config").stderr
    assert b"def burn" not in run(*words, env=env).stderr


def shows(text, *options):
    """The report says `text` with the option, and not without."""

    def check(run, words, env):
        assert text not in run("--no-config", *options).stderr.decode()
        done = run(*options, *words, env=env)
        assert done.returncode == 0 and text in done.stderr.decode(), done.stderr.decode()

    return check


def check_every(run, words, env):
    assert b"written" in run("-o", "out.pyro", *words, env=env, words=["wait"]).stdout


def check_signal(run, words, env):
    # Not passed on to the program, which would end by it.
    assert run(*words, env=env, words=["signal"]).returncode == 0
    assert run(words=["signal"], program=("--no-config", "program.py")).returncode != 0


def check_taken(run, words, env):
    """For an option without an effect that can be seen from here."""
    assert run(*words, env=env).returncode == 0


def check_format(run, words, env):
    assert run("-o", "a.pyro", "--no-report").returncode == 0
    shown = run(*words, env=env, program=("a.pyro",), command="report")
    assert shown.returncode == 0 and re.match(rb"\d+\t", shown.stdout), shown.stderr


def check_process(run, words, env):
    assert run("-o", "a.pyro", "--no-report", "--no-config").returncode == 0
    shown = run(*words, env=env, program=("a.pyro",), command="report")
    assert shown.returncode == 2 and b"has no process 1;" in shown.stderr


def check_from(run, words, env):
    assert run("-o", "a.pyro", "--no-report", "--no-config").returncode == 0
    shown = run(*words, env=env, program=("a.pyro",), command="report")
    assert shown.returncode == 2 and b"as collapsed: " in shown.stderr


def check_count_is(run, words, env):
    (run.folder / "stacks.txt").write_text("main 5\n")
    shown = run(*words, env=env, program=("stacks.txt",), command="report")
    assert shown.returncode == 0 and b"elapsed 15.0 ms" in shown.stdout


# option -> a value that is not the default, and how to see that it was taken
EFFECTS = {
    "all": (True, report_has(lambda report: "textwrap.py" in in_scope(report))),
    "all-functions": (True, check_taken),
    "clock": ("timer", recorded("clock", "timer")),
    "count-is": ("3ms", check_count_is),
    "cpu-only": (True, recorded("memory", "0")),
    "duration": (1.5, recorded("duration_ms", "1500")),
    "every": (0.05, check_every),
    "exclude": (["nothing", "program.py"], report_has(lambda report: "program.py" not in in_scope(report))),
    "file": (["nothing", "program.py"], shows("files that match nothing, program.py;")),
    "flat": (True, shows("Lines  by ")),
    "format": ("stacks", check_format),
    "from": ("collapsed", check_from),
    "function": (["nothing", "bur*"], shows("functions that match nothing, bur*;")),
    "html": ("given.html", writes("given.html")),
    "json": ("given.json", writes("given.json")),
    "lines": (1, shows("  and ", "--tree")),
    "mem-interval": (4096, recorded("mem_interval", "4096")),
    "memory-only": (True, recorded("cpu", "0")),
    "no-children": (True, recorded("children", "0")),
    "no-native": (True, recorded("native", "0")),
    "no-report": (True, check_no_report),
    "off": (True, recorded("off", "1")),
    "only": (["nothing", "else"], report_has(lambda report: in_scope(report) == set())),
    "output": ("given.pyro", writes("given.pyro")),
    "process": (1, check_process),
    "python": (sys.executable, report_has(lambda report: report["run"]["command"][0] == sys.executable)),
    "rate": (99, recorded("rate", "99")),
    "reduced": (True, check_reduced),
    "signal": ("USR2", check_signal),
    "sort": ("allocated", shows("by memory allocated", "--tree")),
    "threshold": (2.5, shows("; 2.5 % or more", "--tree")),
    "tree": (True, shows("Call tree")),
}


def test_no_option_is_forgotten():
    assert options_of("run") | options_of("report") == set(EFFECTS)


@pytest.mark.parametrize("way", ["words", "environment", "pyproject"])
@pytest.mark.parametrize("name", sorted(EFFECTS))
def test_an_option_can_be_given(run, name, way):
    value, check = EFFECTS[name]
    words, env = give(run, way, name, value)
    check(run, words, env)


def test_precedence(run):
    run.configure(rate=11, off=True)
    assert run.options()["rate"] == "11"
    assert run.options(env={"PYROMETER_RATE": "22"})["rate"] == "22"
    given = run.options("--rate", "33", "--off=false", env={"PYROMETER_RATE": "22", "PYROMETER_OFF": "1"})
    assert (given["rate"], given["off"]) == ("33", "0")
    assert run.options(env={"PYROMETER_OFF": "0"})["off"] == "0"
    assert run.options(env={"PYROMETER_RATE": ""})["rate"] == "11"


def test_without_pyproject(run):
    run.configure(rate=11)
    assert run.options("--no-config")["rate"] == "0"
    assert run.options(env={"PYROMETER_NO_CONFIG": "1"})["rate"] == "0"


def test_which_pyproject(run):
    """The nearest one above a script, links followed; for other programs above the working directory."""
    script = run.folder / "deep" / "er" / "program.py"
    script.parent.mkdir(parents=True)
    script.write_text(PROGRAM)
    (run.folder / "link.py").symlink_to(script)
    (run.folder / "deep" / "pyproject.toml").write_text("[tool.pyrometer]\nrate = 77\n")
    run.configure(rate=11)
    assert run.options(program=[script])["rate"] == "77"
    assert run.options(program=["link.py"])["rate"] == "77"
    assert run.options(program=["program.py"])["rate"] == "11"
    assert run.options(program=["-c", "pass"])["rate"] == "11"
    assert run.options(program=["-m", "program"])["rate"] == "11"
    assert run.options(program=[sys.executable, script])["rate"] == "11"
    (script.parent / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    assert run.options(program=[script])["rate"] == "0"


def test_the_program_sees_its_environment_as_it_is(run):
    env = {"PYROMETER_RATE": "22", "PYROMETER_PYTHON": sys.executable, "PYROMETER_OFF": ""}
    done = run("--no-report", env=env)
    assert done.stdout.decode().splitlines()[0] == str(env)


def test_the_calling_python_comes_last(run, tmp_path):
    """`python -m pyrometer` stands for a Python that nobody has named, and leaves no trace."""
    package = tmp_path / "site" / "pyrometer"
    package.mkdir(parents=True)
    for file in (TESTS.parent / "python" / "pyrometer").glob("*.py"):
        (package / file.name).write_text(file.read_text())
    (package / "bin").mkdir()
    (package / "bin" / "pyrometer").symlink_to(tool())
    script = "import sys, os; print(sys.executable, [n for n in os.environ if n.startswith('PYROMETER_')])"
    command = [sys.executable, "-m", "pyrometer", "run", "--no-report", "-c", script]

    def ask(**env):
        clean = {name: value for name, value in os.environ.items() if not name.startswith("PYROMETER_")}
        return subprocess.run(
            command, cwd=tmp_path, env={**clean, "PYTHONPATH": str(tmp_path / "site"), **env}, capture_output=True, text=True
        )

    assert ask().stdout == f"{sys.executable} []\n"
    other = Path("/usr/bin/python3")
    if not other.exists():
        pytest.skip("needs another Python")
    assert ask(PYROMETER_PYTHON=str(other)).stdout == f"{other} ['PYROMETER_PYTHON']\n"


def refused(run, done, *mentions):
    text = done.stderr.decode()
    assert (done.returncode, done.stdout) == (2, b""), text
    assert text.startswith("pyrometer: ") and len(text.splitlines()) == 1, text
    assert [word for word in mentions if word not in text] == [], text


@pytest.mark.parametrize(
    "text, mentions",
    [
        ("rat = 5", ["'rat'", "'rate'"]),
        ("cpu_only = true", ["'cpu_only'", "'cpu-only'"]),
        ("zzzzzz = 5", ["'zzzzzz'", "help run"]),
        ("no-config = true", ["'no-config'"]),
        ("rate = 20000", ["rate", "20000", "10000"]),
        ("rate = 'many'", ["rate", "a number"]),
        ("rate = true", ["rate", "a number"]),
        ("rate = 2.5", ["rate", "2.5"]),
        ("off = 'yes'", ["off", "true or false"]),
        ("off = 1", ["off", "true or false"]),
        ("clock = 'sundial'", ["clock", "sundial"]),
        ("output = 5", ["output", "a string"]),
        ("output = ['a']", ["output", "a string"]),
        ("only = [1]", ["only", "list of strings"]),
        ("rate = ", [":2: ", "--no-config"]),
        ("[tool.pyrometer.run]\nrate = 5", ["'run'"]),
    ],
)
def test_bad_pyproject(run, text, mentions):
    path = run.folder / "pyproject.toml"
    path.write_text(f"[tool.pyrometer]\n{text}\n")
    refused(run, run(), str(path), *mentions)
    assert run("--no-config").returncode == 0


@pytest.mark.parametrize(
    "name, value, mentions",
    [
        ("PYROMETER_RAT", "5", ["PYROMETER_RATE"]),
        ("PYROMETER_CPUONLY", "1", ["PYROMETER_CPU_ONLY"]),
        ("PYROMETER_RATE", "many", ["many"]),
        ("PYROMETER_RATE", "0", ["10000"]),
        ("PYROMETER_OFF", "maybe", ["maybe"]),
        ("PYROMETER_CLOCK", "sundial", ["sundial"]),
        ("PYROMETER_SIGNAL", "HUP", ["HUP"]),
        ("PYROMETER_NO_CONFIG", "perhaps", ["perhaps"]),
    ],
)
def test_bad_variables(run, name, value, mentions):
    refused(run, run(env={name: value}), name, *mentions)


def test_values_of_the_other_command_are_no_errors(run):
    assert run("-o", "a.pyro", "--no-report").returncode == 0
    run.configure(rate=11, format="text")
    shown = run(command="report", program=("a.pyro",), env={"PYROMETER_OUTPUT": "x"})
    assert shown.returncode == 0, shown.stderr
    assert run.options()["rate"] == "11"


def test_variables_of_others_are_no_errors(run):
    env = {"PYROMETER_PYTHONS": "x", "PYROMETER_RECORD": "", "PYROMETER_SOMETHING_ELSE": "y"}
    assert run(env=env).returncode == 0
