"""Damaged files: every answer is right or a refusal, and `verify` finds each change.

A log with content in five areas is damaged in one of 13 kinds, then asked everything. It fails if

 * a command ends by a signal, with a code outside 0 to 3, or not within its time;
 * an answer given with 0 or 1 differs from that of the whole log;
 * an acknowledged append differs from that on the intact log, or rests on a page
   whose structure is damaged;
 * a log is sound after an append, a reindex or a snapshot and holds other rows than the whole log
   would, or it was sound before and is no longer;
 * a backup is made that is damaged or holds other rows, or one that is refused is there;
 * `verify` ends with 0 though a byte is changed that says something.

Bytes that say nothing (gaps, free pages) may be anything. A page of an earlier version of the
same file carries valid rows: what it can hide from readers is said in docs/trust.md, so that
answers which such a page changes are counted as a note and only `verify` must find it.
"""

import concurrent.futures
import os
import random
import re
import struct

import content
import shim
from pages import HEADER, PAGE, Pages

NAME = "damage"
QUICK = 7
#: Questions of a round of a quick run, besides the listing of the log.
QUESTIONS_QUICK = 4


def one_bit(rng, pages, data, _):
    """a bit of a used page"""
    number = rng.choice(pages.used)
    start, end = rng.choice(pages.telling[number])
    place = number * PAGE + rng.randrange(start, max(end, start + 1))
    data[place] ^= 1 << rng.randrange(8)
    return f"byte {place % PAGE} of page {number}, {pages.roles[number]}"


def bit_of_a_meta_page(rng, _, data, __):
    """a bit of a meta page"""
    place = rng.randrange(2) * PAGE + rng.randrange(HEADER + 136)
    data[place] ^= 1 << rng.randrange(8)
    return f"byte {place % PAGE} of meta page {place // PAGE}"


def some_page(rng, pages):
    # Every table alike: most pages are of a few of them.
    role = rng.choice(sorted({pages.roles[number] for number in pages.used}))
    return rng.choice([number for number in pages.used if pages.roles[number] == role])


def put(data, number, page):
    data[number * PAGE:(number + 1) * PAGE] = page


def zeroed_page(rng, pages, data, _):
    """a page of zeros"""
    number = some_page(rng, pages)
    put(data, number, bytes(PAGE))
    return f"page {number}, {pages.roles[number]}"


def random_page(rng, pages, data, _):
    """a page of random bytes"""
    number = some_page(rng, pages)
    put(data, number, rng.randbytes(PAGE))
    return f"page {number}, {pages.roles[number]}"


def swapped_pages(rng, pages, data, _):
    """two pages swapped"""
    first, second = some_page(rng, pages), some_page(rng, pages)
    if rng.random() < 0.7:
        alike = [n for n in pages.used if pages.roles[n] == pages.roles[first] and n != first]
        second = rng.choice(alike) if alike else second
    one, other = bytes(pages.page(first)), bytes(pages.page(second))
    put(data, first, other)
    put(data, second, one)
    return f"pages {first}, {pages.roles[first]}, and {second}, {pages.roles[second]}"


def earlier_page(rng, pages, data, versions):
    """a page as it was earlier"""
    version = rng.choice(versions)
    differing = [
        number for number in pages.used
        if len(version) >= (number + 1) * PAGE
        and version[number * PAGE:(number + 1) * PAGE] != pages.page(number)
        and pages.changes(data[:number * PAGE] + version[number * PAGE:(number + 1) * PAGE]
                          + data[(number + 1) * PAGE:])]
    if not differing:
        return zeroed_page(rng, pages, data, versions)
    number = rng.choice(differing)
    put(data, number, version[number * PAGE:(number + 1) * PAGE])
    return f"page {number}, {pages.roles[number]}"


def truncation(rng, _, data, __):
    """the file cut short"""
    length = rng.randrange(len(data))
    if rng.random() < 0.5:
        length -= length % PAGE
    # An empty file is a log that is about to be made, in which an append begins anew.
    length = max(length, 1)
    del data[length:]
    return f"{length} bytes left"


