"""Backups and restores that are killed: nothing is left that passes for a whole copy.

`backup` copies a log to which a writer appends, `restore` makes a log of the copy; both are killed
at random moments. A file under the name that was asked for is whole: it verifies and holds all
that was acknowledged before the copy began. The next attempt works, and nothing is overwritten.
"""

import os
import signal
import subprocess
import time

from harness import environment
from logs import CAUSES, Violation, Writer, check, encoded, lines_of

NAME = "backup"
QUICK = 12
PARTIAL = "a copy that was not finished passes for a whole one"


def attack(family):
    if not family.attack.has("backup") or not family.attack.has("restore"):
        family.skip("this build has no backup and restore")
        return
    log = os.path.join(family.fresh("whole"), "log.daybook")
    sent = lines_of("before", family.generator("bench"), 1_500)
    family.expect(family.tool("append", "--log", log, stdin=encoded(sent), timeout=60))
    copy = os.path.join(family.folder, "copy.daybook")
    took = {"backup": timed(family, "backup", copy, "--log", log)}
    copied = dict(sent)
    restored = os.path.join(family.folder, "restored.daybook")
    took["restore"] = timed(family, "restore", copy, "--log", restored)
    family.begin()
    for number, rng in family.rounds(QUICK):
        command = ["backup", "restore"][number % 2]
        target = os.path.join(family.fresh("place"), "target.daybook")
        arguments = [copy, "--log", target] if command == "restore" else [target, "--log", log]
        try:
            # What is restored is the copy, and what is backed up the log as it has become.
            rows = sent if command == "backup" else copied
            one_kill(family, rng, command, arguments, target, log, rows, took[command])
            family.ok()
        except Violation as violation:
            family.fail(CAUSES.get(violation.invariant, PARTIAL), str(violation), [target],
                        variant=command)


def timed(family, *arguments):
    return family.expect(family.tool(*arguments, timeout=60)).seconds


def one_kill(family, rng, command, arguments, target, log, sent, took):
    binary = family.attack.binary
    acknowledged = set(sent)
    writer, more = None, {}
    if command == "backup":
        more = lines_of(f"beside-{family.round}", rng, 60)
        writer = Writer(binary, log, more)
    process = subprocess.Popen(
        [binary, command, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env=environment())
    time.sleep(rng.random() * took * 1.1)
    process.send_signal(signal.SIGKILL)
    process.wait()
    if writer:
        if writer.finish() != 0:
            raise Violation(1, f"a writer beside a backup: {writer.words}")
        sent.update(more)
    family.note("copies killed", int(process.returncode == -signal.SIGKILL))
    if os.path.exists(target):
        there = check(binary, target, sent, {})
        if not acknowledged <= there:
            raise Violation(5, f"a copy holds {len(there)} of {len(acknowledged)} rows")
    else:
        for name in os.listdir(os.path.dirname(target)):
            path = os.path.join(os.path.dirname(target), name)
            answer = family.tool("verify", "--log", path)
            if answer.broken:
                raise Violation(5, f"what a killed {command} left: {answer}")
        family.expect(family.tool(command, *arguments, timeout=60))
        check(binary, target, sent, {})
    before = open(target, "rb").read()
    answer = family.tool(command, *arguments, timeout=60)
    if answer.code not in (2, 3) or open(target, "rb").read() != before:
        raise Violation(5, f"{command} onto a file that is there: {answer}")
