"""Console blocks of documents: their commands, and whether an answer is the one that is shown.

A line that begins with '$ ' is a command, and the lines up to the next one are its answer; an
exit code other than 0 ends it as '(ends with 1)'. '…' in an answer stands for anything within a
line, and a line of '…' alone for any number of lines.
"""
import re

import processes


def steps(text):
    """The commands of a console block, each with its answer; a command may go on after a '\\'."""
    found = []
    is_open = False
    for line in text.splitlines():
        if is_open:
            found[-1][0] += "\n" + line
            is_open = line.endswith("\\")
        elif line.startswith("$ "):
            found.append([line[2:], []])
            is_open = line.endswith("\\")
        elif found:
            found[-1][1].append(line)
    return found


def run(command, folder, variables):
    """The answer of a command as lines, its exit code among them."""
    done = processes.run(["bash", "-c", command], cwd=folder, env=processes.environment(variables),
                         stderr=processes.STDOUT)
    output = done.text.replace(folder, "…")
    lines = output.rstrip("\n").split("\n") if output.strip("\n") else []
    ending = "does not end" if done.code is None else f"ends with {done.code}"
    return done.code, lines + ([f"({ending})"] if done.code != 0 else [])


def fits(expected, actual):
    """True where the lines of an answer are those that are shown."""
    if not expected:
        return not actual
    if expected[0] == "…":
        return any(fits(expected[1:], actual[count:]) for count in range(len(actual) + 1))
    pattern = ".*".join(re.escape(part) for part in expected[0].split("…"))
    return bool(actual) and re.fullmatch(pattern, actual[0]) is not None and fits(
        expected[1:], actual[1:])


def masked(line):
    """A line of an answer without what differs from run to run."""
    line = re.sub(r"\b[0-9a-f]{32,64}\b", "…", line)
    # A moment to the microsecond is one at which something was recorded.
    return re.sub(r"\b20\d\d-\d\d-\d\dT[\d:]{8}\.\d{6}Z", "…", line)


def shown(expected, actual):
    """The answer as a document shows it: what it cuts stays cut where the rest still fits."""
    return expected if expected and fits(expected, actual) else [masked(line) for line in actual]


def difference(command, expected, actual):
    """A sentence, and both answers."""
    return "\n".join([f"$ {command}", "expected:", *expected, "found:", *actual])
