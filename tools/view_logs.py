"""Logs whose pages tools/view-test opens, with the commands that are run on them."""
import datetime
import json
import os
import re
import shlex
import shutil

import example_logs
import processes

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ZONE = "America/Los_Angeles"
STORY = re.compile(r'<script type="application/json" id="story">(.*?)</script>', re.S)
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z")


class Log:
    """A log in a folder of its own, in which the commands of its pages are run."""

    def __init__(self, binary, name, folder):
        self.binary, self.name = binary, name
        self.folder = os.path.join(folder, name)
        os.makedirs(self.folder, exist_ok=True)
        self.file = f"{name}.daybook"
        self.tool = example_logs.ExampleLog(binary, os.path.join(self.folder, self.file))
        self.answers, self.ids = {}, None

    def run(self, words):
        """Exit code and standard output of a command, which runs once."""
        key = tuple(words)
        if key not in self.answers:
            done = processes.run(
                [self.binary, *words], cwd=self.folder,
                env={"PATH": os.environ["PATH"], "TZ": "UTC", "LC_ALL": "C.UTF-8"})
            self.answers[key] = (done.code, done.text, done.words)
        return self.answers[key]

    def words(self, command):
        """The words of a command that a page shows, as a shell reads them."""
        words = shlex.split(command)
        if words[0] != "replay" or words[-2:] != ["--log", self.file]:
            raise AssertionError(f"a command is not one of this log: {command}")
        return words[1:]

    def entities(self):
        """Every entity of the log, as projection and key. No argument of a program has a zero in it."""
        found = []
        for each in self.tool.schema():
            if each["kind"] == "projection":
                code, output, _ = self.run(["state", each["name"], "--json", "--log", self.file])
                found += [(each["name"], json.loads(line)["key"]) for line in output.splitlines() if code == 0]
        return [each for each in found if "\0" not in each[1]]

    def renamed(self):
        """The ids that some entity has had since it got another: a page knows an entity by its newest id
        at all moments, and `state --at` before the renaming does not."""
        if self.ids is None:
            events = self.tool.objects("log", "--kind", "household.id-replaced", "--json")
            self.ids = {value for event in events for value in event["payload"].values()
                        if isinstance(value, str)}
        return self.ids

    def view(self, words, number):
        """The path of a page and its story, or None if the command refuses the words."""
        path = os.path.join(self.folder, f"{number}.html")
        code, _, error = self.run(
            ["view", *words, "--log", self.file, "--output", path, "--force"])
        refusals = ["above 25 MB", "has states of its own under the rule set"]
        if code == 1 or (code == 2 and ("--edit" in words or any(each in error for each in refusals))):
            return None
        if code != 0:
            raise AssertionError(f"view {shlex.join(words)} ended with {code}: {error.strip()}")
        return path, json.loads(story_of(path)[1])


def story_of(path):
    """The story in a page, as a match of STORY."""
    with open(path, encoding="utf-8") as file:
        return STORY.search(file.read())


def own_page(binary, folder):
    """The page of a program before and after its story."""
    path, _ = witness(binary, os.path.join(folder, "own")).view(["--to", "1"], "page")
    story = story_of(path)
    return story.string[:story.start(1)], story.string[story.end(1):]


def tour(binary, folder):
    """The log of README: a day whose issued report changes later, a phone, and a run."""
    log = Log(binary, "tour", folder)
    run, docs = log.tool.run, os.path.join(ROOT, "docs")
    run("import", "--format", "babyconnect", "--baby", "mia", "--zone", ZONE, f"{docs}/tour-baby.csv")
    run("report", "daily", "--baby", "mia", "--date", "2020-03-08", "--issue")
    for name, options in [("tour-late.jsonl", []), ("tour.jsonl", ["--each"])]:
        with open(os.path.join(docs, name), "rb") as file:
            run("append", *options, stdin=file.read())
    run("import", "--format", "gpx", "--user", "kim", f"{docs}/tour-run.gpx", codes=(1,))
    return log


def facts(binary, folder, generator):
    """Facts of every kind, with ids from a few that collide, and awkward texts."""
    log = Log(binary, "facts", folder)
    log.tool.make_log()
    log.tool.add_facts(generator, 6)
    return log


def witness(binary, folder):
    """The log that an earlier release wrote, with every kind of event."""
    log = Log(binary, "witness", folder)
    shutil.copyfile(os.path.join(ROOT, "Tests", "Witness", "log.daybook"), log.tool.log)
    return log


def half_year(binary, folder, data):
    """A recorded half year of a baby's care."""
    log = Log(binary, "half-year", folder)
    (path,) = [os.path.join(data, "baby", name) for name in os.listdir(os.path.join(data, "baby"))
               if name.startswith("babyconnect_")]
    log.tool.run("import", "--format", "babyconnect", "--baby", "b", "--zone", ZONE, path, codes=(0, 1))
    return log


def logs(binary, folder, generator, data):
    made = [tour(binary, folder), facts(binary, folder, generator), witness(binary, folder)]
    if data and os.path.isdir(os.path.join(data, "baby")):
        made.append(half_year(binary, folder, data))
    else:
        print("    the half year: skipped, there is no ../shared/data")
    return made


def leaves(value, path=""):
    """The fields of an answer by their paths, as the page names them."""
    if isinstance(value, dict) and value:
        parts = {}
        for name, each in value.items():
            parts.update(leaves(each, f"{path}.{name}" if path else name))
        return parts
    if isinstance(value, list) and value:
        parts = {}
        for at, each in enumerate(value):
            parts.update(leaves(each, f"{path}[{at}]"))
        return parts
    return {path: value} if path else {}


def plain(value):
    """A value of a story: an integer that JavaScript cannot hold is a text of digits there."""
    if isinstance(value, dict) and list(value) == ["integer"]:
        return int(value["integer"])
    return value


def microseconds(value):
    """A time of an answer as a story has it; any other value as it is."""
    if not isinstance(value, str) or not TIME.fullmatch(value):
        return value
    whole, _, fraction = value.rstrip("Z").partition(".")
    seconds = datetime.datetime.strptime(whole, "%Y-%m-%dT%H:%M:%S") - datetime.datetime(1970, 1, 1)
    return (seconds.days * 86_400 + seconds.seconds) * 1_000_000 + int(fraction.ljust(6, "0") or 0)
