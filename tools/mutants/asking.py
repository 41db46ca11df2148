"""The questions that notice a mutant: scenarios, and answers over two logs, before and after.

One log is that of `Tests/Witness`, with every kind of event and the questions whose answers it
pins; the other holds the events of every scenario, each scenario's under ids of its own.
"""
import datetime
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "tools/witness")]
from processes import DEVNULL, Tool, run  # noqa: E402
import questions as witness  # noqa: E402

import recording  # noqa: E402

ZONES = str(ROOT / "Tests/Witness/zoneinfo")
RULES = ("standard", "source")
# A config that offers the update that users of the scenarios skip.
CONFIG = {"optionalUpdateAppVersionKey": "2.0.0",
          "optionalUpdateAlertDoneLinkURLKey": "https://example.com/store"}
# The points of a track whose import is refused because its run exists.
POINTS = [{"tUs": "2026-02-20T10:00:00Z", "latE9": 48137154000, "lonE9": 11575490000,
           "eleMm": 519000},
          {"tUs": "2026-02-20T10:00:10Z", "latE9": 48137254000, "lonE9": 11575690000,
           "eleMm": 520000}]


def ids(value, found, key=""):
    """Collects the values under keys that name an entity."""
    if isinstance(value, dict):
        for name, inner in value.items():
            ids(inner, found, name)
    elif isinstance(value, list):
        for inner in value:
            ids(inner, found, key)
    elif isinstance(value, str) and value and (
            key.endswith(("Id", "Ids")) or key in ("device", "family")):
        found.add(value)


def renamed(value, names, suffix, key=""):
    """A value in which the ids of a scenario end in a suffix of their own."""
    if isinstance(value, dict):
        return {name: renamed(inner, names, suffix, name) for name, inner in value.items()}
    if isinstance(value, list):
        return [renamed(inner, names, suffix, key) for inner in value]
    is_id = key.endswith(("Id", "Ids", "device", "family"))
    return value + suffix if is_id and isinstance(value, str) and value in names else value


def scenario_log(replay, log):
    """Writes the events of all scenarios into one log, and answers them as lines of `append`."""
    facts = []
    answer = run([replay, "check", "Scenarios", "--json"], cwd=ROOT)
    for number, scenario in enumerate(answer.objects):
        names = set()
        for event in scenario.get("events", ()):
            ids(event["payload"], names)
        for event in scenario.get("events", ()):
            data = renamed(event["payload"], names, f".{number}")
            fact = {"event": event["kind"], "at": event["occurredAt"], "data": {
                name: value for name, value in data.items() if value is not None}}
            for name in ("zone", "actor", "device"):
                if event.get(name):
                    fact[name] = event[name]
            facts.append(fact)
    # Each line by itself, because a scenario may have a fact beyond the limits of what is appended.
    Tool(replay, log).run("append", "--each", stdin="\n".join(map(json.dumps, facts)), codes=(0, 1))
    hand_out(replay, log)
    return facts


def hand_out(replay, log):
    """Issues a report of a day on which a sleep is open, and ends the sleep afterwards."""
    tool = Tool(replay, log)

    def append(*facts):
        tool.answer("append", stdin="\n".join(map(json.dumps, facts)))

    baby, sleep = {"babyId": "handed-out"}, {"entryId": "handed-out"}
    append({"event": "household.baby-profile-changed.v1", "at": "2026-02-20T08:00:00Z",
            "data": {**baby, "zone": "UTC"}},
           {"command": "baby-care.start", "at": "2026-02-20T09:00:00Z",
            "data": {**baby, **sleep, "kind": "sleep"}})
    tool.answer("report", "daily", "--baby", "handed-out", "--date", "2026-02-20", "--issue",
                "--tzdata", ZONES)
    append({"command": "baby-care.complete", "at": "2026-02-20T11:00:00Z", "data": sleep})


