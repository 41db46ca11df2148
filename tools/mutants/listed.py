"""Lists of mutants: those that no history can show, and those that nothing notices yet."""
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
EQUIVALENT, GAPS = HERE / "equivalent.txt", HERE / "gaps.txt"


class Unmatched(Exception):
    """An entry of the list without a reason, in duplicate, or of a mutant that no longer exists."""


def read(text):
    """Reasons by key: file, line and change, as in `sites.Site.key`."""
    reasons = {}
    for block in text.split("\n\n"):
        lines = [line.strip() for line in block.splitlines() if not line.startswith("#")]
        if not any(lines):
            continue
        if len(lines) < 4 or not all(lines):
            raise Unmatched(f"not a file, a line, a change and a reason: {lines[:2]}")
        key = "\n".join(lines[:3])
        if key in reasons:
            raise Unmatched(f"listed twice: {lines[:3]}")
        reasons[key] = " ".join(lines[3:])
    return reasons


def reasons(sites, text):
    """The reasons in a list; refuses an entry that matches none of the sites."""
    found = read(text)
    known = {site.key for site in sites}
    for key in found:
        if key not in known:
            raise Unmatched("no place of the rules has it any more: " + " | ".join(key.split("\n")))
    return found
