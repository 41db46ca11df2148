"""The questions whose answers must be those of an older release."""

RULES = ["standard", "source"]
NOW = ["--now", "2026-02-19T12:34:56Z"]
PERIODS = {"daily": [["--date", "2026-02-16"], ["--from", "2026-02-10", "--to", "2026-02-20"]],
           "weekly": [["--week", "2026-W08"]], "monthly": [["--month", "2026-02"]]}
KEYS = {
    "closed-ranking": ["2026-W08", "2026-W02"], "consents": ["ana", "user-s0"],
    "entry": ["timer", "local-sleep", "server-sleep", "wet-3", "nap", "entry-s0", "entry-x"],
    "household": ["home", "local-home", "household-s1"],
    "open-entries": ["mia", "local-baby", "baby-s0"], "profile": ["mia", "noa", "baby-s1"],
    "run": ["dawn", "red-light", "bridge", "run-s0", "run-x"],
    "runner": ["kim", "jo", "user-s1"], "session": ["phone-1", "phone-3", "device-s0"],
    "splash": ["forced", "offered", "launch-s1"], "version-check": ["phone-1", "device-s1"],
}


def all(ask):
    """Arguments of each question; `ask` answers a command that prints JSON lines."""
    schema = ask("schema", "--json")
    projections = [entry["name"] for entry in schema if entry["kind"] == "projection"]
    count = ask("verify", "--json")[0]["events"]
    yield ["verify", "--json"]
    yield ["stat", "--json"]
    yield ["log"]
    yield ["log", "--json"]
    yield ["log", "--json", "--reverse", "--limit", "20", "--tag", "baby:mia"]
    yield ["log", "--json", "--kind", "household.id-replaced.v1"]
    yield ["log", "--json", "--valid-at", "2026-02-15T00:00:00Z"]
    yield from states(projections, count)
    yield from histories()
    yield from reports()
    yield from running()
    yield ["audit", "--tzdata", "ZONES"]
    yield ["audit", "--all", "--json", "--tzdata", "ZONES"]
    yield ["audit", "--baby", "mia", "--json", "--tzdata", "ZONES"]
    yield ["late", "--tzdata", "ZONES"]
    yield ["late", "--json", "--tzdata", "ZONES"]


def states(projections, count):
    for projection in projections:
        for rules in RULES:
            ruled = [projection, "--rules", rules]
            yield ["trace"] + ruled
            yield ["state"] + ruled + ["--json"]
            yield ["state"] + ruled + ["--json", "--valid-at", "2026-02-15T00:00:00Z"]
        for position in range(100, count, 150):
            yield ["state", projection, "--json", "--at", str(position)]
        yield ["state", projection]


def histories():
    for projection, keys in KEYS.items():
        for key in keys:
            yield ["history", projection, key, "--json"]
            yield ["blame", projection, key, "--json"]
        yield ["history", projection, keys[0]]
        yield ["trace", projection, keys[0]]
    for rules in RULES:
        yield ["transitions", "--rules", rules]
        yield ["transitions", "--rules", rules, "--json"]
    for machine in ["entry", "run", "session", "splash"]:
        yield ["transitions", machine, "--format", "svg"]


def reports():
    for rules in RULES:
        for baby in ["mia", "leo", "noa", "local-baby"]:
            common = ["--baby", baby, "--rules", rules, "--tzdata", "ZONES"]
            for name, periods in PERIODS.items():
                for period in periods if baby == "mia" else periods[:1]:
                    forms = ["text", "json", "csv", "svg"] if baby == "mia" else ["json"]
                    for form in forms:
                        # A picture shows one period.
                        if form == "svg" and "--from" in period:
                            continue
                        yield ["report", name] + period + common + ["--format", form]
            for name in ["next-feeding", "last", "today"]:
                yield ["report", name] + common + NOW + ["--json"]
            for name in ["landing", "recommendation"]:
                yield ["report", name] + common + ["--date", "2026-02-16"] + NOW + ["--json"]
    mia = ["--baby", "mia", "--tzdata", "ZONES"]
    for name in ["next-feeding", "last", "today"]:
        yield ["report", name] + mia + NOW
    for name in ["landing", "recommendation"]:
        yield ["report", name] + mia + ["--date", "2026-02-16"] + NOW
    # Before the sampled babies, which have no zone.
    yield ["report", "daily", "--all", "--date", "2026-02-16", "--tzdata", "ZONES", "--json",
           "--at", "223"]
    yield ["report", "daily", "--date", "2026-02-19", "--include-open", "--json"] + mia
    yield ["report", "daily", "--date", "2020-03-08", "--baby", "leo", "--tzdata", "ZONES"]
    yield ["report", "daily", "--date", "2026-02-16", "--zone", "+05:45", "--json"] + mia
    yield ["report", "daily", "--date", "2026-02-16", "--at", "60", "--json"] + mia
    yield ["export", "--format", "babyai-csv", "--baby", "mia"]
    yield ["export", "--format", "babyai-csv", "--baby", "leo"]


def running():
    for user in ["kim", "jo", "lee"]:
        for form in [[], ["--json"]]:
            yield ["report", "home", "--user", user, "--tzdata", "ZONES"] + NOW + form
    for run in ["dawn", "red-light", "bridge", "by-car", "late"]:
        yield ["report", "track", "--run", run]
        yield ["report", "track", "--run", run, "--json"]
    for run in ["dawn", "red-light"]:
        yield ["state", "run", run, "--format", "svg"]
        yield ["export", "--format", "gpx", "--run", run]
    for week in ["2026-W02", "2026-W07", "2026-W08"]:
        for form in [[], ["--json"], ["--closed"], ["--shape", "source", "--json"]]:
            yield ["ranking", "--week", week, "--tzdata", "ZONES"] + form
