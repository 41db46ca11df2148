"""Runs every command that the page of `replay view` shows, and compares its answer with the page; part of
tools/view-test.

The commands are read from the page as a reader sees it: in each view, at several moments, with a value's
writers open. Each runs as a shell would read it, in the folder of its log. A state on a card is the answer
of the command below it; the writers of a field are those of its command; the steps of a life cycle, in a
story of the whole log, have the counts of `replay transitions`; and the command in the footer writes the
same page again.
"""
import concurrent.futures
import json
import os

from view_logs import leaves, microseconds, plain, story_of

TABS = ["state", "cycle", "findings", "late", "alternative", "search"]
# These end with 1 where they found something, which is no failure.
FINDING = {"audit", "late", "transitions", "what-if", "compare"}
# These have an answer that is compared with what the page shows.
COMPARED = {"state", "report", "blame", "transitions"}
SHOWN = """[...document.querySelectorAll('.command code')].map((each) => each.title || each.textContent)"""
# The cards of states in sight: entity, fields as stored, and the command.
CARDS = """[...document.querySelectorAll('#panel section.card')].filter((each) =>
    each.querySelector('table.fields:not(.versus)')).map((card) => [
    card.getAttribute('aria-label'),
    [...card.querySelectorAll('table.fields tr')].map((row) => {
        const value = [...row.querySelectorAll('.value')].pop();
        return [row.querySelector('th').title, value.textContent, value.title];
    }),
    card.querySelector('.command code').title])"""
WRITERS = """[...document.querySelectorAll('.blame .writes li:not(.later)')].map((item) =>
    item.querySelector('.write-head').textContent)"""
STEPS = """[...document.querySelectorAll('#panel section.card')].map((card) => [
    [...card.querySelectorAll('table.steps tbody tr')].map((row) =>
        [...row.querySelectorAll('td')].map((cell) => cell.textContent)),
    card.querySelector('.command code').title])"""


