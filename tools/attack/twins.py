"""Processes of one number in two PID namespaces, which are killed on one log.

Entry points of containers are all process 1, and LMDB's table of readers tells processes apart by
number. In each round process 1 of one namespace follows, serves a page or waits for lines; process
1 of others append, read in every way and are killed, and so is the first one in most rounds. Then
the log holds exactly what was sent, a follower has seen no gap, TERM ends process 1, and a dead
reader keeps no pages. At the end, holders of LMDB's two mutexes are stopped inside, and waiters of
the same number killed: nobody else may get in.
"""

import os
import signal
import struct
import time

import shim
from logs import CAUSES, Violation, Writer, check, encoded, lines_of, rows
from processes import DEVNULL, PIPE, TimeoutExpired, environment, kill, run, start, wait_until

NAME = "twins"
QUICK = 6
ROUNDS_OF_A_LOG = 5
BESIDE = "a process is in the way of another one with its number"
DEAF = "TERM or INT does not end process 1"
MUTEX = "the death of a waiter lets two processes into one mutex"
FIRST = ["unshare", "--pid", "--fork", "--kill-child=KILL"]
#: Seconds in which a signal ends a process, on a machine with much to do.
SOON = 60
READERS = [["stat", "--json"], ["log", "--json"], ["verify", "--json"], ["audit", "--json"],
           ["log", "--json", "--reverse", "--limit", "3"], ["backup", "-"], ["state", "splash"],
           ["list", "launches"], ["reindex"], ["snapshot"]]
#: The bit of a robust mutex that says that its holder died (FUTEX_OWNER_DIED).
DIED = 0x40000000


def attack(family):
    if run([*FIRST, "true"]).code != 0:
        family.skip("PID namespaces need root and unshare")
        return
    folder = family.fresh("logs")
    path, sent, acknowledged = "", {}, {}
    for number, rng in family.rounds(QUICK):
        if not path or number % ROUNDS_OF_A_LOG == 0:
            path = os.path.join(folder, f"log-{number}.daybook")
            sent, acknowledged = lines_of(f"r{number}-first", rng, 1), {}
            family.expect(family.tool("append", "--log", path, stdin=encoded(sent)))
        try:
            one_round(family, path, number, rng, sent, acknowledged)
            family.ok()
        except Violation as violation:
            family.fail(CAUSES.get(violation.invariant, BESIDE), str(violation), [path])
            path = ""
    if family.attack.only_round is None:
        for held in ("readers", "writers"):
            one_mutex(family, folder, held)


class Other:
    """Process 1 of a namespace, which stays: it follows, serves the page, or waits for lines."""

    def __init__(self, family, path, kind, rng, number):
        self.kind, self.path, self.writer = kind, path, None
        self.lines = lines_of(f"r{number}-other", rng, 40)
        if kind == "append":
            self.writer = Writer(family.attack.binary, path, prefix=FIRST)
            self.process = self.writer.process
            self.writer.send(dict(list(self.lines.items())[:1]))
            # Process 1 has its handlers of signals only once it runs.
            self.writer.wait_for(1)
            return
        words = ["log", "--follow", "--json"] if kind == "log" else ["view"]
        self.out = open(f"{path}.{number}.out", "wb")
        self.process = start(
            [*FIRST, family.attack.binary, *words, "--log", path], stdin=DEVNULL,
            stdout=self.out, stderr=DEVNULL)
        wait_until(lambda: os.path.getsize(self.out.name))

    def end(self, rng, kills):
        """Ends it by a signal; returns the fault, if any."""
        name = rng.choice([signal.SIGTERM, signal.SIGINT])
        late = False
        if not kills:
            for process in inner(self.process.pid):
                os.kill(process, name)
            try:
                self.process.wait(SOON)
            except TimeoutExpired:
                late = True
        kill(self.process)
        if self.writer:
            self.writer.finish()
        return f"{self.kind} goes on after {name.name}" if late else ""

    def positions(self):
        """What a follower has printed; a last line without its end is none."""
        self.out.close()
        with open(self.out.name, "rb") as file:
            return [row["position"] for row in rows(
                b"".join(line for line in file if line.endswith(b"\n")))]


def inner(process):
    """The ids of the processes that a process has started, and so on."""
    try:
        with open(f"/proc/{process}/task/{process}/children", encoding="ascii") as file:
            children = [int(word) for word in file.read().split()]
    except OSError:
        return []
    return children + [each for child in children for each in inner(child)]


