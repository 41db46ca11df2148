"""Hostile files as input of every reader: an error that names the file, or an honest answer.

Every place that takes a file (imports, scenarios, configs, lines to append, expectations, commands
for what-if, time zones) is given empty files, one huge line, binary, deep nesting, invalid UTF-8,
NULs, pipes, folders and endless devices, and valid files with bytes changed, removed or doubled.
The tool ends with 0 to 3 within its time, in bounded memory, and a log it was to write into
verifies and holds nothing of a refused input.
"""

import os
import resource
import shutil

import content
from harness import HANG
from logs import CAUSES, Violation

NAME = "hostile"
QUICK = 60
#: Bytes of memory that no command needs for inputs of this size.
MEMORY = 2 << 30
WRONG = "a hostile input ends the tool wrongly"
SEEDS = {
    "csv": "docs/tour-baby.csv", "gpx": "docs/tour-run.gpx", "jsonl": "docs/tour.jsonl",
    "config": "docs/tour-config.json",
    "yaml": "Scenarios/baby-care/next-feeding.yaml",
}
HUCKLEBERRY = ("Type,Start,End,Duration,Start Condition,Start Location,End Condition,Notes\n"
                "Sleep,2026-01-01 10:00,2026-01-01 11:00,01:00,,,,\n")
KEY = ("-----BEGIN PUBLIC KEY-----\n"
       "MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n"
       "-----END PUBLIC KEY-----\n")


def readers(bench):
    """Every reader of a file: its name, the kind of file, and the command for a path."""
    log = ["--log", bench.log]
    zone = ["--zone", "UTC"]
    return [
        ("import babyconnect", "csv", lambda f: [
            "import", "--format", "babyconnect", "--baby", "m", *zone, f, *log]),
        ("import huckleberry", "huckleberry", lambda f: [
            "import", "--format", "huckleberry", "--baby", "m", *zone, f, *log]),
        ("import babybuddy", "csv", lambda f: [
            "import", "--format", "babybuddy", "--baby", "m", *zone, f, *log]),
        ("import babyai-csv", "babyai", lambda f: [
            "import", "--format", "babyai-csv", "--baby", "m", *zone, f, *log]),
        ("import gpx", "gpx", lambda f: [
            "import", "--format", "gpx", "--user", "u", *zone, f, *log]),
        ("check", "yaml", lambda f: ["check", f]),
        ("check --update", "yaml", lambda f: ["check", "--update", f]),
        ("shrink --scenario", "yaml", lambda f: ["shrink", "--scenario", f]),
        ("launch-decision --config", "config", lambda f: [
            "launch-decision", "--config", f, "--now", "2026-03-03T00:00:00Z", *log]),
        ("launch-decision of one version", "config", lambda f: [
            "launch-decision", "--config", f, "--now", "2026-03-03T00:00:00Z",
            "--app-version", "1.0.0"]),
        ("compare --expect", "expect", lambda f: [
            "compare", bench.log, "--other-rules", "source", "--expect", f]),
        ("compare of traces", "trace", lambda f: ["compare", f, bench.trace]),
        ("what-if --insert", "overlay", lambda f: [
            "what-if", "splash", "tuesday", "--insert", f, *log]),
        ("what-if --again", "jsonl", lambda f: [
            "what-if", "splash", "tuesday", "--again", f, *log]),
        ("shrink --refused", "jsonl", lambda f: ["shrink", "--refused", f, *log]),
        ("append", "jsonl", None),
        ("append --each", "jsonl", None),
        ("report --tzdata", "folder", lambda f: [
            "report", "daily", "--baby", "mia", "--date", "2020-03-08", "--tzdata", f, *log]),
        *newer_readers(bench),
        ("a log", "log", lambda f: ["verify", "--log", f]),
        ("a log to append to", "log", lambda f: ["log", "--json", "--log", f]),
    ]


def newer_readers(bench):
    """Places that only some builds have."""
    log = ["--log", bench.log]
    can = bench.family.attack.can
    proofs = [("check-proof", "proof", lambda f: ["check-proof", f])] if can(
        "check-proof", "--root") else []
    return [
        (f"{command} {option}", kind, lambda f, c=command, o=option: [c, o, f, *log])
        for command, option, kind in [
            ("verify", "--heads", "head"), ("verify", "--signed-by", "key"),
            ("stat", "--sign", "key"), ("log", "--head-file", "head")]
        if can(command, option)] + proofs


