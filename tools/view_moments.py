"""Compares the page of `replay view` with the commands, at random moments of real logs; part of
tools/view-test.

Stories of the logs of view_logs.py are opened in the browser. At random moments

 states   are those of `replay state … --at` and `replay report … --at`;
 writers  of a random field are those of `replay blame … --at`, newest first, with before and after;
 pasts    with events left out, edited, moved and inserted are those of `replay what-if`, and those of
          other rules are those of `replay state --rules`.

The commands are those that the page shows, run as a shell would read them, so that they are tried too.
Without --texts the page may say 'redacted' for a text, and null for a place, and nothing else may differ.
"""
import bisect
import concurrent.futures
import itertools
import json
import os
import random
import shlex
import threading

from view_logs import leaves, microseconds, plain

# What a report says of its own making, which is not part of its answer.
OF_THE_ASKING = {"report", "rule", "position", "knownAtUs"}
MISSING = "missing"
MOMENTS_OF_A_STORY = 25
TURNS = ["edit", "skip", "move", "insert"]
FIELDS = """(state) => state.map((each) => [daybookPage.story.pathNames[each.path],
    daybookPage.story.values[each.value], daybookPage.story.paths[each.path].moment])"""


def fields_of(state, answer):
    """The fields of a page's state and of an answer, each by path, with times as the page has them."""
    moments = {path for path, _, is_moment in state if is_moment}
    return ({path: plain(value) for path, value, _ in state},
            {path: microseconds(value) if path in moments else value
             for path, value in leaves(answer).items()})


def positions_of(story):
    return list(itertools.accumulate(story["events"]["position"]))


