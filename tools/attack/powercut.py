"""Power cuts: the file as a disk may hold it when writes were not yet synced.

A shim records every write, sync and change of size of a writer's log. For a cut at any moment the
file is made again from what was synced, with a random part of what was not: whole writes, single
sectors of 512 bytes, in any mixture. The log must open and verify, hold everything that was
acknowledged before the cut, nothing twice, and take appends again. What is appended at once is
there as a whole or not at all. The name of a new log must be synced before the first
acknowledgement, or a cut takes the whole file away.
"""

import os
import shutil

import content
import shim
from harness import calls_damaged
from logs import (
    CAUSES, Violation, Writer, check, encoded, line_of, lines_of, receipts_of)

NAME = "powercut"
QUICK = 28
SECTOR = 512
NOT_DURABLE = "a new log's name is not durable when its first row is acknowledged"


class Recording:
    """What one writer did to a log, in order, with marks of what it had acknowledged."""

    def __init__(self, family, name, rng):
        self.family, self.name = family, name
        self.folder = family.fresh("recorded")
        self.log = os.path.join(self.folder, "log.daybook")
        self.record = os.path.join(family.folder, "record")
        if os.path.exists(self.record):
            os.remove(self.record)
        self.before = {}
        self.acknowledged_by_mark = {}
        self.sent, self.batches = {}, []
        self.others = set()
        self.start = b""
        self.records = []
        getattr(self, name)(rng)
        if os.path.exists(self.record):
            self.records = shim.records(self.record)

    def env(self):
        return shim.settings(self.family.attack, self.log, record=self.record)

    def prepare(self, rng, count):
        self.before = lines_of("before", rng, count)
        self.family.expect(self.family.tool(
            "append", "--log", self.log, stdin=encoded(self.before)))
        self.sent.update(self.before)
        with open(self.log, "rb") as file:
            self.start = file.read()

    def write_each(self, rng, count):
        writer = Writer(self.family.attack.binary, self.log, env=self.env())
        for number in range(count):
            lines = lines_of(f"each-{number}", rng, 1)
            self.sent.update(lines)
            writer.send(lines)
            shim.mark(self.record, str(number))
            self.acknowledged_by_mark[str(number)] = dict(writer.receipts)
        if writer.finish() != 0:
            raise Violation(1, f"the recorded writer ended: {writer.words}")

    def new_log(self, rng):
        self.write_each(rng, 12)

    def old_log(self, rng):
        self.prepare(rng, 60)
        self.write_each(rng, 25)

    def at_once(self, rng):
        self.prepare(rng, 40)
        receipts = {}
        for number in range(3):
            lines = lines_of(f"batch-{number}", rng, 40)
            self.sent.update(lines)
            self.batches.append(set(lines))
            answer = self.family.expect(self.family.tool(
                "append", "--json", "--log", self.log, stdin=encoded(lines), env=self.env()))
            receipts.update(receipts_of(answer.out, list(lines)))
            shim.mark(self.record, str(number))
            self.acknowledged_by_mark[str(number)] = dict(receipts)

    def upkeep(self, rng):
        """Indexes and snapshots made anew between appends."""
        long = {
            f"long-{number}": line_of(
                "launch.app-launched.v1",
                {"launchId": "long", "appVersion": "1.0.0", "platform": "ios",
                 "firstLaunch": False, "device": "d0"}, f"long-{number}")
            for number in range(300)}
        self.prepare(rng, 20)
        self.family.expect(self.family.tool(
            "append", "--log", self.log, stdin=content.text(long.values())))
        self.sent.update(long)
        with open(self.log, "rb") as file:
            self.start = file.read()
        for command in ("reindex", "snapshot", "reindex"):
            self.family.expect(self.family.tool(command, "--log", self.log, env=self.env()))
            shim.mark(self.record, command)
            self.acknowledged_by_mark[command] = {}
        self.before.update(long)

    def after_cut(self, cut, rng, share=None):
        """The file after a cut before record `cut`, and what had been acknowledged.

        `share` is the part of the writes without a sync that reached the disk; any without it.
        """
        durable, pending = bytearray(self.start), []
        acknowledged = {}
        for what, path, offset, data in self.records[:cut]:
            if what == "a":
                acknowledged = self.acknowledged_by_mark[data.decode()]
            elif path != self.log:
                continue
            elif what == "w":
                pending.append((offset, data))
            elif what == "d":
                # The write alone is durable, and not what came before it.
                put(durable, offset, data)
            elif what == "t":
                pending.append((offset, None))
            elif what == "s":
                for at, written in pending:
                    put(durable, at, written)
                pending = []
        # A write that is durable when it returns may be torn while it is under way.
        if cut < len(self.records) and self.records[cut][0] == "d":
            pending.append((self.records[cut][2], self.records[cut][3]))
        chosen = rng.choice([0.0, 0.1, 0.5, 0.9, 1.0])
        share = chosen if share is None else share
        torn = rng.random() < 0.5
        for at, written in pending:
            if written is None or not torn:
                if rng.random() < share:
                    put(durable, at, written)
                continue
            for start in range(0, len(written), SECTOR):
                if rng.random() < share:
                    put(durable, at + start, written[start:start + SECTOR])
        return bytes(durable), acknowledged


