#!/usr/bin/env python3
"""Opens the served page of `replay view` in Debian's Chromium and uses it.

    tools/view_live.py BINARY [--log FILE]

BINARY is the tool `replay`. The test makes logs in a folder of its own, starts the server over each, and
ends it. With a log of more events than a story has, it measures only how long a reader of it waits. It needs
what tools/view-test needs, and skips as it does.
"""
import argparse
import importlib.util
import json
import os
import random
import re
import shutil
import sys
import tempfile
import time
import urllib.error
import urllib.request

import processes
import view_walk

TOOLS = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(TOOLS)
ZONE = "America/Los_Angeles"
HARM = "<img src=x onerror=\"document.title='harmed'\">"
# Milliseconds that the page is built for. They are shown and not held: a busy machine takes longer.
AIMS = {"input to paint p95": 50, "bins after a zoom p95": 150}


def view_test():
    """The program tools/view-test as a module: it has the page in the browser."""
    sys.dont_write_bytecode = True
    return processes.module(os.path.join(TOOLS, "view-test"))


class Served(processes.Tool):
    """The server of a binary over a log, until the end of a `with`."""

    def __init__(self, binary, log, *words):
        super().__init__(binary, log)
        self.process = processes.start(
            [binary, "view", *words, "--log", log], stdout=processes.PIPE, stderr=processes.DEVNULL,
            text=True)
        self.url = self.process.stdout.readline().strip()
        found = re.fullmatch(r"(http://127\.0\.0\.1:\d+/)#token=([0-9a-f]{32})", self.url)
        if found is None:
            raise AssertionError(f"the address of the server: {self.url!r}")
        self.base, self.token = found.groups()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        code = processes.end(self.process)
        if code != 0:
            raise AssertionError(f"the server ended with {code}")

    def status(self, path, headers):
        """The status of a request with headers of its own."""
        try:
            with urllib.request.urlopen(urllib.request.Request(self.base + path, headers=headers)) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            return error.code

    def ask(self, path):
        request = urllib.request.Request(self.base + path, headers={"Daybook-Token": self.token})
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def own_memory(self):
        """The memory of the server that is not the log's file, in KiB."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
            return int(re.search(r"RssAnon:\s+(\d+)", file.read()).group(1))


def sign_in(user, hour, device="phone-1"):
    """A command that one user signs in, as a line."""
    at = f"2026-03-02T{hour:02d}:00:00+09:00"
    return json.dumps({
        "command": "session.sign-in", "at": at, "zone": "Asia/Seoul", "actor": user, "device": device,
        "data": {"userId": user, "provider": "kakao", "family": f"family of {user}", "device": device,
                 "accessHash": f"{user} access {hour}", "refreshHash": f"{user} refresh {hour}",
                 "expiresInS": 3600}}) + "\n"


def make_log(binary, folder, name, hostile):
    """A log of a baby's days, a run and a session; one where each text would do harm as markup."""
    log = os.path.join(folder, f"{name}.daybook")
    tool = processes.Tool(binary, log)

    def run(*words, lines=""):
        # 1 says that a row was rejected: the run has an impossible point.
        tool.run(*words, stdin=lines, codes=(0, 1))

    if hostile:
        with open(os.path.join(ROOT, "docs", "tour-baby.csv"), encoding="utf-8") as file:
            rows = file.read().replace("Ben", "<script>document.title='harmed'</script>")
        path = os.path.join(folder, "hostile.csv")
        with open(path, "w", encoding="utf-8") as file:
            file.write(rows)
        run("import", "--format", "babyconnect", "--baby", HARM, "--zone", ZONE, path)
        run("append", lines=sign_in(HARM, 9, "</script><svg onload=document.title='harmed'>"))
    else:
        run("import", "--format", "babyconnect", "--baby", "mia", "--zone", ZONE,
            os.path.join(ROOT, "docs", "tour-baby.csv"))
        with open(os.path.join(ROOT, "docs", "tour.jsonl"), encoding="utf-8") as file:
            run("append", "--each", lines=file.read())
        run("import", "--format", "gpx", "--user", "kim", os.path.join(ROOT, "docs", "tour-run.gpx"))
        with open(os.path.join(ROOT, "docs", "tour-late.jsonl"), encoding="utf-8") as file:
            run("append", lines=file.read())
    return log


