"""Calls that fail: each write, sync, open and change of size of the log's files in turn.

A shim makes the n-th call of a kind fail with EIO or ENOSPC, fail from then on, or write half of
what it was given. Then

 * what was acknowledged is in the log, nothing is there twice, and the log verifies;
 * the tool ended with 2 or 3 and a message that does not call the log damaged, or with 0 and did
   all it was asked (a call it can do without);
 * sending again adds exactly what is missing.
"""

import errno
import os
import shutil

import content
import shim
from harness import calls_damaged
from logs import CAUSES, Violation, check, encoded, key_of, lines_of, receipts_of, rows, send_again

NAME = "faults"
QUICK = 48
LINES = 4
#: Kinds of calls on the log without which nothing can have been made durable.
NEEDED = {"write", "pwrite", "pwritev", "fsync", "fdatasync", "msync"}
WRONG_END = "a failing call ends the tool wrongly"


class Work:
    """A command that is run under faults, on a log of its own each time."""

    def __init__(self, name, command, prepared, stdin=b"", appends=False):
        self.name, self.command, self.prepared = name, command, prepared
        self.stdin, self.appends = stdin, appends


def works(folder):
    facts = [
        {"command": "household.onboard", "key": "on", "actor": "ana", "at": "2026-01-01T00:00:00Z",
         "data": {"babyId": "b", "householdId": "h", "zone": "UTC", "by": "ana"}}]
    output = os.path.join(folder, "out")
    tour = os.path.join(content.TOUR, "tour-baby.csv")
    return [
        Work("appends, line by line, to a new log", ["append", "--each", "--json"], False,
             appends=True),
        Work("appends, line by line", ["append", "--each", "--json"], True, appends=True),
        Work("an append of all lines at once", ["append", "--json"], True, appends=True),
        Work("an append of all lines to a new log", ["append", "--json"], False, appends=True),
        Work("a decision", ["append", "--json"], True, content.text(facts)),
        Work("an import", ["import", "--format", "babyconnect", "--baby", "mia", "--zone",
                           "America/Los_Angeles", tour], True),
        Work("reindex", ["reindex"], True),
        Work("snapshot", ["snapshot"], True),
        Work("log", ["log", "--json"], True),
        Work("verify", ["verify"], True),
        Work("stat", ["stat", "--json"], True),
        Work("an export to a file", ["export", "--format", "babyai-csv", "--baby", "mia",
                                     "--output", output, "--force", "--record", "--by", "ana"], True),
        Work("a report that is issued", ["report", "daily", "--baby", "mia", "--date",
                                         "2020-03-08", "--issue", "--by", "ana"], True),
    ]


class Bench:
    """The prepared log, and how many calls of each kind every work makes."""

    def __init__(self, family):
        self.family = family
        self.folder = family.fresh("bench")
        self.log = os.path.join(self.folder, "log.daybook")
        self.whole = os.path.join(family.folder, "whole.daybook")
        rng = family.generator("bench")
        self.before = lines_of("before", rng, 6)
        family.expect(family.tool("append", "--log", self.whole, stdin=encoded(self.before)))
        family.expect(family.tool(
            "import", "--format", "babyconnect", "--baby", "mia", "--zone", "UTC", "--log",
            self.whole, os.path.join(content.TOUR, "tour-baby.csv")), (0, 1))
        self.others = {
            key_of(event) for event in events(family, self.whole)} - set(self.before)
        self.works = works(self.folder)
        self.calls = [self.count(work) for work in self.works]

    def prepare(self, work):
        for name in os.listdir(self.folder):
            os.remove(os.path.join(self.folder, name))
        if work.prepared:
            shutil.copyfile(self.whole, self.log)

    def run(self, work, lines, fault=None):
        state = os.path.join(self.family.folder, "state")
        if os.path.exists(state):
            os.remove(state)
        stdin = encoded(lines) if work.appends else work.stdin
        answer = self.family.tool(
            *work.command, "--log", self.log, stdin=stdin,
            env=shim.settings(self.family.attack, self.folder, main=self.log, state=state,
                              fault=fault))
        return answer, shim.counters(state)

    def count(self, work):
        self.prepare(work)
        answer, calls = self.run(work, lines_of("count", self.family.generator("count"), LINES))
        self.family.expect(answer, (0, 1))
        return {kind: count for kind, count in calls.items() if count and "faults" not in kind}


def events(family, path):
    answer = family.expect(family.tool("log", "--json", "--log", path))
    return rows(answer.out)


def points(bench):
    """Every work, call and way to fail, in turn."""
    found = []
    for work, calls in zip(bench.works, bench.calls):
        for kind, count in sorted(calls.items()):
            for number in range(1, count + 1):
                for code in (errno.EIO, errno.ENOSPC):
                    for mode in ("once", "on"):
                        found.append((work, kind, number, code, mode))
                if kind in ("write", "pwrite", "pwritev"):
                    found.append((work, kind, number, errno.EIO, "short"))
    return found


def attack(family):
    bench = Bench(family)
    found = points(bench)
    if not found:
        shim.unseen(family, "calls")
        return
    # Quick runs take a sample of the points, all others every point and then again.
    family.generator("order").shuffle(found)
    family.begin()
    for number, rng in family.rounds(QUICK):
        work, kind, call, code, mode = found[number % len(found)]
        fault = f"{kind}:{call}:{code}:{mode}"
        try:
            one_round(family, bench, work, kind, fault, rng)
        except Violation as violation:
            cause = CAUSES.get(violation.invariant, WRONG_END)
            family.fail(
                cause, f"{work.name}, {kind} {call} {errno.errorcode[code]} {mode}: {violation}",
                [bench.log], [["env", f"ATTACK_FAULT={fault}", "replay", *work.command]],
                variant=work.name)
        else:
            family.ok()
    family.note("points where a call can fail", len(found))


def one_round(family, bench, work, kind, fault, rng):
    bench.prepare(work)
    lines = lines_of("under", rng, LINES)
    sent = {**bench.before, **lines}
    answer, calls = bench.run(work, lines, fault)
    if answer.broken:
        raise Violation(5, str(answer))
    acknowledged = receipts_of(answer.out, list(lines)) if work.appends else {}
    if calls["faults"] == 0:
        family.note("calls that did not come")
    elif answer.code in (0, 1) and kind in NEEDED and calls["main faults"]:
        raise Violation(5, f"a {kind} of the log failed, and the tool ended with {answer.code}")
    elif answer.code in (0, 1) and work.appends and len(acknowledged) != len(lines):
        raise Violation(5, f"{len(acknowledged)} of {len(lines)} lines, and code {answer.code}")
    if answer.code in (2, 3):
        if not answer.words.strip():
            raise Violation(5, "no message")
        if calls_damaged(answer.words):
            raise Violation(5, f"a whole log is called damaged: {answer.words.strip()}")
    prepared = bench.others if work.prepared else set()
    if work.name in ("an import", "a decision", "an export to a file", "a report that is issued"):
        verified = family.tool("verify", "--log", bench.log)
        if verified.code != 0:
            raise Violation(3, str(verified))
        return
    there = check(family.attack.binary, bench.log, sent, acknowledged, prepared)
    if work.prepared and not set(bench.before) <= there:
        raise Violation(1, "what was there before is gone")
    if work.appends:
        if "--each" not in work.command and 0 < len(there & set(lines)) < len(lines):
            raise Violation(2, "a part of what is appended at once is there")
        send_again(family.attack.binary, bench.log, lines, sent, acknowledged, there, prepared)