def garbage_tail(rng, _, data, __):
    """a tail of garbage"""
    count = rng.choice([1, 511, 4096, 9000])
    data += rng.randbytes(count)
    return f"{count} bytes more"


def zeroed_sector(rng, pages, data, _):
    """a sector of zeros"""
    number = some_page(rng, pages)
    at = number * PAGE + 512 * rng.randrange(8)
    data[at:at + 512] = bytes(512)
    return f"byte {at % PAGE} of page {number}, {pages.roles[number]}"


def leaves(pages):
    return [
        number for number in pages.used if pages.roles[number].endswith(" leaf")
        and pages.nodes(number)]


def node_header(rng, pages, data, _):
    """a byte of a node's header"""
    number = rng.choice(leaves(pages))
    node = rng.choice(pages.nodes(number))
    place = number * PAGE + node + rng.randrange(8)
    data[place] ^= rng.randrange(1, 256)
    return f"byte {place % PAGE} of page {number}, {pages.roles[number]}"


def page_bounds(rng, pages, data, _):
    """the bounds in a page's header"""
    number = some_page(rng, pages)
    struct.pack_into("<H", data, number * PAGE + rng.choice([12, 14]), rng.choice(
        [0, 1, 15, 16, 17, 4095, 4096, 65535, rng.randrange(65536)]))
    return f"page {number}, {pages.roles[number]}"


def branch_pointer(rng, pages, data, _):
    """a pointer of a branch"""
    number = rng.choice(pages.of_kind("branch"))
    node = rng.choice(pages.nodes(number))
    target = rng.choice([0, 1, number, rng.choice(pages.used), pages.count + 5,
                         rng.randrange(1 << 47)])
    low, high, top = target & 0xFFFF, target >> 16 & 0xFFFF, target >> 32 & 0xFFFF
    struct.pack_into("<HHH", data, number * PAGE + node, low, high, top)
    return f"page {number}, {pages.roles[number]}, to page {target}"


def run_of_ones(rng, pages, data, _):
    """a run of FF"""
    number = some_page(rng, pages)
    start = rng.randrange(PAGE)
    count = min(rng.choice([2, 8, 32, 200]), PAGE - start)
    at = number * PAGE + start
    data[at:at + count] = b"\xff" * count
    return f"bytes {start} to {start + count} of page {number}, {pages.roles[number]}"


KINDS = [one_bit, bit_of_a_meta_page, zeroed_page, random_page, swapped_pages, earlier_page,
         truncation, garbage_tail, zeroed_sector, node_header, page_bounds, branch_pointer,
         run_of_ones]


class Victim:
    """The intact log, its answers, and the pages that appends to it read."""

    def __init__(self, family):
        self.family = family
        folder = family.fresh("whole")
        self.path = os.path.join(folder, "whole.daybook")
        quick = family.attack.seconds is None
        rng = random.Random(f"{family.attack.seed}:content")
        self.versions = content.make(
            family, self.path, rng, 80 if quick else 800, 300 if quick else 600)
        self.data = open(self.path, "rb").read()
        self.pages = Pages(self.data)
        family.expect(family.tool("verify", "--log", self.path))
        self.answers, self.appends = {}, {}

    def answer(self, name):
        """The right answer to a question; made when it is first needed."""
        if name not in self.answers:
            self.answers[name] = self.family.expect(
                self.family.tool(*content.QUESTIONS[name], "--log", self.path), (0, 1))
        return self.answers[name]

    def append(self, name):
        """The right end and answer of an append, the pages it reads, and the rows after it."""
        if name not in self.appends:
            target = os.path.join(os.path.dirname(self.path), "appended.daybook")
            content.copy(self.path, target)
            notes = os.path.join(os.path.dirname(self.path), "touched")
            if os.path.exists(notes):
                os.remove(notes)
            answer = self.family.expect(self.family.tool(
                "append", "--json", "--log", target, stdin=APPENDS[name],
                env=shim.settings(self.family.attack, target, touch=notes)), (0, 1))
            read = shim.touched(notes)
            if not read:
                shim.unseen(self.family, "reads")
            self.appends[name] = (
                answer.code, without_time(answer.out), read, self.listing(target))
        return self.appends[name]

    @property
    def whole_listing(self):
        return without_time(self.answer("log").out)

    def listing(self, path):
        """The rows of a log without the times at which they were recorded."""
        answer = self.family.tool(*content.QUESTIONS["log"], "--log", path)
        return without_time(answer.out) if answer.code == 0 else str(answer)