def busy_log(binary, folder):
    """A log of two months of babies' entries and sign-ins, by day and less by night."""
    draw = random.Random(28)
    babies = ["mia", "leo", "ida"]
    lines = [{"command": "household.onboard", "at": "2026-02-28T09:00:00+09:00",
              "data": {"babyId": baby, "householdId": f"home of {baby}", "zone": "Asia/Seoul", "by": "ana"}}
             for baby in babies]
    for number in range(3_000):
        hour = draw.choice([*range(7, 22), *range(7, 22), *range(24)])
        at = f"2026-{draw.randrange(3, 5):02d}-{draw.randrange(1, 29):02d}T{hour:02d}:{draw.randrange(60):02d}"
        user = f"user-{draw.randrange(40)}"
        if draw.random() < 0.3:
            line = json.loads(sign_in(user, 9, f"phone-{number}"))
            line["at"] = f"{at}:00+09:00"
            for name in ["family", "accessHash", "refreshHash"]:
                line["data"][name] += f" {number}"
        else:
            kind = draw.choice(["formula", "formula", "pee", "pee", "sleep", "poo"])
            line = {"command": "baby-care.record", "at": f"{at}:00+09:00", "zone": "Asia/Seoul",
                    "data": {"entryId": f"e{number}", "babyId": draw.choice(babies),
                             "kind": kind, "by": "ana",
                             "startedUs": f"{at}:00+09:00", "endedUs": f"{at}:30+09:00"}}
        lines.append(line)
    lines.sort(key=lambda each: each["at"])
    log = os.path.join(folder, "busy.daybook")
    # Some are refused: two entries of one kind at once.
    processes.Tool(binary, log).run("append", "--each", codes=(0, 1),
                                    stdin="".join(json.dumps(each) + "\n" for each in lines))
    return log


def pictures(browser, binary, folder, take):
    """The overview of a log, and a question asked of it; `take` writes what is in sight."""
    tests = view_test()
    context = browser.new_context(viewport={"width": 1280, "height": 800}, color_scheme="light",
                                  locale="en-GB", timezone_id="UTC")
    live = Live(tests, None, context)
    with Served(binary, busy_log(binary, folder)) as served:
        browsed = live.whole(served, "clock=occurred&lanes=kind")
        take(browsed, "overview")
        browsed.close()
    with Served(binary, make_log(binary, folder, "asked", False), "session", "phone-1") as served:
        browsed = live.open(served.url)
        live.story(browsed, "the story", "daybookPage.story.count > 3")
        browsed.click("#tab-ask")
        line = browsed.page.locator(".ask input")
        line.fill("replay blame session phone-1 whyLogin")
        line.press("Enter")
        live.until(browsed, "document.querySelector('.output')?.textContent.length > 20", "the answer")
        take(browsed, "ask")
    context.close()