def reports(events, log, zones):
    """Reports about the events of the scenarios: every day, and some of each other kind."""
    days = sorted({event["at"][:10] for event in events})

    def named(field, kind):
        """Some of the ids in a field of the events of an area."""
        found = sorted({event["data"][field] for event in events
                        if event["event"].startswith(kind) and event["data"].get(field)})
        return found[::max(1, len(found) // 24)]

    for rules in RULES:
        ruled = ["--json", "--rules", rules, "--log", log] + zones
        local = ["--all", "--zone", "UTC"] + ruled
        for number, day in enumerate(days):
            now = ["--now", day + "T23:00:00Z"]
            if rules == "standard" or number % 4 == 0:
                yield ["report", "daily", "--date", day] + local
            for name in ("last", "today", "next-feeding", "landing", "recommendation"):
                if number % 12 == 0 or day in ("2026-02-20", "2026-03-10"):
                    yield ["report", name] + now + local
        for month in sorted({day[:7] for day in days}):
            yield ["report", "monthly", "--month", month] + local
        weeks = {"{0}-W{1:02}".format(*datetime.date.fromisoformat(day).isocalendar())
                 for day in days}
        # The lists of the source's rules need places that they do not keep.
        for week in () if rules == "source" else sorted(weeks):
            for top in ("2", "100"):
                yield ["report", "ranking", "--week", week, "--top", top, "--zone", "UTC"] + ruled
        for name in ("chat", "memory", "chats"):
            yield ["report", name, "--all"] + ruled
        for run_id in named("runId", "running."):
            yield ["report", "track", "--run", run_id] + ruled
        for user in () if rules == "source" else named("userId", "running."):
            yield ["report", "runner", "--user", user] + ruled
            yield ["report", "home", "--user", user, "--now", "2026-03-10T12:00:00Z",
                   "--zone", "UTC"] + ruled
        for household in named("householdId", "account.")[:8]:
            yield ["report", "gate", "--household", household, "--feature", "ai"] + ruled


def asked(replay, witness_log, log, events):
    """The questions of both logs as arguments, those of traces first."""
    def ask(*arguments):
        return run([replay, *arguments],
                   env={"DAYBOOK_LOG": witness_log, "TZ": "UTC", "LC_ALL": "C"}).objects

    projections = [entry["name"] for entry in ask("schema", "--json")
                   if entry["kind"] == "projection"]
    found = []
    for projection in projections:
        for rules in RULES:
            found.append(["trace", projection, "--rules", rules, "--log", log])
    zones = ["--tzdata", ZONES]
    found += [["audit", "--all", "--json", "--log", log] + zones,
              ["late", "--json", "--log", log] + zones]
    found += reports(events, log, zones)
    config = pathlib.Path(f"{log}.config.json")
    config.write_text(json.dumps(CONFIG))
    for rules in RULES:
        found.append(["launch-decision", "--config", str(config), "--devices", "--json", "--now",
                      "2026-07-02T09:00:00Z", "--rules", rules, "--log", log])
    run_id = next(event["data"]["runId"] for event in events
                  if event["event"].startswith("running.run-started"))
    refused = pathlib.Path(f"{log}.refused.json")
    refused.write_text(json.dumps({"command": "running.import-track", "at": "2026-03-10T12:00:00Z", "data": {
        "runId": run_id, "userId": "kim", "segments": [{"points": POINTS}]}}))
    found.append(["shrink", "--refused", str(refused), "--pseudonymise", "--log", log] + zones[-2:])
    for arguments in witness.all(ask):
        arguments = [each.replace("ZONES", ZONES) for each in arguments]
        # What the model has no part in, and states, which the traces have already.
        if arguments[0] in ("trace", "report", "ranking", "audit", "late", "transitions") \
                and "svg" not in arguments and "text" not in arguments:
            found.append(arguments + ["--log", witness_log])
    return sorted(found, key=lambda arguments: arguments[0] != "trace")


def of_generated(replay, seed, count, folder):
    """Questions about generated lines: what a build records of them, and what it then answers."""
    schema = run([replay, "schema", "--json"]).objects
    found = []
    for file, projections, reports in recording.generated(seed, schema, count, folder):
        log = str(file.with_suffix(".daybook"))
        with open(file, "rb") as lines:
            run([replay, "append", "--each", "--log", log], lines, stdout=DEVNULL, stderr=DEVNULL)
        found.append(["append", str(file)])
        zones = ["--log", log, "--tzdata", ZONES]
        found += [["trace", name, "--log", log] for name in projections]
        found.append(["audit", "--all", "--json"] + zones)
        found += [report + zones for report in reports]
    return found
