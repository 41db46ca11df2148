"""Erasures, also killed ones, and damaged logs after them: erased texts stay erased, and no other
text is lost.

`erase` runs to its end, or is killed at a random moment or as soon as it has written. An erasure
that ended has left no key behind: its slot is zeros, its bytes stand nowhere in the file nor in one
beside it, the texts are gone and all others are there. After a kill the log either holds every
text, or the erasure is on record and the next command that writes ends it. What `salvage` writes
from a damaged copy holds no erased text either.
"""

import os
import re
import signal
import time

import content
from harness import HarnessError
from logs import Violation, parsed
from processes import DEVNULL, kill, start

NAME = "erase"
QUICK = 12
PAGE = 4096
SLOT = 40
KEY = 32
OVERFLOW = 4
VAULT_PAGES = 20
KIND = "log.texts-erased.v1"
CAUSES = {
    1: "a text that was not erased is gone",
    2: "a text that was erased is there",
    3: "verify finds damage after an erasure",
    4: "an erasure ends wrongly",
    5: "an erased key is still in a file",
}
NEEDLE = re.compile(rb"needle-[a-z]+-\d+-")


def attack(family):
    if not family.attack.has("erase"):
        family.skip("this build has no erase")
        return
    bench = os.path.join(family.fresh("bench"), "log.daybook")
    lines = [line for line in content.care_lines(family.generator("bench"), 120)
             if line["command"] != "baby-care.edit"]
    for number, line in enumerate(lines):
        if line["command"] == "baby-care.record":
            baby = line["data"]["babyId"]
            line["data"]["value"] |= {"text": f"needle-{baby}-{number}-" + "x" * (number % 90)}
    family.expect(family.tool("append", "--each", "--log", bench, stdin=content.text(lines)), (0, 1))
    for command in ("reindex", "snapshot"):
        family.expect(family.tool(command, "--log", bench))
    whole = Texts(family, bench)
    with open(bench, "rb") as file:
        data = file.read()
    if NEEDLE.search(data):
        family.fail(CAUSES[2], "texts stand in the file in clear", [bench])
    if not any(slot_of(data, 1) or b""):
        raise HarnessError("the block of keys is not where the file's format has it")
    content.copy(bench, bench + "-timed")
    took = family.expect(family.tool(
        "erase", "--tag", "baby:b", "--log", bench + "-timed")).seconds
    family.begin()
    for number, rng in family.rounds(QUICK):
        path = os.path.join(family.fresh("place"), "log.daybook")
        content.copy(bench, path)
        target, gone = [
            (["--tag", "baby:b"], {text for text in whole.texts if b"-b-" in text}),
            (["--actor", "ben"], set()),
            (["--position", str(whole.positions[0])], {whole.first}),
        ][number % 3]
        if number % 3 == 2:
            position = rng.choice(whole.positions)
            target, gone = ["--position", str(position)], {whole.at[position]}
        # Every target and every way, and not always the same together.
        way = [ended, killed_by_time, killed_at_first_write][(number + number // 3) % 3]
        try:
            one(family, rng, path, target, gone, whole, way, took)
            family.ok()
        except Violation as violation:
            family.fail(CAUSES[violation.invariant], str(violation), [path], variant=target[0])


class Texts:
    """The texts of a log, by the output of `log --json`."""

    def __init__(self, family, path):
        answer = family.tool("log", "--json", "--log", path)
        if answer.code != 0:
            raise Violation(3, f"{answer}")
        self.out = answer.out
        self.texts = set(NEEDLE.findall(answer.out))
        self.at, self.record = {}, None
        for line in answer.out.splitlines():
            found = NEEDLE.findall(line)
            event = parsed(line)
            if event["kind"] == KIND:
                self.record = event["payload"]
            elif found:
                self.at[event["position"]] = found[0]
        self.positions = sorted(self.at)
        self.first = self.at[self.positions[0]] if self.positions else None

    @property
    def names_ben(self):
        return b'"actor":"ben"' in self.out


def ended(process, *_):
    return process.wait(timeout=600)


def killed_by_time(process, rng, _, took):
    time.sleep((0.5 + rng.random() * 0.8) * took)
    return kill(process)


def killed_at_first_write(process, rng, path, _):
    before = os.stat(path).st_mtime_ns
    while os.stat(path).st_mtime_ns == before and process.poll() is None:
        time.sleep(0.0001)
    time.sleep(rng.choice([0, 0.0005, 0.002, 0.01]) * rng.random())
    return kill(process)


def one(family, rng, path, target, gone, whole, way, took):
    with open(path, "rb") as file:
        before = file.read()
    process = start(
        [family.attack.binary, "erase", *target, "--log", path], stdout=DEVNULL,
        stderr=DEVNULL)
    code = way(process, rng, path, took)
    family.note("erasures killed", int(code == -signal.SIGKILL))
    if code not in (0, -signal.SIGKILL):
        raise Violation(4, f"erase ended with {code}")
    now = Texts(family, path)
    judge(now, gone, whole, target)
    if code == 0:
        if now.record is None:
            raise Violation(4, "erase ended with 0, and no erasure is on record")
        keys_are_gone(path, before, now.record["slots"])
    fact = {"event": "launch.app-terminated.v1", "data": {"launchId": "l", "cause": "user"},
            "key": "after", "at": "2026-07-12T12:00:00Z"}
    family.expect(family.tool("append", "--log", path, stdin=content.text([fact])))
    now = Texts(family, path)
    judge(now, gone, whole, target)
    answer = family.tool("verify", "--json", "--log", path)
    if answer.code != 0:
        raise Violation(3, f"{answer} {answer.text[:300]}")
    if now.record is None:
        return
    keys_are_gone(path, before, now.record["slots"])
    with open(path, "rb") as file:
        salvage(family, rng, path, file.read(), gone)


def keys_are_gone(path, before, slots):
    """Looks for the erased keys in the log and in every file beside it."""
    folder = os.path.dirname(path)
    files = {}
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), "rb") as file:
            files[name] = file.read()
    for slot in slots:
        key = slot_of(before, slot)
        now = slot_of(files[os.path.basename(path)], slot)
        if now is None or any(now):
            raise Violation(5, f"slot {slot} {'holds a key' if now else 'is not there'}")
        # One that was reserved for the erasure itself is not among those from before.
        if not key or not any(key):
            continue
        for name, data in files.items():
            if key[:KEY] in data:
                raise Violation(5, f"the key of slot {slot} stands elsewhere, in {name}")