class Moments:
    """Draws moments of stories, compares them, and counts the comparisons.

    Commands run in two threads, which also write the pages; the browser is asked in the caller's.
    """

    def __init__(self, test, browse, seed):
        self.test, self.browse, self.seed = test, browse, seed
        self.pool = concurrent.futures.ThreadPoolExecutor(2)
        self.lock = threading.Lock()
        self.count = dict.fromkeys(["states", "reports", "writers", "pasts", "fields", "hidden"], 0)
        self.seen = dict.fromkeys(
            ["by", "context", "skipped", "edited", "moved", "inserted", "rules"], 0)

    def tally(self, name, number=1):
        with self.lock:
            self.count[name] += number

    def note(self, story):
        """Counts what is rare in stories, so that a run without it is noticed."""
        self.seen["by"] += any(by > 0 for by in story["changes"].get("by", []))
        self.seen["context"] += len(story["events"].get("context", [])) > 0
        for past in story["alternatives"]:
            for name in ("skipped", "edited", "moved"):
                self.seen[name] += len(past.get(name, [])) > 0
            self.seen["inserted"] += "inserted" in past.get("added", {}).get("origin", [])
            self.seen["rules"] += past["kind"] == "rules"

    # Moments

    def subjects(self, log, entities, count, draw):
        """Words for stories of every kind of subject."""
        events = log.tool.objects("log", "--json")
        tags = sorted({tag for event in events for tag in event["tags"] if "\0" not in tag})
        kinds = [
            lambda: [*draw.choice(entities)],
            lambda: [*draw.choice(entities)],
            lambda: [draw.choice(entities)[0]],
            lambda: ["--tag", draw.choice(tags)],
            lambda: some_of(len(events)),
            lambda: [*draw.choice(entities), *some_of(len(events))],
        ]

        def some_of(most):
            first = draw.randint(1, most)
            return ["--from", str(first), "--to", str(min(most, first + draw.randrange(200)))]

        return [[]] + [[*kinds[number % len(kinds)](), *(["--texts"] if draw.random() < 0.5 else [])]
                       for number in range(count - 1)]

    def moments(self, log, words, made, draw):
        """Asks the page for states and writers at moments of one story; returns the comparisons."""
        if made is None:
            return []
        path, story = made
        self.note(story)
        rows, entities = len(story["events"]["kind"]), len(story["entities"])
        if not entities or not rows:
            return []
        page = self.browse(path)
        drawn = [(draw.randrange(entities), draw.randrange(rows)) for _ in range(MOMENTS_OF_A_STORY)]
        drawn = [each for each in drawn if "\0" not in story["entities"][each[0]]["key"]
                 and story["entities"][each[0]]["key"] not in log.renamed()]
        asked = page.ask(f"""{json.dumps(drawn)}.map(([entity, row]) => {{
            const {{ story, commands }} = daybookPage;
            const {{ changes }} = story;
            const fields = story.stateAt(entity, row);
            const written = fields.filter((each) => each.change >= 0
                && !story.pathNames[each.path].includes('\\0'));
            const chosen = written.length ? written[(row * 7919 + entity) % written.length].path : -1;
            const value = (at) => at < 0 ? {json.dumps(MISSING)} : story.values[at];
            return {{
                entity, exists: story.exists(entity, row), command: commands.state(entity, row),
                state: ({FIELDS})(fields),
                path: chosen < 0 ? null : story.pathNames[chosen],
                isMoment: chosen >= 0 && story.paths[chosen].moment,
                blame: chosen < 0 ? null : commands.blame(entity, chosen, row),
                passed: chosen >= 0 && changes.writes(entity, chosen)
                    .some((each) => changes.by && changes.by[each] < 0),
                writes: chosen < 0 ? [] : changes.writes(entity, chosen)
                    .filter((each) => changes.event[each] <= row).reverse()
                    .map((each) => [(changes.by && changes.by[each])
                        || story.position[changes.event[each]],
                        value(story.before(each)), value(changes.value[each])]),
            }};
        }})""")
        page.close()
        hides = "--texts" not in words
        return [self.pool.submit(self.compare, log, story, each, hides) for each in asked]

    def answers(self, log, command):
        """The subject, exit code and JSON lines of a command."""
        code, output, error = log.run([*log.words(command), "--json"])
        what = f"{log.name}: {command}"
        if code > 1:
            raise AssertionError(f"{what}: ended with {code}: {error.strip()}")
        return what, code, [json.loads(line) for line in output.splitlines()]

    def compare(self, log, story, each, hides):
        """Compares a state, and the writers of one of its fields, with those of the command."""
        is_report = "report" in story["entities"][each["entity"]]
        if not each["exists"] and is_report:
            return
        what, code, answers = self.answers(log, each["command"])
        if (code == 0) != each["exists"]:
            raise AssertionError(f"{what}: ended with {code}; on the page it exists: {each['exists']}")
        if not each["exists"]:
            return
        (answer,) = answers
        if is_report:
            answer = {name: value for name, value in answer.items() if name not in OF_THE_ASKING}
        found, expected = fields_of(each["state"], answer if is_report else answer["state"])
        self.same(what, found, expected, hides)
        self.tally("reports" if is_report else "states")
        # Blame has all answers of a report as of the end, in which no time passes.
        if each["path"] is not None and not (is_report and ("[" in each["path"] or each["passed"])):
            self.compare_writers(log, story, each, hides, is_report)

    def compare_writers(self, log, story, each, hides, is_report):
        """Compares the writers of a field with those of `blame`.

        Of the events that are not in the story, the page knows the last one before each row.
        """
        what, _, answers = self.answers(log, each["blame"])
        rows = positions_of(story)
        known, gaps = [], set()
        for answer in answers:
            if answer["field"] != each["path"]:
                continue
            row = bisect.bisect_left(rows, answer["position"])
            is_here = rows[row] == answer["position"]
            if is_here or row not in gaps:
                known.append((answer["position"], answer.get("before"), answer.get("after"), is_here))
            if not is_here:
                gaps.add(row)
        found = [(position, plain(before), plain(after)) for position, before, after in each["writes"]]
        if [write[0] for write in found] != [write[0] for write in known]:
            raise AssertionError(f"{what}: written at {[write[0] for write in known]}, "
                                 f"the page says {[write[0] for write in found]}")
        for write, (_, before, after, is_here) in zip(found, [] if is_report else known):
            if each["isMoment"]:
                before, after = microseconds(before), microseconds(after)
            if not self.is_same(write[2], after, hides) or (
                    is_here and not self.is_same(write[1], before, hides)):
                raise AssertionError(f"{what}: at {write[0]} expected {[before, after]}, found {write[1:]}")
        self.tally("writers")

    # Other pasts

    def changes(self, log, story, number, draw):
        """Options that change the history of a story's subject, and the highest position in them.

        Pasts take turns in what they begin with, so that none of it is missing by chance.
        """
        positions = positions_of(story)
        subject = [row for row, entity, by in zip(
            itertools.accumulate(story["changes"]["event"]), story["changes"]["entity"],
            story["changes"].get("by") or itertools.repeat(0)) if entity == 0 and by == 0]
        options, highest = [], 0
        turns = [TURNS[number % len(TURNS)], *draw.choice([[], [], [draw.choice(TURNS)]])]
        for kind in turns:
            row = draw.choice(subject or range(len(positions)))
            position, after = positions[row], draw.choice([0, *positions])
            if position <= highest:
                continue
            payload = story["events"]["payload"][row] or {}
            numbers = [name for name, value in payload.items() if type(value) is int]
            if kind == "edit" and numbers:
                name = draw.choice(numbers)
                options += ["--edit", f"{position}:{name}={payload[name] + draw.choice([1, 60_000_000])}"]
            elif kind == "move" and after not in (position, position - 1):
                options += ["--move", f"{position}:{after}"]
            elif kind == "insert" and "--insert" not in options:
                (event,) = log.tool.objects("log", str(position), "--json")
                name = f"insert-{number}.jsonl"
                with open(os.path.join(log.folder, name), "w", encoding="utf-8") as file:
                    file.write(json.dumps({
                        "event": event["kind"], "data": event["payload"], "at": event["occurredAt"],
                        "after": after}) + "\n")
                options += ["--insert", name]
            else:
                options += ["--skip", str(position)]
            highest = max(highest, position, after)
        return options, highest

    def prepare(self, log, entities, number):
        """A story with another past of one entity, or of all of a projection that the changes concern.

        Returns the words of the projection and the key, the changes, and the rows to compare.
        """
        draw = random.Random(f"{self.seed} {log.name} {number}")
        made = None
        for attempt in range(6):
            # Some edits are refused, such as one past a limit, and some entities are refused too.
            projection, key = draw.choice(entities)
            recorded = log.view([projection, key, "--texts"], f"recorded-{number}")
            if recorded is None or not recorded[1]["events"]["kind"]:
                continue
            options, highest = self.changes(log, recorded[1], number, draw)
            subject = [projection] if draw.random() < 0.3 else [projection, key]
            texts = ["--texts"] if draw.random() < 0.7 else []
            made = log.view([*subject, *options, *texts], f"altered-{number}-{attempt}")
            if made is not None:
                break
        else:
            return None
        rows = positions_of(made[1])
        # A command that ends before a change knows nothing of it.
        chosen = {row for row in (len(rows) - 1, draw.randrange(len(rows))) if rows[row] >= highest}
        return subject, options, sorted(chosen), made

    def prepare_rules(self, log, entities, number):
        """The same for the past by another rule set, of an entity that has one."""
        draw = random.Random(f"{self.seed} {log.name} {number}")
        named = dict(draw.sample(entities, len(entities)))
        for subject in draw.sample(sorted(named.items()), len(named)):
            made = log.view([*subject, "--other-rules", "source", "--texts"], f"rules-{number}")
            if made is not None:
                rows = len(made[1]["events"]["kind"])
                return [*subject], None, sorted({rows - 1, draw.randrange(rows)}), made
        return None

    def pasts(self, log, prepared):
        """Asks the page for both pasts at some rows; returns the comparisons."""
        if prepared is None:
            return []
        subject, options, rows, (path, story) = prepared
        self.note(story)
        if not story["alternatives"]:
            raise AssertionError(f"{log.name}: {story['command']} has no other past")
        page = self.browse(path)
        asked = page.ask(f"""{json.dumps(rows)}.map((row) => {{
            const {{ story }} = daybookPage;
            const [past] = story.alternatives;
            const fields = {FIELDS};
            const changed = story.entities.map((_, entity) => entity).filter((entity) =>
                story.entities[entity].projection === {json.dumps(subject[0])}
                && (past.first.has(entity) || entity === story.subject));
            return [story.position[row], changed.map((entity) => [story.entities[entity].key,
                fields(story.stateAt(entity, row)), fields(past.stateAt(entity, row))])];
        }})""")
        page.close()
        compare = self.compare_rules if options is None else self.compare_past
        return [self.pool.submit(compare, log, story, subject, options, *each) for each in asked]

    def compare_past(self, log, story, subject, options, position, states):
        words = ["what-if", *subject, *options, "--at", str(position), "--log", log.file]
        what, _, answers = self.answers(log, shlex.join(["replay", *words]))
        answers = {answer["key"]: answer for answer in answers if "key" in answer}
        for key, here, there in states:
            answer = answers.pop(key, None)
            if len(subject) > 1 and key != subject[1]:
                continue
            if answer is None:
                if here != there:
                    raise AssertionError(f"{what}: does not differ in {key}, but on the page")
                continue
            for side, state in (("before", here), ("after", there)):
                self.same(f"{what}: {key} {side}", *fields_of(state, answer[side] or {}),
                          not story["texts"])
            self.tally("pasts")
        missing = sorted(set(answers) - log.renamed())
        if missing:
            raise AssertionError(f"{what}: the page has no {', '.join(missing)}")

    def compare_rules(self, log, story, subject, _, position, states):
        words = ["state", *subject, "--rules", "source", "--at", str(position), "--json", "--log", log.file]
        code, output, _ = log.run(words)
        ((_, here, there),) = [each for each in states if each[0] == subject[1]]
        # 2: these rules have no states of this projection, which are then as recorded.
        if code != 0:
            if there != (here if code == 2 else []):
                raise AssertionError(f"{log.name}: {shlex.join(words)} ended with {code}, not the page")
            return
        self.same(f"{log.name}: {shlex.join(words)}", *fields_of(there, json.loads(output)["state"]), False)
        self.tally("pasts")

    def same(self, what, found, expected, hides):
        """Compares the fields of a state with those of a command."""
        if set(found) != set(expected):
            only = sorted(set(found) ^ set(expected))
            raise AssertionError(f"{what}: fields only on one side: {only[:8]}")
        for path, value in expected.items():
            if not self.is_same(found[path], value, hides):
                raise AssertionError(f"{what}: {path}: expected {value!r}, found {found[path]!r}")
        self.tally("fields", len(expected))

    def is_same(self, found, expected, hides):
        if found == MISSING:
            return expected is None
        if found == expected and isinstance(found, bool) == isinstance(expected, bool):
            return True
        if hides and (found == "redacted" and isinstance(expected, str)
                      or found is None and isinstance(expected, (int, str))):
            self.tally("hidden")
            return True
        return False