APPENDS = {
    "append of a fact": content.text([
        {"event": "launch.app-terminated.v1", "key": "new-fact", "at": "2026-07-12T12:00:00Z",
         "data": {"launchId": "long", "cause": "crash"}}]),
    "append of a decision": content.text([
        {"command": "baby-care.record", "key": "new-entry", "actor": "ana",
         "at": "2026-07-12T12:00:00Z",
         "data": {"entryId": "new", "babyId": "b", "kind": "pee", "source": "manual",
                  "startedUs": content.START, "by": "ana", "value": {}, "meta": {}}}]),
    "append of a known key": content.text([
        {"event": "launch.app-launched.v1", "key": "long-7", "at": "2026-07-12T12:00:00Z",
         "data": {"launchId": "long", "appVersion": "1.7.0", "platform": "ios",
                  "firstLaunch": False, "device": "d0"}}]),
}


def without_time(out):
    return re.sub(rb'"recordedAt":"[^"]*"', b"", out)


def rests_on_damage(pages, data, changed, read):
    """The first damaged page that an append has to see, among those LMDB reads; None if there is
    none.

    The tool's own looks at the file are checked reads, and some only count pages. Seen have to be
    the header of a page and the root, depth and transaction of a meta page. Which rows of a leaf an
    append rests on is not known here: those show in what it acknowledges.
    """
    for number in changed:
        places = pages.differing(data, number)
        if number in (0, 1):
            if any(place in RELIED_ON_META for place in places):
                return number
        elif number in read and any(place < HEADER for place in places):
            return number
    return None


#: Of a meta page: magic, version, what a tree is and where its root lies, last page, transaction.
RELIED_ON_META = {
    HEADER + place for start, end in [(0, 8), (28, 32), (64, 72), (76, 80), (112, 136)]
    for place in range(start, end)}


def attack(family):
    victim = Victim(family)
    family.begin()
    folder = family.fresh("damaged")
    path = os.path.join(folder, "damaged.daybook")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for number, rng in family.rounds(QUICK):
            damage = family.turn(KINDS, number)
            data = bytearray(victim.data)
            where = damage(rng, victim.pages, data, victim.versions)
            if data == victim.data:
                continue
            asks = list(content.QUESTIONS)
            appends, changes = list(APPENDS), ["reindex", "snapshot"]
            quick = family.attack.seconds is None
            if quick:
                asks = ["log", *rng.sample(asks[1:], QUESTIONS_QUICK)]
                appends, changes = [rng.choice(appends)], [rng.choice(changes)]
            damaged = Damaged(victim, path, data, damage, where)
            damaged.verify()
            damaged.ask(asks, pool)
            damaged.append(appends)
            damaged.change(changes)
            if not quick or number % 3 == 0:
                damaged.back_up()


