"""docs/sources.md: the rules of the source documents, and what shows each of them.

docs/sources.txt has the rules, `ID: SENTENCE` or `ID: SENTENCE | NAME, NAME`; a name is one of Daybook's own: a kind of
event, a command, a page of docs, or a word such as `state`, `report` or `route` with a name. It also has what is left
out, `out: PART | REASON`, and text that the page repeats. A scenario names the rules that it shows in its key `holds`,
and a suite or a test in a comment above it: `// Holds: ID, ID`.
"""
import glob
import json
import os
import re

import manual

RULES = "docs/sources.txt"
RULE = re.compile(r"([a-z][a-z0-9]*)(-[a-z0-9-]+): (.+?)(?: \| (.+))?")
OUT = re.compile(r"out: (.+?) \|(.*)")
# On one line, or on several if the list is long.
HOLDS = re.compile(r"^holds: \[([^\[\]]+)\]$", re.M)
COMMENT = re.compile(r"^[ \t]*// Holds: (.*\n(?:[ \t]*//(?!/).*\n)*)", re.M)
DECLARED = re.compile(r"\b(struct|class|enum|func) (\w+)")


def made(root, binary, faults):
    """The page, of the rules and tags below a folder and the names that the program knows."""
    files = {path: read(root, path) for pattern in ["Scenarios/*/*.yaml", "Tests/**/*.swift"]
             for path in sorted(glob.glob(pattern, root_dir=root, recursive=True))}
    known, expected = names(binary)
    known.update(f"docs/{name}" for name in os.listdir(os.path.join(root, "docs")))
    return page(read(root, RULES), shown(files, faults), known, expected, faults)


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


def names(binary):
    """The names that a rule may have, and those that some rule must have."""
    known, expected = set(), set()
    for line in manual.run(binary, "schema", "--json").splitlines():
        entry = json.loads(line)
        kind, name = entry.get("kind"), entry.get("name")
        if kind in ["event", "command"]:
            known.add(name)
        elif kind == "audit":
            known.update(f"audit {rule['code']}" for rule in entry["rules"])
        else:
            word = {"projection": "state", "flow input": "flow"}.get(kind, kind)
            known.add(f"{word} {name}")
            if word in ["state", "report"]:
                expected.add(f"{word} {name}")
    for line in manual.run(binary, "routes", "--json").splitlines():
        route = json.loads(line)
        known.add(f"route {route['method']} {route['path']}")
        # The reason why a route is not served stands among what is left out.
        if route.get("serves"):
            expected.add(f"route {route['method']} {route['path']}")
    return known, expected


def shown(files, faults):
    """The files and declarations that name each rule, as links of the page."""
    found = {}

    def tag(words, label, path):
        for rule in re.findall(r"[^\s,/]+", words):
            found.setdefault(rule, []).append((path, f"[{label}](../{path})"))

    for path, text in files.items():
        stem, extension = os.path.splitext(path)
        if extension == ".yaml":
            if holds := HOLDS.search(text):
                tag(holds[1], stem.removeprefix("Scenarios/"), path)
            else:
                faults.append(f"{path}: it names no rule; expected holds: [ID, ID]")
            continue
        for comment in COMMENT.finditer(text):
            rest = re.sub(r"//.*|\"(?:[^\"\\\n]|\\.)*\"", "", text[comment.end():])
            if declared := DECLARED.search(rest):
                name = declared[2] if declared[1] != "func" else f"{os.path.basename(stem)}.{declared[2]}"
                tag(comment[1], name, path)
            else:
                faults.append(f"{path}: nothing follows '// Holds: {comment[1].strip()}'")
    return found


def page(rules, shown, known, expected, faults):
    """The page: each run of rules, and of parts that are left out, is a table."""
    lines, seen, missing, document, table = [], set(), set(expected), "", None
    for line in rules.splitlines():
        rule, out = RULE.fullmatch(line), OUT.fullmatch(line)
        heading = "| rule | in the document | what holds it |\n|---|---|---|" if rule else \
            "| in the document | why |\n|---|---|" if out else None
        if heading and heading != table:
            lines += [heading] if not lines or not lines[-1] else ["", heading]
        table = heading
        if title := re.match(r"## (\w+):", line):
            document = title[1].lower()
        if out and not out[2].strip():
            faults.append(f"{RULES}: no reason why this is left out: {out[1]}")
        if not rule:
            lines.append(f"| {out[1]} | {out[2].strip()} |" if out else line)
            continue
        prefix, word, sentence, listed = rule.groups()
        name, own = prefix + word, listed.split(", ") if listed else []
        if prefix != document:
            faults.append(f"{RULES}: {name}: expected a rule of {document}, {document}{word}")
        if name in seen:
            faults.append(f"{RULES}: {name} stands there twice")
        faults += [f"{RULES}: {name}: there is no {other}" for other in own if other not in known]
        if name not in shown:
            faults.append(f"{RULES}: no scenario and no test shows {name}")
        seen.add(name)
        missing.difference_update(own)
        holders = [f"`{other}`" for other in own] + [link for _, link in shown.get(name, [])]
        lines.append(f"| `{name}` | {sentence} | {', '.join(holders)} |")
    faults += [f"{path}: there is no rule {name}"
               for name, places in shown.items() if name not in seen for path, _ in places]
    faults += [f"{RULES}: no rule has {name}" for name in sorted(missing)]
    return "\n".join(lines) + "\n"


def check_checks():
    """Plants each fault once; each must be found, and a page without one be made."""
    scenario = "scenario: a\nholds: [s0-a,\n  s0-b]\n"
    suite = '// Holds: s0-c,\n// s0-d\n@Suite("A func a") struct ATests {\n'
    rules = "## S0: one\n\n### A\n" + "".join(f"s0-{word}: A. | state a\n" for word in "abcd") + "\nout: A | B\n"
    files = {"Scenarios/a/a.yaml": scenario, "Tests/ATests.swift": suite}
    faults, planted = [], []
    text = page(rules, shown(files, faults), {"state a"}, {"state a"}, faults)
    row = "\n| `s0-d` | A. | `state a`, [ATests](../Tests/ATests.swift) |\n" \
        "\n| in the document | why |\n|---|---|\n| A | B |\n"
    if faults or not text.endswith(row):
        raise SystemExit(f"tools/documents: a page without faults has {faults}:\n{text}")
    page(rules + "s0-a: A.\ns0-e: E.\ns1-a: A.\ns0-b: B. | state none\nout: Z |\n",
         shown(files | {"Scenarios/a/none.yaml": "scenario: a\n", "Scenarios/a/empty.yaml": "holds: []\n",
                        "Tests/B.swift": "// Holds: s0-none\nfunc b() {}\n// Holds: s0-a\n"}, planted),
         {"state a"}, {"report unlisted"}, planted)
    for words in ["s0-a stands there twice", "shows s0-e", "s1-a: expected", "there is no state none", "left out: Z",
                  "none.yaml: it names no", "empty.yaml: it names no", "B.swift: there is no rule s0-none",
                  "nothing follows '// Holds: s0-a'", "no rule has report unlisted"]:
        if not any(words in fault for fault in planted):
            raise SystemExit(f"tools/documents: its check of the sources overlooks '{words}'")
