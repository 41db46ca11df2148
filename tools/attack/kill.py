"""Writers killed by SIGKILL at random moments.

Each round sends events on standard input, kills the writer and whatever it runs, mostly once it
has acknowledged a part of them, and checks the four invariants of `logs`. In every third round a
second writer appends to the same log meanwhile and is left alone; all its lines must be there. A
log is kept for a few rounds, so that what earlier crashes left is met again.
"""

import os
import signal
import time

from logs import CAUSES, Violation, Writer, check, lines_of, send_again

NAME = "kill"
QUICK = 12
ROUNDS_OF_A_LOG = 5
LINES = 800
LINES_QUICK = 120


def attack(family):
    binary = family.attack.binary
    count = LINES_QUICK if family.attack.seconds is None else LINES
    folder = family.fresh("logs")
    path, sent, acknowledged = "", {}, {}
    for number, rng in family.rounds(QUICK):
        if not path or number % ROUNDS_OF_A_LOG == 0:
            path = os.path.join(folder, f"log-{number}.daybook")
            sent, acknowledged = {}, {}
        try:
            one_round(family, binary, path, number, rng, count, sent, acknowledged)
            family.ok()
        except Violation as violation:
            family.fail(CAUSES[violation.invariant], str(violation), [path])
            path = ""
    # What a writer undoes some time after its end is undone by now.
    if path:
        check(binary, path, sent, acknowledged)
        family.ok()


def one_round(family, binary, path, number, rng, count, sent, acknowledged):
    lines = lines_of(f"r{number}-a", rng, count)
    sent.update(lines)
    writer = Writer(binary, path, lines)
    other = None
    if number % 3 == 2:
        others = lines_of(f"r{number}-b", rng, count)
        sent.update(others)
        other = Writer(binary, path, others)
    if rng.random() < 0.75:
        writer.wait_for(rng.randrange(1, count * 3 // 4))
        time.sleep(rng.random() * 0.002)
    else:
        # At times before the log is there.
        time.sleep(rng.random() ** 2 * 0.3)
    code = writer.kill()
    if code == -signal.SIGKILL:
        family.note("writers killed")
    elif code != 0:
        if other:
            other.kill()
        raise Violation(1, f"the writer ended with {code}: {writer.words}")
    acknowledged.update(writer.receipts)
    family.note("lines acknowledged", len(writer.receipts))
    if other:
        if other.finish() != 0 or len(other.receipts) != count:
            raise Violation(
                1, f"the writer that was left alone wrote {len(other.receipts)} of {count} "
                f"lines: {other.words}")
        acknowledged.update(other.receipts)
    there = check(binary, path, sent, acknowledged)
    send_again(binary, path, lines, sent, acknowledged, there)
