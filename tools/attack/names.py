"""Names, links, lock files and permissions: one log stays one log.

A writer holds the log open through its name; other processes come by another name, after the lock
file was removed, after the log was moved or replaced, or without permissions. Each of them may be
refused; what is acknowledged has to be in the log that its name leads to, once, and the log has to
verify. A reader beside a writer gives a whole answer or is refused, and calls nothing damaged.
"""

import json
import os
import shutil
import threading

from harness import calls_damaged
from logs import CAUSES, Violation, Writer, check, lines_of
from processes import run

NAME = "names"
NOBODY = 65534


class Place:
    """A folder with a log, and what was acknowledged to whom."""

    def __init__(self, family, rng):
        self.family, self.rng = family, rng
        self.binary = family.attack.binary
        self.folder = family.fresh(f"place-{family.round}")
        self.log = os.path.join(self.folder, "log.daybook")
        self.sent, self.acknowledged, self.count = {}, {}, 0
        self.add(self.log, 8)

    def lines(self, count=None):
        """New lines to send. Odd and even counts meet LMDB's two meta pages differently."""
        self.count += 1
        count = count or self.rng.randrange(1, 4)
        lines = lines_of(f"r{self.family.round}-{self.count}", self.rng, count)
        self.sent.update(lines)
        return lines

    def add(self, path, count=None, cwd=None, **more):
        """Appends through a name in a process of its own; returns its code."""
        writer = Writer(self.binary, path, self.lines(count), cwd=cwd, **more)
        code = writer.finish(60)
        self.acknowledged.update(writer.receipts)
        self.last = writer
        return code

    def check(self, path=None):
        check(self.binary, path or self.log, self.sent, self.acknowledged)


def taking_turns(place, other, *, cwd=None, before=None):
    """A writer on the log's own name is held open, others come by `other`, in turns."""
    family = place.family
    held = Writer(place.binary, place.log)
    codes = []
    try:
        place.acknowledged.update(held.send(place.lines()))
        if before:
            before()
        for _ in range(6):
            codes.append(place.add(other, cwd=cwd))
            place.acknowledged.update(held.send(place.lines()))
    finally:
        code = held.finish(30)
        place.acknowledged.update(held.receipts)
    for ended, words in [(code, held.words)] + [(c, place.last.words) for c in codes]:
        if ended is None or ended not in (0, 1, 2, 3):
            raise Violation(3, f"a writer ended with {ended}: {words}")
        if ended and calls_damaged(words):
            raise Violation(3, f"a refused writer calls the log damaged: {words}")
    family.note("writers refused", sum(1 for c in codes if c))


def symbolic_link(place):
    """a symbolic link"""
    link = os.path.join(place.folder, "link")
    os.symlink(place.log, link)
    taking_turns(place, link)
    place.check()


def link_of_a_folder(place):
    """a link of the folder"""
    link = place.folder + "-link"
    if os.path.lexists(link):
        os.remove(link)
    os.symlink(place.folder, link)
    taking_turns(place, os.path.join(link, "log.daybook"))
    place.check()


def hard_link(place):
    """a hard link"""
    link = os.path.join(place.folder, "second.daybook")
    os.link(place.log, link)
    taking_turns(place, link)
    os.remove(link)
    place.check()


def hard_link_meanwhile(place):
    """a hard link made under a writer"""
    link = os.path.join(place.folder, "second.daybook")
    taking_turns(place, link, before=lambda: os.link(place.log, link))
    os.remove(link)
    place.check()


def hard_link_first(place):
    """a writer on a hard link before one on the name"""
    link = os.path.join(place.folder, "second.daybook")
    os.link(place.log, link)
    held = Writer(place.binary, link)
    place.acknowledged.update(held.send(place.lines()))
    place.add(place.log)
    place.acknowledged.update(held.send(place.lines()))
    held.finish(30)
    place.acknowledged.update(held.receipts)
    os.remove(link)
    place.check()


def relative_name(place):
    """a relative name"""
    taking_turns(place, "log.daybook", cwd=place.folder)
    place.check()


def name_with_dots(place):
    """a name with .. and //"""
    os.makedirs(os.path.join(place.folder, "inner"))
    taking_turns(place, os.path.join(place.folder, "inner", "..", ".", "", "log.daybook"))
    place.check()


def lock_removed(place):
    """the lock file removed under a writer"""
    taking_turns(place, place.log, before=lambda: remove(place.log + "-lock"))
    place.check()


def lock_replaced(place):
    """the lock file replaced under a writer"""
    def replace():
        remove(place.log + "-lock")
        with open(place.log + "-lock", "wb") as file:
            file.write(bytes(8192))
    taking_turns(place, place.log, before=replace)
    place.check()


def remove(path):
    if os.path.lexists(path):
        os.remove(path)


