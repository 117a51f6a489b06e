# SPDX-License-Identifier: Apache-2.0
"""Job control on a real terminal: Ctrl-C, Ctrl-Z, fg and the size of the window, as without pyrometer."""

import signal
import subprocess
import sys

import pytest
from pyrometer_tool import pyrometer, tool
from terminal import Terminal

CTRL_C, CTRL_Z = b"\x03", b"\x1a"
STOPPED = f"stopped {int(signal.SIGTSTP)}"

COUNTING = """
import os, signal, sys, time
seen = []
def count(*numbers):
    for number in numbers: signal.signal(number, lambda number, frame: seen.append(number))
def until(number):
    while number not in seen: time.sleep(0.01)
    time.sleep(0.3)  # for one too many
    return seen.count(number)
# Not by print: a handler that interrupts one may not print itself.
def tell(*words): os.write(1, (" ".join(map(str, words)) + "\\n").encode())
"""


@pytest.fixture(params=["bare", "profiled"])
def on_terminal(request, tmp_path, one_python):
    """Starts a program on a terminal of its own; afterwards its capture must be readable."""
    capture = tmp_path / "x.pyro"
    started = []

    def start(text):
        script = tmp_path / "program.py"
        script.write_text(COUNTING + text)
        under = [tool(), "run", "--no-report", "-o", capture] if request.param == "profiled" else []
        started.append(Terminal([*under, one_python.path, script]))
        return started[-1]

    yield start
    for terminal in started:
        terminal.__exit__()
    if request.param == "profiled":
        assert pyrometer("report", capture).returncode == 0


def test_ctrl_c_comes_once(on_terminal):
    terminal = on_terminal("count(signal.SIGINT)\ntell('ready')\ntell(until(signal.SIGINT), 'times')\nsys.exit(5)\n")
    terminal.wait_for("ready\n")
    terminal.type(CTRL_C)
    terminal.wait_for("1 times\n")
    assert terminal.event() == "exited 5"


def test_ctrl_c_ends_the_job(on_terminal):
    terminal = on_terminal("tell('ready')\ntime.sleep(60)\n")
    terminal.wait_for("ready\n")
    terminal.type(CTRL_C)
    terminal.wait_for("KeyboardInterrupt\n")
    assert terminal.event() == f"killed {int(signal.SIGINT)}"


def test_ctrl_z_stops_and_fg_goes_on(on_terminal):
    terminal = on_terminal(
        "count(signal.SIGCONT)\n"
        "for _ in range(2):\n"
        "    tell('ready')\n"
        "    tell(until(signal.SIGCONT), 'times')\n"
        "    seen.clear()\n"
        "sys.exit(6)\n"
    )
    for _ in range(2):
        terminal.wait_for("ready\n")
        terminal.type(CTRL_Z)
        assert terminal.event() == STOPPED
        terminal.bring_to_front()
        terminal.wait_for("1 times\n")
    assert terminal.event() == "exited 6"


def test_ctrl_z_that_the_program_ignores(on_terminal):
    terminal = on_terminal(
        "signal.signal(signal.SIGTSTP, signal.SIG_IGN)\ntell('ready')\ntell(sys.stdin.readline())\n"
    )
    terminal.wait_for("ready\n")
    terminal.type(CTRL_Z)
    assert terminal.quiet(0.5)
    terminal.type(b"hello\n")
    terminal.wait_for("hello\n")
    assert terminal.event() == "exited 0"


@pytest.mark.parametrize("how", ["SIGTSTP", "SIGSTOP"])
def test_program_tidies_up_before_it_stops(on_terminal, how):
    """As editors do: they restore the screen on Ctrl-Z and stop themselves."""
    terminal = on_terminal(
        "def stop(number, frame):\n"
        "    tell('tidied up')\n"
        "    signal.signal(signal.SIGTSTP, signal.SIG_DFL)\n"
        f"    os.kill(os.getpid(), signal.{how})\n"
        "    seen.append(number)\n"
        "signal.signal(signal.SIGTSTP, stop)\n"
        "tell('ready')\n"
        "tell(until(signal.SIGTSTP), 'times')\n"
    )
    terminal.wait_for("ready\n")
    terminal.type(CTRL_Z)
    terminal.wait_for("tidied up\n")
    assert terminal.event() == f"stopped {int(signal.Signals[how])}"
    terminal.bring_to_front()
    terminal.wait_for("1 times\n")
    assert terminal.event() == "exited 0"


def test_size_of_the_window(on_terminal):
    terminal = on_terminal(
        "count(signal.SIGWINCH)\n"
        "tell('ready')\n"
        "times = until(signal.SIGWINCH)\n"
        "tell(times, 'times', *os.get_terminal_size())\n"
    )
    terminal.wait_for("ready\n")
    terminal.resize(111, 37)
    terminal.wait_for("1 times 111 37\n")
    assert terminal.event() == "exited 0"


@pytest.mark.parametrize("name", ["SIGWINCH", "SIGCONT"])
def test_signals_to_pyrometer_alone_are_passed_on(tmp_path, one_python, name):
    script = tmp_path / "program.py"
    script.write_text(
        COUNTING + f"number = signal.{name}\ncount(number)\nos.kill(os.getppid(), number)\ntell(until(number))\n"
    )
    words = [tool(), "run", "--no-report", "-o", tmp_path / "x.pyro", one_python.path, script]
    done = subprocess.run(list(map(str, words)), capture_output=True, stdin=subprocess.DEVNULL, timeout=600)
    assert (done.returncode, done.stdout) == (0, b"1\n")


def test_nothing_is_reaped_that_is_not_its_own(tmp_path, one_python):
    """`exec pyrometer` of a process with a child: the child stays for whom it belongs to."""
    inherit = (
        "import os, sys\n"
        "pid = os.fork()\n"
        "if pid == 0: os._exit(9)\n"
        "os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)\n"
        "os.execv(sys.argv[1], [*sys.argv[1:], str(pid)])\n"
    )
    look = "import sys, time; time.sleep(0.3); print(open(f'/proc/{sys.argv[1]}/stat').read().rsplit(')')[1].split()[0])"
    words = [tool(), "run", "--no-report", "-o", tmp_path / "x.pyro", one_python.path, "-c", look]
    command = [sys.executable, "-c", inherit, *map(str, words)]
    done = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, timeout=600)
    assert (done.returncode, done.stdout) == (0, b"Z\n"), done.stderr