class Live:
    def __init__(self, tests, test, context):
        self.tests, self.test, self.context = tests, test, context

    def open(self, url):
        page, _, fragment = url.partition("#")
        browsed = self.tests.Browsed(self.context, "", "", address=f"{page}#{fragment}")
        return browsed

    @staticmethod
    def until(browsed, condition, what):
        """Waits until an expression in the page holds."""
        if not processes.wait_until(lambda: browsed.ask(condition), pause=0.05):
            raise AssertionError(f"{what}: does not come")

    def whole(self, served, place):
        """The whole log, which stays though a story would hold all of this small one."""
        browsed = self.open(served.url.replace("#", f"#log=1&{place}&"))
        self.until(browsed, "!!globalThis.daybookPage", "the whole log")
        browsed.ask("daybookPage.openInSight = () => {}")
        self.until(browsed, "!!daybookPage.timeline.answer", "the bins")
        return browsed

    def story(self, browsed, what, condition="true"):
        self.until(browsed, f"!!globalThis.daybookPage?.story && ({condition})", what)
        browsed.rest()

    def overview(self, served):
        """The whole log, its zooms by key, wheel and table, and the way to a story and back."""
        browsed = self.whole(served, "lanes=actor&clock=order")
        whole = served.ask("log")["log"]["events"]
        self.test.equal("events in sight", browsed.ask("daybookPage.timeline.answer.count"), whole)
        for key, name, value in [("l", "lanes", "device"), ("l", "lanes", "entity"), ("l", "lanes", "kind"),
                                 ("c", "clock", "recorded"), ("c", "clock", "occurred"),
                                 ("c", "clock", "order")]:
            browsed.key(key)
            self.test.equal(f"key {key}", browsed.place(name), value)
        before = browsed.ask("JSON.stringify(daybookPage.timeline.range)")
        browsed.key("+")
        self.test.differ("key +", browsed.ask("JSON.stringify(daybookPage.timeline.range)"), before)
        browsed.key("-")
        box = browsed.page.locator(".surface").bounding_box()
        browsed.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 60)
        browsed.page.mouse.wheel(0, -300)
        self.until(browsed, "daybookPage.place.range !== null", "the wheel zooms")
        browsed.key("0")
        self.test.equal("the log is not changed by looking", served.ask("log")["log"]["events"], whole)
        browsed.close()

    def zooms(self, served, place="lanes=kind&clock=occurred"):
        """How long input takes to be painted, and a zoom until the bins of its range are."""
        browsed = self.whole(served, place)
        input_time, bins_time = browsed.ask("""(async () => {
            const page = daybookPage;
            const painted = () => new Promise((done) => requestAnimationFrame(() => {
                const { port1, port2 } = new MessageChannel();
                port1.onmessage = done;
                port2.postMessage(0);
            }));
            const p95 = (times) => times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)];
            const [inputs, answers] = [[], []];
            for (let at = 0; at < 40; at++) {
                const start = performance.now();
                const before = page.timeline.answer;
                if (at % 8 === 7) page.go({ range: null });
                else page.zoom(at % 2 ? 0.6 : 0.8, NaN);
                await painted();
                inputs.push(performance.now() - start);
                while ((page.timeline.answer === before || page.isAsking)
                    && performance.now() - start < 5000) {
                    await new Promise((done) => setTimeout(done, 1));
                }
                await painted();
                answers.push(performance.now() - start);
            }
            return [p95(inputs), p95(answers)];
        })()""")
        for name, value in [("input to paint p95", input_time), ("bins after a zoom p95", bins_time)]:
            print(f"    {name}: {value:.0f} ms (aim {AIMS[name]})")
        browsed.close()

    def large(self, served):
        """How long a reader of a large log waits: for its bins, for zooms, and for the events in a bin."""
        started = time.monotonic()
        browsed = self.open(served.url.replace("#", "#log=1&"))
        self.until(browsed, "!!globalThis.daybookPage?.timeline?.answer", "the bins")
        print(f"    first picture: {(time.monotonic() - started) * 1000:.0f} ms")
        self.until(browsed, "daybookPage.timeline.answer.read === daybookPage.timeline.answer.events",
                   "all is read", 120)
        print(f"    all events read: {(time.monotonic() - started) * 1000:.0f} ms, "
              f"{served.own_memory() / 1024:.0f} MiB of the server's own")
        for name, act in [
                ("a click on a bin, until its events are shown",
                 "daybookPage.openAt(daybookPage.timeline.coordinateAt(%d))"),
                ("events around a position", "daybookPage.live.openAround(Math.floor(daybookPage.live.events * %d / 1000))")]:
            times = []
            for place in range(200, 1000, 100):
                browsed.ask("daybookPage.live.openLog('')")
                self.until(browsed, "!daybookPage.story && !!daybookPage.timeline.answer", "the log")
                times.append(browsed.ask(f"""(async () => {{
                    const start = performance.now();
                    {act % place};
                    while (!daybookPage.story && performance.now() - start < 10000) {{
                        await new Promise((done) => setTimeout(done, 1));
                    }}
                    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
                    return daybookPage.story ? performance.now() - start : null;
                }})()"""))
            self.test.equal(name, None in times, False)
            print(f"    {name}: {sorted(times)[len(times) // 2]:.0f} ms, at most {max(times):.0f} ms")
        view_walk.walk(self.test, browsed, "live")
        browsed.close()
        for clock in ["recorded", "occurred", "order"]:
            for lanes in ["kind", "actor", "device", "entity"]:
                print(f"   by {lanes}, clock {clock}:")
                self.zooms(served, f"lanes={lanes}&clock={clock}")
        print(f"    then {served.own_memory() / 1024:.0f} MiB of the server's own")

    def stories(self, served):
        """From the log to a story and back, by palette, link, reload and history."""
        browsed = self.open(served.url)
        self.story(browsed, "a small log opens as a story")
        key = browsed.ask("daybookPage.story.entities.find((each) => each.projection === 'entry').key")
        browsed.key("Control+k")
        browsed.page.keyboard.type(f"entry {key}")
        browsed.key("Enter")
        self.story(browsed, "the palette opens an entity",
                   f"daybookPage.story.source.subject.key === {json.dumps(key)}")
        browsed.addressed()
        other = self.open(browsed.ask("location.href"))
        self.story(other, "the link of a story")
        self.test.equal("a link leads to the same story", other.ask("daybookPage.story.source.title"),
                        browsed.ask("daybookPage.story.source.title"))
        other.close()
        browsed.ask("history.back()")
        self.story(browsed, "a step back", "daybookPage.story.source.subject.kind === 'range'")
        browsed.click("text=Whole log")
        self.story(browsed, "a small log is a story again", "daybookPage.story.source.subject.from === 1")
        browsed.page.route("**/story", lambda route: route.fulfill(status=200, body='{"daybookStory":1,'))
        browsed.ask("daybookPage.live.open([])")
        self.until(browsed, "document.querySelector('.note').textContent.includes('broke off')",
                   "a story that breaks off is not asked for again")
        browsed.page.unroute("**/story")
        return browsed

    def what_if(self, browsed, served):
        """An event left out, and its past beside the recorded one, equal to what the command says."""
        key = browsed.ask("daybookPage.story.entities.find((each) => each.projection === 'entry').key")
        browsed.ask(f"daybookPage.live.open(['entry', {json.dumps(key)}])")
        self.story(browsed, "an entity", f"daybookPage.story.source.subject.key === {json.dumps(key)}")
        position = browsed.ask("daybookPage.story.position[daybookPage.place.row]")
        browsed.click(".what-if summary")
        browsed.click("text=Without this event")
        self.story(browsed, "without the event", "daybookPage.story.alternatives.length === 1")
        self.test.equal("the tab of two pasts", browsed.place("tab"), "alternative")
        self.test.equal("the moment is kept", browsed.ask(
            "daybookPage.story.position[daybookPage.place.row]"), position)
        self.test.equal("the two pasts differ", browsed.page.locator(".versus tbody tr").count() > 0, True)
        self.test.equal("the change is listed", browsed.page.locator(".what-if .badge").count(), 1)
        browsed.page.locator(".what-if [aria-label=Position]").fill("1")
        browsed.click("text=Move it")
        self.until(browsed, "document.querySelector('.note').textContent !== ''"
                   " || daybookPage.live.words.includes('--move')", "a move is answered")
        browsed.rest()
        browsed.ask("daybookPage.live.open(daybookPage.live.words.slice(0, 4))")
        self.story(browsed, "one change", "daybookPage.live.words.length === 4")
        browsed.click(".what-if >> text=Remove")
        self.story(browsed, "no change any more", "daybookPage.story.alternatives.length === 0")
        self.test.equal("the story as before", browsed.ask("daybookPage.live.words"), ["entry", key])
        run = browsed.ask("daybookPage.live.open([]).then(() => daybookPage.story.entities.find("
                          "(each) => each.projection === 'run').key)")
        browsed.ask(f"daybookPage.live.open(['run', {json.dumps(run)}])")
        browsed.rest()
        browsed.click(".what-if button:text-is('source')")
        self.story(browsed, "other rules", "daybookPage.live.words.includes('--other-rules')")
        self.test.equal("the pasts by two rule sets", browsed.ask(
            "daybookPage.story.alternatives[0].source.kind"), "rules")
        browsed.ask(f"daybookPage.live.open(['entry', {json.dumps(key)}])")
        self.story(browsed, "the entity again", "daybookPage.live.words.length === 2")

    def asks(self, browsed, served):
        """Questions in the words of the terminal, answered as there."""
        browsed.click("#tab-ask")
        line = browsed.page.locator(".ask input")
        for words in [["log", "--limit", "3"], ["audit"], ["list", "entry"]]:
            line.fill(" ".join(["replay", *words]))
            line.press("Enter")
            self.until(browsed, "/\\(\\d\\)/.test(document.querySelector('.ask [role=status]').textContent)",
                       f"the answer to {words}")
            self.test.equal(f"the answer to {words}", browsed.ask(
                "document.querySelector('.output').textContent").strip(), served.answer(*words).text.strip())
        line.fill("replay erase --person x")
        line.press("Enter")
        self.until(browsed, "!document.querySelector('.ask [role=status]').textContent.startsWith('Asking')",
                   "a refusal")
        self.test.equal("what writes is refused", browsed.page.locator(".output:visible").count(), 0)
        commands = browsed.ask("""[...document.querySelectorAll('.ask option')].map((each) => each.value)
            .filter((each) => each)""")
        for command in commands:
            code = browsed.ask(f"""daybookPage.live.answers.run({json.dumps(command)})
                .then(() => document.querySelector('.ask [role=status]').textContent)""")
            self.test.equal(f"{command}: {code}", "(0)" in code or "(1)" in code, True)
        browsed.click("#tab-state")
        browsed.click(".event .command >> text=Run")
        self.test.equal("Run leads to the answer", browsed.place("tab"), "ask")
        self.until(browsed, "document.querySelector('.output').textContent.length > 20", "the answer of Run")

    def follows(self, served):
        """New events: at the end a story goes on, elsewhere the page says how many there are."""
        browsed = self.open(served.url)
        self.story(browsed, "the story")
        def append(hour):
            before = served.ask("head?after=0")["events"]
            served.answer("append", stdin=sign_in(f"user-{hour}", hour, f"phone-{hour}"))
            self.appended_at = time.time() * 1000
            after = served.ask(f"head?after={before}")["events"]
            self.test.equal("an event was appended", after > before, True)
            return after

        # The page notes when it has drawn another story; both clocks are the machine's.
        browsed.ask("""(() => {
            const before = daybookPage.story.count;
            const look = () => {
                if (daybookPage.story.count > before) globalThis.drawnAt = Date.now();
                else requestAnimationFrame(look);
            };
            look();
        })()""")
        events = append(10)
        self.story(browsed, "the new event", f"daybookPage.story.count === {events}")
        self.until(browsed, "!!globalThis.drawnAt", "the new event is drawn")
        shown = browsed.ask("drawnAt") - self.appended_at
        print(f"    a new event was drawn {shown:.0f} ms after its append had ended (aim 200)")
        self.test.equal("at the end the moment goes on", browsed.place("row"), events - 1)
        browsed.ask("daybookPage.go({ row: 3 })")
        events = append(11)
        self.story(browsed, "another new event", f"daybookPage.story.count === {events}")
        self.test.equal("elsewhere it stays", browsed.place("row"), 3)
        browsed.ask("daybookPage.live.open(['--from', '1', '--to', '20'])")
        self.story(browsed, "a story of the past", "daybookPage.story.count === 20")
        events = append(12)
        browsed.page.wait_for_selector(".note:has-text('new event')", timeout=120_000)
        browsed.click(".note button")
        self.story(browsed, "the newest events", f"daybookPage.story.count === {events}")
        return browsed

    def lost(self, browsed):
        """The page reports a missing server at its next request."""
        browsed.page.wait_for_selector(".note:has-text('does not answer')", timeout=120_000)
        self.test.equal("a lost server is said", True, True)
        # A request that fails is a complaint of the browser's console.
        browsed.complaints.clear()
        browsed.close()

    def keys(self, served):
        """The answers of the server to requests without the token, or from elsewhere."""
        token = {"Daybook-Token": served.token}
        for what, path, headers, expected in [
                ("the page", "", {}, 200), ("no token", "log", {}, 403),
                ("a wrong token", "log", {"Daybook-Token": "0" * 32}, 403),
                ("the token", "log", token, 200),
                ("another host", "log", {**token, "Host": "example.com"}, 403),
                ("another origin", "log", {**token, "Origin": "http://example.com"}, 403),
                ("the page of another host", "", {"Host": "example.com"}, 403)]:
            self.test.equal(what, served.status(path, headers), expected)
        browsed = self.open(served.url.replace(served.token, "0" * 32))
        browsed.page.wait_for_selector("main.failed:has-text('token')")
        self.test.equal("a page without the token holds no data", browsed.page.locator("td, li").count(), 0)
        browsed.close()

    def policy(self, served):
        """The browser refuses a served script or style of which one byte has changed on the way."""
        for part, expected in [(None, [True, 1]), ("script", [False, 1]), ("style", [True, 0])]:
            def answer(route):
                response = route.fetch()
                body = response.body()
                route.fulfill(response=response, body=self.tests.with_changed_byte(body, part) if part else body)
            self.context.route(served.base, answer)
            browsed = self.open(served.url)
            if expected[0]:
                self.story(browsed, "the story of a served page")
            # The script of a served page asks its server before it has a page.
            self.test.equal(f"refused by the policy: {part} changed", part is not None, any(
                "Content Security Policy" in each for each in browsed.complaints))
            self.test.equal(f"script runs, styles: {part} changed", browsed.ask(self.tests.RUNS), expected)
            browsed.close()
            self.context.unroute(served.base)

    def hostile(self, served):
        browsed = self.open(served.url)
        self.story(browsed, "the hostile story")
        for tab in ["cycle", "findings", "late", "alternative", "search", "ask", "state"]:
            browsed.click(f"#tab-{tab}")
        for lanes in ["actor", "device", "kind", "entity"]:
            browsed.ask(f"daybookPage.go({{ lanes: '{lanes}' }})")
            browsed.rest()
        browsed.ask("daybookPage.live.answers.run('replay log --payload')")
        browsed.ask("daybookPage.live.answers.run('replay list entry')")
        browsed.ask("daybookPage.go({ tab: 'ask' })")
        browsed.rest()
        overview = self.whole(served, "lanes=actor&clock=order")
        for page in [browsed, overview]:
            self.test.equal("no element of a text", page.page.locator(
                "main img, main b, main iframe, main script, [onerror], [onload]").count(), 0)
            self.test.equal("no script of a text", "harmed" in page.page.title(), False)
            self.test.equal("complaints", page.complaints, [])
            self.test.equal("requests go to the server only",
                            [each for each in page.requests if not each.startswith(served.base)], [])
            page.close()

    def axe(self, browsed, what):
        package = importlib.util.find_spec("axe_playwright_python")
        if package is None:
            print("    axe: skipped, axe-playwright-python is not installed")
            return
        with open(os.path.join(os.path.dirname(package.origin), "axe.min.js"), encoding="utf-8") as file:
            browsed.ask(file.read() + "; 0")
        for theme in ["light", "dark"]:
            browsed.ask(f"document.documentElement.dataset.theme = '{theme}'; daybookPage.recolor()")
            browsed.rest()
            self.test.equal(f"axe, {what}, {theme}", browsed.ask(
                "axe.run().then((all) => all.violations.map((each) => each.id + ': '"
                " + each.nodes[0].html.slice(0, 160)))"), [])


