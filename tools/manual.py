"""The made sections of docs/replay.1: COMMANDS, COMMON OPTIONS and EXAMPLES, from the help of the program."""
import json
import re
import subprocess

# An option of at least so many commands is described once, with the text of most of them.
COMMON = 5


def made(page, binary):
    """The manual page with its made sections as the program has them."""
    commands = sorted(
        (command for command in json.loads(run(binary, "--experimental-dump-help"))["command"]["subcommands"]
         if command["commandName"] != "help"),
        key=lambda command: command["commandName"])
    counts = {}
    for command in commands:
        for argument in command["arguments"]:
            counts[key(argument)] = counts.get(key(argument), 0) + 1
    most = {}
    for found, count in counts.items():
        if found[0].startswith("-") and count >= max(COMMON, counts.get(most.get(found[0]), 0)):
            most[found[0]] = found
    shared = set(most.values())
    texts = {}
    for command in commands:
        texts.update({key(argument): described(argument) for argument in command["arguments"]
                      if key(argument) in shared})
    page = section(page, "COMMANDS", "".join(entry(command, shared) for command in commands))
    page = section(page, "COMMON OPTIONS", "".join(texts[found] for found in sorted(texts)))
    examples = [line for command in commands for line in examples_of(binary, command["commandName"])]
    return section(page, "EXAMPLES", ".nf\n" + "".join(roff(line) + "\n" for line in examples) + ".fi\n")


def section(page, title, text):
    """The page with another text in one section."""
    return re.sub(rf"(?<=^\.SH {title}\n).*?(?=^\.SH )", lambda _: text, page, count=1, flags=re.M | re.S)


def run(binary, *words):
    return subprocess.run([binary, *words], capture_output=True, text=True, check=True).stdout


def examples_of(binary, name):
    """The lines below EXAMPLES on the help page of a command."""
    return [line.strip() for line in run(binary, name, "--help").partition("\nEXAMPLES:\n")[2].splitlines()
            if line.startswith("  ")]


def key(argument):
    """The name and text by which an option is the same in several commands."""
    names = [name["name"] for name in argument.get("names", [])]
    return ("--" + names[-1] if names else "", argument.get("abstract") or "")


def entry(command, shared):
    """The part of one command: words, text, options of its own, and the names of the common ones."""
    arguments = [argument for argument in command["arguments"] if argument.get("abstract")]
    words = "".join(f" \\fI{roff(argument['valueName'])}\\fR" for argument in arguments if not argument.get("names"))
    parts = [f".SS replay {command['commandName']}{words}\n", roff(command["abstract"]) + "\n"]
    parts += [f".PP\n{paragraph(text)}\n" for text in (command.get("discussion") or "").split("\n\n") if text]
    parts += [described(argument) for argument in arguments if key(argument) not in shared]
    common = sorted(key(argument)[0] for argument in arguments if key(argument) in shared)
    return "".join(parts) + (f".PP\nCommon options: {', '.join(map(roff, common))}.\n" if common else "")


def described(argument):
    """An argument with its text, its values and its default."""
    name = key(argument)[0]
    value = "" if argument["kind"] == "flag" else f"\\fI{roff(argument['valueName'])}\\fR"
    text = argument["abstract"]
    choices = argument.get("allValues") or []
    details = [f"values: {', '.join(choices)}"] if choices else []
    details += [f"default: {argument['defaultValue']}"] if argument.get("defaultValue") else []
    text += f" ({'; '.join(details)})" if details else ""
    return f".TP\n\\fB{roff(name)}\\fR {value}".rstrip() + f"\n{paragraph(text)}\n"


def paragraph(text):
    """A paragraph of the help; a line that is indented there is a command."""
    if text.startswith("  "):
        return ".nf\n" + "\n".join(roff(line.strip()) for line in text.splitlines()) + "\n.fi"
    return roff(text)


def roff(text):
    """A text that troff shows as it is."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("…", "...")
    return re.sub(r"^\.", r"\\&.", text, flags=re.M)
