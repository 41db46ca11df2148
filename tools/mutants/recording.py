"""Files that a build records into an empty log: generated lines of commands, and changed imports."""
import importlib.machinery
import importlib.util
import json
import pathlib
import random
import re
import sys

from processes import Tool

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


# Weights in units that only files give, by their names there.
UNITS = """Date and Time,End Time,Duration (min),Activity,Quantity,Extra data,Text,Notes,Caregiver
3/10/20 8:00 AM,,,Weight,120,oz,,,Ana
3/9/20 8:00 AM,,,Weight,3400 grams,,,,Ana
3/8/20 8:00 AM,,,Weight,7.5,pounds,,,Ana
"""


def attack_facts():
    """The generator of `tools/attack-facts`, whose name has no ending."""
    sys.dont_write_bytecode = True
    loader = importlib.machinery.SourceFileLoader("attack_facts", str(ROOT / "tools/attack-facts"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def generated(seed, schema, count, folder):
    """Writes a file of commands and events for each area; yields file, projections, reports."""
    facts = attack_facts()
    for area, projections in facts.AREAS.items():
        lines = facts.Lines(f"{seed} {area}", schema)
        # Few values that no device sends, so that the rules seldom refuse what is tried.
        lines.wildness, lines.area = 0.01, area
        if area in ("baby-care", "assistant"):
            lines.area = f"{area}|household"
        file = pathlib.Path(folder) / f"{area}.jsonl"
        made = [lines.line() for _ in range(count)]
        made.sort(key=lambda line: json.loads(line)["at"])
        file.write_text("\n".join(made) + "\n")
        own = [entry for entry in schema if entry["kind"] == "report"]
        reports = [question for question in facts.reports(lines, own)[::2]
                   if not {"svg", "text", "source"} & set(question)]
        yield file, projections, reports if area in REPORTED else []


# The areas that the reports are about, of which each log answers all.
REPORTED = {"baby-care", "running", "chat", "account"}


def changed(text, random, share):
    """A text in whose lines some digits are others, and some lines are missing."""
    lines = text.split("\n")
    for at in range(2, len(lines) - 2):
        if random.random() >= share or "trk>" in lines[at]:
            continue
        digits = list(re.finditer(r"\d", lines[at]))
        if not digits or random.random() < 0.15 and "<trkseg" not in lines[at]:
            lines[at] = ""
            continue
        place = random.choice(digits).start()
        lines[at] = lines[at][:place] + str(random.randrange(10)) + lines[at][place + 1:]
    return "\n".join(line for line in lines if line)


# Segments of a track beyond which a file is refused.
MOST_SEGMENTS = 100_000


def imports(seed, replay, log, folder):
    """Writes files to import; yields the arguments of imports that follow each other into one log."""
    rng = random.Random(f"{seed} imports")
    zone = ["--tzdata", str(ROOT / "Tests/Witness/zoneinfo")]
    baby = ["--baby", "mia", "--zone", "America/Los_Angeles"] + zone

    def file(name, text):
        path = pathlib.Path(folder) / name
        path.write_text(text)
        return str(path)

    yield [["--format", "babyconnect", *baby, file("units.csv", UNITS)]]
    for source in ("tour-baby.csv", "story-baby.csv"):
        text = (ROOT / "docs" / source).read_text()
        files = [str(ROOT / "docs" / source)] + [
            file(f"{number}-{source}", changed(text, rng, 0.2)) for number in range(2)]
        yield [["--format", "babyconnect", *baby, each] for each in files]
    exported = Tool(replay, log).answer("export", "--format", "babyai-csv", "--baby", "mia").text
    files = [file("babyai.csv", exported)] + [
        file(f"babyai-{number}.csv", changed(exported, rng, 0.2)) for number in range(2)]
    yield [["--format", "babyai-csv", *baby, each] for each in files]
    for source in ("tour-run.gpx", "story-run.gpx"):
        text = (ROOT / "docs" / source).read_text()
        for number, options in enumerate(
                [[], ["--split"], ["--max-speed", "6"], ["--max-accuracy", "20"]] + [[]] * 8):
            near = changed(text, rng, 0.01 * number)
            yield [["--format", "gpx", "--user", "kim", *options,
                    file(f"{number}-{source}", near)]]
    point = '<trkpt lat="1" lon="1"><time>2026-02-20T10:00:00Z</time></trkpt>'
    segments = "<trkseg/>\n" * MOST_SEGMENTS + f"<trkseg>{point}</trkseg>\n"
    beyond = f'<gpx version="1.1" creator="mutants"><trk>\n{segments}</trk></gpx>\n'
    yield [["--format", "gpx", "--user", "kim", file("segments.gpx", beyond)]]


# What is asked of a log into which files were imported, or lines appended.
AFTERWARDS = [["audit", "--all"], ["report", "home", "--user", "kim", "--zone", "UTC", "--now",
                                   "2026-02-22T12:00:00Z"],
              ["report", "ranking", "--week", "2026-W08", "--zone", "UTC", "--top", "2"]]


def record(run, original, question, folder):
    """The exit codes and answers of a build that records, and the events that its log then has.

    `run` runs the build; `original` reads the log.
    """
    log = str(pathlib.Path(folder) / "log")
    if question[0] == "append":
        with open(question[1], "rb") as lines:
            answers = [run(["append", "--each", "--json", "--log", log], lines)]
    else:
        answers = [run(["import", "--json", "--log", log, *arguments], None)
                   for arguments in question[1]]
    answers += [run([*arguments, "--json", "--log", log], None) for arguments in AFTERWARDS]
    events = Tool(original, log).answer("log", "--json").out
    text = b"\n".join(output for _, output in answers) + events
    code = next((code for code, _ in answers if code not in (0, 1)), answers[-1][0])
    # When the build recorded what, and the digests under the secret that each log makes for itself.
    text = re.sub(rb'"(occurredAt|recordedAt|keyDigest)":("[^"]*"|null),?', b"", text)
    text = re.sub(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", b"-", text)
    return code, re.sub(rb"\b[0-9a-f]{16}\b", b"-", text)
