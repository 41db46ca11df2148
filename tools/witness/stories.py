"""The stories of two families, three runners and their phones: commands, imports, erasures.

A step is a line for `replay append`, or the exit code and the arguments of another command.
"""
import os
from datetime import datetime, timedelta, timezone

DAY = datetime(2026, 2, 10, tzinfo=timezone.utc)


def moment(day, hour=0, minute=0, second=0):
    """A time of the story in RFC 3339; day 0 is 2026-02-10."""
    time = DAY + timedelta(days=day, hours=hour, minutes=minute, seconds=second)
    return time.isoformat().replace("+00:00", "Z")


def command(name, at, data, **envelope):
    return {"command": name, "at": at, "data": data, **envelope}


def steps(folder):
    return (families() + days_of_mia() + corrections() + clips() + runs(folder) + launches()
            + sessions() + imports(folder) + renamings() + answers_given(folder))


def families():
    return [
        command("household.onboard", moment(0), {
            "babyId": "mia", "householdId": "home", "name": "Mia", "birthDate": "2025-12-24",
            "sex": "female", "birthWeightG": 3210, "feedingMethod": "mixed",
            "zone": "Asia/Seoul", "by": "ana"}, actor="ana", device="phone-1", zone="Asia/Seoul"),
        command("household.change-role", moment(0, 1), {
            "householdId": "home", "userId": "ben", "role": "parent"}, actor="ana"),
        command("household.change-role", moment(0, 1, 1), {
            "householdId": "home", "userId": "gran", "role": "familyViewer"}, actor="ana"),
        command("household.change-role", moment(0, 1, 2), {
            "householdId": "home", "userId": "sitter", "role": "caregiver"}, actor="ana"),
        command("household.change-profile", moment(0, 2), {
            "babyId": "mia", "weightG": 5400, "nightFromMin": 1200, "nightToMin": 420,
            "dayStartMin": 0, "weekStart": "sunday",
            "sourceBabyIds": {"babyconnect": "b-77"}, "by": "ben"}, actor="ben"),
        command("household.onboard", moment(0, 3), {
            "babyId": "leo", "householdId": "coast", "name": "Leo", "birthDate": "2025-10-01",
            "zone": "America/Los_Angeles", "by": "cleo"}, actor="cleo",
            zone="America/Los_Angeles"),
    ] + [command("household.change-consent", moment(0, 4, n), {
        "userId": "ana", "kind": kind, "granted": granted, "version": f"2026-0{n + 1}"})
        for n, (kind, granted) in enumerate([
            ("terms", True), ("privacy", True), ("dataProcessing", True), ("privacy", False)])]


def record(entry, kind, started, ended=None, value=None, meta=None, **more):
    data = {"entryId": entry, "babyId": "mia", "kind": kind, "startedUs": started,
            "value": value or {}, "meta": meta or {}, "by": "ana"}
    if ended:
        data["endedUs"] = ended
    return command("baby-care.record", ended or started, data, actor="ana", device="phone-1",
                   zone="Asia/Seoul", **more)


def days_of_mia():
    lines = []
    for day in range(1, 9):
        for index, hour in enumerate([0, 4, 8, 13, 20]):
            lines.append(record(
                f"feed-{day}-{index}", ["formula", "breastfeed"][index % 2],
                moment(day, hour, 7 * day), moment(day, hour, 7 * day + 14),
                {"ml": 90 + 5 * day} if index % 2 == 0 else {"side": ["left", "right"][day % 2]}))
        lines.append(record(f"night-{day}", "sleep", moment(day, 11, day), moment(day, 19, 3 * day)))
        lines.append(record(f"wet-{day}", "pee", moment(day, 5, day)))
    lines += [
        record("full", "poo", moment(3, 6), value={"count": 2}, meta={"color": "green"}),
        record("spoon", "weaning", moment(4, 3), moment(4, 3, 20), {"note": "half a carrot"}),
        record("scale", "growth", moment(4, 1), value={"weightKg": 5.61, "heightCm": 58.5}),
        record("fever", "symptom", moment(5, 2), value={"temperature": 38.2}),
        record("drops", "medication", moment(5, 3), value={"name": "D3", "dose": "1 drop"}),
        record("note", "memo", moment(5, 4), value={"note": "smiled at the cat"}, key="memo-1"),
        record("note", "memo", moment(5, 4), value={"note": "smiled at the cat"}, key="memo-1"),
        record("nap", "sleep", moment(6, 2), moment(6, 3)),
    ]
    return lines


