"""Full disks and small limits: no acknowledged line is lost, and no message is wrong.

Writers on a small file system that fills up, under a limit of file size, of address space or of
open files, and commands whose output cannot be written. The tool ends with 2 or 3 and a message; an
intact log is not called damaged, no signal ends it, and an output or a receipt that did not arrive
is not reported as written.
"""

import json
import os
import resource
import shutil
import signal

import content
from harness import calls_damaged
from logs import CAUSES, Violation, Writer, check, encoded, key_of, lines_of
from processes import run

NAME = "limits"
WRONG = "a limit ends the tool wrongly"
LIE = "an output that did not arrive is reported as written"


class Bench:
    def __init__(self, family):
        self.family = family
        folder = family.fresh("whole")
        self.whole = os.path.join(folder, "log.daybook")
        rng = family.generator("bench")
        self.before = lines_of("before", rng, 300)
        family.expect(family.tool("append", "--log", self.whole, stdin=encoded(self.before)))
        family.expect(family.tool(
            "import", "--format", "babyconnect", "--baby", "mia", "--zone", "UTC", "--log",
            self.whole, os.path.join(content.TOUR, "tour-baby.csv")), (0, 1))
        answer = family.tool("import", "--format", "gpx", "--user", "kim", "--log", self.whole,
                             os.path.join(content.TOUR, "tour-run.gpx"))
        self.run = answer.text.split(":")[0].replace("run ", "").strip()
        answer = family.expect(family.tool("log", "--json", "--log", self.whole))
        self.others = {
            key_of(json.loads(line)) for line in answer.out.splitlines()} - set(self.before)

    def place(self):
        folder = self.family.fresh("place")
        path = os.path.join(folder, "log.daybook")
        shutil.copyfile(self.whole, path)
        return path


class NotStarted(Exception):
    """The system refused to load the program: nothing of it has run."""


def check_started(code, words):
    if code == 127 and "shared librar" in words:
        raise NotStarted


def judged(answer, codes=(2, 3)):
    """A command under a limit: an honest end, or success."""
    check_started(answer.code, answer.words)
    if answer.broken:
        raise Violation(5, str(answer))
    if answer.code not in codes:
        raise Violation(5, f"expected code {codes}: {answer}")
    if answer.code in (2, 3):
        if not answer.words.strip():
            raise Violation(5, f"no message: {answer}")
        if calls_damaged(own_words(answer.words)):
            raise Violation(5, f"a whole log is called damaged: {answer}")


def own_words(words):
    """Returns the tool's own messages, without those of Swift's runtime."""
    return words[words.rfind("\nreplay: ") + 1:] if "failed to allocate" in words else words


def judged_writer(writer, code, codes=(0, 2, 3)):
    check_started(code, writer.words)
    if code is None or code < 0 or code not in codes:
        raise Violation(5, f"the writer ended with {code}: {writer.words[:300]}")
    if code in (2, 3) and (not writer.words or calls_damaged(own_words(writer.words))):
        raise Violation(5, f"the writer ended with {code}: {writer.words[:300] or 'no message'}")


def small_disk(bench, rng, begins_new):
    """A file system that fills up under a writer."""
    family = bench.family
    if os.geteuid() != 0:
        family.skip("a small file system needs root")
        return
    mount = family.fresh("disk")
    size = rng.choice([128, 256, 512, 1024]) if begins_new else rng.choice([700, 900, 1200])
    if run(["mount", "-t", "tmpfs", "-o", f"size={size}k", "tmpfs", mount]).code != 0:
        family.skip("a small file system cannot be mounted here")
        return
    try:
        path = os.path.join(mount, "log.daybook")
        before = {}
        if not begins_new:
            shutil.copyfile(bench.whole, path)
            before = bench.before
        lines = lines_of(f"full-{family.round}", rng, 600)
        sent = {**before, **lines}
        writer = Writer(family.attack.binary, path, lines)
        code = writer.finish()
        acknowledged = writer.receipts
        others = set() if begins_new else bench.others
        judged_writer(writer, code)
        if code == 0 and len(acknowledged) != len(lines):
            raise Violation(1, "the writer ended with 0 and wrote less")
        for command in (["verify"], ["log", "--json"], ["stat"], ["reindex"], ["snapshot"]):
            answer = family.tool(*command, "--log", path)
            judged(answer, (0, 2, 3))
            # A full disk keeps nobody from reading.
            if answer.code and command[0] in ("verify", "log", "stat") and acknowledged:
                raise Violation(3, f"a log on a full disk: {answer}")
        family.tool("append", "--log", path, stdin=encoded(lines_of("at-once", rng, 400)))
        # With room again, all of it is there.
        target = os.path.join(family.fresh("place"), "log.daybook")
        shutil.copyfile(path, target)
        at_once = lines_of("at-once", rng, 0)
        check(family.attack.binary, target, {**sent, **at_once}, acknowledged,
              others | {f"at-once-{number}" for number in range(400)})
    finally:
        run(["umount", mount])