class Damaged:
    """A damaged log, and the answer of every command to it."""

    def __init__(self, victim, path, data, damage, where):
        self.victim, self.family = victim, victim.family
        self.path, self.data, self.damage, self.where = path, bytes(data), damage, where
        pages = victim.pages
        self.changed = pages.changes(self.data.ljust(len(pages.data), b"\0"))
        if len(data) < len(pages.data):
            self.changed = self.changed or [
                n for n in pages.roles if (n + 1) * PAGE > len(data) and pages.telling[n]]
        with open(path, "wb") as file:
            file.write(data)
        if os.path.exists(path + "-lock"):
            os.remove(path + "-lock")

    def failed(self, cause, answer):
        self.family.fail(
            cause, f"{self.where}: {answer}", [self.path], [["replay", *answer.arguments]],
            variant=self.damage.__doc__)

    def other_answer(self, cause, answer):
        if self.damage is earlier_page:
            self.family.note("answers that an earlier page changes")
            self.family.ok()
        else:
            self.failed(cause, answer)

    def copy(self, name):
        target = f"{self.path}.{name}"
        content.copy(self.path, target)
        return target

    def verify(self):
        pages, changed = self.victim.pages, self.changed
        self.verified = verified = self.family.tool("verify", "--json", "--log", self.path)
        if verified.broken:
            self.failed(f"verify: {verified.broken}", verified)
        elif verified.code != 0 or not changed:
            self.family.ok()
        elif all(pages.roles[number] == "free list leaf" for number in changed):
            self.family.note("changes of the free list that break nothing")
            self.family.ok()
        else:
            self.failed("verify says the log is sound", verified)

    def ask(self, names, pool):
        asked = {
            name: pool.submit(
                self.family.tool, *content.QUESTIONS[name], "--log", self.path)
            for name in names}
        for name, pending in asked.items():
            answer, right = pending.result(), self.victim.answer(name)
            if answer.broken:
                self.failed(f"a question: {answer.broken}", answer)
            elif answer.code in (0, 1) and not same(name, answer, right):
                self.other_answer(
                    "a question gets another answer than on the whole log", answer)
            else:
                self.family.ok()

    def append(self, names):
        victim = self.victim
        for name in names:
            target = self.copy("appended")
            answer = self.family.tool("append", "--json", "--log", target, stdin=APPENDS[name])
            code, out, read, listing = victim.append(name)
            page = rests_on_damage(victim.pages, self.data, self.changed, read)
            if answer.broken:
                self.failed(f"an append: {answer.broken}", answer)
            elif answer.code in (0, 1) and (code, out) != (answer.code, without_time(answer.out)):
                self.other_answer(
                    "an append is acknowledged otherwise than on the whole log", answer)
            elif answer.code == 0 and page is not None and self.damage is not earlier_page:
                self.failed("an append is acknowledged that reads a damaged page", answer)
            else:
                if self.verified.code != 0 and answer.code == 0:
                    self.family.note("appends to logs that are damaged elsewhere")
                self.family.ok()
                if answer.code == 0:
                    self.judge_after(answer, target, listing)

    def change(self, commands):
        for command in commands:
            target = self.copy("changed")
            answer = self.family.tool(command, "--log", target)
            if answer.broken:
                self.failed(f"{command}: {answer.broken}", answer)
            elif answer.code == 0:
                self.judge_after(answer, target, self.victim.whole_listing)
            else:
                self.family.ok()

    def judge_after(self, answer, target, right):
        """A log that was changed is sound only with the right rows, and no worse than before."""
        after = self.family.tool("verify", "--json", "--log", target)
        if after.code == 0 and self.victim.listing(target) != right:
            self.failed("a log is sound after a change and holds other rows", answer)
        elif after.code != 0 and self.verified.code == 0:
            self.failed("a sound log is damaged after a change", after)
        else:
            self.family.ok()

    def back_up(self):
        copied = self.path + ".backup"
        for name in (copied, copied + "-lock"):
            if os.path.exists(name):
                os.remove(name)
        answer = self.family.tool("backup", copied, "--log", self.path)
        if answer.broken:
            self.failed(f"backup: {answer.broken}", answer)
        elif answer.code != 0 and os.path.exists(copied):
            self.failed("a backup that is refused is there", answer)
        elif answer.code != 0:
            self.family.ok()
        elif self.victim.listing(copied) != self.victim.whole_listing:
            self.failed("a backup of a damaged log holds other rows", answer)
        elif self.family.tool("verify", "--log", copied).code != 0:
            self.failed("a backup of a damaged log is damaged", answer)
        else:
            self.family.note("backups of logs that are damaged elsewhere",
                             int(self.verified.code != 0))
            self.family.ok()


def same(question, answer, right):
    if answer.code != right.code:
        return False
    if question == "stat":
        return content.stat_without_sizes(answer.out) == content.stat_without_sizes(right.out)
    return answer.out == right.out
