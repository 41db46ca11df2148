"""A log with content in all five areas, made by the tool itself, and questions about it."""

import datetime
import json
import os
import shutil

from logs import encoded, lines_of

REPOSITORY = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
TOUR = os.path.join(REPOSITORY, "docs")
DAY = 86_400_000_000
START = 1_767_225_600_000_000  # 2026-01-01T00:00:00Z


def care_lines(rng, count):
    """Entries of two babies in a household, with notes, edits and cancellations."""
    lines = [
        {"command": "household.onboard", "key": "onboard-b", "actor": "ana",
         "at": "2026-01-01T00:00:00Z",
         "data": {"babyId": "b", "householdId": "h", "zone": "Asia/Seoul", "by": "ana"}},
        {"command": "household.onboard", "key": "onboard-c", "actor": "ben",
         "at": "2026-01-01T00:00:00Z",
         "data": {"babyId": "c", "householdId": "i", "zone": "UTC", "by": "ben"}},
        {"command": "household.change-consent", "key": "consent", "actor": "ana",
         "at": "2026-01-01T00:00:00Z",
         "data": {"userId": "ana", "kind": "terms", "granted": True, "version": "2"}},
    ]
    for number in range(count):
        baby, by = rng.choice([("b", "ana"), ("c", "ben")])
        kind = rng.choice(["formula", "sleep", "pee", "poo", "memo"])
        start = START + number * DAY // 8 + rng.randrange(3_600_000_000)
        data = {"entryId": f"e{number}", "babyId": baby, "kind": kind, "startedUs": start,
                "by": by, "value": {}, "meta": {}}
        if kind == "sleep":
            data["endedUs"] = start + rng.randrange(60, 7_200) * 1_000_000
        if kind == "formula":
            data["value"] = {"ml": rng.randrange(30, 240)}
        if kind == "memo":
            # At times longer than a page, which LMDB keeps on pages of its own.
            data["meta"] = {"text": "note " + "x" * rng.choice([9, 200, 200, 5_000])}
        lines.append({"command": "baby-care.record", "key": f"care-{number}", "actor": by,
                      "device": f"phone-{baby}", "at": "2026-06-01T00:00:00Z", "data": data})
        if rng.random() < 0.1 and kind == "sleep":
            lines.append({"command": "baby-care.edit", "key": f"edit-{number}", "actor": by,
                          "at": "2026-06-02T00:00:00Z",
                          "data": {"entryId": f"e{number}", "endedUs": start + 600_000_000,
                                   "value": {}, "meta": {}, "removed": [], "by": by}})
    return lines


def running_lines(rng, count):
    """Runs of a few runners in one week."""
    lines = []
    for number in range(count):
        start = START + DAY * 47 + number * 3_600_000_000
        points = [
            {"tUs": start + second * 5_000_000, "lat": 37.5 + second / 9_000,
             "lon": 127.0 + rng.random() / 10_000}
            for second in range(20)]
        run = {"runId": f"run-{number}"}
        for minute, command, data in [
            (0, "running.start", {**run, "userId": f"u{number % 3}", "autoPauseS": 10}),
            (2, "running.record-locations", {**run, "points": points}),
            (3, "running.stop", run),
        ]:
            seconds = start // 1_000_000 + minute * 60
            lines.append({"command": command, "data": data, "key": f"{command}-{number}",
                          "actor": f"u{number % 3}", "at": rfc3339(seconds)})
    return lines


def rfc3339(seconds):
    moment = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def text(lines):
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


def make(family, path, rng, size, history=600):
    """Makes the log at `path`; gives copies of the file as it was at earlier moments.

    `history` is the number of events of the one entity that gets snapshots.
    """
    versions = []

    def tool(*arguments, stdin=b"", codes=(0,)):
        return family.expect(
            family.tool(*arguments, "--log", path, stdin=stdin), codes)

    def keep_version():
        versions.append(open(path, "rb").read())

    with open(os.path.join(TOUR, "tour.jsonl"), "rb") as tour:
        tool("append", "--each", stdin=tour.read())
    tool("import", "--format", "babyconnect", "--baby", "mia", "--zone", "America/Los_Angeles",
         os.path.join(TOUR, "tour-baby.csv"), codes=(0, 1))
    keep_version()
    tool("import", "--format", "gpx", "--user", "kim", os.path.join(TOUR, "tour-run.gpx"),
         codes=(0, 1))
    tool("append", stdin=encoded(lines_of("launch", rng, size)))
    keep_version()
    tool("append", "--each", stdin=text(care_lines(rng, size // 2)), codes=(0, 1))
    tool("reindex")
    keep_version()
    tool("append", "--each", stdin=text(running_lines(rng, max(4, size // 20))), codes=(0, 1))
    # An entity with a long history, so that snapshots are taken.
    long = [
        {"event": "launch.app-launched.v1", "key": f"long-{number}", "at": "2026-07-12T12:00:00Z",
         "data": {"launchId": "long", "appVersion": f"1.{number}.0", "platform": "ios",
                  "firstLaunch": False, "device": "d0"}}
        for number in range(history)]
    tool("append", stdin=text(long))
    tool("snapshot")
    keep_version()
    tool("report", "daily", "--baby", "mia", "--date", "2020-03-08", "--issue", "--by", "ana",
         codes=(0, 1))
    tool("append", stdin=open(os.path.join(TOUR, "tour-late.jsonl"), "rb").read())
    tool("append", "--each", stdin=encoded(lines_of("tail", rng, 20)))
    return versions


#: Commands that only read, each with a name; every one has an answer on the log above.
QUESTIONS = {
    "log": ["log", "--json"],
    "log backwards": ["log", "--json", "--reverse", "--limit", "30"],
    "log of a tag": ["log", "--json", "--tag", "baby:b"],
    "log of a kind": ["log", "--json", "--kind", "running.run-completed.v1"],
    "state of all": ["state", "session", "--json"],
    "state of one": ["state", "splash", "long", "--json"],
    "state at a position": ["state", "session", "phone-1", "--json", "--at", "5"],
    "history": ["history", "splash", "tuesday", "--json"],
    "history of an entry": ["history", "entry", "e7", "--json"],
    "blame": ["blame", "session", "phone-1", "--json"],
    "bisect": ["bisect", "splash", "--until", "state == navigateToLogin", "--json"],
    "late": ["late", "--json"],
    "trace": ["trace", "run"],
    "report daily": ["report", "daily", "--baby", "mia", "--date", "2020-03-08", "--json"],
    "report weekly": ["report", "weekly", "--baby", "b", "--week", "2026-W03", "--json"],
    "audit": ["audit", "--all", "--json"],
    "ranking": ["ranking", "--week", "2026-W08", "--json"],
    "stat": ["stat", "--json"],
    "export": ["export", "--format", "babyai-csv", "--baby", "b"],
    "export of a run": ["export", "--format", "gpx", "--run", "run-3"],
    "transitions": ["transitions", "--format", "json"],
}


def stat_without_sizes(out):
    """`stat --json` without what may differ between equal logs: sizes of the file."""
    try:
        row = json.loads(out)
    except ValueError:
        return out
    if not isinstance(row, dict):
        return out
    return json.dumps(
        {name: value for name, value in sorted(row.items())
         if "bytes" not in name.lower() and "free" not in name.lower()}).encode()


def copy(source, target):
    for path in (target, target + "-lock"):
        if os.path.exists(path):
            os.remove(path)
    shutil.copyfile(source, target)