def new_log_on_small_disk(bench, rng):
    """a new log on a small disk"""
    small_disk(bench, rng, True)


def old_log_on_small_disk(bench, rng):
    """a log on a disk that fills up"""
    small_disk(bench, rng, False)


def tiny_disk(bench, rng):
    """a disk with no room for a log"""
    family = bench.family
    if os.geteuid() != 0:
        family.skip("a small file system needs root")
        return
    mount = family.fresh("disk")
    pages = rng.randrange(1, 40)
    if run(["mount", "-t", "tmpfs", "-o", f"size={pages * 4}k", "tmpfs", mount]).code != 0:
        family.skip("a small file system cannot be mounted here")
        return
    try:
        path = os.path.join(mount, "log.daybook")
        lines = lines_of("tiny", rng, 3)
        writer = Writer(family.attack.binary, path, lines)
        judged_writer(writer, writer.finish())
        answer = family.tool("log", "--json", "--log", path)
        judged(answer, (0, 2, 3))
        if writer.receipts and len(answer.out.splitlines()) < len(writer.receipts):
            raise Violation(1, f"acknowledged {len(writer.receipts)}: {answer}")
    finally:
        run(["umount", mount])


OUTPUTS = [
    ["log", "--json"], ["log"], ["export", "--format", "babyai-csv", "--baby", "mia"],
    ["export", "--format", "babyai-csv", "--baby", "mia", "--record", "--by", "ana"],
    ["export", "--format", "gpx", "--run", "RUN"],
    ["report", "daily", "--baby", "mia", "--date", "2020-03-08"],
    ["report", "daily", "--baby", "mia", "--date", "2020-03-08", "--json"],
    ["report", "weekly", "--baby", "mia", "--week", "2020-W10", "--format", "svg"],
    ["report", "daily", "--baby", "mia", "--date", "2020-03-08", "--issue", "--by", "ana"],
    ["state", "run", "RUN", "--format", "svg"], ["state", "run", "--json"], ["stat"],
    ["stat", "--json"], ["verify"], ["verify", "--json"], ["trace", "run"], ["trace", "entry"],
    ["audit"], ["audit", "--json"], ["ranking", "--week", "2026-W08"], ["late"], ["schema"],
    ["transitions"], ["transitions", "--format", "svg"], ["history", "run", "RUN"],
    ["blame", "run", "RUN"], ["bisect", "run", "--until", "segments > 0"], ["--help"],
    ["--version"], ["append", "--help"], ["capture", "run", "RUN"],
    ["append", "--json"], ["append", "--each", "--json"], ["reindex"], ["snapshot"],
]
WITHOUT_LOG = {"--help", "--version", "schema"}


def words(bench, command, path):
    command = [bench.run if word == "RUN" else word for word in command]
    if command[0] in WITHOUT_LOG or "--help" in command:
        return command
    return [*command, "--log", path]


def full_output(bench, rng):
    """a full device as output"""
    family = bench.family
    path = bench.place()
    command = rng.choice(OUTPUTS)
    stdin = encoded(lines_of("output", rng, 3)) if command[0] == "append" else b""
    with open("/dev/full", "wb") as full:
        answer = family.tool(*words(bench, command, path), stdin=stdin, stdout=full)
    if answer.broken:
        raise Violation(5, str(answer))
    silent = command[0] in ("late", "bisect") and answer.code == 0
    if answer.code not in (2, 3) and not silent:
        raise Violation(6, f"to a full device: {answer}")
    if "--record" in command or "--issue" in command:
        answer = family.tool("log", "--json", "--log", path)
        if b"data-exported" in answer.out or b"report-issued" in answer.out:
            raise Violation(6, f"{' '.join(command)} to a full device is recorded as done")


def output_cut_short(bench, rng):
    """an output that fills up on its way"""
    family = bench.family
    path = bench.place()
    command = rng.choice([c for c in OUTPUTS if c[0] != "append"])
    whole = family.tool(*words(bench, command, path))
    if len(whole.out) < 2 or whole.code not in (0, 1):
        return
    path = bench.place()
    limit = rng.randrange(1, len(whole.out))
    target = os.path.join(family.folder, "output")
    with open(target, "wb") as file:
        answer = family.tool(*words(bench, command, path), stdout=file,
                             limits=file_size_of_output(target, limit))
    if answer.code is not None and answer.code == -signal.SIGXFSZ:
        raise Violation(5, f"ended by SIGXFSZ: {answer}")
    if answer.broken:
        raise Violation(5, str(answer))
    size = os.path.getsize(target)
    if size < len(whole.out) and answer.code in (0, 1):
        raise Violation(6, f"{size} of {len(whole.out)} bytes: {answer}")