def one_round(family, path, number, rng, sent, acknowledged):
    binary = family.attack.binary
    kind = ["log", "append", "view"][number % 3]
    other = Other(family, path, kind, rng, number)
    lines = lines_of(f"r{number}-a", rng, 60)
    sent.update(lines)
    sent.update(other.lines)
    writer = Writer(binary, path, lines, prefix=FIRST)
    for place in range(3):
        command = READERS[(number * 3 + place) % len(READERS)]
        answer = run([*FIRST, binary, *command, "--log", path])
        family.note("commands beside the same number")
        if answer.code not in (0, 1):
            raise Violation(5, str(answer))
        if place == 0 and other.writer:
            other.writer.send(dict(list(other.lines.items())[1:]))
        if place == 1 and rng.random() < 0.7:
            # A reader is killed while it reads.
            reader = start([*FIRST, binary, "verify", "--log", path], stdout=DEVNULL,
                           stderr=DEVNULL)
            time.sleep(rng.random() * 0.1)
            kill(reader)
            family.note("readers killed")
    if rng.random() < 0.6:
        writer.wait_for(rng.randrange(1, 60))
        code = writer.kill()
        family.note("writers killed")
    else:
        code = writer.finish()
    if code not in (0, -signal.SIGKILL, 128 + signal.SIGKILL):
        raise Violation(5, f"a writer ended with {code}: {writer.words[:300]}")
    acknowledged.update(writer.receipts)
    kills = number % 3 != 1 and rng.random() < 0.8
    wrong = other.end(rng, kills)
    family.note("others killed" if kills else "others ended by a signal")
    if wrong:
        family.fail(DEAF, wrong, [path])
    if other.writer:
        acknowledged.update(other.writer.receipts)
    there = check(binary, path, sent, acknowledged)
    if kind == "log":
        seen = other.positions()
        if seen != list(range(1, len(seen) + 1)) or len(seen) > len(there):
            raise Violation(5, f"a follower saw {seen[:3]}…{seen[-3:]} of {len(there)}")


# The mutexes

def one_mutex(family, folder, held):
    """Stops a holder of a mutex inside, and kills a waiter of its number."""
    binary = family.attack.binary
    path = os.path.join(folder, f"{held}.daybook")
    rng = family.generator(held)
    lines = lines_of(f"{held}-first", rng, 1)
    family.expect(family.tool("append", "--log", path, stdin=encoded(lines)))
    command = ["stat"] if held == "readers" else ["append", "--each", "--json"]
    text = encoded(lines_of(f"{held}-held", rng, 1)) if held == "writers" else b""
    library, gate = os.path.join(family.attack.folder, "holder.so"), path + ".gate"
    if not os.path.exists(library):
        shim.compiled("holder.c", library)
    open(gate, "wb").close()
    holder = begin(binary, command, path, text, {
        "LD_PRELOAD": library, "HOLDER_GATE": gate, "HOLDER_OFFSET": str(OFFSETS[held])})
    inside = wait_until(lambda: os.path.exists(gate + ".in"))
    if not inside:
        kill(holder)
        shim.unseen(family, "mutexes")
        return
    before = word(path, held)
    waiter = begin(binary, command, path, encoded(lines_of(f"{held}-waiter", rng, 1)))
    time.sleep(1)
    waits = waiter.poll() is None
    kill(waiter)
    after = word(path, held)
    # The third must not get in either; a writer says for whom it waits.
    third = begin(binary, [*command, "--wait", "1"] if held == "writers" else command, path,
                  encoded(lines_of(f"{held}-third", rng, 1)))
    time.sleep(2)
    code = third.poll()
    os.remove(gate)
    ended = holder.wait(120)
    kill(third)
    family.note("waiters killed beside a holder of a mutex")
    if not waits or after & DIED or before != after or code == 0 or ended != 0:
        family.fail(MUTEX, f"{held}: the mutex was {before:#x} and is {after:#x}, the holder ended "
                    f"with {ended}, the waiter waited: {waits}, a third one: {code}", [path])
    elif family.tool("verify", "--log", path).code != 0:
        family.fail(MUTEX, f"{held}: verify is not content", [path])
    else:
        family.ok()


#: Where the words of the mutexes are in the lock file, with LMDB's mutexes on machines of 64 bits.
OFFSETS = {"readers": 8, "writers": 64}


def word(path, held):
    with open(path + "-lock", "rb") as file:
        file.seek(OFFSETS[held])
        return struct.unpack("<I", file.read(4))[0]


def begin(binary, command, path, text, changes=None):
    process = start([*FIRST, binary, *command, "--log", path], stdin=PIPE,
                    stdout=DEVNULL, stderr=DEVNULL,
                    env=environment(changes))
    process.stdin.write(text)
    process.stdin.close()
    return process