def run(playwright, chromium, binary, folder, large):
    tests = view_test()
    browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.set_default_timeout(120_000)
    test = tests.Test(context, folder)
    live = Live(tests, test, context)

    def phase(name, act):
        started, checked = time.monotonic(), test.checked
        result = act()
        print(f"{name}: {test.checked - checked} checks, {time.monotonic() - started:.1f} s", flush=True)
        return result

    if large:
        with Served(binary, large) as served:
            phase("a large log", lambda: live.large(served))
        browser.close()
        return
    log = make_log(binary, folder, "tour", False)
    with Served(binary, log) as served:
        phase("who is let in", lambda: live.keys(served))
        phase("a changed byte", lambda: live.policy(served))
        phase("the whole log", lambda: live.overview(served))
        phase("times of the whole log", lambda: live.zooms(served))
        browsed = phase("stories", lambda: live.stories(served))
        phase("what if", lambda: live.what_if(browsed, served))
        phase("questions", lambda: live.asks(browsed, served))
        phase("axe, a live story", lambda: live.axe(browsed, "ask"))
        browsed.close()
        overview = live.whole(served, "clock=occurred")
        phase("axe, the whole log", lambda: live.axe(overview, "the whole log"))
        overview.close()
        browsed = phase("new events", lambda: live.follows(served))
    phase("a server that is gone", lambda: live.lost(browsed))
    with Served(binary, make_log(binary, folder, "hostile", True), "--texts") as served:
        phase("hostile texts", lambda: live.hostile(served))
    browser.close()
    print(f"{test.checked} checks")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", metavar="BINARY")
    parser.add_argument("--log", metavar="FILE")
    options = parser.parse_args()
    tests = view_test()
    chromium = shutil.which("chromium")
    if chromium is None:
        tests.skip("chromium is not installed")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        tests.skip("playwright is not installed")
    with tempfile.TemporaryDirectory(prefix="view-live-") as folder, sync_playwright() as playwright:
        try:
            run(playwright, chromium, os.path.abspath(options.binary), folder, options.log)
        except AssertionError as error:
            sys.exit(f"view_live: {error}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