class Bench:
    def __init__(self, family):
        self.family = family
        folder = family.fresh("whole")
        self.whole = os.path.join(folder, "whole.daybook")
        self.log = os.path.join(folder, "log.daybook")
        self.trace = os.path.join(folder, "trace.jsonl")
        with open(os.path.join(content.TOUR, "tour.jsonl"), "rb") as tour:
            family.expect(family.tool("append", "--log", self.whole, stdin=tour.read()))
        family.expect(family.tool(
            "import", "--format", "babyconnect", "--baby", "mia", "--zone", "America/Los_Angeles",
            "--log", self.whole, os.path.join(content.TOUR, "tour-baby.csv")), (0, 1))
        self.seeds = {}
        for kind, name in SEEDS.items():
            with open(os.path.join(content.REPOSITORY, name), "rb") as file:
                self.seeds[kind] = file.read()
        self.seeds["huckleberry"] = HUCKLEBERRY.encode()
        self.seeds["babyai"] = family.tool(
            "export", "--format", "babyai-csv", "--baby", "mia", "--log", self.whole).out
        self.seeds["overlay"] = self.seeds["jsonl"].replace(b'{"command"', b'{"after":3,"command"')
        self.seeds["expect"] = b"- field: state\n  reason: it is right\n  kind: launch.*\n"
        self.seeds["trace"] = family.tool("trace", "splash", "--log", self.whole).out
        self.seeds["log"] = open(self.whole, "rb").read()
        self.seeds["head"] = family.tool("stat", "--json", "--log", self.whole).out
        self.seeds["key"] = KEY.encode()
        if family.attack.can("check-proof", "--root"):
            self.seeds["proof"] = family.tool("prove", "3", "--since", "2", "--log", self.whole).out
        self.seeds["folder"] = b"TZif2" + bytes(40)
        with open(self.trace, "wb") as file:
            file.write(self.seeds["trace"])
        family.expect(family.tool("verify", "--log", self.whole))


# Contents


def mutated(rng, seed):
    """a valid file with bytes changed"""
    data = bytearray(seed)
    for _ in range(rng.choice([1, 1, 2, 8, 40])):
        if not data:
            break
        at = rng.randrange(len(data))
        what = rng.randrange(6)
        if what == 0:
            data[at] = rng.randrange(256)
        elif what == 1:
            del data[at:at + rng.choice([1, 4, 60])]
        elif what == 2:
            data[at:at] = data[at:at + rng.choice([1, 9, 200])]
        elif what == 3:
            data[at:at] = rng.choice(TOKENS)
        elif what == 4:
            other = rng.randrange(len(data))
            data[at:at + 20] = data[other:other + 20]
        else:
            data[at:at + rng.choice([1, 6])] = rng.choice(TOKENS)
    return bytes(data)


TOKENS = [
    b"9223372036854775807", b"-9223372036854775808", b"9223372036854775808", b"1e400", b"-0",
    b"NaN", b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", b'"', b"\\u0000", b"\\ud800",
    b"{", b"}", b"[", b"]", b",", b"\n", b"\r", b"\r\n", b"'", b":", b"<", b">", b"&#0;", b"&x;",
    b"\x1b[31m", b"\xe2\x80\xae", b"0000-00-00T00:00:00Z", b"9999-12-31T23:59:60Z", b"${x}",
    b"*a", b"&a ", b"!!binary ", b"<!DOCTYPE a [<!ENTITY b 'c'>]>", b"null", b"true", b"1.5",
    b"99999999999999999999999999999999", b"-1", b"\t", b"12/31/99 11:59 PM"]


def empty(_, __):
    """an empty file"""
    return b""


def huge_line(rng, seed):
    """one huge line"""
    return rng.choice([b"a", b'"', b",", b"9", b" ", seed[:1] or b"{", b"\xc3"]) * (8 << 20)


def many_lines(rng, _):
    """very many lines"""
    return rng.choice([b"\n", b",\n", b"{}\n", b"- a\n", b"a: b\n"]) * 200_000


def binary(rng, _):
    """binary"""
    return rng.randbytes(rng.choice([1, 64, 5_000, 300_000]))


def nesting(rng, _):
    """deep nesting"""
    depth = rng.choice([300, 10_000, 200_000])
    opening, closing = rng.choice([
        (b"[", b"]"), (b'{"a":', b"}"), (b"<a>", b"</a>"), (b"- ", b""), (b"{a: ", b"}"),
        (b'{"command":"x","data":{"a":', b"}}"), (b"? ", b""), (b"[[", b"")])
    return opening * depth + closing * depth


def nesting_in_place(rng, seed):
    """deep nesting inside a valid file"""
    at = rng.randrange(len(seed) + 1)
    return seed[:at] + rng.choice([b"[", b'{"a":', b"<b>", b"{"]) * 50_000 + seed[at:]


