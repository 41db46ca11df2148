"""A stopped writer: other writers give up after their wait, exit with 3 and name it; readers read.

A writer is stopped by SIGSTOP while it appends, until one is met that holds the lock; others
append with `--wait SECONDS` (where the build knows it; ten seconds otherwise). Once the writer
continues, nothing is lost or doubled.
"""

import os
import signal
import time

from logs import CAUSES, Violation, Writer, check, encoded, lines_of, receipts_of
from processes import members, send

NAME = "stopped"
QUICK = 1
WAIT = 1
HANGS = "a stopped writer holds others up, or they do not say by whom"


def attack(family):
    for number, rng in family.rounds(QUICK):
        folder = family.fresh("place")
        path = os.path.join(folder, "log.daybook")
        try:
            one_stop(family, path, number, rng)
        except Violation as violation:
            family.fail(CAUSES.get(violation.invariant, HANGS), str(violation), [path])


def one_stop(family, path, number, rng):
    binary = family.attack.binary
    knows = family.attack.can("append", "--wait")
    wait = ["--wait", str(WAIT)] if knows else []
    lines = lines_of(f"r{number}-a", rng, 4_000)
    sent, acknowledged = dict(lines), {}
    writer = Writer(binary, path, lines)
    code, wrong = None, None
    try:
        while not writer.receipts and writer.process.poll() is None:
            time.sleep(0.01)
        for attempt in range(6):
            time.sleep(rng.random() * 0.05)
            send(writer.process, signal.SIGSTOP)
            stopped = members(writer.process)
            others = lines_of(f"r{number}-{attempt}", rng, 2)
            sent.update(others)
            answer = family.tool("append", "--each", "--json", "--log", path, *wait,
                                 stdin=encoded(others))
            reader = family.tool("stat", "--json", "--log", path)
            send(writer.process, signal.SIGCONT)
            if answer.code is None:
                wrong = f"no answer beside a stopped writer: {answer}"
            elif answer.code not in (0, 3):
                wrong = f"beside a stopped writer: {answer}"
            elif answer.code == 3 and not any(str(pid) in answer.words for pid in stopped):
                wrong = f"of the processes {stopped} one holds the lock: {answer}"
            elif reader.code != 0:
                wrong = f"a reader beside a stopped writer: {reader}"
            if answer.code == 0:
                acknowledged.update(receipts_of(answer.out, list(others)))
            family.note("writers stopped with the lock", int(answer.code != 0))
            if wrong:
                raise Violation(5, wrong)
            family.ok()
            if writer.process.poll() is not None:
                break
    finally:
        send(writer.process, signal.SIGCONT)
        code = writer.finish()
    if code != 0:
        raise Violation(1, f"the writer that was stopped ended with {code}: {writer.words}")
    acknowledged.update(writer.receipts)
    check(binary, path, sent, acknowledged)
