"""Replicas whose writer, shipment and pull are killed: no commit is missing or doubled.

In each round a writer appends to a log, while `ship` and `pull` run and are killed at random
moments, and texts of the log are erased. At the end of a round both run once without being killed.
The replica then has the head of the log, all that was acknowledged and nothing else; `verify` finds
nothing; and a replica made afresh of the same segments has the same events.
"""

import json
import os
import signal
import time

from long_replica import LongRun
from logs import CAUSES, Violation, Writer, check, lines_of
from processes import DEVNULL, kill, start

NAME = "replica"
QUICK = 8
ROUNDS_OF_A_LOG = 4
LINES, LINES_QUICK = 600, 100


def attack(family):
    if not family.attack.has("ship") or not family.attack.has("pull"):
        family.skip("this build has no ship and pull")
        return
    if family.attack.events:
        return attack_long(family)
    count = LINES_QUICK if family.attack.seconds is None else LINES
    chain = None
    for number, rng in family.rounds(QUICK):
        if chain is None or number % ROUNDS_OF_A_LOG == 0:
            chain = Chain(family, family.fresh(f"logs-{number}"))
        try:
            chain.round(number, rng, count)
            family.ok()
        except Violation as violation:
            family.fail(CAUSES[violation.invariant], str(violation), [chain.folder])
            chain = None


def attack_long(family):
    """Attacks one log of `--events` events, in place of rounds."""
    chain = Chain(family, family.fresh("long"))
    try:
        LongRun(chain, family.generator("long"), family.attack.events).run()
        family.ok()
    except Violation as violation:
        family.fail(CAUSES[violation.invariant], str(violation), [chain.folder])


class Chain:
    """A log, its segments, and two replicas of it."""

    def __init__(self, family, folder):
        self.family, self.folder = family, folder
        self.log = os.path.join(folder, "log.daybook")
        self.segments = os.path.join(folder, "segments")
        self.keys = os.path.join(folder, "keys")
        self.replica = os.path.join(folder, "replica.daybook")
        self.without = os.path.join(folder, "without.daybook")
        self.sent, self.acknowledged = {}, {}
        self.took = 0.05

    def commands(self):
        """The commands of a shipment and of a pull."""
        return {
            "ship": ["ship", self.segments, "--texts", self.keys, "--log", self.log],
            "pull": ["pull", self.segments, "--texts", self.keys, "--log", self.replica],
            "pull without keys": ["pull", self.segments, "--log", self.without],
        }

    def round(self, number, rng, count):
        lines = lines_of(f"r{number}", rng, count)
        self.sent.update(lines)
        writer = Writer(self.family.attack.binary, self.log, lines)
        writer.wait_for(rng.randrange(1, count // 2))
        for _ in range(rng.randrange(2, 6)):
            self.killed(rng)
        writer_is_killed = rng.random() < 0.5
        if writer_is_killed:
            if writer.kill() == -signal.SIGKILL:
                self.family.note("writers killed")
        elif writer.finish() != 0:
            raise Violation(1, f"a writer beside a shipment: {writer.words}")
        self.acknowledged.update(writer.receipts)
        for name, command in self.commands().items():
            started = time.monotonic()
            answer = self.family.tool(*command)
            if answer.code != 0:
                raise Violation(3, f"{name} after killed ones: {answer}")
            self.took = time.monotonic() - started
        self.is_equal()

    def killed(self, rng):
        """Runs one of the commands, and kills it at a random moment."""
        name, command = rng.choice(list(self.commands().items()))
        process = start(
            [self.family.attack.binary, *command], stdout=DEVNULL,
            stderr=DEVNULL)
        time.sleep(rng.random() * self.took * 1.2)
        if kill(process) == -signal.SIGKILL:
            self.family.note(f"{name.split()[0]}s killed")

    def is_equal(self):
        head = self.head(self.log)
        listed = self.listed(self.log)
        afresh = os.path.join(self.family.fresh("afresh"), "replica.daybook")
        self.family.expect(
            self.family.tool("pull", self.segments, "--texts", self.keys, "--log", afresh))
        for path in [self.replica, self.without, afresh]:
            there = check(self.family.attack.binary, path, self.sent, {})
            if self.head(path) != head:
                raise Violation(2, f"{path} has the head {self.head(path)}, not {head}")
            missing = set(self.acknowledged) - there
            if missing:
                raise Violation(1, f"{path} lacks {len(missing)} acknowledged rows")
            if self.listed(path) != listed:
                raise Violation(2, f"{path} lists other events than the log")
        self.family.note("events in replicas", len(listed.splitlines()))

    def head(self, path):
        answer = self.family.expect(self.family.tool("stat", "--json", "--log", path))
        return json.loads(answer.out)["headAtPosition"]

    def listed(self, path):
        return self.family.expect(self.family.tool("log", "--json", "--chain", "--log", path)).out