def not_utf8(rng, seed):
    """invalid UTF-8"""
    at = rng.randrange(len(seed) + 1)
    return seed[:at] + rng.choice([b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf5\x80\x80\x80",
                                   b"\xe2\x82"]) + seed[at:]


def nuls(rng, seed):
    """NULs"""
    at = rng.randrange(len(seed) + 1)
    return seed[:at] + bytes(rng.choice([1, 5_000])) + seed[at:]


def repeated(rng, seed):
    """a valid file many times over"""
    return seed * rng.choice([2, 50])


def cut(rng, seed):
    """a valid file cut short"""
    return seed[:rng.randrange(len(seed) + 1)]


CONTENTS = [mutated, mutated, mutated, mutated, empty, huge_line, many_lines, binary, nesting,
            nesting_in_place, not_utf8, nuls, repeated, cut, mutated, mutated]


def pipe(place):
    path = os.path.join(place, "pipe")
    os.mkfifo(path)
    return path


def loop(place):
    path = os.path.join(place, "loop")
    os.symlink("loop", path)
    return path


#: Names that lead to no plain file; each gives a path.
PATHS = {
    "a folder": lambda place: place,
    "a pipe that nobody writes to": pipe,
    "a device without end": lambda _: "/dev/zero",
    "an empty device": lambda _: "/dev/null",
    "nothing": lambda place: os.path.join(place, "nothing"),
    "a link to itself": loop,
    "a name with a line break": lambda place: os.path.join(place, "a\n\x1b[31mreplay: sound"),
    "a file of /proc": lambda _: "/proc/self/mem",
}


def bounded():
    """Limits the memory of a command, but not the map of a log, which needs its room."""
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))


def attack(family):
    bench = Bench(family)
    family.begin()
    for number, rng in family.rounds(QUICK):
        shutil.copyfile(bench.whole, bench.log)
        places = readers(bench)
        name, kind, command = family.turn(places, number)
        place = family.fresh("place")
        try:
            if command and rng.random() < 0.15:
                what = rng.choice(sorted(PATHS))
                path = PATHS[what](place)
                one_path(family, bench, command(path), path, what)
            else:
                make = rng.choice(CONTENTS)
                what = make.__doc__
                path = os.path.join(place, "input")
                data = make(rng, bench.seeds[kind])
                with open(path, "wb") as file:
                    file.write(data)
                one_content(family, bench, name, command, path, data)
            family.ok()
        except Violation as violation:
            family.fail(CAUSES.get(violation.invariant, WRONG), f"{what}: {violation}",
                        [os.path.join(place, "input")], variant=name)


def one_content(family, bench, name, command, path, data):
    if command is None:
        arguments = [*name.split(), "--log", bench.log]
        answer = family.tool(*arguments, stdin=data, limits=bounded)
    else:
        if command(path)[0] == "report":
            path = zone_folder(path, data)
        answer = family.tool(*command(path), limits=bounded)
    judge(family, bench, name, answer, path)


def zone_folder(path, data):
    """A folder of time zones in which the zone that is asked for holds the data."""
    folder = os.path.join(os.path.dirname(path), "zoneinfo")
    os.makedirs(os.path.join(folder, "America"), exist_ok=True)
    with open(os.path.join(folder, "America", "Los_Angeles"), "wb") as file:
        file.write(data)
    with open(os.path.join(folder, "tzdata.zi"), "wb") as file:
        file.write(b"# version 2026a\n")
    return folder


def one_path(family, bench, arguments, path, what):
    # A pipe that nobody writes to is waited for, as every program does that reads one.
    waits = "pipe" in what and arguments[-2:] != ["--log", path]
    answer = family.tool(*arguments, limits=bounded, timeout=5 if waits else HANG)
    if waits and answer.code is None:
        family.note("commands that wait for a pipe")
        return
    judge(family, bench, arguments[0], answer, path)
    if "line break" in what and "\n\x1b" in answer.words:
        raise Violation(5, f"a name reaches the terminal raw: {answer.words[:200]!r}")


def judge(family, bench, name, answer, path):
    if answer.broken:
        raise Violation(5, str(answer))
    if answer.code in (2, 3) and not answer.words.strip() and not answer.out:
        raise Violation(5, f"no message: {answer}")
    if "\x1b" in answer.words or "\u202e" in answer.words:
        raise Violation(5, f"bytes of an input reach the terminal raw: {answer.words[:200]!r}")
    if max(map(len, answer.words.splitlines() or [""])) > 4_000:
        raise Violation(5, f"a line of the message has over 4,000 characters: {name}")
    if answer.arguments[0] in ("append", "import", "what-if", "launch-decision"):
        verified = family.tool("verify", "--log", bench.log)
        if verified.code != 0:
            raise Violation(3, f"{answer}; then {verified} {verified.text[:300]}")
