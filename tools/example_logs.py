"""Logs that the tools are tried on: the documents' example files, and facts of every kind."""
import json
import os

from processes import ROOT, Tool


class ExampleLog(Tool):
    """A log of a program that can be filled."""

    def make_log(self):
        """Appends the documents' example files."""
        for name in ["tour.jsonl", "story-queue.jsonl", "tour-voice.jsonl"]:
            with open(os.path.join(ROOT, "docs", name), "rb") as file:
                self.run("append", "--each", stdin=file.read(), codes=(0, 1))
        self.run(
            "import", "--format", "babyconnect", "--baby", "mia", "--zone", "America/Los_Angeles",
            "docs/tour-baby.csv", codes=(0, 1))
        self.run("import", "--format", "gpx", "--user", "kim", "docs/tour-run.gpx", codes=(0, 1))
        with open(os.path.join(ROOT, "docs", "tour-late.jsonl"), "rb") as file:
            self.run("append", stdin=file.read(), codes=(0, 1))

    def add_facts(self, generator, rounds):
        """Appends facts of every kind with ids from a few that collide, and with awkward texts."""
        # After a renaming, the history has the newest id, and `state --at` before it has not.
        kinds = [
            answer for answer in self.schema()
            if answer["kind"] == "event" and answer["name"] != "household.id-replaced.v1"
        ]
        lines = []
        for number in range(rounds):
            for kind in generator.sample(kinds, len(kinds)):
                lines.append(json.dumps({
                    "event": kind["name"], "data": record(kind, generator), "zone": "Asia/Seoul",
                    "at": f"2026-02-{1 + number % 28:02}T12:00:00.{generator.randrange(1000):03}Z",
                    "actor": generator.choice(["", "ana", "O'Hara"]),
                    "device": generator.choice(["d1", "d2"]),
                    "correlation": generator.choice(["", "flow"]),
                    "causation": generator.choice([None, 1 + generator.randrange(5)]), "key": f"{number} {kind['name']}",
                }))
        self.run("append", "--each", stdin="\n".join(lines).encode(), codes=(0, 1))


def record(described, generator):
    """An object with the fields of `schema --json`."""
    return {
        field["name"]: value(field["form"], field, generator) for field in described["fields"]
    }


def value(form, field, generator):
    """A value of a field."""
    if form.endswith("?"):
        return None if generator.random() < 0.4 else value(form[:-1], field, generator)
    if form[0] == "[":
        return [value(form[1:-1], field, generator) for _ in range(generator.randrange(3))]
    if form[0] == "{":
        keys = generator.sample(["a", "b", "it's"], generator.randrange(3))
        return {key: value(form[1:-1], field, generator) for key in keys}
    if form == "object":
        return record(field, generator)
    if form == "boolean":
        return generator.random() < 0.5
    if form == "text or number":
        return "4.5"
    if form.startswith("one of "):
        return generator.choice(form[7:].split(", "))
    if "integer" in form or form == "position":
        if field.get("moment"):
            return 1_771_500_000_000_000 + generator.randrange(1000) * 600_000_000
        least, most = field.get("from", -1), field.get("to", 1_000)
        return generator.choice([n for n in [0, 1, 2, 60] if least <= n <= most] or [least])
    if field["name"] == "zone":
        return "Asia/Seoul"
    if field["name"].endswith("Id") or field["name"] in ["device", "by", "family"]:
        return generator.choice(["a", "b", "it's"])
    return generator.choice(["a", "back\\slash", "line\nfeed", "'quoted'", '"double"', "nul\0", "é🙂"])
