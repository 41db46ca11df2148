"""Facts of every kind, made from the fields that `schema --json` lists.

Each kind is recorded with all fields, with none but the required ones, with the lowest and the
highest value of every number, and once with every name of every enumeration.
"""

# 2026-01-05T00:00:00Z, a Monday, in microseconds.
START = 1_767_571_200_000_000
MINUTE = 60_000_000
ZONES = ["Asia/Seoul", "America/Los_Angeles", "Europe/Berlin", "UTC", "+05:45"]
# The noun of each field that holds an id, so that the facts of several kinds meet.
NOUNS = {
    "entryId": "entry", "keepId": "entry", "dropIds": "entry", "entryIds": "entry",
    "babyId": "baby", "householdId": "household", "userId": "user", "by": "user",
    "launchId": "launch", "device": "device", "family": "family", "refreshId": "refresh",
    "requestId": "request", "runId": "run", "clipId": "clip",
}
TEXTS = {
    "birthDate": "2025-11-{:02}", "week": "2026-W{:02}", "period": "2026-01-{:02}",
    "tzdata": "2025b", "appVersion": "1.{}.0", "currentVersion": "1.{}.0",
    "minVersion": "1.{}.0", "latestVersion": "2.{}.0", "targetVersion": "2.{}.0",
    "url": "https://example.org/{}", "tags": "user:nobody-{}",
}


class Sample:
    """One way to fill the fields of a kind."""

    def __init__(self, number, style):
        self.number, self.style = number, style
        self.group = "x" if style in ("from", "to") else f"s{number % 2}"

    def record(self, fields):
        return {field["name"]: self.value(field, field["form"]) for field in fields}

    def value(self, field, form):
        name = field["name"]
        if form.endswith("?"):
            return None if self.style == "bare" else self.value(field, form[:-1])
        if form.startswith("["):
            count = 0 if self.style == "bare" else 1 + self.number % 2
            return [self.value(field, form[1:-1]) for _ in range(count)]
        if form.startswith("{"):
            if self.style == "bare":
                return {}
            return {key: self.value(field, form[1:-1]) for key in ("colour", "ünïcode")}
        if form == "object":
            return self.record(field["fields"])
        if form.startswith("one of "):
            names = form[len("one of "):].split(", ")
            return names[self.number % len(names)]
        if form == "boolean":
            return self.number % 2 == 0
        if form in ("integer", "personal integer"):
            return self.integer(field)
        return self.text(name)

    def integer(self, field):
        if self.style in ("from", "to"):
            return field.get(self.style, 2**63 - 1 if self.style == "to" else -(2**63))
        name, low = field["name"], field.get("from", 0)
        if name in ("position", "undoOf"):
            return 1 + self.number
        if name in ("people", "slots"):
            return 4_000_000_000 + self.number
        if name.endswith("Us") and low < 0:
            return START + (self.number * 90 + 45 * name.startswith("end")) * MINUTE
        return max(low, 0) + self.number * 7 + len(name)

    def text(self, name):
        if name in NOUNS:
            return f"{NOUNS[name]}-{self.group}"
        if name in ("localId", "remoteId"):
            return f"{name}-{self.number}"
        if name == "zone":
            return ZONES[self.number % len(ZONES)]
        if name in TEXTS:
            return TEXTS[name].format(1 + self.number)
        return f"{name} {self.number} – «é»"


def enumerated(fields):
    """The most names of any enumeration in the fields."""
    counts = [2]
    for field in fields:
        if "one of " in field["form"]:
            counts.append(field["form"].count(",") + 1)
        counts.append(enumerated(field.get("fields", [])))
    return max(counts)


def steps(events):
    facts = []
    for event in events:
        # A fact that says that texts were erased is refused; the stories erase some.
        if event["name"].startswith("log."):
            continue
        count = enumerated(event["fields"])
        styles = ["full"] * count + ["bare", "from", "to"]
        for number, style in enumerate(styles):
            line = len(facts)
            facts.append({
                "event": event["name"], "at": f"2026-01-{5 + line // 40:02}T"
                f"{line % 24:02}:{line * 7 % 60:02}:{line % 60:02}.{line:06}Z",
                "data": Sample(number, style).record(event["fields"]),
                **envelope(line),
            })
    return facts


def envelope(line):
    members = {"zone": ZONES[line % len(ZONES)]}
    if line % 3 == 0:
        members["actor"] = f"user-s{line % 2}"
    if line % 4 == 0:
        members["device"] = f"device-s{line % 2}"
    if line % 5 == 0:
        members["correlation"] = f"correlation {line // 10}"
    if line % 6 == 0:
        members["causation"] = 1 + line
    if line % 7 == 0:
        members["key"] = f"sample {line}"
    return members