def put(file, at, data):
    """Writes as a disk does; without data it changes the size."""
    if data is None:
        if at < len(file):
            del file[at:]
        else:
            file.extend(bytes(at - len(file)))
        return
    if at > len(file):
        file.extend(bytes(at - len(file)))
    file[at:at + len(data)] = data


SCENES = ["new_log", "old_log", "at_once", "upkeep"]


def attack(family):
    recordings = []
    for scene in SCENES:
        recording = Recording(family, scene, family.generator(scene))
        if not any(path == recording.log for _, path, _, _ in recording.records):
            shim.unseen(family, "calls")
            return
        recordings.append(recording)
        strangers = {path for what, path, _, _ in recording.records if what == "x"}
        if strangers:
            family.fail("syncs and writes do not reach the C library", " ".join(strangers))
    name_is_durable(family, recordings[0])
    family.begin()
    folder = family.fresh("cut")
    path = os.path.join(folder, "log.daybook")
    for number, rng in family.rounds(QUICK):
        recording = recordings[number % len(recordings)]
        cut, share = rng.randrange(len(recording.records) + 1), None
        if number < len(recordings):
            # After the last acknowledgement, on a disk that keeps nothing but what was synced.
            cut, share = len(recording.records), 0.0
        data, acknowledged = recording.after_cut(cut, rng, share)
        for name in os.listdir(folder):
            os.remove(os.path.join(folder, name))
        with open(path, "wb") as file:
            file.write(data)
        kept = path + ".as-cut"
        shutil.copyfile(path, kept)
        try:
            one_cut(family, recording, path, acknowledged, rng)
            family.ok()
        except Violation as violation:
            family.fail(CAUSES[violation.invariant],
                        f"{recording.name}, cut before record {cut} of {len(recording.records)}: "
                        f"{violation}", [kept], variant=recording.name.replace("_", " "))


def one_cut(family, recording, path, acknowledged, rng):
    before = {key: {} for key in recording.before}
    binary = family.attack.binary
    is_made = bool(recording.start) or bool(acknowledged)
    there = set()
    if is_made:
        there = check(binary, path, recording.sent, acknowledged)
        if not set(before) <= there:
            raise Violation(1, "rows from before the recording are gone")
    else:
        # Cut while the log was made: nothing is in it, and nothing may be called damaged.
        answer = family.tool("log", "--json", "--log", path)
        if answer.broken or calls_damaged(answer.words):
            raise Violation(3, f"a log that was not yet made: {answer}")
        there = {None} if answer.code == 0 and answer.out else set()
    for batch in recording.batches:
        if 0 < len(batch & there) < len(batch):
            raise Violation(2, "a part of what was appended at once is there")
    more = lines_of("after", rng, 2)
    answer = family.tool("append", "--each", "--json", "--log", path, stdin=encoded(more))
    if answer.code != 0:
        raise Violation(3, f"nothing can be appended after the cut: {answer}")
    check(binary, path, {**recording.sent, **more},
          {**acknowledged, **receipts_of(answer.out, list(more))})


def name_is_durable(family, recording):
    """A new file's name is durable once its folder is synced."""
    for what, path, _, _ in recording.records:
        if what == "f":
            family.ok()
            return
        if what == "a":
            break
    family.fail(NOT_DURABLE, "the folder of a new log is never synced before the first receipt",
                commands=[["strace", "-f", "-e", "trace=fsync,openat", "replay", "append"]])