def care(name, day, hour, minute, data, **envelope):
    by = {} if "by" in data else {"by": "ben"}
    return command(f"baby-care.{name}", moment(day, hour, minute), {**data, **by}, actor="ben",
                   device="phone-2", correlation=f"{name} of day {day}", **envelope)


def corrections():
    return [
        care("start", 9, 1, 0, {"entryId": "timer", "babyId": "mia", "kind": "sleep"}),
        care("edit-open", 9, 1, 5, {
            "entryId": "timer", "startedUs": moment(9, 0, 50), "value": {"note": "in the pram"}}),
        care("complete", 9, 2, 0, {"entryId": "timer"}),
        care("edit", 9, 3, 0, {"entryId": "timer", "endedUs": moment(9, 2, 15)}),
        care("edit", 9, 3, 5, {"entryId": "feed-8-0", "value": {"ml": 155}}),
        care("edit", 9, 3, 6, {"entryId": "full", "meta": {"place": "home"}, "removed": ["color"]}),
        care("start", 9, 4, 0, {"entryId": "forgotten", "babyId": "mia", "kind": "sleep"}),
        care("start", 9, 9, 0, {
            "entryId": "after", "babyId": "mia", "kind": "sleep", "estimate": True}),
        care("complete", 9, 9, 40, {"entryId": "after"}),
        care("start", 9, 10, 0, {"entryId": "open-end", "babyId": "mia", "kind": "sleep"}),
        care("estimate-end", 9, 15, 0, {"entryId": "open-end"}),
        care("cancel", 9, 16, 0, {"entryId": "wet-3", "reason": "it was the other one"}),
        care("restore", 9, 16, 1, {"entryId": "wet-3"}),
        care("cancel", 9, 16, 2, {"entryId": "wet-4", "reason": "twice"}),
        record("nap-2", "sleep", moment(6, 2, 30), moment(6, 3, 30)),
        care("merge", 9, 17, 0, {"keepId": "nap", "dropIds": ["nap-2"]}),
        care("start", 9, 20, 0, {"entryId": "running-on", "babyId": "mia", "kind": "breastfeed",
                                 "value": {"side": "left"}}),
    ]


def clips():
    return [
        care("parse-voice-clip", 7, 15, 0, {
            "clipId": "clip-1", "babyId": "mia", "text": "100 ml at nine, then she slept",
            "language": "en", "candidates": [
                {"kind": "formula", "startedUs": moment(7, 9, 1), "value": {"ml": 100}},
                {"kind": "sleep", "startedUs": moment(7, 9, 30), "endedUs": moment(7, 10, 5)},
                {"kind": "pee", "startedUs": moment(7, 10, 6)}]}),
        care("confirm-voice-clip", 7, 15, 2, {"clipId": "clip-1", "entries": [
            {"candidate": 0, "entryId": "heard-0", "value": {"ml": 110}},
            {"candidate": 1, "entryId": "heard-1"}]}),
    ]


def run_command(name, at, data, user="kim"):
    return command(f"running.{name}", at, data, actor=user, device="watch-1", zone="Asia/Seoul")


def places(day, minute, count, lon, step=1):
    """Places ten seconds apart, 25 m or so each."""
    return [{"tUs": moment(day, 9, minute, 10 * n), "lat": f"37.{5200000 + 1500 * n}",
             "lon": f"126.{lon + 2100 * step * n}", "eleM": 8 + n % 5, "accM": 5}
            for n in range(count)]


