"""Every bit of both meta pages flipped, one after another, in logs of several shapes.

LMDB believes the meta page with the greater transaction number, and all that it says. After each
flip, either every command refuses the log with 3, or no answer changes. It fails if

 * a command ends by a signal, with a code outside 0 to 3, or not within its time;
 * a question has an answer that the whole log does not have;
 * an append is acknowledged and an event is gone, a position used again, the file grown beyond
   reason, or the log unsound after it;
 * `backup`, `compact` or `salvage` ends with 0 and its copy lacks an event;
 * `salvage` does not save every event.

A round is a log. A quick run takes the bits of numbers, sizes and last pages and a part of the
others of one log, and those of roots and numbers of a log that was compacted; `--only meta` takes
every bit of all logs.
"""

import concurrent.futures
import json
import os
import time

import content
from logs import encoded, lines_of
from pages import PAGE

NAME = "meta"
#: Bits of a page's header and of the record behind it.
BITS = 8 * 152
#: Bytes that one append may add to a small log.
GROWTH = 1 << 21
QUICK_STEP = 61
#: Bytes whose every bit is flipped in a quick run: page size, numbers, last pages, roots.
QUICK_BYTES = [40, 41, 128, 136, 144]
APPENDED = b'{"event":"launch.app-terminated.v1","key":"after","at":"2026-07-12T12:00:00Z",' \
    b'"data":{"launchId":"after","cause":"crash"}}\n'


class Shape:
    """A whole log: its bytes, its answers, and what an append makes of it."""

    def __init__(self, family, name, make):
        self.name, self.folder = name, family.fresh(name)
        self.path = os.path.join(self.folder, "whole.daybook")
        make(family, self.path)
        with open(self.path, "rb") as file:
            self.data = file.read()
        family.expect(family.tool("verify", "--log", self.path))
        self.log = family.expect(family.tool("log", "--json", "--log", self.path)).out
        self.head = head(family, self.path)
        self.events = self.head["events"]


def head(family, path):
    row = json.loads(family.expect(family.tool("stat", "--json", "--log", path)).out)
    return {"events": row["events"], "head": row["head"], "id": row["id"]}


def append(family, path, seed, count, *, each=True):
    rng = family.generator(seed)
    family.expect(family.tool(
        "append", *(["--each"] if each else []), "--log", path,
        stdin=encoded(lines_of(seed, rng, count))))


def few(family, path):
    append(family, path, "few", 5)


def many(family, path):
    append(family, path, "many", 300, each=False)
    append(family, path, "more", 6)


def compacted(family, path):
    append(family, path, "compacted", 40)
    family.expect(family.tool("compact", "--log", path))


def after_compact(family, path):
    compacted(family, path)
    append(family, path, "after", 1)


def erased(family, path):
    lines = content.care_lines(family.generator("erased"), 12)
    for line in lines:
        if line["command"] == "baby-care.record":
            line["data"]["value"] |= {"text": f"text of {line['key']}"}
    family.expect(
        family.tool("append", "--each", "--log", path, stdin=content.text(lines)),
        (0, 1))
    family.expect(family.tool("erase", "--log", path, "--tag", "baby:b"))


def backed_up(family, path):
    source = path + ".source"
    append(family, source, "source", 30)
    family.expect(family.tool("backup", "--log", source, path))


def freed(family, path):
    """A long list of free pages: an index made anew."""
    append(family, path, "freed", 400, each=False)
    family.expect(family.tool("reindex", "--log", path))
    append(family, path, "tail", 2)


SHAPES = {"few": few, "backup": backed_up, "compacted": compacted, "after a compact": after_compact,
          "erased": erased, "free pages": freed, "many": many}
#: The bytes of a quick run, and the step between the other bits; none for 0.
QUICK_SHAPES = {"few": (QUICK_BYTES, QUICK_STEP), "after a compact": ([128, 136, 144], 0)}


