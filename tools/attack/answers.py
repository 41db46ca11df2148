"""Answers that must agree with each other, on an intact log.

One command confirms another: a listing is as long as `stat` and `verify` count, and holds each line
that was sent, once; backwards, by tag, by kind and in parts it has the same rows; the entities of a
noun are those that have a state each; a copy answers as its log does, and so does the same log once
more; and what is exported and imported elsewhere is exported the same again.
"""

import os

import content
from logs import Violation, check, encoded, lines_of, receipts_of, rows

NAME = "answers"
QUICK = 7
WRONG = "two answers that have to agree differ"
NOUNS = ["launch", "session", "entry", "baby", "run"]


def attack(family):
    for number, rng in family.rounds(QUICK):
        path = os.path.join(family.fresh("place"), "log.daybook")
        try:
            one_log(family, path, number, rng)
            family.ok()
        except Violation as violation:
            family.fail(WRONG, str(violation), [path])


def one_log(family, path, number, rng):
    ask = Questions(family, path)
    care = [line for line in content.care_lines(rng, 30)
            if line["command"] in ("household.onboard", "baby-care.record")]
    others = care + content.running_lines(rng, 2)
    sent = lines_of(f"r{number}", rng, rng.randrange(20, 60))
    appended = family.expect(family.tool(
        "append", "--each", "--json", "--log", path, stdin=encoded(sent)))
    ask.same("lines that were acknowledged", len(receipts_of(appended.out, list(sent))), len(sent))
    check(family.attack.binary, path, sent, receipts_of(appended.out, list(sent)))
    family.expect(family.tool("append", "--each", "--log", path, stdin=content.text(others)),
                  (0, 1))
    if rng.random() < 0.5:
        family.expect(family.tool("reindex", "--log", path))
    log = ask.rows("log")
    listings(ask, log, rng)
    entities(ask, rng)
    copies(ask, log, rng)


class Questions:
    def __init__(self, family, path):
        self.family, self.path = family, path

    def answer(self, *command, codes=(0, 1)):
        return self.family.expect(self.family.tool(*command, "--log", self.path), codes)

    def rows(self, *command):
        return rows(self.answer(*command, "--json").out)

    def same(self, subject, found, right):
        if found == right:
            self.family.ok()
            return
        detail = ""
        if isinstance(found, list) and isinstance(right, list):
            detail = f"; {len(found)} and {len(right)}, the first that differs: " + next(
                (f"{one!r:.200} and {other!r:.200}" for one, other in zip(found, right)
                 if one != other), "none")
        raise Violation(5, f"{subject}: {found!r:.200} and {right!r:.200}{detail}")


def listings(ask, log, rng):
    """Compares every partial listing with the full one."""
    ask.same("positions of the log", [row.get("position") for row in log],
             list(range(1, len(log) + 1)))
    for command in ("stat", "verify"):
        ask.same(f"events by {command}", ask.rows(command)[0].get("events"), len(log))
    ask.same("the log backwards", ask.rows("log", "--reverse"), log[::-1])
    count = rng.randrange(1, len(log))
    ask.same("the end of the log", ask.rows("log", "--reverse", "--limit", str(count)),
             log[:-count - 1:-1])
    ask.same("the log once more", ask.rows("log"), log)
    tags = sorted({tag for row in log for tag in row["tags"]})
    often = max(tags, key=lambda tag: sum(tag in row["tags"] for row in log))
    for tag in [often, rng.choice(tags)]:
        ask.same(f"the log of {tag}", ask.rows("log", "--tag", tag),
                 [row for row in log if tag in row["tags"]])
    for kind in rng.sample(sorted({row["kind"] for row in log}), 1):
        ask.same(f"the log of {kind}", ask.rows("log", "--kind", kind),
                 [row for row in log if row["kind"] == kind])
    text = ask.answer("log").text.splitlines()
    if len(text) < len(log):
        raise Violation(5, f"the log as text has {len(text)} lines of {len(log)} rows")


def entities(ask, rng):
    """Entities are the same in a list, in the states of all and in the state of each."""
    for noun in rng.sample(NOUNS, 3):
        listed = [row["id"] for row in ask.rows("list", noun)]
        ask.same(f"the list of {noun}, each once", len(set(listed)), len(listed))
        if noun not in ("session", "entry", "run"):
            continue
        states = ask.rows("state", noun)
        ask.same(f"states of {noun}", sorted(row["key"] for row in states), sorted(listed))
        for row in rng.sample(states, min(1, len(states))):
            ask.same(f"the state of {noun} {row['key']}",
                     ask.rows("state", noun, row["key"]), [row])


def copies(ask, log, rng):
    """A copy, and the same log asked again, answer as the log does."""
    family = ask.family
    copy = Questions(family, os.path.join(family.folder, "copy.daybook"))
    for path in (copy.path, copy.path + "-lock"):
        if os.path.exists(path):
            os.remove(path)
    ask.answer("backup", copy.path, codes=(0,))
    ask.same("the log of a copy", copy.rows("log"), log)
    names = sorted(set(content.QUESTIONS) - {"stat", "bisect", "export of a run"})
    for name in rng.sample(names, 2):
        question = content.QUESTIONS[name]
        first = family.tool(*question, "--log", ask.path)
        if first.broken:
            raise Violation(5, str(first))
        for path in (ask.path, copy.path):
            again = family.tool(*question, "--log", path)
            ask.same(f"{name}, again", (again.code, again.out.replace(path.encode(), b"")),
                     (first.code, first.out.replace(ask.path.encode(), b"")))
    form = ["--format", "babyai-csv", "--baby", "b"]
    exported = ask.answer("export", *form).out
    file = os.path.join(family.folder, "exported.csv")
    with open(file, "wb") as out:
        out.write(exported)
    other = Questions(family, os.path.join(family.fresh("other"), "log.daybook"))
    other.answer("import", *form, "--zone", "UTC", file)
    ask.same("what is exported, imported and exported again",
             sorted(other.answer("export", *form).out.splitlines()),
             sorted(exported.splitlines()))