def runs(folder):
    lines = [run_command("change-profile", moment(0, 8), {
        "userId": user, "name": user.title(), "weightG": 60_000 + 1_000 * n, "zone": zone}, user)
        for n, (user, zone) in enumerate([
            ("kim", "Asia/Seoul"), ("jo", "Europe/Berlin"), ("lee", "Asia/Seoul")])]
    lines += [
        run_command("start", moment(6, 9), {
            "runId": "dawn", "userId": "kim", "startedUs": moment(6, 9), "autoPauseS": 30,
            "maxSpeedMmPerS": 12_000, "maxAccuracyMm": 50_000}),
        run_command("record-locations", moment(6, 9, 3), {
            "runId": "dawn", "points": places(6, 0, 18, 9_000_000)}),
        run_command("record-locations", moment(6, 9, 4), {"runId": "dawn", "points": [
            {"tUs": moment(6, 9, 3), "lat": 91, "lon": 0},
            {"tUs": moment(6, 9, 3, 1), "lat": 38, "lon": 127, "accM": 5},
            {"tUs": moment(6, 9, 3, 2), "lat": "37.5228", "lon": "126.9378", "accM": 400}]}),
        run_command("pause", moment(6, 9, 5), {"runId": "dawn", "pausedUs": moment(6, 9, 5)}),
        run_command("resume", moment(6, 9, 9), {"runId": "dawn", "resumedUs": moment(6, 9, 9)}),
        run_command("record-locations", moment(6, 9, 14), {
            "runId": "dawn", "points": places(6, 9, 24, 9_400_000)}),
        run_command("stop", moment(6, 9, 15), {"runId": "dawn", "endedUs": moment(6, 9, 13)}),
        run_command("fail-save", moment(6, 9, 16), {
            "runId": "dawn", "kind": "timeout", "detail": "after 30 s on the train"}),
        run_command("save", moment(6, 9, 20), {"runId": "dawn", "remoteId": "srv-17"}),
        run_command("start", moment(7, 9), {"runId": "red-light", "userId": "kim",
                                            "mode": "solo", "autoPauseS": 10}),
        run_command("record-locations", moment(7, 9, 2), {
            "runId": "red-light", "points": places(7, 0, 4, 9_000_000)
            + places(7, 1, 3, 9_006_300, 0) + places(7, 2, 6, 9_010_000)}),
        run_command("stop", moment(7, 9, 4), {"runId": "red-light"}),
        run_command("start", moment(7, 12), {"runId": "wrong", "userId": "kim"}),
        run_command("discard", moment(7, 12, 1), {"runId": "wrong", "reason": "tooShort"}),
        run_command("start", moment(6, 10), {
            "runId": "bridge", "userId": "jo", "mode": "matching", "rules": "source"}, "jo"),
        run_command("record-locations", moment(6, 9, 59), {
            "runId": "bridge", "points": [
                {"tUs": moment(6, 10, 0, 10 * n), "lat": f"52.{5200000 + 2000 * n}",
                 "lon": f"13.{4000000 + 100 * n}"} for n in range(20)]}, "jo"),
        run_command("stop", moment(6, 10, 6), {"runId": "bridge", "userId": "jo"}, "jo"),
        run_command("start", moment(8, 10), {"runId": "by-car", "userId": "jo"}, "jo"),
        run_command("record-locations", moment(8, 10, 2), {"runId": "by-car", "points": [
            {"tUs": moment(8, 10, 0, n), "lat": f"52.{5200000 + 900 * n}", "lon": 13.4}
            for n in range(30)]}, "jo"),
        run_command("stop", moment(8, 10, 3), {"runId": "by-car"}, "jo"),
        run_command("cancel", moment(8, 11), {"runId": "by-car", "reason": "it was a tram"}, "jo"),
        run_command("restore", moment(8, 12), {"runId": "by-car", "reason": "it was not"}, "jo"),
    ]
    track = os.path.join(folder, "track.gpx")
    with open(track, "w", encoding="utf-8") as file:
        points = "".join(
            f'<trkpt lat="37.{530000 + 200 * n}" lon="126.{940000 + 330 * n}"><ele>{9 + n % 4}'
            f"</ele><time>{moment(9, 22, 0, 12 * n)}</time></trkpt>" for n in range(25))
        file.write('<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk>'
                   f"<name>By the river</name><trkseg>{points}</trkseg></trk></gpx>")
    return lines + [(0, ["import", "--format", "gpx", "--user", "lee", track]),
                    (0, ["import", "--format", "gpx", "--user", "lee", track])]