def flips(family, shape):
    """Pages and bits: all of them, in another order with each seed; or those of a quick run."""
    every = [(page, bit) for page in (0, 1) for bit in range(BITS)]
    if family.attack.takes_all:
        return every
    if family.attack.seconds is None:
        taken, step = QUICK_SHAPES[shape.name]
        return [(page, bit) for page, bit in every
                if step and bit % step == 0 or bit // 8 in taken and bit % 8 < 5]
    family.generator("order").shuffle(every)
    return every


def attack(family):
    is_timed = family.attack.seconds is not None
    is_quick = not is_timed and not family.attack.takes_all
    names = QUICK_SHAPES if is_quick else list(SHAPES)
    for number, name in enumerate(names):
        if family.attack.only_round not in (None, number):
            continue
        family.round = number
        shape = Shape(family, name, SHAPES[name])
        until = time.monotonic() + family.attack.seconds / len(names) if is_timed else None

        def one(flip, shape=shape, until=until):
            is_over = until is not None and time.monotonic() > until
            if not is_over and not (family.attack.first and family.failures):
                one_flip(family, shape, *flip)

        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            list(pool.map(one, flips(family, shape)))


def one_flip(family, shape, page, bit):
    place = page * PAGE + bit // 8
    path = os.path.join(shape.folder, f"{page}-{bit}.daybook")
    where = f"{shape.name}: bit {bit % 8} of byte {bit // 8} of meta page {page}"
    made = [path]

    def damaged():
        data = bytearray(shape.data)
        data[place] ^= 1 << bit % 8
        with open(path, "wb") as file:
            file.write(data)
        if os.path.exists(path + "-lock"):
            os.remove(path + "-lock")

    def failed(cause, answer):
        damaged()
        family.fail(cause, f"{where}: {answer}", [path], [["replay", *answer.arguments]])

    try:
        damaged()
        judge(family, shape, path, made, failed, damaged)
    finally:
        for file in made:
            for name in (file, file + "-lock"):
                if os.path.exists(name):
                    os.remove(name)


def judge(family, shape, path, made, failed, damaged):
    def ended(answer, cause):
        """True for 0 or 1; any ending but that and 3 is a failure."""
        if answer.broken:
            failed(f"{cause}: {answer.broken}", answer)
        elif answer.code == 2:
            failed(f"{cause}: damage is said to be bad usage", answer)
        elif "MDB_" in answer.words:
            failed(f"{cause}: a bare word of LMDB", answer)
        else:
            return answer.code in (0, 1)
        return False

    def is_whole(copy):
        listed = family.tool("log", "--json", "--log", copy)
        return listed.code == 0 and listed.out == shape.log

    verified = family.tool("verify", "--json", "--log", path)
    is_sound = ended(verified, "verify") and verified.code == 0
    asked = family.tool("log", "--json", "--log", path)
    if ended(asked, "log"):
        if asked.out != shape.log:
            failed("a question gets another answer than on the whole log", asked)
        elif asked.code == 0 and not is_sound:
            family.note("flips that verify alone finds")
            family.ok()
        else:
            family.ok()
    else:
        family.ok()
        if is_sound:
            failed("verify says the log is sound, and a question fails", asked)
    for command in ("backup", "salvage"):
        copy = f"{path}.{command}"
        made.append(copy)
        made.append(copy + ".replay-partial")
        answer = family.tool(command, "--log", path, copy) if command == "backup" else \
            family.tool("salvage", path, "--output", copy)
        if ended(answer, command):
            if not os.path.exists(copy) or not is_whole(copy):
                failed(f"{command}: the copy is not whole", answer)
            else:
                family.ok()
        elif command == "salvage" and not answer.broken:
            failed("salvage saves nothing", answer)
        elif not answer.broken:
            family.ok()
        if command == "backup" and is_sound and answer.code == 3:
            failed("verify says the log is sound, and backup fails", answer)
    appended(family, shape, path, failed, ended)
    damaged()
    answer = family.tool("compact", "--log", path)
    if ended(answer, "compact"):
        if is_whole(path):
            family.ok()
        else:
            failed("compact loses events", answer)
    elif is_sound and not answer.broken:
        failed("verify says the log is sound, and compact fails", answer)
    elif not answer.broken:
        family.ok()


def appended(family, shape, path, failed, ended):
    answer = family.tool("append", "--json", "--log", path, stdin=APPENDED)
    if not ended(answer, "append"):
        if not answer.broken:
            family.ok()
        return
    receipt = json.loads(answer.out.splitlines()[0])
    listed = family.tool("log", "--json", "--log", path)
    after = family.tool("verify", "--log", path)
    if receipt["first"] != shape.events + 1:
        failed("an append takes another position than on the whole log", answer)
    elif not listed.out.startswith(shape.log) or listed.out.count(b"\n") != shape.events + 1:
        failed("an acknowledged event is gone after an append", listed)
    elif after.code != 0:
        failed("a log is damaged by an append", after)
    elif os.path.getsize(path) > len(shape.data) + GROWTH:
        failed("an append makes the file grow", answer)
    else:
        family.ok()
