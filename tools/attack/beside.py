"""A writer beside work that once held it up or made its file grow: work in batches, readers that are
killed within a read, and pipes that nobody reads.

One `append --each` stays open all the time and is fed line by line. First it runs alone, which
shows how long a line takes on this machine now and how much the file grows by. Then the same
number of lines is appended beside each trouble. Its longest gap is compared with the duration of the work
in batches, and the growth of the file with that of the writer alone. At the end every acknowledged
line is there once.
"""

import os
import random
import time

from logs import CAUSES, Violation, Writer, check, encoded, lines_of
from processes import DEVNULL, PIPE, kill, members, start
from soak import slots

NAME = "beside"
QUICK = 1
#: Turns of a round in quick form, and seconds of one that ends at its first failure.
TURNS_QUICK, SECONDS_FIRST = 3, 20
#: Lines in the log at the beginning, and lines appended beside each trouble.
LINES, LINES_LONG, FED = 6_000, 300_000, 400
#: Turns of the work in which the writer may wait for long, as a disk that stalls makes it; in one it may not.
TRIES = 6
#: Growth of the file beside a trouble, in multiples of the growth alone, and room for chance.
TIMES, ROOM = 4, 4 << 20
HELD_UP = "a writer is held up by work in batches"
GROWS = "the file grows beside dead or blocked readers"
LONGEST = "ms of the longest gap"
#: Commands that write and read for long, and commands whose output nobody reads.
BATCHES = [["reindex"], ["snapshot"], ["reindex"], ["erase", "--scrub", "--actor", "nobody"]]
BLOCKED = [["backup", "-"], ["log", "--json"], ["log", "--follow", "--json"],
           ["trace", "splash"], ["export", "--format", "cloudevents"], ["audit", "--all", "--json"]]
KILLED = [["verify"], ["audit"], ["log", "--json"], ["trace", "splash"]]


def attack(family):
    for number, rng in family.rounds(QUICK):
        path = os.path.join(family.fresh("place"), "log.daybook")
        try:
            one_round(family, path, rng, number)
        except Violation as violation:
            cause = CAUSES.get(violation.invariant, getattr(violation, "cause", GROWS))
            family.fail(cause, str(violation), [path])


class Trouble(Violation):
    """A gap or growth that the writer should not have met."""

    def __init__(self, cause, message):
        super().__init__(5, message)
        self.cause = cause


class Fed:
    """The writer that stays open, with the lines that it has sent."""

    def __init__(self, family, path, rng):
        self.path, self.rng, self.number = path, rng, 0
        self.sent = {}
        self.writer = Writer(family.attack.binary, path)

    def feed(self):
        """Appends one line; returns the seconds until it is acknowledged."""
        self.number += 1
        lines = lines_of(f"fed-{self.number}", self.rng, 1)
        self.sent.update(lines)
        began = time.monotonic()
        if not self.writer.send(lines, wait=300):
            raise Trouble(HELD_UP, f"a line was not appended in 300 s: {self.writer.words}")
        return time.monotonic() - began

    def grow(self, count):
        """Appends the given number of lines; returns the growth of the file in bytes."""
        before = os.path.getsize(self.path)
        for _ in range(count):
            self.feed()
        return os.path.getsize(self.path) - before


def one_round(family, path, rng, number):
    is_long = family.attack.seconds is not None
    seconds = family.attack.seconds * 0.8 if is_long else SECONDS_FIRST
    is_counted = not is_long and not family.attack.first
    ended = time.monotonic() + seconds
    begin = lines_of(f"begin-{number}", rng, LINES_LONG if is_long else LINES)
    family.expect(family.tool(
        "append", "--log", path, stdin=encoded(begin), timeout=600))
    fed = Fed(family, path, random.Random(rng.random()))
    try:
        turn = 0
        while turn < TURNS_QUICK if is_counted else turn == 0 or time.monotonic() < ended:
            beside_batches(family, fed, BATCHES[turn % len(BATCHES)])
            # Alone, and once before that pages of the batches can be used again.
            fed.grow(20)
            alone = fed.grow(FED)
            beside_killed(family, fed, KILLED[turn % len(KILLED)], alone)
            beside_blocked(family, fed, BLOCKED[turn % len(BLOCKED)], alone)
            turn += 1
    finally:
        code = fed.writer.finish(300)
    if code != 0:
        raise Violation(1, f"the writer: {fed.writer.words}")
    family.note("rounds of troubles", turn)
    family.note("lines fed", fed.number)
    check(family.attack.binary, path, {**begin, **fed.sent}, fed.writer.receipts)
    family.ok()


def beside_batches(family, fed, command):
    """Compares the longest gap of the writer with the duration of the work."""
    alone = max(fed.feed() for _ in range(20))
    gaps = []
    for _ in range(TRIES):
        began = time.monotonic()
        process = start([family.attack.binary, *command, "--log", fed.path],
                        stdin=DEVNULL, stdout=DEVNULL,
                        stderr=PIPE)
        longest = 0
        while process.poll() is None:
            longest = max(longest, fed.feed())
            time.sleep(0.002)
        took = time.monotonic() - began
        errors = process.stderr.read().decode("utf-8", "replace")
        process.stderr.close()
        if process.returncode not in (0, 1):
            raise Trouble(HELD_UP, f"{command[0]} beside a writer: {process.returncode}: {errors[:300]}")
        gaps.append((longest, took))
        known = family.notes.get(LONGEST, 0)
        family.notes[LONGEST] = max(known, int(longest * 1_000))
        if longest <= took / 2 + 10 * alone + 0.2:
            return family.ok()
    shown = ", ".join(f"{gap:.2f} of {took:.2f} s" for gap, took in gaps)
    raise Trouble(HELD_UP, f"gaps beside {command[0]}: {shown}; alone {alone:.3f} s")


def beside_killed(family, fed, command, alone):
    """Kills readers until one leaves its slot, and compares the growth of the file with that
    without readers."""
    left = []
    for _ in range(20):
        reader = start([family.attack.binary, *command, "--log", fed.path],
                       stdin=DEVNULL, stdout=DEVNULL,
                       stderr=DEVNULL)
        time.sleep(fed.rng.random() * 0.6)
        left += members(reader)
        kill(reader)
        fed.feed()
        if slots(fed.path, left):
            break
    family.note("readers killed within a read", 1 if slots(fed.path, left) else 0)
    judge(family, fed, alone, f"beside a killed '{command[0]}'")


def beside_blocked(family, fed, command, alone):
    """Compares the growth of the file beside a command whose output is not read with the growth
    without it."""
    reader = start([family.attack.binary, *command, "--log", fed.path],
                   stdin=DEVNULL, stdout=PIPE,
                   stderr=DEVNULL)
    try:
        # It has begun once there is something to read.
        os.read(reader.stdout.fileno(), 1)
        judge(family, fed, alone, f"beside a blocked '{' '.join(command)}'")
    finally:
        kill(reader)
        reader.stdout.close()


def judge(family, fed, alone, what):
    grown = fed.grow(FED)
    if grown > TIMES * alone + ROOM:
        raise Trouble(GROWS, f"{what}, {FED} lines made the file grow by {grown:,} bytes, "
                        f"alone by {alone:,}")
    family.ok()
