"""A build of the program in which the rules have mutants behind a switch, and refactors.

Only the module of the rules is compiled again, with what the package's own debug build was
compiled with, and linked with the other modules of that build.
"""
import json
import pathlib
import re
import shutil
import time

import processes
import sites
import tokens

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
MODULE = "DaybookModel"
RULES = ROOT / "Sources" / MODULE
# What the changed rules are compiled without: the forms of output that only a package needs, and
# the warnings that a mutant causes.
LEFT_OUT = {"-parseable-output", "-emit-objc-header", "-warnings-as-errors",
            "-strict-memory-safety", "-serialize-diagnostics", "-g", "-emit-module",
            "-emit-dependencies", "-incremental", "-c", "-enable-batch-mode",
            "-parse-as-library"}


def read():
    """The files of the rules in git, without those that only declare."""
    listing = processes.run(
        ["git", "ls-files", "-z", f"Sources/{MODULE}/*.swift"], cwd=ROOT).needs().text
    paths = [ROOT / name for name in sorted(filter(None, listing.split("\0")))]
    return [tokens.Source(str(path.relative_to(RULES)), path.read_text()) for path in paths]


def numbered(text, number):
    """A text of a site with the mutant's number and its operator put in."""
    text = text.replace("{n}", str(number))
    return re.sub(r"\{o([^}]+)\}", lambda found: sites.spelling(found[1], number), text)


def edited(text, edits):
    """A text with edits (start, end, new) that do not overlap."""
    for start, end, new in sorted(edits, key=lambda edit: (edit[0], edit[1]), reverse=True):
        text = text[:start] + new + text[end:]
    return text