def old_copy_over(place):
    """an old copy renamed over an open log"""
    old = os.path.join(place.folder, "old")
    shutil.copyfile(place.log, old)
    before = dict(place.acknowledged)
    held = Writer(place.binary, place.log)
    held.send(place.lines())
    os.rename(old, place.log)
    # What was acknowledged to the file that is gone is gone; from here on nothing may be.
    place.acknowledged = before
    for _ in range(5):
        place.acknowledged.update(held.send(place.lines(), wait=3))
        place.add(place.log)
    code = held.finish(30)
    if code not in (0, 1, 2, 3):
        raise Violation(3, f"the writer ended with {code}: {held.words}")
    place.check()


def log_moved(place):
    """a log moved under a writer"""
    moved = os.path.join(place.folder, "moved.daybook")
    held = Writer(place.binary, place.log)
    place.acknowledged.update(held.send(place.lines()))
    os.rename(place.log, moved)
    for _ in range(5):
        place.acknowledged.update(held.send(place.lines(), wait=3))
        place.add(moved)
    code = held.finish(30)
    if code not in (0, 1, 2, 3):
        raise Violation(3, f"the writer ended with {code}: {held.words}")
    place.check(moved)


def removed_and_made_anew(place):
    """a log removed and made anew under a writer"""
    held = Writer(place.binary, place.log)
    held.send(place.lines())
    os.remove(place.log)
    place.acknowledged = {}
    for _ in range(5):
        place.add(place.log)
        place.acknowledged.update(held.send(place.lines(), wait=3))
    held.finish(30)
    place.check()


def folder_mounted_twice(place):
    """a folder mounted a second time"""
    other = place.folder + "-mount"
    os.makedirs(other, exist_ok=True)
    mounted_twice(place, place.folder, other, os.path.join(other, "log.daybook"))


def log_mounted_twice(place):
    """a log mounted under a second name"""
    other = os.path.join(place.folder, "mounted.daybook")
    with open(other, "wb"):
        pass
    mounted_twice(place, place.log, other, other)


def mounted_twice(place, source, target, name):
    if run(["mount", "--bind", source, target]).code != 0:
        place.family.skip("mounting a file twice needs root")
        return
    try:
        taking_turns(place, name)
    finally:
        run(["umount", target])
    place.check()


def beside(place, arguments, user=None, path=None):
    """Readers while a writer appends: answers are whole, in order and never call damage."""
    path = path or place.log
    family = place.family
    writer = Writer(place.binary, place.log)
    stop = threading.Event()

    def write():
        while not stop.is_set():
            if not writer.send(place.lines(), wait=5):
                break

    thread = threading.Thread(target=write)
    thread.start()
    wrong = None
    try:
        last = 0
        for _ in range(12):
            answer = family.tool(*arguments, "--log", path, user=user)
            if answer.broken:
                wrong = f"a reader: {answer}"
            elif answer.code == 0:
                positions = [json.loads(line)["position"] for line in answer.out.splitlines()] \
                    if arguments[0] == "log" else []
                if positions != list(range(1, len(positions) + 1)) or len(positions) < last:
                    wrong = f"a reader saw positions {positions[:3]}…{positions[-3:]}"
                last = len(positions)
            elif calls_damaged(answer.words) or answer.out and arguments[0] == "verify":
                wrong = f"a reader beside a writer: {answer} {answer.text[:200]}"
            else:
                family.note("readers refused")
            if wrong:
                break
    finally:
        stop.set()
        thread.join()
        writer.finish(30)
        place.acknowledged.update(writer.receipts)
    if wrong:
        raise Violation(5, wrong)
    place.check()


def reader_by_a_link(place):
    """readers by a symbolic link"""
    link = os.path.join(place.folder, "link")
    os.symlink(place.log, link)
    beside(place, ["verify"], path=link)


def reader_without_lock_permission(place):
    """readers who may not write the lock file"""
    if not user_possible(place):
        return
    os.chmod(place.log, 0o644)
    os.chmod(place.log + "-lock", 0o600)
    beside(place, ["verify"], user=NOBODY)
    beside(place, ["log", "--json"], user=NOBODY)


def reader_with_readable_lock(place):
    """readers who may read the lock file alone"""
    if not user_possible(place):
        return
    os.chmod(place.log, 0o644)
    os.chmod(place.log + "-lock", 0o644)
    beside(place, ["verify"], user=NOBODY)


def user_possible(place):
    if os.geteuid() != 0 or shutil.which("setpriv") is None:
        place.family.skip("reading as another user needs root and setpriv")
        return False
    # Every folder above must let the other user through.
    path = place.folder
    while path != "/":
        if not os.stat(path).st_mode & 0o001:
            place.family.skip(f"another user cannot reach {path}")
            return False
        path = os.path.dirname(path)
    return True