def check(test, browse, seed, logs, count):
    """Makes `count` comparisons: about half of them states, and a past in each twenty."""
    moments = Moments(test, browse, seed)
    stories = max(2, round(count * 0.55 / MOMENTS_OF_A_STORY / len(logs)))
    for log in logs:
        draw = random.Random(f"{seed} {log.name}")
        entities = log.entities()
        words = moments.subjects(log, entities, stories, draw)
        pages = [moments.pool.submit(log.view, each, number) for number, each in enumerate(words)]
        pasts = [moments.pool.submit(moments.prepare_rules if number % 5 == 4 else moments.prepare,
                                     log, entities, number)
                 for number in range(max(2, count // 20 // len(logs)))]
        compared = []
        for each, page in zip(words, pages):
            compared += moments.moments(log, each, page.result(), draw)
        for each in pasts:
            compared += moments.pasts(log, each.result())
        for each in compared:
            each.result()
        test.checked += len(compared)
    print("    " + ", ".join(f"{number} {name}" for name, number in moments.count.items()))
    print("    stories with " + ", ".join(f"{name} {number}" for name, number in moments.seen.items()))
    made = sum(moments.count[name] for name in ("states", "reports", "writers", "pasts"))
    if count >= 1000:
        test.equal(f"{made} comparisons are at least {count * 9 // 10}", made >= count * 9 // 10, True)
        for name, number in moments.seen.items():
            test.equal(f"some story has {name}", number > 0, True)
