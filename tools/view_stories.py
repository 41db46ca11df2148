"""Stories for tools/view-test: small, large and hostile ones, always the same, in the page's format.

    python3 tools/view_stories.py small|large|hostile > story.json

A plain fold of a story, in `state_at` and `writes_of`, is compared with the page.
"""
import json
import random
import sys

SECOND = 1_000_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
MARCH = 1_583_020_800 * SECOND  # 2020-03-01T00:00:00Z
HOSTILE = [
    "</script><img src=x onerror=alert(1)>", "<svg onload=alert(2)>", "javascript:alert(3)",
    "\u202eevil\u202c", "'\"><b>x</b>", "${alert(4)}", "\u2028\u2029<!--<script>", "__proto__",
    "a" * 300, "]]>&lt;&#60;", "", "constructor",
]


class Interned:
    """Distinct values with their indices."""

    def __init__(self, first=()):
        self.values, self.index = [], {}
        for value in first:
            self.of(value)

    def of(self, value):
        key = json.dumps(value, sort_keys=True)
        if key not in self.index:
            self.index[key] = len(self.values)
            self.values.append(value)
        return self.index[key]


def differences(numbers):
    return [number - before for number, before in zip(numbers, [0, *numbers])]


class Builder:
    """Records events and the states after them, and writes the columns."""

    def __init__(self, title):
        self.title = title
        self.kinds, self.tags = Interned(), Interned()
        self.actors, self.devices, self.correlations = Interned([""]), Interned([""]), Interned([""])
        self.paths, self.values, self.zones = Interned(), Interned(), Interned(["Asia/Seoul"])
        self.rows, self.commits, self.entities = [], [], []
        self.entity_index, self.states, self.blank = {}, {}, {}
        self.changes = []
        self.moments = set()

    def project(self, name, blank):
        self.blank[name] = blank

    def commit(self, actor="", device="", cause=0, correlation=""):
        self.commits.append({
            "first": len(self.rows) + 1, "count": 0, "actor": self.actors.of(actor),
            "device": self.devices.of(device), "cause": cause,
            "correlation": self.correlations.of(correlation)})

    def event(self, kind, occurred, recorded=None, tags=(), payload=None, offset=32400):
        self.commits[-1]["count"] += 1
        self.rows.append({
            "occurred": occurred, "recorded": occurred if recorded is None else recorded,
            "offset": offset, "kind": self.kinds.of(kind), "commit": len(self.commits) - 1,
            "tags": [self.tags.of(tag) for tag in tags], "payload": payload or {}})
        return len(self.rows) - 1

    def entity(self, projection, key, row, is_report=False):
        name = (projection, key)
        if name not in self.entity_index:
            self.entity_index[name] = len(self.entities)
            member = "report" if is_report else "projection"
            self.entities.append({member: projection, "key": key, "first": row})
            if is_report:
                self.entities[-1]["with"] = key.split(" ")
            self.states[name] = dict(self.blank.get(projection, {}))
        return self.entity_index[name]

    def become(self, projection, key, row, fields, by=0, is_report=False):
        """The state of an entity after a row is as before with these fields; None takes one away."""
        entity = self.entity(projection, key, row, is_report)
        state = self.states[projection, key]
        for path, value in fields.items():
            if value is GONE:
                if path in state:
                    del state[path]
                    self.changes.append((row, entity, self.paths.of(path), -1, by))
            elif path not in state or state[path] != value or type(state[path]) is not type(value):
                state[path] = value
                self.changes.append((row, entity, self.paths.of(path), self.values.of(value), by))

    def columns(self, changes):
        changes = sorted(changes, key=lambda change: change[0])
        columns = {
            "event": differences([change[0] for change in changes]),
            "entity": [change[1] for change in changes], "path": [change[2] for change in changes],
            "value": [change[3] for change in changes]}
        if any(change[4] for change in changes):
            columns["by"] = [change[4] for change in changes]
        return columns

    def story(self, subject, **more):
        rows, commits = self.rows, self.commits
        blanks = {name: {"path": [self.paths.of(path) for path in blank],
                         "value": [self.values.of(value) for value in blank.values()]}
                  for name, blank in self.blank.items()}
        story = {
            "daybookStory": 1, "title": self.title, "subject": subject,
            "command": "replay view --log care.daybook --output story.html",
            "logOption": "--log care.daybook", "program": "replay",
            "log": {"id": "9f0c2ab17e55d0341f6a", "head": f"{len(rows)}:ab39cc01e7", "events": len(rows)},
            "version": "0.9.0", "rules": "standard", "tzdata": "2025b", "zone": "Asia/Seoul",
            "texts": False, "pseudonyms": False,
            "kinds": [{"name": name, "area": name.split(".")[0]} for name in self.kinds.values],
            "zones": self.zones.values,
            "clocks": [{"zone": "Asia/Seoul", "offsetS": [32400], "from": []}], "tags": self.tags.values, "actors": self.actors.values,
            "devices": self.devices.values, "correlations": self.correlations.values,
            "events": {
                "position": differences(range(1, len(rows) + 1)),
                "occurredUs": differences([row["occurred"] for row in rows]),
                "recordedUs": differences([row["recorded"] for row in rows]),
                "offsetS": [row["offset"] for row in rows], "kind": [row["kind"] for row in rows],
                "zone": [0] * len(rows), "commit": differences([row["commit"] for row in rows]),
                "tags": [row["tags"] for row in rows], "payload": [row["payload"] for row in rows]},
            "commits": {
                "first": differences([each["first"] for each in commits]),
                "count": [each["count"] for each in commits],
                "actor": [each["actor"] for each in commits],
                "device": [each["device"] for each in commits],
                "correlation": [each["correlation"] for each in commits],
                "causation": [each["cause"] for each in commits], "key": [True] * len(commits)},
            "entities": self.entities,
            "projections": [{"name": name, "summary": "", "noun": name, "stateField": "state",
                             "machine": None, "blank": blank} for name, blank in blanks.items()],
            "paths": [{"path": path, "moment": path in self.moments} for path in self.paths.values],
            "values": self.values.values, "changes": self.columns(self.changes),
            "machines": [], "findings": [], "late": [], "alternatives": [],
            "omitted": {"payloads": False, "reports": False, "findings": False, "why": []}}
        story.update(more)
        return story


