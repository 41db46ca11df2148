"""Backups and restores that are watched and killed: an incomplete copy never passes for a complete
one.

`backup` copies a log to which a writer appends, `restore` makes a log of the copy. The file under
the requested name is complete at any moment: it verifies, and has every line that was acknowledged
before the copy began. Some copies are watched to their end, others are killed, at a random moment
or as soon as there is something under the name. The next attempt works, and nothing is overwritten.
"""

import hashlib
import os
import shutil
import signal
import time

from logs import CAUSES, Violation, Writer, check, encoded, lines_of
from processes import DEVNULL, kill, send, start

NAME = "backup"
QUICK = 12
ROWS, ROWS_QUICK = 1_500, 300
#: Contents of one name that are looked at.
CONTENTS = 6
PARTIAL = "a copy that was not finished passes for a whole one"


def attack(family):
    if not family.attack.has("backup") or not family.attack.has("restore"):
        family.skip("this build has no backup and restore")
        return
    log = os.path.join(family.fresh("whole"), "log.daybook")
    sent = lines_of("before", family.generator("bench"),
                    ROWS_QUICK if family.attack.seconds is None else ROWS)
    family.expect(family.tool("append", "--log", log, stdin=encoded(sent)))
    copy = os.path.join(family.folder, "copy.daybook")
    took = {"backup": timed(family, "backup", copy, "--log", log)}
    copied = dict(sent)
    restored = os.path.join(family.folder, "restored.daybook")
    took["restore"] = timed(family, "restore", copy, "--log", restored)
    # No earlier copy has all that a later one must hold.
    since = lines_of("since", family.generator("since"), 20)
    family.expect(family.tool("append", "--log", log, stdin=encoded(since)))
    sent.update(since)
    family.begin()
    for number, rng in family.rounds(QUICK):
        command = ["backup", "restore"][number % 2]
        target = os.path.join(family.fresh("place"), "target.daybook")
        arguments = [copy, "--log", target] if command == "restore" else [target, "--log", log]
        way = [watched, killed_at_first_sight, killed_by_time][number // 2 % 3]
        # What is restored is the copy, and what is backed up the log as it has become.
        bench = Bench(family, log, target, [command, *arguments],
                      sent if command == "backup" else copied)
        try:
            bench.run(way, rng, took[command])
            family.ok()
        except Violation as violation:
            family.fail(CAUSES.get(violation.invariant, PARTIAL), str(violation), [target],
                        variant=f"{command}, {way.__doc__}")


def timed(family, *arguments):
    return family.expect(family.tool(*arguments)).seconds


class Bench:
    """One copy, and the rows that it must have."""

    def __init__(self, family, log, target, command, sent):
        self.family, self.log, self.target = family, log, target
        self.command, self.sent = command, sent
        self.acknowledged = set(sent)

    def run(self, way, rng, took):
        writer, more = None, {}
        if self.command[0] == "backup":
            more = lines_of(f"beside-{self.family.round}", rng, 60)
            writer = Writer(self.family.attack.binary, self.log, more)
        process = start(
            [self.family.attack.binary, *self.command], stdout=DEVNULL,
            stderr=DEVNULL)
        code, contents = way(self, process, rng, took)
        if writer and writer.finish() != 0:
            raise Violation(1, f"a writer beside a backup: {writer.words}")
        self.sent.update(more)
        self.family.note("copies killed", int(code == -signal.SIGKILL))
        if way is watched and code != 0:
            raise Violation(5, f"{self.command[0]} ended with {code}")
        for path in contents:
            self.is_whole(path)
        if os.path.exists(self.target):
            self.is_whole(self.target)
        else:
            if code == 0:
                raise Violation(5, f"{self.command[0]} ended with 0 and left no copy")
            self.remnants()
            self.acknowledged = set(self.sent)
            self.family.expect(self.family.tool(*self.command))
            self.is_whole(self.target)
        with open(self.target, "rb") as file:
            before = file.read()
        answer = self.family.tool(*self.command)
        with open(self.target, "rb") as file:
            after = file.read()
        if answer.code not in (2, 3) or after != before:
            raise Violation(5, f"{self.command[0]} onto a file that is there: {answer}")

    def is_whole(self, path):
        there = check(self.family.attack.binary, path, self.sent, {})
        if not self.acknowledged <= there:
            raise Violation(
                5, f"a copy holds {len(self.acknowledged & there)} of {len(self.acknowledged)} "
                "rows that were acknowledged before it began")

    def remnants(self):
        folder = os.path.dirname(self.target)
        for name in os.listdir(folder):
            answer = self.family.tool("verify", "--log", os.path.join(folder, name))
            if answer.broken:
                raise Violation(5, f"what a killed {self.command[0]} left: {answer}")


def watched(bench, process, _, __):
    """watched to its end"""
    contents, digests, last = [], set(), None
    folder = bench.family.fresh("watched")
    while True:
        ended = process.poll() is not None
        now = stamp(bench.target)
        if now is not None and now != last and len(contents) < CONTENTS:
            path = os.path.join(folder, f"content-{len(contents)}")
            send(process, signal.SIGSTOP)
            last = stamp(bench.target)
            if last is not None:
                shutil.copyfile(bench.target, path)
                with open(path, "rb") as file:
                    digest = hashlib.sha256(file.read()).digest()
                if digest not in digests:
                    digests.add(digest)
                    contents.append(path)
            send(process, signal.SIGCONT)
        if ended:
            bench.family.note("contents of a copy's name", len(contents))
            return process.returncode, contents
        time.sleep(0.0002)


def killed_at_first_sight(bench, process, rng, took):
    """killed as soon as its name is there"""
    delay = rng.choice([0, 0, 0.01])
    while stamp(bench.target) is None and process.poll() is None:
        time.sleep(0.0002)
    time.sleep(delay)
    return kill(process), []


def killed_by_time(_, process, rng, took):
    """killed at a random moment"""
    time.sleep(rng.random() * took * 1.1)
    return kill(process), []


def stamp(path):
    """Inode, size and time of a file, by which a change is noticed; None for a missing file."""
    try:
        status = os.stat(path)
    except FileNotFoundError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns
