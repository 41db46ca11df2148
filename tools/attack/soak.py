"""Writers, followers and readers for a while: file, memory and reader slots stay bounded.

One log, one process that appends all the time, others that come and go, followers that stay and
readers of every kind. At the end everything acknowledged is there once; the file is not much
larger than the same log copied page by page; no process has grown without bound; and after
readers were killed their slots in the lock file are free again.
"""

import os
import random
import threading
import time

import content
from logs import CAUSES, Violation, Writer, check, lines_of, parsed
from races import Follower
from processes import DEVNULL, PIPE, kill, members, start

NAME = "soak"
QUICK = 1
#: The file may be this many times the same rows written once, and some room for readers under way.
TIMES, ROOM = 3, 16 << 20
#: Kibibytes that a writer or follower may grow by once it is warm.
GROWTH_KIB = 40_000
UNBOUNDED = "the file, memory or reader slots grow without bound"
SECONDS_QUICK = 5


def resident_kib(process):
    """Memory of its own: pages of the log that are mapped belong to the system's cache."""
    found = 0
    for pid in members(process):
        try:
            with open(f"/proc/{pid}/status", encoding="ascii") as file:
                found += sum(int(line.split()[1]) for line in file if line.startswith("RssAnon:"))
        except OSError:
            pass
    return found


class Feeder(threading.Thread):
    """A writer that is given lines until it is stopped."""

    def __init__(self, family, path, name, rng, stop):
        super().__init__()
        self.writer = Writer(family.attack.binary, path)
        self.name_of_lines, self.rng, self.stop = name, rng, stop
        self.sent, self.number = {}, 0
        self.warm, self.most = 0, 0

    def run(self):
        while not self.stop.is_set():
            self.number += 1
            lines = lines_of(f"{self.name_of_lines}-{self.number}", self.rng, 20)
            self.sent.update(lines)
            self.writer.keys += list(lines)
            try:
                self.writer.process.stdin.write(content.text(lines.values()))
                self.writer.process.stdin.flush()
            except OSError:
                break
            time.sleep(0.01)
            self.measure()

    def measure(self):
        kib = resident_kib(self.writer.process)
        if self.number == 40:
            self.warm = kib
        self.most = max(self.most, kib)


def attack(family):
    for number, rng in family.rounds(QUICK):
        path = os.path.join(family.fresh("place"), "log.daybook")
        try:
            one_soak(family, path, rng)
        except Violation as violation:
            family.fail(CAUSES.get(violation.invariant, UNBOUNDED), str(violation), [path])


def one_soak(family, path, rng):
    binary = family.attack.binary
    seconds = SECONDS_QUICK if family.attack.seconds is None else family.attack.seconds * 0.8
    sent, acknowledged = {}, {}
    begin = lines_of("begin", rng, 1)
    family.expect(family.tool("append", "--log", path, stdin=content.text(begin.values())))
    sent.update(begin)
    stop = threading.Event()
    feeders = [
        Feeder(family, path, f"f{who}", random.Random(rng.random()), stop) for who in range(2)]
    followers = [Follower(family, path) for _ in range(2)]
    for feeder in feeders:
        feeder.start()
    ended, killed, warm = time.monotonic() + seconds, [], {}
    questions = [["log", "--json"], ["verify"], ["stat"], ["audit"], ["reindex"],
                 ["state", "splash", "--json"], ["log", "--tag", "device:d1"]]
    while time.monotonic() < ended:
        # Comers and goers: a reader, one that is killed, a short writer.
        answer = family.tool(*rng.choice(questions), "--log", path)
        if answer.broken or answer.code not in (0, 1):
            stop.set()
            raise_after(feeders, followers, f"a question in a soak: {answer} {answer.text[:300]}")
        family.ok()
        reader = start(
            [binary, "log", "--follow", "--log", path], stdout=PIPE,
            stderr=DEVNULL)
        # Mostly once it has its slot and prints.
        if rng.random() < 0.8:
            os.read(reader.stdout.fileno(), 1)
        time.sleep(rng.random() * 0.02)
        killed += members(reader)
        kill(reader)
        reader.stdout.close()
        lines = lines_of(f"short-{len(sent)}", rng, 3)
        sent.update(lines)
        writer = Writer(binary, path, lines)
        if writer.finish(60) != 0:
            stop.set()
            raise_after(feeders, followers, f"a short writer in a soak: {writer.words}")
        acknowledged.update(writer.receipts)
        for follower in followers:
            warm.setdefault(follower, resident_kib(follower.process))
    stop.set()
    for feeder in feeders:
        feeder.join()
        if feeder.writer.finish(60) != 0:
            raise_after([], followers, f"a writer in a soak: {feeder.writer.words}")
        sent.update(feeder.sent)
        acknowledged.update(feeder.writer.receipts)
    grown = [(f"follower {number}", resident_kib(follower.process) - warm[follower])
             for number, follower in enumerate(followers) if follower in warm]
    grown += [(f"writer {number}", feeder.most - feeder.warm)
              for number, feeder in enumerate(feeders) if feeder.warm]
    status = parsed(family.expect(family.tool("stat", "--json", "--log", path)).out)
    for follower in followers:
        seen = follower.end(status["events"])
        if seen != list(range(1, status["events"] + 1)):
            raise Violation(2, f"a follower saw {len(seen)} of {status['events']} events")
    check(binary, path, sent, acknowledged)
    family.ok()
    for who, kib in grown:
        if kib > GROWTH_KIB:
            raise Violation(5, f"{who} grew by {kib} KiB")
        family.ok()
    whole = os.path.getsize(path)
    copied = rebuilt(family, path, sent)
    family.note("rows in the soaked log", status["events"])
    family.note("KiB of its file", whole >> 10)
    family.note("KiB of the same rows written once", copied >> 10)
    if whole > TIMES * copied + ROOM:
        raise Violation(5, f"the file has {whole:,} bytes, written once {copied:,}")
    family.ok()
    if slots(path, killed):
        raise Violation(5, f"slots of killed readers stay taken: {slots(path, killed)}")
    family.ok()


def raise_after(feeders, followers, message):
    for feeder in feeders:
        feeder.join()
        feeder.writer.finish(60)
    for follower in followers:
        follower.end(0)
    raise Violation(5, message)


def rebuilt(family, path, sent):
    """The size of a log into which the same rows are appended by one writer, line by line."""
    target = os.path.join(family.fresh("rebuilt"), "log.daybook")
    writer = Writer(family.attack.binary, target, sent)
    if writer.finish(600) != 0:
        raise Violation(1, f"the same rows cannot be appended again: {writer.words}")
    return os.path.getsize(target)


def slots(path, pids):
    """Reader slots of the lock file that are held by processes which are gone.

    LMDB's lock file: a header of two cache lines, then 64 bytes a reader, with the transaction,
    the process and the thread.
    """
    lock = path + "-lock"
    if not os.path.exists(lock):
        return 0
    with open(lock, "rb") as file:
        data = file.read()
    gone = {pid for pid in pids if not os.path.exists(f"/proc/{pid}")}
    found = 0
    for at in range(128, len(data) - 63, 64):
        transaction = int.from_bytes(data[at:at + 8], "little")
        pid = int.from_bytes(data[at + 8:at + 12], "little")
        if pid in gone and transaction != (1 << 64) - 1:
            found += 1
    return found
