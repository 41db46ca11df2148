#!/usr/bin/env python3
"""Makes a month of a baby's entries, and the scenario that says what its reports must be.

    python3 Scenarios/baby-care/generated-month.py      generated-month.jsonl and .yaml beside it

The entries come from a fixed seed; the answers are added up here, minute by minute of UTC, and not
by the rules that they check. In March 2026 the clocks of New York go forward on the 8th.
"""
import collections
import datetime
import json
import pathlib
import random
import zoneinfo

ZONE = zoneinfo.ZoneInfo("America/New_York")
UTC = datetime.timezone.utc
HERE = pathlib.Path(__file__).resolve().parent
DAYS = [datetime.date(2026, 3, day) for day in range(1, 32)]
DICE = random.Random(28)


def moment(day, hour, minute):
    """A local time in UTC; one that the clocks leap over lies an hour later."""
    return datetime.datetime(day.year, day.month, day.day, hour, minute, tzinfo=ZONE).astimezone(UTC)


def text(instant):
    return instant.strftime("%Y-%m-%dT%H:%M:%SZ")


def entries():
    for day in DAYS:
        # A night from evening to morning, broken by one feed, and two naps.
        evening = moment(day, 19, DICE.randrange(60))
        waking = moment(day + datetime.timedelta(1), 1, DICE.randrange(60))
        morning = moment(day + datetime.timedelta(1), 6, DICE.randrange(60))
        yield "sleep", evening, waking, {}
        yield "sleep", waking + datetime.timedelta(minutes=20), morning, {}
        for hour in (9, 13):
            start = moment(day, hour, DICE.randrange(60))
            length = datetime.timedelta(minutes=DICE.randrange(20, 120))
            yield "sleep", start, start + length, {}
        for hour in (2, 7, 10, 14, 18):
            yield "formula", moment(day, hour, DICE.randrange(60)), None, {"ml": DICE.randrange(60, 181, 5)}
        for hour in (6, 11, 15, 21):
            kind = DICE.choice(["pee", "pee", "poo"])
            yield kind, moment(day, hour, DICE.randrange(60)), None, {"count": DICE.choice([1, 1, 2])}


def main():
    all_entries = sorted(entries(), key=lambda entry: (entry[1], entry[0]))
    lines = [json.dumps({"event": "household.baby-profile-changed.v1", "at": "2026-03-01T00:00:00-05:00",
                         "data": {"babyId": "b", "zone": "America/New_York"}})]
    figures = collections.defaultdict(collections.Counter)
    for number, (kind, start, end, value) in enumerate(all_entries, 1):
        data = {"entryId": f"e{number}", "babyId": "b", "kind": kind, "state": "closed",
                "startedUs": text(start), "endedUs": text(end) if end else None,
                "value": {}, "source": "import", "entryMode": "generated"}
        if "ml" in value:
            data["value"] = {"amountUl": value["ml"] * 1000}
        elif value:
            data["value"] = dict(value)
        lines.append(json.dumps({"event": "baby-care.entry-recorded.v1", "at": text(end or start), "data": data}))
        day = figures[start.astimezone(ZONE).date()]
        if kind == "sleep":
            day["count"] += 1
            minute = start
            while minute < end:
                figures[minute.astimezone(ZONE).date()]["sumS"] += 60
                minute += datetime.timedelta(minutes=1)
        elif kind == "formula":
            day["feeds"] += 1
            day["ml"] += value["ml"]
        else:
            day[kind] += value["count"]
    (HERE / "generated-month.jsonl").write_text("\n".join(lines) + "\n")

    def expected(days):
        total = sum((figures[day] for day in days), collections.Counter())
        diaper = ", ".join(f"{kind}: {total[kind] or 'null'}" for kind in ("pee", "poo"))
        return (f"{{sleep: {{sumS: {total['sumS']}, unionS: {total['sumS']}, count: {total['count']}}}, "
                f"feed: {{formula: {{count: {total['feeds']}, ml: {total['ml']}}}}}, diaper: {{{diaper}}}}}")

    report = "  - report: {{of: {}, with: {{baby: b, {}: {}}}, is: {}}}".format
    then = [report("daily", "date", day, expected([day])) for day in DAYS]
    for monday in range(2, 24, 7):
        week = [datetime.date(2026, 3, monday + day) for day in range(7)]
        year, number, _ = week[0].isocalendar()
        then.append(report("weekly", "week", f"{year}-W{number:02}", expected(week)))
    then.append(report("monthly", "month", "2026-03", expected(DAYS)))
    (HERE / "generated-month.yaml").write_text("\n".join([
        "# Made by generated-month.py, which also adds up the answers, minute by minute of UTC.",
        "scenario: A month of entries has the days, weeks and totals that a plain count gives",
        "source: spec 5.6, reports; generated twin of spec scenario 28, which tools/real-stories tells of the recording",
        "clock: 2026-04-02T12:00:00Z", "",
        "given:", "  - file: generated-month.jsonl", "", "when: []", "", "then:"] + then) + "\n")


main()