GONE = object()


def care(builder, days, draw, skipped=()):
    """A baby's days: feeds and sleep that open, close, are edited late and deleted; a daily report."""
    builder.project("entry", {"state": "none", "kind": None, "startedUs": 0, "endedUs": None, "version": 0})
    builder.project("baby", {"entries": 0, "openEntry": None, "lastFeedUs": None})
    builder.moments |= {"startedUs", "endedUs", "lastFeedUs"}
    planned, number = [], 0
    for day in range(days):
        start = MARCH + day * 24 * HOUR
        date = f"2020-03-{day + 1:02d}"
        time = start + draw.randrange(40) * MINUTE
        while time < start + 20 * HOUR:
            number += 1
            kind = draw.choice(["feed", "sleep", "feed", "diaper"])
            who = draw.choice([("mum", "phone-1"), ("dad", "phone-2"), ("grandma", "phone-2")])
            wait = draw.choice([0, 0, 0, 0, 40 * SECOND, 3 * HOUR])
            length = draw.randrange(10, 180) * MINUTE
            end = time + length
            entry = {"key": f"e{number}", "kind": kind, "who": who, "date": date, "day": day,
                     "time": time, "length": length}
            planned.append((time, time + wait, "opened", entry))
            planned.append((end, end + max(wait, SECOND), "closed", entry))
            if draw.random() < 0.25:
                at = end + 5 * MINUTE
                planned.append((at, at + draw.choice([3 * HOUR, 7 * HOUR]), "edited", entry))
            elif draw.random() < 0.12:
                planned.append((end + 190 * MINUTE, end + 190 * MINUTE, "deleted", entry))
            time = end + draw.randrange(20, 150) * MINUTE
        planned.append((start + 23 * HOUR, start + 23 * HOUR, "issued", {"date": date}))
    planned.sort(key=lambda plan: plan[1])
    Care(builder, set(skipped)).record(planned)


