"""Histories near those of the scenarios, by a seed: a number more, a step less, another order.

Their outcomes are not known, but two builds of the same rules give the same ones, those of the
checks that now fail as well.
"""
import collections
import pathlib
import random
import re
import shutil

SCENARIOS = pathlib.Path(__file__).resolve().parent.parent.parent / "Scenarios"
# No number of repetitions, which only make a scenario longer.
NUMBER = re.compile(r"(?<![\w.:/\"+-])(?<!repeat: )-?\d[\d_]*(?![\w.:/-])")
SPAN = re.compile(r"\b(\d+)(ms|s|m|min|h|d)\b")
CLOCK = re.compile(r"T(\d\d):(\d\d):(\d\d)")
DAY = re.compile(r"(?<=-)(\d\d)(?=T)")
WORD = re.compile(r"\b(\w+): ([A-Za-z][\w-]*)(?=[,}\n])")
TEXT = re.compile(r"\b(\w+): (\"[^\"\n]+\"|[^\s,{}\[\]\"'#|>&*][^,{}\[\]\n\"#]*)(?=[,}\n])")


class Near:
    """Makes files from the scenarios of an area; equal seeds make equal files."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        # What stands after a key anywhere, to put it in place of another value.
        self.values = collections.defaultdict(set)
        self.texts = collections.defaultdict(set)
        for path in SCENARIOS.rglob("*.yaml"):
            text = path.read_text()
            for key, value in WORD.findall(text):
                self.values[key].add(value)
            for key, value in TEXT.findall(text):
                self.texts[key].add(value.strip('"'))

    def write(self, folder, count):
        """Writes so many files for each scenario, in a folder for each area."""
        for path in sorted(SCENARIOS.rglob("*.yaml")):
            target = pathlib.Path(folder) / path.relative_to(SCENARIOS).parent
            target.mkdir(parents=True, exist_ok=True)
            for data in path.parent.glob("*.jsonl"):
                shutil.copy(data, target / data.name)
            text = path.read_text()
            for number in range(count):
                near = text
                for _ in range(self.random.choice((1, 1, 2, 3))):
                    near = self._changed(near)
                (target / f"{path.stem}-{number}.yaml").write_text(near)

    def _changed(self, text):
        head, colon, tail = text.partition("\nthen:")
        changes = [self._number, self._number, self._span, self._clock, self._word, self._truth,
                   self._text, self._text,
                   self._step, self._step, self._step, self._rules]
        return self.random.choice(changes)(head) + colon + tail

    def _replace(self, pattern, text, change):
        """A text with one of the places of a pattern changed, behind the title of the scenario."""
        start = text.find("\n", text.find("scenario:")) + 1
        found = list(pattern.finditer(text, start))
        if not found:
            return text
        place = self.random.choice(found)
        return text[:place.start()] + change(place) + text[place.end():]

    def _number(self, text):
        def change(place):
            value = int(place[0].replace("_", ""))
            return str(self.random.choice(
                (value + 1, value - 1, value * 2, value // 2, 0, -value, value + 59)))
        return self._replace(NUMBER, text, change)

    def _span(self, text):
        return self._replace(SPAN, text, lambda place: str(self.random.choice(
            (int(place[1]) + 1, max(int(place[1]) - 1, 0), int(place[1]) * 2,
             int(place[1]) * 60))) + place[2])

    def _clock(self, text):
        if self.random.random() < 0.4:
            return self._replace(DAY, text, lambda place: f"{self.random.randrange(1, 29):02}")
        return self._replace(CLOCK, text, lambda place: self.random.choice((
            f"T{self.random.randrange(24):02}:{place[2]}:{place[3]}",
            f"T{place[1]}:{self.random.randrange(60):02}:{place[3]}", "T00:00:00", "T23:59:59")))

    def _word(self, text):
        return self._replace(WORD, text, lambda place: place[1] + ": " + self.random.choice(
            sorted(self.values[place[1]])))

    def _text(self, text):
        """Puts another text after a key, or the words of two texts together."""
        def change(place):
            own, pool = place[2].strip('"'), sorted(self.texts[place[1]])
            other = self.random.choice(pool)
            if " " in own or " " in other:
                cut = self.random.randrange(len(own.split()) + 1)
                words = own.split()[:cut] + other.split()[self.random.randrange(3):]
                other = " ".join(words)
            return f'{place[1]}: "{other}"'
        return self._replace(TEXT, text, change)

    def _truth(self, text):
        return self._replace(re.compile(r"\b(true|false)\b"), text,
                             lambda place: "false" if place[0] == "true" else "true")

    def _rules(self, text):
        if "\nrules:" in text:
            return self._replace(re.compile(r"\nrules: .*"), text,
                                 lambda place: "\nrules: [standard, source]")
        return text.replace("\nclock:", "\nrules: [standard, source]\nclock:", 1)

    def _step(self, text):
        """Leaves a step out, gives it twice, or changes it with the next."""
        lines = text.split("\n")
        starts = [at for at, line in enumerate(lines) if line.startswith("  - ")]
        if len(starts) < 2:
            return text
        index = self.random.randrange(len(starts) - 1)
        begin, middle = starts[index], starts[index + 1]
        end = next((at for at in range(middle + 1, len(lines))
                    if not lines[at].startswith("    ")), len(lines))
        one, two = lines[begin:middle], lines[middle:end]
        way = self.random.randrange(3)
        if way == 0:
            return "\n".join(lines[:begin] + lines[middle:])
        if way == 1:
            return "\n".join(lines[:middle] + one + lines[middle:])
        if any(line and not line.startswith(("  ", "#")) for line in one):
            return text
        return "\n".join(lines[:begin] + two + one + lines[end:])