def launch(name, id, second, data):
    return command(f"launch.{name}", moment(10, 0, 0, second), {"launchId": id, **data},
                   device="phone-1", zone="Asia/Seoul", correlation=f"launch {id}")


def config(**more):
    return {"device": "phone-1", "configDigest": f"config {sorted(more)}", "source": "network",
            "latencyMs": 320, "maintenance": {"mode": False, "message": ""},
            "minVersion": "1.0.0", "latestVersion": "1.4.0", **more}


def launches():
    lines = []
    notice = {"digest": "moving", "startUs": moment(9), "endUs": moment(12), "title": "Moving",
              "message": "Saved later tonight", "url": "https://example.org/n", "terminate": False}
    optional = {"version": "1.4.0", "title": "New", "message": "Faster", "url": "https://e.org/u"}
    configs = {
        "plain": {}, "low": {"minVersion": "1.3.0"},
        "forced": {"force": {**optional, "version": "1.3.0"}},
        "blocked": {"blacklist": ["1.2.0"]}, "closed": {"maintenance": {
            "mode": True, "message": "back at six"}},
        "offered": {"optional": optional, "notice": notice},
        "ends": {"notice": {**notice, "terminate": True}},
        "broken": {"problems": ["invalidVersion", "unknownKey"]},
    }
    for index, (id, more) in enumerate(configs.items()):
        start = 600 * index
        lines += [
            launch("launch-app", id, start, {
                "appVersion": "1.2.0", "build": "77", "platform": "ios", "osVersion": "19.1",
                "firstLaunch": index == 0, "device": "phone-1"}),
            launch("record-config", id, start + 1, config(**more)),
            launch("check-version", id, start + 2, {"device": "phone-1"}),
        ]
    at = {id: 600 * index for index, id in enumerate(configs)}
    # In the order of their times: a launch ends the one before.
    return sorted(lines + [
        launch("show-prompt", "forced", at["forced"] + 3, {"kind": "force"}),
        launch("accept-update", "forced", at["forced"] + 4, {"kind": "force"}),
        launch("show-prompt", "offered", at["offered"] + 3, {"kind": "optional"}),
        launch("skip-optional-update", "offered", at["offered"] + 4, {"remember": True}),
        launch("show-notice", "offered", at["offered"] + 5, {}),
        launch("dismiss-notice", "offered", at["offered"] + 6, {"action": "openLink"}),
        launch("show-notice", "ends", at["ends"] + 5, {}),
        launch("dismiss-notice", "ends", at["ends"] + 6, {"action": "close"}),
        launch("terminate", "closed", at["closed"] + 9, {"cause": "user"}),
        launch("launch-app", "offline", 6_000, {
            "appVersion": "1.2.0", "platform": "android", "firstLaunch": False,
            "device": "phone-2"}),
        launch("record-config-failure", "offline", 6_003, {
            "kind": "timeout", "detail": "no answer", "latencyMs": 3_000}),
        launch("check-version", "offline", 6_004, {"device": "phone-2", "fallback": "cached"}),
    ], key=lambda line: line["at"])


def session(name, minute, data, device="phone-1"):
    return command(f"session.{name}", moment(10, 2, minute), {"device": device, **data},
                   device=device, actor="kim")