class Commands:
    def __init__(self, test, browse, generator):
        self.test, self.browse, self.draw = test, browse, generator
        self.pool = concurrent.futures.ThreadPoolExecutor(2)
        self.ran, self.cards, self.writers, self.steps = set(), 0, 0, 0

    def words(self, log, command):
        """The words of a command as a shell reads them; JSON where there is something to compare."""
        words = log.words(command)
        return [*words, *(["--json"] if words[0] in COMPARED else [])]

    def run(self, log, command):
        """Runs a command once; it must end with 0."""
        words = self.words(log, command)
        if words[0] == "view":
            return
        code, _, error = log.run(words)
        is_unwritten = words[0] == "blame" and "no event wrote the field" in error
        if code != 0 and not (code == 1 and (words[0] in FINDING or is_unwritten)):
            raise AssertionError(f"{log.name}: {command}: ended with {code}: {error.strip()[:300]}")
        self.ran.add((log.name, command))

    def answers(self, log, command):
        self.run(log, command)
        return [json.loads(line) for line in log.run(self.words(log, command))[1].splitlines()]

    def story(self, log, words, number):
        """The commands of one story."""
        made = log.view([*words, "--texts"], f"commands-{number}")
        if made is None:
            return
        path, story = made
        page = self.browse(path)
        rows = len(story["events"]["kind"])
        shown, checks = [], []
        for row in sorted({rows - 1, *(self.draw.randrange(rows) for _ in range(1))} if rows else {}):
            for tab in TABS:
                page.ask(f"daybookPage.go({{ row: {row}, tab: '{tab}', path: -1 }})")
                page.rest()
                shown += page.ask(SHOWN)
                if tab == "state":
                    self.state(log, page, shown, checks)
                elif tab == "cycle" and not words:
                    self.cycle(log, page, shown, checks)
        page.close()
        commands = sorted(set(shown))
        # The answers are kept, for the comparisons.
        list(self.pool.map(lambda command: self.run(log, command), commands))
        self.test.checked += len(commands)
        for check in checks:
            check()
        self.again(log, path, story)

    def state(self, log, page, shown, checks):
        """The cards in sight, and the writers of one of their values."""
        cards = page.ask(CARDS)
        for card in cards[:2]:
            checks.append(lambda card=card: self.compare_card(log, *card))
        if not cards or not cards[0][1]:
            return
        page.click("#panel section.card .value-button")
        shown += page.ask(SHOWN)
        name = page.ask("document.querySelector('.blame h3').textContent").removeprefix("Who wrote ")
        command = page.ask("document.querySelector('.blame > .command code').title")
        writers = page.ask(WRITERS)
        if "--report" not in command and writers:
            checks.append(lambda: self.compare_writers(log, name, command, writers))

    def compare_card(self, log, name, fields, command):
        (answer,) = self.answers(log, command)
        expected = leaves(answer.get("state", answer))
        for path, text, stored in fields:
            # Texts of reports are left out, and characters that are not seen are shown as codes.
            if text == "—" or "\\u" in text + path or ("report" in answer and text in ("null", '""')):
                continue
            if path not in expected:
                raise AssertionError(f"{command}: has no {path}, which the page shows as {text}")
            value = plain(json.loads(stored)) if stored else text
            wanted = expected[path]
            if value not in (wanted, microseconds(wanted), json.dumps(wanted), str(microseconds(wanted))):
                raise AssertionError(f"{command}: {path} is {wanted!r}, the page shows {text!r}")
        self.cards += 1
        self.test.checked += len(fields)

    def compare_writers(self, log, name, command, writers):
        """The first is the last writer, and none is on the page only."""
        expected = [answer["position"] for answer in self.answers(log, command) if answer["field"] == name]
        shown = [int("".join(filter(str.isdigit, head.split(" ")[0] if head[0] == "#" else head)))
                 for head in writers]
        missing = [position for position in shown if position not in expected]
        self.test.equal(f"{command}: writers only on the page", missing, [])
        self.test.equal(f"{command}: the last writer", shown[:1], expected[:1])
        self.writers += 1

    def cycle(self, log, page, shown, checks):
        """The counts of steps, in a story of the whole log."""
        page.ask("daybookPage.go({ entity: -1 })")
        page.rest()
        for steps, command in page.ask(STEPS):
            shown.append(command)
            checks.append(lambda steps=steps, command=command: self.compare_steps(log, steps, command))

    def compare_steps(self, log, steps, command):
        counts = {}
        for answer in self.answers(log, command):
            if "event" in answer:
                step = (answer["from"], answer["to"])
                counts[step] = counts.get(step, 0) + answer["count"]
        shown = {(start, end): int(times.replace("\u202f", "")) for start, end, _, times in steps}
        for step, count in counts.items():
            self.test.equal(f"{command}: {step[0]} to {step[1]}", shown.get(step, 0), count)
        self.steps += len(counts)

    def again(self, log, path, story):
        """The command in the footer writes the same page."""
        output = os.path.join(log.folder, "again.html")
        code, _, error = log.run([*self.words(log, story["command"]), "--output", output, "--force"])
        self.test.equal(f"{log.name}: {story['command']} ended ({error.strip()[:200]})", code, 0)
        self.test.equal(f"{log.name}: {story['command']} writes the same story",
                        json.loads(story_of(output)[1]), story)


def check(test, browse, made, generator):
    commands = Commands(test, browse, generator)
    number = 0
    for log in made:
        for words in subjects(log, generator):
            number += 1
            commands.story(log, words, number)
    print(f"    {len(commands.ran)} commands, {commands.cards} states, {commands.writers} lists of writers, "
          f"{commands.steps} steps of life cycles")


def subjects(log, generator):
    """A story of everything, of an entity, of a part, and of each kind of other past."""
    entities = sorted((each["projection"], each["key"]) for name in ("entry", "session", "run", "cart")
                      for each in map(json.loads, log.run(
                          ["state", name, "--json", "--log", log.file])[1].splitlines()))
    events = len(log.tool.objects("log", "--json"))
    yield [*generator.choice(entities)]
    if events < 1000:
        yield []
        yield ["--from", str(events // 2), "--to", str(events // 2 + 40)]
    yield ["entry", "--skip", str(next(
        answer["position"] for answer in log.tool.objects("log", "--json")
        if answer["kind"].startswith("baby-care.entry-")))]