def judge(now, gone, whole, target):
    wanted = whole.texts if now.record is None else whole.texts - gone
    if wanted - now.texts:
        raise Violation(1, f"{len(wanted - now.texts)} texts are missing after {target}")
    if now.texts - wanted:
        raise Violation(2, f"{len(now.texts - wanted)} texts are there after {target}")
    if target[0] == "--actor" and now.names_ben == (now.record is not None):
        raise Violation(2 if now.names_ben else 1, "the name of the actor")


def slot_of(data, slot):
    """The bytes of a slot in the first block of keys."""
    for page in range(2, len(data) // PAGE):
        start = page * PAGE
        number = int.from_bytes(data[start:start + 8], "little")
        flags = int.from_bytes(data[start + 10:start + 12], "little")
        pages = int.from_bytes(data[start + 12:start + 16], "little")
        if number == page and flags == OVERFLOW and pages == VAULT_PAGES:
            at = start + 16 + (slot - 1) * SLOT
            return data[at:at + SLOT]
    return None


def salvage(family, rng, path, data, gone):
    """Salvages a damaged copy with every option of `salvage`."""
    damaged = bytearray(data)
    for _ in range(rng.randrange(1, 5)):
        start = rng.randrange(len(damaged) // PAGE) * PAGE
        damaged[start:start + PAGE] = bytes(PAGE)
    broken, output = path + "-broken", path + "-salvaged"
    with open(broken, "wb") as file:
        file.write(damaged)
    answer = family.tool("salvage", broken, "--output", output, "--beyond-gaps")
    if answer.broken:
        raise Violation(3, f"{answer}")
    if not os.path.exists(output):
        return
    family.note("damaged copies salvaged")
    answer = family.tool("verify", "--log", output)
    if answer.code != 0:
        raise Violation(3, f"salvaged: {answer} {answer.text[:300]}")
    back = Texts(family, output).texts & gone
    if back:
        raise Violation(2, f"salvage brings back {len(back)} texts")
