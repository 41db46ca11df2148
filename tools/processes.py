"""Programs that the tools start: how they are run, waited for, judged and ended, and logs of `replay`.

Only short commands whose answer is all that matters, such as `git`, are started elsewhere, and by `attack/liar.py`,
which stands in for the program under test.
"""
import argparse
import atexit
import importlib.machinery
import importlib.util
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import weakref

PIPE, DEVNULL, STDOUT = subprocess.PIPE, subprocess.DEVNULL, subprocess.STDOUT
TimeoutExpired = subprocess.TimeoutExpired
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
#: Seconds after which a command counts as hanging, on a machine that is busy with much else.
PATIENCE = 600


class Answer:
    """The result of one command: its code (negative for a signal, None for a timeout) and its
    output."""

    def __init__(self, arguments, code, out, errors, seconds, timeout):
        self.arguments, self.code, self.seconds, self.timeout = arguments, code, seconds, timeout
        self.out, self.errors = out, errors

    @property
    def words(self):
        return self.errors.decode("utf-8", "replace")

    @property
    def text(self):
        return self.out.decode("utf-8", "replace")

    @property
    def objects(self):
        """Each line of the output as JSON."""
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def broken(self):
        """The reason why no program may end like this; None if it may."""
        if self.code is None:
            return f"no answer within {self.timeout} s"
        if self.code < 0:
            return f"ended by {signal.Signals(-self.code).name}"
        if self.code > 3:
            return f"exit code {self.code}"
        return None

    def needs(self, *codes):
        """The answer, with one of the codes, by default 0; another one ends the tool."""
        if self.code not in (codes or (0,)):
            sys.exit(f"{self} {self.text[-400:]}".strip())
        return self

    def __str__(self):
        ending = "no end" if self.code is None else str(self.code)
        return f"{' '.join(map(str, self.arguments))} → {ending}: {self.words.strip()[:400]}"


_started = weakref.WeakSet()


def start(command, **more):
    """Starts a program as the leader of a process group of its own.

    It may be a script that runs the tool: signals go to the group, and so to both. It is ended with this program.
    """
    process = subprocess.Popen(command, start_new_session=True, **{"env": environment(), **more})
    _started.add(process)
    return process


def run(command, stdin=b"", timeout=PATIENCE, **more):
    """Runs a program to its end. `stdin` is bytes, a text or a file."""
    given = stdin.encode() if isinstance(stdin, str) else stdin
    is_given = isinstance(given, bytes)
    started = time.monotonic()
    process = start(command, stdin=PIPE if is_given else given,
                    **{"stdout": PIPE, "stderr": PIPE, **more})
    try:
        out, errors = process.communicate(given if is_given else None, timeout=timeout)
        code = process.returncode
    except TimeoutExpired:
        kill(process)
        out, errors = process.communicate()
        code = None
    return Answer(command[1:], code, out or b"", errors or b"", time.monotonic() - started, timeout)


def send(process, number):
    """Sends a signal to a program and whatever it runs."""
    try:
        os.killpg(process.pid, number)
    except ProcessLookupError:
        pass


def members(process):
    """The ids of a program and whatever it runs, without those that have ended."""
    found = []
    for name in os.listdir("/proc") if os.path.isdir("/proc/self") else []:
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                state, _, group = file.read().rpartition(")")[2].split()[:3]
        except (OSError, ValueError):
            continue
        if name.isdigit() and int(group) == process.pid and state not in "ZX":
            found.append(int(name))
    return found


def kill(process, number=signal.SIGKILL):
    """Ends a program and whatever it runs, at once; returns its code when all of it is gone."""
    send(process, number)
    code = process.wait()
    wait_until(lambda: not members(process), pause=0.001)
    return code


def end(process, number=signal.SIGINT, seconds=60):
    """Ends a program by a signal, and kills it where it does not follow; returns its code."""
    if process.poll() is None:
        process.send_signal(number)
    try:
        return process.wait(seconds)
    except TimeoutExpired:
        return kill(process)


@atexit.register
def end_all():
    """Ends what is still running when the tool ends, so that tools among it end their own."""
    running = [process for process in list(_started) if process.poll() is None]
    for process in running:
        send(process, signal.SIGTERM)
    wait_until(lambda: all(process.poll() is not None for process in running), seconds=10)
    for process in running:
        kill(process)


if threading.current_thread() is threading.main_thread():
    # `end_all` follows; without this, the programs would go on.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))


def environment(changes=None):
    """The environment of every command: no log, head file or keys by default, no slow traces of crashes."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("DAYBOOK_")}
    env["SWIFT_BACKTRACE"] = "enable=no"
    env.update(changes or {})
    return env


def wait_until(condition, seconds=120, pause=0.01):
    """Waits until the condition holds; False after a time that only a fault takes."""
    until = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > until:
            return False
        time.sleep(pause)
    return True


def temporary(prefix):
    """A temporary folder, which is removed when the tool ends."""
    folder = tempfile.mkdtemp(prefix=prefix)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def parser(usage):
    """A parser of BINARY and of --seed, which repeats a run; it is drawn otherwise."""
    made = argparse.ArgumentParser(
        description=usage, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("binary", metavar="BINARY", help="the built program, like .build/debug/replay")
    made.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    return made


def module(path):
    """A program of Python as a module, whatever its name ends in."""
    name = os.path.basename(path).replace("-", "_")
    loader = importlib.machinery.SourceFileLoader(name, path)
    found = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(found)
    return found


class Tool:
    """The program under test, over one log."""

    def __init__(self, binary, log, cwd=ROOT, env=None):
        self.binary, self.log, self.cwd = os.path.abspath(binary), log, cwd
        self.env = environment(env)

    def answer(self, *arguments, stdin=b""):
        """The answer of a command about the log, however it ended."""
        return run([self.binary, *arguments, "--log", self.log], stdin, cwd=self.cwd, env=self.env)

    def run(self, *arguments, stdin=b"", codes=(0,)):
        return self.answer(*arguments, stdin=stdin).needs(*codes).out

    def objects(self, *arguments, codes=(0,)):
        return self.answer(*arguments).needs(*codes).objects

    def schema(self):
        return run([self.binary, "schema", "--json"]).needs().objects

    def head(self):
        return self.objects("stat", "--json")[0]["headAtPosition"]


class Faults:
    """What differed, of which the first few are printed."""

    def __init__(self):
        self.count = 0

    def add(self, text):
        self.count += 1
        if self.count <= 20:
            print(f"  {text}", flush=True)
