"""Machines that run the program: clients that append lines to a log, and followers of it.

A client asks again what it does not know the outcome of, as a careful app does: it is started again
and sends the same lines with the same idempotency keys.
"""
import json
import os
import queue
import random
import re
import signal
import tempfile
import threading
import time

import processes
from processes import DEVNULL, PIPE, temporary

# How a process may end: done, with refusals, without the server, damaged (never), or killed.
EXPECTED_CODES = {0, 1, 2, -signal.SIGKILL}
SECONDS = 300


class Ledger:
    """What clients have asked for, and what they were answered."""

    def __init__(self):
        self.lock = threading.Lock()
        # First positions by id, and ids that were refused or that nobody knows about.
        self.places, self.refused, self.unknown = {}, set(), set()
        # What a client was told that contradicts what it was told before.
        self.contradictions, self.ends, self.repeated = [], {}, 0

    def note(self, id, answer):
        with self.lock:
            if answer.get("refused"):
                self.refused.add(id)
                if id in self.places:
                    self.contradictions.append(f"{id} was written, and then {answer}")
                return
            self.repeated += bool(answer["repeated"])
            if self.places.setdefault(id, answer["first"]) != answer["first"]:
                self.contradictions.append(f"{id} was at {self.places[id]}, and then {answer}")

    def end(self, name, code, message):
        """Notes how a process ended; a crash or damage is a contradiction."""
        with self.lock:
            last = message.strip().splitlines()[-1] if message.strip() else ""
            # Without names of folders and numbers, equal reasons are counted together.
            key = re.sub(r"/tmp/[-\w./]+", "…", re.sub(r"\d+", "N", last))[:200]
            self.ends[code, key] = self.ends.get((code, key), 0) + 1
            if code not in EXPECTED_CODES:
                self.contradictions.append(f"{name} ended with {code}: {message[-500:]}")


class Machine:
    """A cache folder, and a gate to the server."""

    def __init__(self, binary, gate, log, keys, cache=None):
        self.binary, self.gate, self.log, self.keys = binary, gate, log, keys
        self.cache = cache or temporary("daybook-cache-")

    def environment(self):
        variables = processes.environment({
            "XDG_CACHE_HOME": self.cache, "DAYBOOK_LOG": self.gate.address(self.log)})
        if self.keys:
            variables["DAYBOOK_KEY_FILE"] = self.keys
        return variables

    def start(self, *arguments, **pipes):
        return processes.start([self.binary, *arguments], env=self.environment(), **pipes)

    def run(self, *arguments, codes=(0,), stdin=b""):
        answer = processes.run([self.binary, *arguments], stdin, SECONDS, env=self.environment())
        if answer.code not in codes:
            raise Unexpected(str(answer))
        return answer.out


class Unexpected(Exception):
    """An answer of the program that nothing explains."""


class Worker:
    """A thread with a process of a machine, which is started again when it ends."""

    def __init__(self, name, machine, ledger):
        self.name, self.machine, self.ledger = name, machine, ledger
        self.process, self.errors = None, None
        self.over = False
        self.thread = threading.Thread(target=self.work, daemon=True)

    def begin(self, *arguments, stdin=PIPE):
        # Not in the folder of the replica, whose disk may be full.
        self.errors = tempfile.TemporaryFile()
        self.process = self.machine.start(
            *arguments, stdin=stdin, stdout=PIPE, stderr=self.errors)

    def take_end(self):
        """Waits for the end of the process, and notes it."""
        code = self.process.wait()
        self.errors.seek(0)
        message = self.errors.read().decode(errors="replace")
        self.errors.close()
        self.process.stdout.close()
        self.process = None
        self.ledger.end(self.name, code, message)
        return code, message

    def kill(self, number=signal.SIGKILL):
        process = self.process
        if process and process.poll() is None:
            process.send_signal(number)
            return True
        return False

    def stop(self):
        self.over = True
        self.kill()
        self.thread.join(20)


