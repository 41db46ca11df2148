"""Makes mutants and refactors by a seed, builds them into one program, and finds the check that
notices each."""
import collections
import concurrent.futures
import json
import os
import resource
import shutil
import sys
import tempfile
import time

import asking
import listed
import near
import processes
import recording
import refactors
import sites
import workshop
from processes import DEVNULL, PIPE

# Seconds that a question may take without a mutant, and how many times as long with one, beyond
# which it is taken to have no end.
PATIENCE, SLOWER = 240, 12
# Bytes that a mutant may allocate.
MOST_BYTES = 4 << 30
# Where logs are written without waiting for a disk, if there is such a place.
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
UNNOTICED, EQUIVALENT = "unnoticed", "listed as equivalent"
CORES = os.cpu_count() or 1


def limited():
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_BYTES, MOST_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Asker:
    """Asks one build all questions, and a mutant only those that reach its place."""

    def __init__(self, original, program, areas, work, questions):
        self.original, self.program, self.areas = original, program, areas
        self.work, self.questions = work, questions
        self.answers, self.reached, self.patience = [], [], []

    def ask(self, question, mutant=0, reached=None, program=None, patience=PATIENCE):
        """The answer of a build to a question: its exit code and what it printed."""
        environment = {"PATH": os.environ["PATH"], "TZ": "UTC", "LC_ALL": "C",
                       "DAYBOOK_MUTANT": str(mutant)}
        if reached:
            environment["DAYBOOK_MUTANTS_REACHED"] = reached
        program = program or (self.areas if question[0] == "areas" else self.program)

        def run(arguments, lines):
            # Reports and audits say on standard error what they left out.
            remarks = PIPE if question[0] in ("report", "audit") else DEVNULL
            done = processes.run(
                [program, *arguments], lines or DEVNULL, patience, cwd=workshop.ROOT, env=environment,
                stderr=remarks, preexec_fn=limited)
            if done.code is None:
                return "no end", b""
            is_refused = done.code == 2
            return done.code, done.out + (b"" if is_refused else done.errors)

        if question[0] in ("append", "import"):
            with tempfile.TemporaryDirectory(dir=self.work) as folder:
                return recording.record(run, self.original, question, folder)
        return run(question[1:] if question[0] == "areas" else question, None)

    def ask_all(self, pool):
        """Asks without a mutant, and keeps the answers and the places that each question reaches."""
        def first(numbered):
            number, question = numbered
            path = os.path.join(self.work, f"reached-{number}")
            with open(path, "wb") as file:
                file.truncate(1 << 16)
            started = time.monotonic()
            answer = self.ask(question, reached=path)
            took = time.monotonic() - started
            with open(path, "rb") as file:
                marks = file.read()
            os.remove(path)
            return answer, {at for at, mark in enumerate(marks) if mark}, took

        asked, self.questions = self.questions, []
        for question, (answer, marks, took) in zip(asked, pool.map(first, enumerate(asked))):
            # A question that is refused tells nothing, such as one about a rule set without states.
            if answer != (2, b""):
                self.questions.append(question)
                self.answers.append(answer)
                self.reached.append(marks)
                self.patience.append(10 + SLOWER * took)

    def alarms(self, pool):
        """Questions that the build without a mutant answers otherwise than the original."""
        asked = [question for question in self.questions if question[0] != "areas"]
        own = [answer for question, answer in zip(self.questions, self.answers)
               if question[0] != "areas"]
        theirs = pool.map(lambda question: self.ask(question, program=self.original), asked)
        found = [question for question, one, two in zip(asked, own, theirs) if one != two]
        return found + [question for question, answer in zip(self.questions, self.answers)
                        if question[0] == "areas" and answer != (0, b"")]

    def noticed(self, number, area):
        """The first question whose answer a mutant changes; `None` if there is none."""
        reaching = [at for at, marks in enumerate(self.reached) if number in marks]
        reaching.sort(key=lambda at: order(self.questions[at], f"/{folder(area)}"))
        for at in reaching:
            question = self.questions[at]
            answer = self.ask(question, number, patience=self.patience[at])
            # What is recorded anew each time has to be the same again without the mutant.
            if answer != self.answers[at] and (question[0] not in ("append", "import") or self.ask(
                    question) == self.answers[at]):
                return said(question, answer)
        return None


def folder(area):
    """The folder of an area's scenarios: `baby-care` for `BabyCare`."""
    return "".join("-" + char.lower() if char.isupper() else char for char in area).lstrip("-")


def order(question, own):
    """Where a question stands among those that are asked: what notices most for its time, first."""
    if question[0] == "check":
        return (0 if is_scenario(question) else 1), not question[1].endswith(own)
    return {"append": 2, "import": 3, "trace": 4, "audit": 5, "areas": 7}.get(question[0], 6), False


def is_scenario(question):
    return question[0] == "check" and question[1].startswith("Scenarios/")


def said(question, answer):
    """The way in which a question noticed a mutant, and how, for people."""
    way = "scenarios" if is_scenario(question) and answer[0] != 0 else {
        "areas": "checkArea"}.get(question[0], "compare")
    arguments = question[1][-1] if question[0] == "import" else question[1:]
    words = [os.path.basename(each) for each in arguments if each not in (
        "--log", "--tzdata", "--json", asking.ZONES)]
    code = answer[0]
    end = " without an end" if code == "no end" else f" by signal {-code}" if code < 0 else ""
    first = ""
    if way == "scenarios" and not end:
        failed = (json.loads(line) for line in answer[1].splitlines() if b'"passed":false' in line)
        first = next((": " + each["scenario"] for each in failed), "")
    return f"noticed by {way}", " ".join([question[0], *words]) + end + first


