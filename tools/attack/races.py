"""Several processes on one log: exact sets come out.

Writers with keys of their own, with the same keys, and with decisions of which one may win append
at the same time, while readers, followers, verify and stat look on, and indexes and snapshots are
made anew. Then

 * every line is there once, whoever sent it, and each process was told the same position of it;
 * of decisions that exclude each other exactly one is recorded;
 * a follower has seen exactly the log, in order; readers saw a beginning of it;
 * verify and stat were never refused, and never saw damage.
"""

import os
import signal
import threading
import time

import content
from harness import HANG
from logs import CAUSES, Violation, Writer, check, lines_of, parsed, rows
from processes import PIPE, kill, send, start

NAME = "races"
QUICK = 6
WRONG = "a reader beside writers is wrong"


class Onlooker(threading.Thread):
    """Runs reading commands until it is stopped; keeps the first fault."""

    def __init__(self, family, path, stop, writes):
        super().__init__()
        self.family, self.path, self.stop = family, path, stop
        self.writes = writes
        self.wrong, self.count = None, 0

    def run(self):
        commands = [["verify", "--json"], ["stat", "--json"], ["log", "--json"],
                    ["state", "splash", "--json"], ["audit", "--json"],
                    ["log", "--json", "--reverse", "--limit", "3"]]
        if self.writes:
            commands += [["reindex"], ["snapshot"]]
        while not self.stop.is_set() and not self.wrong:
            command = commands[self.count % len(commands)]
            answer = self.family.tool(*command, "--log", self.path)
            self.count += 1
            try:
                self.judge(command, answer)
            except Violation as violation:
                self.wrong = f"{answer} {violation}"

    def judge(self, command, answer):
        if answer.broken or answer.code not in (0, 1):
            raise Violation(5, answer.text[:300])
        if command == ["log", "--json"]:
            positions = [row.get("position") for row in rows(answer.out)]
            if positions != list(range(1, len(positions) + 1)):
                raise Violation(5, f"log beside writers is not dense: {positions[:5]}")


class Follower:
    """`log --follow`, read to the end of what is wanted."""

    def __init__(self, family, path):
        self.positions = []
        self.process = start(
            [family.attack.binary, "log", "--follow", "--json", "--log", path],
            stdout=PIPE, stderr=PIPE)
        self.grown = threading.Condition()
        self.thread = threading.Thread(target=self.read)
        self.thread.start()

    def read(self):
        for line in self.process.stdout:
            with self.grown:
                if line.endswith(b"\n"):
                    self.positions.append(position_of(line))
                self.grown.notify_all()

    def end(self, head):
        """Waits until it has seen `head`; returns its positions."""
        with self.grown:
            self.grown.wait_for(
                lambda: len(self.positions) >= head, timeout=HANG)
        send(self.process, signal.SIGTERM)
        self.thread.join(120)
        kill(self.process)
        self.thread.join()
        return self.positions


def position_of(line):
    """The position in a row, or the row itself where there is none."""
    try:
        return parsed(line).get("position")
    except Violation:
        return line


def decisions(number):
    """Onboarding of one baby by several: only the first makes its household."""
    return {
        f"onboard-{number}-{who}": {
            "command": "household.onboard", "at": "2026-01-01T00:00:00Z", "actor": f"u{who}",
            "data": {"babyId": f"baby-{number}", "householdId": f"h{who}", "zone": "UTC",
                     "by": f"u{who}"}}
        for who in range(3)}


def attack(family):
    for number, rng in family.rounds(QUICK):
        folder = family.fresh("place")
        path = os.path.join(folder, "log.daybook")
        try:
            one_race(family, path, number, rng)
            family.ok()
        except Violation as violation:
            family.fail(CAUSES.get(violation.invariant, WRONG), str(violation), [path])


def one_race(family, path, number, rng):
    binary = family.attack.binary
    count = 60 if family.attack.seconds is None else 250
    # In every second race the log is made by whoever comes first.
    sent = {}
    if number % 2:
        first = lines_of(f"r{number}-first", rng, 1)
        sent.update(first)
        family.expect(family.tool(
            "append", "--log", path, stdin=content.text(first.values())))
    shared = lines_of(f"r{number}-shared", rng, count // 2)
    sent.update(shared)
    writers = []
    for who in range(rng.randrange(2, 5)):
        own = lines_of(f"r{number}-w{who}", rng, count // 2)
        sent.update(own)
        mixed = list({**own, **shared}.items())
        rng.shuffle(mixed)
        writers.append(Writer(binary, path, dict(mixed)))
    deciders = []
    for who in range(3):
        lines = {
            key: line for turn in range(8)
            for key, line in decisions(turn).items() if key.endswith(f"-{who}")}
        deciders.append(Writer(binary, path, lines))
    stop = threading.Event()
    while not os.path.exists(path) or not os.path.getsize(path):
        if all(writer.process.poll() is not None for writer in writers):
            break
        time.sleep(0.0005)
    onlookers, follower = [], None
    if number % 2:
        onlookers = [Onlooker(family, path, stop, writes=number % 4 == 3)]
        follower = Follower(family, path)
    for onlooker in onlookers:
        onlooker.start()
    problems = []
    for writer in writers + deciders:
        code = writer.finish()
        if code != 0 and (writer in writers or code != 1):
            problems.append(f"a writer ended with {code}: {writer.words[:300]}")
    stop.set()
    for onlooker in onlookers:
        onlooker.join()
        family.note("questions beside writers", onlooker.count)
    answer = family.tool("stat", "--json", "--log", path)
    head = parsed(answer.out).get("events") if answer.code == 0 else 0
    seen = follower.end(head) if follower else None
    if problems:
        raise Violation(1, "; ".join(problems))
    if answer.code != 0:
        raise Violation(1, f"after writers that all ended with 0: {answer}")
    acknowledged = {}
    for writer in writers:
        for key, receipt in writer.receipts.items():
            earlier = acknowledged.setdefault(key, receipt)
            if earlier["first"] != receipt["first"]:
                raise Violation(2, f"{key!r} was acknowledged twice: {earlier}, {receipt}")
            if not earlier["repeated"] and not receipt["repeated"] and earlier is not receipt:
                raise Violation(2, f"{key!r} is new to two writers: {earlier}, {receipt}")
    if set(acknowledged) != set(sent) - {f"r{number}-first-0"}:
        raise Violation(1, f"{len(acknowledged)} of {len(sent)} lines were acknowledged")
    there = check(binary, path, sent, acknowledged, {""})
    if there != set(sent):
        raise Violation(1, "the log holds other lines than those sent")
    for turn in range(8):
        events = family.tool("log", "--json", "--tag", f"profile:baby-{turn}", "--kind",
                             "household.onboarded.v1", "--log", path).out.splitlines()
        if len(events) != 1:
            raise Violation(2, f"{len(events)} households were made of baby-{turn}")
    if seen is not None and seen != list(range(1, head + 1)):
        raise Violation(5, f"a follower saw {len(seen)} of {head}: {seen[:3]}…{seen[-3:]}")
    for onlooker in onlookers:
        if onlooker.wrong:
            raise Violation(5, onlooker.wrong)