def sessions():
    def sign_in(minute, family, device):
        return session("sign-in", minute, {
            "userId": "kim", "provider": "kakao", "family": family, "accessHash": f"a {family}",
            "refreshHash": f"r {family}", "expiresInS": 3600}, device)

    def expiry(minute, request, device="phone-1"):
        return session("observe-expiry", minute, {
            "requestId": request, "endpoint": "GET /orders", "status": 419,
            "usedGeneration": 0}, device)

    def present(minute, generation, **more):
        line = session("present-refresh-token", minute, {
            "family": "fam-3", "generation": generation, "expiresInS": 3600, **more}, "phone-3")
        del line["data"]["device"]
        return line

    return [
        session("check-login", 0, {"launchId": "broken"}),
        sign_in(1, "fam-1", "phone-1"),
        launch("launch-app", "fresh", 7_320, {
            "appVersion": "1.2.0", "build": "77", "platform": "ios", "osVersion": "19.1",
            "firstLaunch": False, "device": "phone-1"}),
        launch("record-config", "fresh", 7_320, config()),
        launch("check-version", "fresh", 7_320, {"device": "phone-1"}),
        session("check-login", 2, {"launchId": "fresh"}),
        expiry(70, "req-1"), expiry(70, "req-2"),
        session("record-refresh", 71, {
            "refreshId": "fam-1-g0-2", "accessHash": "a2", "refreshHash": "r2",
            "expiresInS": 3600, "latencyMs": 140}),
        session("record-retry", 72, {"requestId": "req-1", "outcomeStatus": 200}),
        session("record-retry", 72, {"requestId": "req-2", "outcomeStatus": 500}),
        session("start-refresh", 140, {}),
        session("record-refresh-failure", 141, {
            "refreshId": "fam-1-g1", "kind": "network", "httpStatus": -1,
            "error": "URLError", "message": "The network is gone, kim"}),
        session("sign-out", 150, {}),
        sign_in(160, "fam-2", "phone-2"),
        session("clear-tokens", 161, {"reason": "forbidden"}, "phone-2"),
        sign_in(170, "fam-3", "phone-3"),
        present(171, 0, accessHash="b1", refreshHash="c1"),
        present(240, 1, accessHash="b2", refreshHash="c2"),
        present(300, 0),
    ]


def imports(folder):
    files = {
        ("babyconnect", "leo"):
            "Date and Time,End Time,Duration (min),Activity,Quantity,Extra data,Text,Notes,"
            "Caregiver\n"
            "3/8/20 1:30 AM,3/8/20 3:30 AM,60,Sleep,,,,,Ana\n"
            "3/8/20 7:07 AM,,,Bottle,6,Milk,,with a cough,Ben\n"
            "3/8/20 6:50 PM,,,Diaper,,Wet,,,Ana\n"
            "3/8/20 8:00 PM,,,Sleep,,,,,Ben\n",
        ("huckleberry", "leo"):
            "Type,Start,End,Duration,Start Conditions,Start Location,End Conditions,Notes\n"
            "Feed,2026-02-12 10:30,,,Formula,Bottle,200ml,\n"
            "Feed,2026-02-13 22:20,2026-02-13 22:31,00:11,00:03R,Breast,00:07L,\n"
            "Sleep,2026-02-14 01:10,2026-02-14 05:40,04:30,,,,a long one\n",
        ("babybuddy", "leo"):
            "child_id,start,end,type,method,amount,notes\n"
            "1,2026-02-15 03:04:09,2026-02-15 03:12:09,formula,bottle,90.5,n\n"
            "1,2026-02-15 07:04:09,2026-02-15 07:12:09,solid food,parent fed,2,\n"
            "1,2026-02-15 09:04:09,2026-02-15 09:12:09,breast milk,right breast,,\n",
        ("babyai-csv", "mia"):
            "event_id,baby_id,type,start_time_utc,end_time_utc,value_json,metadata_json,source,"
            "created_by,created_at_utc\n"
            "e1,x,PEE,2026-02-11T21:00:00Z,,{},{},MANUAL,ana,2026-02-11T21:00:00Z\n"
            "e2,x,FORMULA,2026-02-11T22:00:00Z,2026-02-11T22:10:00Z,"
            '"{""ml"":120}",{},VOICE,ana,2026-02-11T22:10:00Z\n',
    }
    steps = []
    for (format, baby), text in files.items():
        path = os.path.join(folder, format + ".csv")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        arguments = ["import", "--format", format, "--baby", baby, "--zone",
                     "America/Los_Angeles", "--tzdata", "ZONES",
                     "--by", "cleo" if baby == "leo" else "ana", path]
        steps += [(0, arguments), (0, arguments)]
    # A later file of the same app, in which a row has changed.
    path = os.path.join(folder, "later.csv")
    with open(path, "w", encoding="utf-8") as file:
        file.write(files["babyai-csv", "mia"].replace("{},MANUAL", '"{""state"":""CANCELED""}",MANUAL'))
    return steps + [(0, steps[-1][1][:-1] + [path])]