def read_only_folder(place):
    """a folder that may not be written"""
    if not user_possible(place):
        return
    remove(place.log + "-lock")
    os.chmod(place.log, 0o644)
    os.chmod(place.folder, 0o755)
    answer = place.family.tool("log", "--json", "--log", place.log, user=NOBODY)
    if answer.code != 0 or len(answer.out.splitlines()) != len(place.acknowledged):
        raise Violation(5, f"a log in a folder that is read-only cannot be read: {answer}")
    answer = place.family.tool("append", "--log", place.log, user=NOBODY,
                               stdin=b'{"event":"launch.app-terminated.v1","data":'
                                     b'{"launchId":"l","cause":"user"}}\n')
    if answer.code not in (2, 3) or calls_damaged(answer.words):
        raise Violation(5, f"an append without permission: {answer}")
    place.check()


def read_only_file(place):
    """a file that may not be written, in a folder that may"""
    if not user_possible(place):
        return
    os.chmod(place.log, 0o444)
    os.chmod(place.folder, 0o777)
    remove(place.log + "-lock")
    for _ in range(2):
        answer = place.family.tool("verify", "--log", place.log, user=NOBODY)
        if answer.broken or calls_damaged(answer.words) or answer.code not in (0, 2, 3):
            raise Violation(5, f"a log that is read-only: {answer}")
    # A lock file that a reader has made must not keep the owner out.
    if place.add(place.log) != 0:
        raise Violation(5, f"the owner is kept out: {place.last.words}")
    place.check()


def unreadable_file(place):
    """a file that may not be read"""
    if not user_possible(place):
        return
    os.chmod(place.log, 0o600)
    answer = place.family.tool("verify", "--log", place.log, user=NOBODY)
    if answer.code not in (2, 3) or calls_damaged(answer.words):
        raise Violation(5, f"a log that may not be read: {answer}")


def foreign_file(place):
    """a file of somebody else, and its lock file"""
    for name, data in [("text", b"Dear diary,\n" * 900), ("empty", b""), ("zeros", bytes(40_000)),
                       ("sqlite", b"SQLite format 3\0" + bytes(9000))]:
        path = os.path.join(place.folder, name)
        with open(path, "wb") as file:
            file.write(data)
        commands = [("log", []), ("verify", []), ("reindex", [])]
        if data:
            commands.append(("append", []))
        for command, more in commands:
            answer = place.family.tool(command, *more, "--log", path)
            if answer.broken or answer.code not in (2, 3):
                raise Violation(5, f"a foreign file: {answer}")
            if open(path, "rb").read() != data:
                raise Violation(5, f"a foreign file was changed: {answer}")
            if os.path.exists(path + "-lock"):
                raise Violation(5, f"a foreign file got a lock file: {answer}")


def odd_names(place):
    """names that are folders, pipes, devices or nothing"""
    os.mkfifo(os.path.join(place.folder, "pipe"))
    os.symlink("nowhere", os.path.join(place.folder, "dangling"))
    os.symlink("loop", os.path.join(place.folder, "loop"))
    for name in [place.folder, os.path.join(place.folder, "pipe"), "/dev/null", "/dev/zero", "",
                 os.path.join(place.folder, "loop"), os.path.join(place.folder, "no", "log"),
                 place.log + "/x", os.path.join(place.folder, "x" * 300), "a\nb/c"]:
        for command in ("verify", "log", "append"):
            answer = place.family.tool(
                command, "--log", name, cwd=place.folder,
                stdin=b'{"event":"launch.app-terminated.v1","data":'
                      b'{"launchId":"l","cause":"user"}}\n')
            if answer.broken or answer.code not in (2, 3):
                raise Violation(5, f"the name {name[:60]!r}: {answer}")
            if name.strip("/") and calls_damaged(answer.words):
                raise Violation(5, f"the name {name[:60]!r} is called damaged: {answer}")
    if os.path.exists(place.folder + "-lock"):
        raise Violation(5, "a folder got a lock file beside it")


CASES = [
    symbolic_link, link_of_a_folder, hard_link, hard_link_meanwhile, hard_link_first,
    relative_name, name_with_dots, lock_removed, lock_replaced, old_copy_over, log_moved,
    removed_and_made_anew, folder_mounted_twice, log_mounted_twice, reader_by_a_link,
    reader_without_lock_permission, reader_with_readable_lock, read_only_folder, read_only_file,
    unreadable_file, foreign_file, odd_names]
QUICK = len(CASES)
WRONG = "an answer that is wrong or calls a whole log damaged"


def attack(family):
    for number, rng in family.rounds(QUICK):
        case = family.turn(CASES, number)
        place = None
        try:
            place = Place(family, rng)
            case(place)
            family.ok()
        except Violation as violation:
            family.fail(CAUSES.get(violation.invariant, WRONG), str(violation),
                        [place.log] if place else [], variant=case.__doc__)
        finally:
            if place:
                shutil.rmtree(place.folder, ignore_errors=True)