class Workshop:
    """A folder with the changed rules, and how they are compiled and linked."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.rules = self.folder / MODULE
        self.objects = self.folder / "objects"
        self.objects.mkdir(parents=True, exist_ok=True)
        plan = (ROOT / ".build/debug.yaml").read_text()
        self.compiler = self._arguments(plan, rf"C\.{MODULE}-[^\"]*\.module")
        self.user = self._arguments(plan, r"C\.DaybookTool-[^\"]*\.module")
        self.linker = self._arguments(plan, r"C\.replay-[^\"]*\.exe")
        self.took = 0

    @staticmethod
    def _arguments(plan, name):
        """Arguments of a step of the package's build, as SwiftPM wrote them down."""
        start = re.search(rf'^  "{name}":', plan, re.M)
        return json.loads(re.search(r"^    args: (\[.*\])$", plan[start.start():], re.M)[1])

    def write(self, sources, mutants, refactors):
        """Writes the changed files; numbers of mutants are their places in the list, from 1."""
        edits, declarations = {}, []
        for number, mutant in enumerate(mutants, 1):
            if mutant is None:
                continue
            edits.setdefault(mutant.path, []).extend(
                (start, end, numbered(text, number)) for start, end, text in mutant.edits)
            declarations.append(numbered(mutant.declarations, number))
        for refactor in refactors:
            for path, start, end, text in refactor.edits:
                edits.setdefault(path, []).append((start, end, text))
        texts = {source.path: edited(source.text, edits.get(source.path, ()))
                 for source in sources}
        texts["Mutants.swift"] = (HERE / "switch.swift").read_text() + "\n".join(declarations)
        for old in self.rules.rglob("*.swift"):
            if str(old.relative_to(self.rules)) not in texts:
                old.unlink()
        for path, text in texts.items():
            file = self.rules / path
            file.parent.mkdir(parents=True, exist_ok=True)
            if not file.exists() or file.read_text() != text:
                file.write_text(text)
        return sorted(texts)

    @staticmethod
    def _flags(compiler):
        """The arguments of a step without its files and the forms of output that it asks for."""
        flags, given = [], iter(compiler)
        for argument in given:
            if argument in ("-index-store-path", "-emit-objc-header-path", "-emit-module-path",
                            "-output-file-map", "-module-name"):
                next(given)
            elif argument == "-Xcc":
                flags += [argument, next(given)]
            elif not argument.startswith("@") and argument not in LEFT_OUT:
                flags.append(argument)
        return flags

    def compile(self, paths):
        """Compiles the rules; returns the errors as (path, line, message), none where it built."""
        outputs = {"": {"swift-dependencies": str(self.objects / "module.swiftdeps")}}
        for path in paths:
            stem = self.objects / path.replace("/", ".")
            outputs[str(self.rules / path)] = {
                "object": f"{stem}.o", "swift-dependencies": f"{stem}.swiftdeps"}
        (self.objects / "outputs.json").write_text(json.dumps(outputs))
        (self.objects / "sources").write_text(
            "".join(f"{self.rules / path}\n" for path in paths))
        arguments = self._flags(self.compiler) + [
            "-incremental", "-enable-batch-mode", "-parse-as-library", "-output-file-map",
            str(self.objects / "outputs.json"), "-c", f"@{self.objects / 'sources'}"]
        done = processes.run(
            arguments + ["-module-name", MODULE, "-emit-module", "-emit-module-path",
                         str(self.objects / f"{MODULE}.swiftmodule"), "-suppress-warnings"],
            timeout=None, cwd=self.folder)
        self.took += done.seconds
        if done.code == 0:
            return []
        found = re.findall(r"^(/[^:\n]+):(\d+):\d+: error: (.*)$", done.text + done.words, re.M)
        errors = sorted({(path, int(line), text) for path, line, text in found})
        if not errors:
            raise SystemExit("mutations: the rules do not compile:\n"
                             + (done.text + done.words)[-3000:])
        return [(str(pathlib.Path(path).relative_to(self.rules)), line, text)
                for path, line, text in errors]

    def link(self, paths):
        """Links the program with the changed rules, and the one that tries the areas."""
        started = time.monotonic()
        listing = next(argument for argument in self.linker if argument.startswith("@"))[1:]
        others = [name for name in pathlib.Path(listing).read_text().split()
                  if f"/{MODULE}.build/" not in name]
        own = [str(self.objects / (path.replace("/", ".") + ".o")) for path in paths]
        program, trial = str(self.folder / "replay"), str(self.folder / "areas")
        (self.objects / "link").write_text("\n".join(others + own) + "\n")
        arguments = [f"@{self.objects / 'link'}" if each.startswith("@") else each
                     for each in self.linker if each != "-g"]
        arguments[arguments.index("-o") + 1] = program
        self._run(arguments)
        self._compile_areas()
        arguments[arguments.index("-o") + 1] = trial
        place = arguments.index("--defsym") - 1
        del arguments[place:place + 4]
        self._run(arguments + [str(self.objects / "areas.o")])
        self.took += time.monotonic() - started
        return program, trial

    def _compile_areas(self):
        """Compiles the check of areas without the library of tests that it reports to."""
        folder = self.folder / "areas-source"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        testing = ROOT / "Sources/DaybookTesting"
        for name in ("AreaCheck.swift", "HistorySampler.swift", "Query+Indices.swift"):
            shutil.copy(testing / name, folder / name)
        shutil.copy(HERE / "areas.swift", folder / "main.swift")
        self._run(self._flags(self.user) + [
            "-module-name", "Areas", "-suppress-warnings", "-wmo", "-c", "-o",
            str(self.objects / "areas.o"), *map(str, sorted(folder.iterdir()))])

    def _run(self, arguments):
        done = processes.run(arguments, timeout=None, cwd=self.folder)
        if done.code:
            raise SystemExit(f"mutations: {' '.join(arguments[:4])} …:\n"
                             + (done.text + done.words)[-3000:])

    def build(self, sources, mutants, refactors, replacement, report=lambda text: None):
        """Builds what compiles, and answers the mutants and refactors that did.

        `replacement` gives the next mutant in place of one that does not compile.
        """
        mutants, refactors = list(mutants), list(refactors)
        for attempt in range(12):
            paths = self.write(sources, mutants, refactors)
            errors = self.compile(paths)
            if not errors:
                self.link(paths)
                return mutants, refactors
            refused = self._refused(sources, mutants, refactors, errors)
            if not refused:
                raise SystemExit(f"mutations: errors beside what was changed: {errors[:3]}")
            for change, message in refused:
                report(f"does not compile  {change.path}:{change.line} {change.change}: {message}")
            gone = {id(change) for change, _ in refused}
            mutants = [replacement(each) if id(each) in gone else each for each in mutants
                       if each]
            refactors = [each for each in refactors if id(each) not in gone]
        raise SystemExit("mutations: too many changes do not compile")

    def _refused(self, sources, mutants, refactors, errors):
        """The changes at or around the lines of the errors, each with the message."""
        refused = {}
        by_path = {source.path: source for source in sources}
        for path, line, message in errors:
            if path == "Mutants.swift":
                text = (self.rules / path).read_text().splitlines()[line - 1]
                near = [each for number, each in enumerate(mutants, 1) if each
                        and f"isMutant({number})" in text]
            else:
                near = self._near(by_path[path], mutants, refactors, line)
            for each in near:
                refused.setdefault(id(each), (each, message))
        return list(refused.values())

    @staticmethod
    def _near(source, mutants, refactors, line):
        """The changes of a file whose lines hold the error, or else the nearest ones."""
        found = []
        for change in mutants + refactors:
            if change is None:
                continue
            spans = [(edit[-3], edit[-2]) for edit in change.edits
                     if len(edit) == 3 or edit[0] == source.path]
            if change.path != source.path and not any(len(edit) == 4 for edit in change.edits):
                continue
            for start, end in spans:
                distance = max(source.line(start) - line, line - source.line(end), 0)
                found.append((distance, change))
        least = min((distance for distance, _ in found), default=0)
        return [change for distance, change in found if distance == least]