def renamings():
    return [
        command("household.onboard", moment(11), {
            "babyId": "local-baby", "householdId": "local-home", "zone": "Europe/Berlin",
            "birthDate": "2026-01-01", "by": "dora"}, actor="dora", zone="Europe/Berlin"),
        command("baby-care.start", moment(11, 1), {
            "entryId": "local-sleep", "babyId": "local-baby", "kind": "sleep", "by": "dora"}),
        command("household.replace-id", moment(11, 2), {
            "kind": "household", "localId": "local-home", "remoteId": "server-home"}),
        command("household.replace-id", moment(11, 2, 1), {
            "kind": "baby", "localId": "local-baby", "remoteId": "noa"}),
        command("household.replace-id", moment(11, 2, 2), {
            "kind": "careEntry", "localId": "local-sleep", "remoteId": "server-sleep"}),
        command("baby-care.complete", moment(11, 3), {"entryId": "local-sleep", "by": "dora"}),
        command("baby-care.record", moment(11, 4), {
            "entryId": "server-feed", "babyId": "noa", "kind": "formula",
            "startedUs": moment(11, 4), "value": {"ml": 60.5}, "by": "dora"}, causation=12),
    ]


def answers_given(folder):
    """Reports handed out and a week closed, before late events change their figures."""
    daily = ["report", "daily", "--baby", "mia", "--tzdata", "ZONES", "--issue", "--by", "ana"]
    return [
        (0, daily + ["--date", "2026-02-16"]),
        (0, ["report", "weekly", "--baby", "mia", "--week", "2026-W08", "--tzdata", "ZONES",
             "--rules", "source", "--issue"]),
        (0, ["report", "monthly", "--baby", "mia", "--month", "2026-02", "--tzdata", "ZONES",
             "--issue"]),
        (0, ["ranking", "--week", "2026-W08", "--tzdata", "ZONES", "--close", "--by", "kim"]),
        (0, ["export", "--format", "babyai-csv", "--baby", "mia", "--record", "--by", "ana",
             "--output", os.path.join(folder, "out.csv")]),
        care("edit", 12, 1, 0, {"entryId": "night-6", "endedUs": moment(6, 18, 0)}),
        run_command("cancel", moment(13), {"runId": "red-light", "reason": "drove home"}),
        run_command("start", moment(12, 9), {
            "runId": "late", "userId": "lee", "startedUs": moment(9, 9)}, "lee"),
        run_command("stop", moment(12, 10), {"runId": "late", "endedUs": moment(9, 10)}, "lee"),
    ]


def endings():
    """Erasures, which reach into events of all areas, and a few events after them."""
    return [
        (0, ["erase", "--tag", "user:jo", "--reason", "jo asked", "--by", "kim", "--scrub"]),
        (0, ["erase", "--position", "70", "--by", "ana"]),
        command("baby-care.start", moment(13, 2), {
            "entryId": "sat", "babyId": "mia", "kind": "weaning", "by": "sitter"},
            actor="sitter"),
        (0, ["erase", "--actor", "sitter", "--by", "ana"]),
        record("last-words", "memo", moment(14), value={"note": "after the erasures"}),
    ]