def questions(original, work, seed, effort):
    """All questions, and the logs and files that they are about.

    `effort` says how many histories near each scenario are tried, and multiplies others; the least
    leaves three of four reports out.
    """
    log, witness = os.path.join(work, "scenarios.daybook"), os.path.join(work, "witness.daybook")
    shutil.copy(workshop.ROOT / "Tests/Witness/log.daybook", witness)
    events = asking.scenario_log(original, log)
    folders = sorted(path.name for path in (workshop.ROOT / "Scenarios").iterdir()
                     if path.is_dir() and not path.name.startswith("_"))
    beside = os.path.join(work, "near")
    near.Near(seed).write(beside, effort)
    found = [["check", f"Scenarios/{name}", "--json"] for name in folders]
    found += [["check", os.path.join(beside, name), "--json"] for name in folders]
    found += asking.asked(original, witness, log, events)
    found += asking.of_generated(original, seed, 100 * effort, work)
    found += [["import", files] for files in recording.imports(seed, original, witness, work)]
    if effort < 2:
        found = [question for number, question in enumerate(found)
                 if question[0] != "report" or number % 4 == 0]
    areas = sorted(path.name for path in workshop.RULES.iterdir() if path.is_dir())
    return found + [["areas", area] for area in areas]


def run(count, refactor_count, seed, effort, again=False, without_gaps=False, gaps_alone=False):
    """Draws, builds and asks; returns the exit code."""
    started = time.monotonic()
    traits = processes.run(["tools/debug-build", "options"], cwd=workshop.ROOT).needs().text.split()
    package = processes.run(
        ["swift", "build", "--product", "replay", *traits], timeout=None, cwd=workshop.ROOT)
    if package.code:
        print(f"mutations: the package does not build:\n{package.text[-2000:]}", file=sys.stderr)
        return 2
    building = time.monotonic() - started
    original = str(workshop.ROOT / ".build/debug/replay")
    sources = workshop.read()
    every = list(sites.all_sites(sources))
    try:
        reasons = listed.reasons(every, listed.EQUIVALENT.read_text())
        gaps = listed.reasons(every, listed.GAPS.read_text())
    except listed.Unmatched as error:
        print(f"mutations: a list in tools/mutants: {error}", file=sys.stderr)
        return 2
    if without_gaps:
        every = [site for site in every if site.key not in gaps]
    if gaps_alone:
        every = [site for site in every if site.key in gaps]
        count = len(every)
    print(f"{count} mutants of {len(every)} places, {refactor_count} refactors; seed {seed}")
    draw = sites.Draw(every, count, seed)
    changes = refactors.draw(list(refactors.all_refactors(sources)), refactor_count, seed, draw)
    bench = workshop.Workshop(workshop.ROOT / ".build-mutations/made")
    mutants, changes = bench.build(sources, draw.mutants, changes, draw.instead_of, print)
    with tempfile.TemporaryDirectory(dir=MEMORY) as work, \
            concurrent.futures.ThreadPoolExecutor(CORES) as pool:
        asker = Asker(original, str(bench.folder / "replay"), str(bench.folder / "areas"), work,
                      questions(original, work, seed, effort))
        asker.ask_all(pool)
        alarms = asker.alarms(pool)
        for question in alarms:
            print(f"ALARM  without a mutant, another answer to: "
                  f"{said(question, (0, b''))[1]}")
        ways = judge(asker, pool, mutants, reasons, bench.folder, again)
    for change in changes if alarms else ():
        print(f"    refactored: {change.path}:{change.line} {change.kind}")
    parts = [f"{ways[way]} {way}" for way in sorted(ways)]
    print(f"{len(mutants)} mutants: {', '.join(parts)}; {len(changes)} refactors, "
          f"{len(alarms)} alarms; seed {seed}; {building + bench.took:.0f} s of building")
    return 1 if ways[UNNOTICED] or alarms or len(changes) < refactor_count else 0


def judge(asker, pool, mutants, reasons, folder, again):
    """Prints the check that notices each mutant, and counts the kinds of checks.

    `again` leaves out those that the last run over the same draw saw noticed. What nothing notices
    is written to a file in the form of the lists.
    """
    file, gaps = folder / "noticed.json", folder / "gaps.txt"
    known = json.loads(file.read_text()) if again and file.exists() else {}

    def one(numbered):
        number, mutant = numbered
        if mutant.key in reasons:
            return mutant, (EQUIVALENT, reasons[mutant.key])
        if mutant.key in known:
            return mutant, tuple(known[mutant.key])
        found = asker.noticed(number, mutant.path.split("/")[0])
        reaching = sum(number in marks for marks in asker.reached)
        return mutant, found or (UNNOTICED, f"reached by {reaching} questions")

    ways = collections.Counter({UNNOTICED: 0})
    results, left = {}, []
    for mutant, (way, text) in pool.map(one, enumerate(mutants, 1)):
        ways[way] += 1
        if way not in (UNNOTICED, EQUIVALENT):
            results[mutant.key] = (way, text)
        print(f"{way.upper() if way == UNNOTICED else way}  {mutant.path}:{mutant.line}  "
              f"{mutant.change}\n    {mutant.text}\n    {text}", flush=True)
        if way == UNNOTICED:
            left.append(f"{mutant.key}\n{text}\n")
    file.write_text(json.dumps(results))
    gaps.write_text("\n".join(left))
    return ways