def file_size_of_output(_, limit):
    def set_limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    return set_limit


def file_size(bench, rng):
    """a limit of file size under a writer"""
    family = bench.family
    path = bench.place()
    size = os.path.getsize(path)
    limit = rng.choice([0, 4096, 8192, size // 2, size, size + 8192, size + 40_000])
    new = rng.random() < 0.4
    if new:
        os.remove(path)
    lines = lines_of(f"fsize-{family.round}", rng, 120)

    def set_limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    writer = Writer(family.attack.binary, path, lines, limits=set_limit)
    code = writer.finish()
    before = {} if new else bench.before
    after(family, path, before, lines, writer, code, set() if new else bench.others)


def after(family, path, before, lines, writer, code, others):
    judged_writer(writer, code)
    there = check(family.attack.binary, path, {**before, **lines}, writer.receipts, others)
    if not set(before) <= there:
        raise Violation(1, "what was there before is gone")


def address_space(bench, rng):
    """a limit of address space"""
    family = bench.family
    path = bench.place()
    limit = rng.choice([64, 200, 400, 1000, 4000, 8000, 15000]) << 20

    def set_limit():
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

    if (limit < os.path.getsize(family.attack.binary)
            or family.tool("--version", limits=set_limit).code != 0):
        # There is no room for the program itself, or hardly any: a debug build is as large.
        raise NotStarted
    lines = lines_of(f"as-{family.round}", rng, 5)
    writer = Writer(family.attack.binary, path, lines, limits=set_limit)
    code = writer.finish()
    after(family, path, bench.before, lines, writer, code, bench.others)
    for command in (["verify"], ["log", "--json"], ["stat"]):
        answer = family.tool(*command, "--log", path, limits=set_limit)
        judged(answer, (0, 2, 3))
        if answer.code and limit >= 1000 << 20:
            raise Violation(5, f"{limit >> 20} MiB of address space: {answer}")


def open_files(bench, rng):
    """a limit of open files"""
    family = bench.family
    path = bench.place()
    limit = rng.randrange(3, 16)

    def set_limit():
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))

    for command in (["verify"], ["log", "--json"], ["verify", "--determinism"],
                    ["report", "daily", "--baby", "mia", "--date", "2020-03-08"],
                    ["audit"], ["check", os.path.join(content.REPOSITORY, "Scenarios", "launch")]):
        arguments = command if command[0] == "check" else [*command, "--log", path]
        answer = family.tool(*arguments, limits=set_limit)
        judged(answer, (0, 1, 2, 3))
    lines = lines_of(f"files-{family.round}", rng, 5)
    writer = Writer(family.attack.binary, path, lines, limits=set_limit)
    code = writer.finish()
    after(family, path, bench.before, lines, writer, code, bench.others)


def closed_streams(bench, rng):
    """standard streams that are closed"""
    family = bench.family
    path = bench.place()
    which = rng.choice([(0,), (1,), (2,), (0, 1), (1, 2), (0, 1, 2)])
    closing = " ".join(f"{number}>&-" if number else "0<&-" for number in which)
    for command in (["log", "--json"], ["verify"], ["append", "--each", "--json"],
                    ["export", "--format", "babyai-csv", "--baby", "mia"]):
        done = run(
            ["sh", "-c", f'"$0" "$@" {closing}', family.attack.binary,
             *words(bench, command, path)],
            encoded(lines_of(f"closed-{family.round}", rng, 2)))
        if done.code not in (0, 1, 2, 3):
            raise Violation(5, f"{command} with {closing}: {done}")
        if done.code == 0 and 1 in which and command[0] != "append":
            raise Violation(6, f"{command} with {closing}: 0")
    # Nothing of what was printed may have gone into the log.
    answer = family.tool("verify", "--log", path)
    if answer.code != 0:
        raise Violation(3, str(answer))


CASES = [new_log_on_small_disk, old_log_on_small_disk, tiny_disk, full_output, output_cut_short,
         file_size, address_space, open_files, closed_streams, full_output, output_cut_short]
QUICK = 28


def attack(family):
    bench = Bench(family)
    family.begin()
    for number, rng in family.rounds(QUICK):
        case = family.turn(CASES, number)
        try:
            case(bench, rng)
            family.ok()
        except NotStarted:
            family.note("starts that the limit forbids")
        except Violation as violation:
            cause = CAUSES.get(violation.invariant, {5: WRONG, 6: LIE}.get(violation.invariant))
            path = os.path.join(family.folder, "place", "log.daybook")
            family.fail(cause, str(violation), [path], variant=case.__doc__)