class Care:
    """Records planned events in the order in which they arrive; skipped rows change nothing."""

    def __init__(self, builder, skipped):
        self.builder, self.skipped = builder, skipped
        self.feeds, self.sleeps, self.opened, self.last = {}, {}, set(), {}

    def put(self, row, projection, key, fields, is_report=False):
        if row not in self.skipped:
            self.builder.become(projection, key, row, fields, 0, is_report)

    def record(self, planned):
        for occurred, recorded, name, entry in planned:
            if name == "issued":
                self.issue(occurred, entry["date"])
            else:
                self.change(occurred, recorded, name, entry)

    def issue(self, at, date):
        builder = self.builder
        builder.commit("", "server", cause=len(builder.rows))
        builder.event("baby-care.report-issued.v1", at, at, ["baby:mia"], {"report": date})
        builder.event("baby-care.reminder-sent.v1", at, at, ["baby:mia"])

    def change(self, occurred, recorded, name, entry):
        builder, key = self.builder, entry["key"]
        who = ("grandma", "phone-2") if name == "edited" else entry["who"]
        builder.commit(*who, correlation=f"day-{entry['day'] + 1}",
                       cause=self.last.get(key, 0) if name in ("edited", "deleted") else 0)
        row = builder.event(f"baby-care.entry-{name}.v1", occurred, recorded,
                            [f"entry:{key}", "baby:mia"], {"entry": key, "kind": entry["kind"]})
        self.last[key] = row + 1
        if name == "opened" and row not in self.skipped:
            self.opened.add(key)
        if key not in self.opened:
            return
        if name == "opened":
            self.put(row, "entry", key, {"state": "open", "kind": entry["kind"],
                                         "startedUs": entry["time"], "version": 1})
            self.put(row, "baby", "mia", {"entries": len(self.opened), "openEntry": key})
        elif name == "closed":
            self.put(row, "entry", key, {"state": "closed", "endedUs": occurred, "version": 2})
            self.put(row, "baby", "mia", {"openEntry": None})
            if entry["kind"] == "feed":
                self.put(row, "baby", "mia", {"lastFeedUs": occurred})
                self.add(self.feeds, entry, 1)
            elif entry["kind"] == "sleep":
                self.add(self.sleeps, entry, entry["length"] // SECOND)
        elif name == "edited":
            self.put(row, "entry", key, {"note": "redacted", "version": 3,
                                         "endedUs": occurred + 5 * MINUTE})
            self.add(self.sleeps, entry, 600 if entry["kind"] == "sleep" else 0)
        else:
            self.put(row, "entry", key, {"state": "deleted", "note": GONE, "version": 3})
        if name != "opened":
            date = entry["date"]
            self.put(row, "daily", f"baby=mia date={date}", {
                "feed.count": self.feeds.get(date, 0), "feed.sumMl": self.feeds.get(date, 0) * 90,
                "sleep.sumS": self.sleeps.get(date, 0),
                "sleep.longestS": min(self.sleeps.get(date, 0), 17100)}, is_report=True)

    @staticmethod
    def add(sums, entry, amount):
        sums[entry["date"]] = sums.get(entry["date"], 0) + amount


MACHINE = {
    "projection": "entry", "field": "state", "initial": "–", "states": ["open", "closed", "deleted"],
    "transitions": [
        {"from": "–", "event": "baby-care.entry-opened", "to": "open"},
        {"from": "open", "event": "baby-care.entry-closed", "to": "closed"},
        {"from": "open", "event": "baby-care.entry-deleted", "to": "deleted"},
        {"from": "closed", "event": "baby-care.entry-edited", "to": "closed"},
        {"from": "closed", "event": "baby-care.entry-deleted", "to": "deleted"},
        {"from": "deleted", "event": "baby-care.entry-restored", "to": "closed"}]}


def small():
    """Three days of care with findings, late answers and one other past."""
    builder = Builder("Care of mia")
    care(builder, 3, random.Random(20200301))
    rows = builder.rows
    sleeps = [row for row, each in enumerate(rows) if each["payload"].get("kind") == "sleep"
              and builder.kinds.values[each["kind"]].endswith("opened.v1")]
    left_out = sleeps[1]
    other = Builder("")
    for name in ("kinds", "tags", "actors", "devices", "correlations", "paths", "values"):
        setattr(other, name, getattr(builder, name))
    care(other, 3, random.Random(20200301), skipped=[left_out])
    entities = [builder.entity_index[name] for name in other.entity_index]
    to_recorded = dict(zip(range(len(other.entities)), entities))
    changes = [(row, to_recorded[entity], *rest) for row, entity, *rest in other.changes]
    edited = next(row for row, each in enumerate(rows)
                  if builder.kinds.values[each["kind"]].endswith("edited.v1"))
    return builder.story(
        {"kind": "projection", "projection": "baby", "key": "mia", "tag": None, "from": None, "to": None},
        machines=[MACHINE],
        findings=[
            {"rule": "B1", "summary": "An entry was edited after its day's report was issued.",
             "event": edited, "position": edited + 1, "entity": 0, "tag": "entry:e1",
             "text": "expected no edit after 23:00, found one"},
            {"rule": "B9", "summary": "Two phones had open entries at once.", "event": 5, "position": 6,
             "entity": 1, "tag": "baby:mia", "text": ""}],
        late=[
            {"event": edited, "report": "daily baby=mia date=2020-03-01", "issued": 20,
             "field": "sleep.sumS", "before": 30000, "after": 31200},
            {"event": edited, "report": "daily baby=mia date=2020-03-01", "issued": 20,
             "field": "wake.meanS", "before": 6675, "after": 6375}],
        alternatives=[{
            "kind": "what-if", "title": f"without position {left_out + 1}", "rules": None,
            "command": f"replay what-if --skip {left_out + 1} --log care.daybook",
            "skipped": [left_out], "edited": [], "moved": [],
            "added": {"after": [], "origin": [], "from": [], "occurredUs": [], "offsetS": [],
                      "kind": [], "zone": [], "tags": [], "payload": []},
            "entities": entities, "first": [each["first"] for each in other.entities],
            "changes": other.columns(changes)}])


def large(count=100_000):
    """Many events of three changes each, in 1,000 entities of two projections."""
    draw = random.Random(7)
    builder = Builder(f"{count} events")
    builder.project("queue", {"state": "none", "size": 0})
    kinds = [f"queue.kind-{number}.v1" for number in range(12)]
    states = ["open", "busy", "closed"]
    time = MARCH
    for number in range(count):
        time += draw.randrange(1, 120) * SECOND
        if number % 3 == 0:
            builder.commit(f"actor-{number % 9}", f"phone-{number % 40}",
                           cause=number - 5 if number % 30 == 0 and number > 30 else 0)
        key = f"q{int(draw.random() ** 2 * 1000)}"
        late = draw.randrange(4000) * SECOND if number % 50 == 0 else 0
        row = builder.event(kinds[draw.randrange(12)], time - late, time, [f"queue:{key}"])
        if number % 17 != 0:
            builder.become("queue", key, row, {"state": draw.choice(states), "size": draw.randrange(5000),
                                               f"slot[{draw.randrange(12)}]": f"job {draw.randrange(9000)}"})
    return builder.story(
        {"kind": "range", "projection": None, "key": None, "tag": None, "from": 1, "to": count},
        machines=[{"projection": "queue", "field": "state", "initial": "–", "states": states,
                   "transitions": [{"from": a, "event": "queue.moved", "to": b}
                                   for a in ["–", *states] for b in states]}])


def hostile():
    """A small story in which every text is one that would do harm as markup, script or style."""
    story = small()
    count = [0]
    kept = {"kind", "origin", "daybookStory", "zone", "zones"}

    def harm(value, name=None):
        if isinstance(value, str):
            if name in kept:
                return value
            count[0] += 1
            return f"{HOSTILE[count[0] % len(HOSTILE)]}#{count[0]}"
        if isinstance(value, list):
            return [harm(each, name) for each in value]
        if isinstance(value, dict):
            return {key: harm(each, key) for key, each in value.items()}
        return value

    for kind in story["kinds"]:
        kind["area"] = "x"
    names = {each["name"]: f"{HOSTILE[0]}{each['name']}" for each in story["projections"]}
    result = harm(story)
    for before, after in zip(story["entities"], result["entities"]):
        if "projection" in before:
            after["projection"] = names[before["projection"]]
    for before, after in zip(story["projections"], result["projections"]):
        after["name"] = names[before["name"]]
    result["machines"][0]["projection"] = names["entry"]
    return result


def pictured():
    """A small story whose daily report has a picture, which becomes another one in the middle."""
    story = small()
    daily = next(at for at, each in enumerate(story["entities"]) if each.get("report") == "daily")
    first = story["entities"][daily]["first"]
    svg = ('<svg xmlns="http://www.w3.org/2000/svg" width="240" height="80" onload="document.title=1">'
           '<script>document.title=1</script><rect width="{}" height="80" fill="#3567b0"/></svg>')
    story["pictures"] = [{"entity": daily, "event": [first, 5], "svg": [0, 1]}]
    story["svgs"] = [svg.format(60), svg.format(200)]
    return story


def state_at(story, entity, row, changes=None):
    """The fields of an entity after a row, by a plain fold: path to value."""
    each = story["entities"][entity]
    if row < each["first"]:
        return {}
    columns = changes or story["changes"]
    state = {}
    for projection in story["projections"]:
        if projection["name"] == each.get("projection"):
            blank = projection["blank"]
            state = dict(zip(blank["path"], blank["value"]))
    event = 0
    for step, owner, path, value in zip(
            columns["event"], columns["entity"], columns["path"], columns["value"]):
        event += step
        if event > row:
            break
        if owner == entity:
            if value < 0:
                state.pop(path, None)
            else:
                state[path] = value
    return {story["paths"][path]["path"]: story["values"][value] for path, value in state.items()}


def writes_of(story, entity, path, row):
    """The rows up to one that changed a field, the latest first."""
    columns = story["changes"]
    rows, event = [], 0
    for step, owner, each in zip(columns["event"], columns["entity"], columns["path"]):
        event += step
        if event <= row and owner == entity and each == path:
            rows.append(event)
    return rows[::-1]


if __name__ == "__main__":
    json.dump({"small": small, "large": large, "hostile": hostile}[sys.argv[1]](), sys.stdout)