class Client(Worker):
    """Appends lines one by one with `append --each`."""

    def __init__(self, name, machine, ledger, lines, running):
        super().__init__(name, machine, ledger)
        self.lines, self.running = lines, running
        self.pending, self.number, self.answers = None, 0, None
        self.is_idle = threading.Event()

    def work(self):
        while not self.over:
            if self.pending is None and not self.running.is_set():
                self.is_idle.set()
                time.sleep(0.01)
                continue
            self.is_idle.clear()
            try:
                self.step()
            except (OSError, ValueError) as error:
                self.ledger.contradictions.append(f"{self.name}: {error!r}")
                self.pending = None

    def step(self):
        if self.pending is None:
            self.pending = self.lines.next(self.name)
        id, line = self.pending
        answer = self.ask(line)
        if answer is not None:
            self.ledger.note(id, answer)
            self.pending = None
        elif '"key"' not in line:
            # Without a key, nobody can find out. It may be there once.
            self.ledger.unknown.add(id)
            self.pending = None

    def ask(self, line):
        """Sends a line; returns the answer to it, or None if the process has ended before."""
        if self.process is None:
            self.begin("append", "--each", "--json")
            self.number, self.answers = 0, queue.Queue()
            threading.Thread(
                target=self.read, args=(self.process, self.answers), daemon=True).start()
        self.number += 1
        try:
            self.process.stdin.write(line.encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass
        until = time.time() + SECONDS
        while time.time() < until:
            try:
                answer = self.answers.get(timeout=1)
            except queue.Empty:
                written = os.pread(self.errors.fileno(), 1 << 20, 0)
                if time.time() > until - SECONDS + 5 and b"input:%d:" % self.number in written:
                    raise ValueError(f"a line was rejected: {line}")
                continue
            if answer is None:
                code, _ = self.take_end()
                # A server that is away is asked again a little later.
                time.sleep(0.05 if code < 0 else 0.2)
                return None
            if answer["line"] == self.number:
                return answer
        self.kill()
        raise ValueError(f"no answer in {SECONDS} s to {line}")

    @staticmethod
    def read(process, answers):
        try:
            for line in process.stdout:
                if line.endswith(b"\n"):
                    answers.put(json.loads(line))
        except ValueError:
            pass
        answers.put(None)


class BatchClient(Client):
    """Appends a few lines at a time with `append`, all of them or none."""

    def step(self):
        if self.pending is None:
            size = self.lines.generator.choice([1, 2, 5, 20])
            self.pending = [self.lines.keyed(self.name) for _ in range(size)]
        self.begin("append", "--json")
        process = self.process
        try:
            process.stdin.write("".join(line + "\n" for _, line in self.pending).encode())
            process.stdin.close()
        except BrokenPipeError:
            pass
        answers = [line for line in process.stdout if line.endswith(b"\n")]
        code, message = self.take_end()
        if code == 1:
            self.pending = None
            raise ValueError(f"a batch was refused: {message}")
        if code == 0 and len(answers) == len(self.pending):
            for (id, _), answer in zip(self.pending, answers):
                self.ledger.note(id, json.loads(answer))
            self.pending = None
        elif code == 0:
            raise ValueError(f"{len(answers)} answers to {len(self.pending)} lines")
        else:
            time.sleep(0.1)


class Follower(Worker):
    """Follows the log, and keeps each line that it has seen."""

    def __init__(self, name, machine, ledger):
        super().__init__(name, machine, ledger)
        self.seen = []

    def work(self):
        while not self.over:
            self.begin("log", "--follow", "--json", "--after", str(len(self.seen)),
                       stdin=DEVNULL)
            for line in self.process.stdout:
                if not line.endswith(b"\n"):
                    break
                position = json.loads(line)["position"]
                if position != len(self.seen) + 1:
                    self.ledger.contradictions.append(
                        f"{self.name} saw {position} after {len(self.seen)}")
                self.seen.append(line)
            code, _ = self.take_end()
            if not self.over:
                time.sleep(0.05 if code < 0 else 0.3)


class Lines:
    """Lines to append, each with an id in its correlation."""

    def __init__(self, seed):
        self.generator, self.lock = random.Random(seed), threading.Lock()
        self.count, self.sent = 0, []

    def id(self, name):
        with self.lock:
            self.count += 1
            return f"{name}-{self.count}"

    def line(self, id, launch, actor, key=True, **members):
        line = {"key": id} if key else {}
        line.update({
            "event": "launch.app-terminated.v1", "at": "2026-03-03T08:15:00Z", "correlation": id,
            "actor": actor, "data": {"launchId": launch, "cause": "user"}, **members})
        return id, json.dumps(line)

    def actor(self, name):
        """A person; now and then a new one, with a key of its own."""
        return f"{name}-{self.count}" if self.generator.random() < 0.2 else name

    def keyed(self, name):
        id = self.id(name)
        made = self.line(id, id, self.actor(name))
        self.sent.append(made)
        return made

    def next(self, name):
        kind = self.generator.random()
        if kind < 0.12:
            id = self.id(name)
            return self.line(id, id, self.actor(name), key=False)
        if kind < 0.3:
            # Whoever comes first has the slot; several clients want the same one.
            slot = f"slot-{self.count // 8}"
            return self.line(
                self.id(name), slot, name,
                failIfEventsMatch={"query": [{"tags": [f"launch:{slot}"]}], "after": 0})
        if kind < 0.4:
            # A command, which the rules accept once.
            id = self.id(name)
            return id, json.dumps({
                "key": id, "command": "launch.launch-app", "at": "2026-03-03T08:15:00Z",
                "correlation": id, "device": name, "data": {
                    "launchId": id, "appVersion": "1.0.0", "platform": "ios",
                    "firstLaunch": False, "device": name}})
        if kind < 0.48 and self.sent:
            # Something that was sent before, perhaps by another client.
            return self.generator.choice(self.sent)
        return self.keyed(name)
