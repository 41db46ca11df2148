"""Readers that nobody reads from: the file stays bounded.

`log` and `log --follow` write into pipes that are not read, and are stopped in the midst, while
appends go on; LMDB cannot use pages again that an open transaction may read. The file may not
grow beyond a few times what the same appends need without readers.
"""

import os

import content
from logs import encoded, lines_of
from processes import DEVNULL, PIPE, kill, start

NAME = "blocked"
QUICK = 3
TIMES = 3
GROWS = "the file grows while a reader is blocked"
COMMANDS = [["backup", "-"], ["log", "--json"], ["log", "--follow", "--json"], ["trace", "splash"],
            ["export", "--format", "babyai-csv", "--baby", "mia"], ["audit", "--all", "--json"],
            ["log", "--json", "--tag", "device:d1"]]


def attack(family):
    bench = os.path.join(family.fresh("bench"), "log.daybook")
    family.expect(family.tool("append", "--log", bench, stdin=encoded(
        lines_of("before", family.generator("bench"), 3_000))))
    family.expect(family.tool(
        "import", "--format", "babyconnect", "--baby", "mia", "--zone", "UTC", "--log", bench,
        os.path.join(content.TOUR, "tour-baby.csv")), (0, 1))
    family.begin()
    for number, rng in family.rounds(QUICK):
        command = COMMANDS[number % len(COMMANDS)]
        lines = lines_of(f"r{number}", rng, 400 if family.attack.seconds is None else 1_500)
        alone = grown(family, bench, lines, None)
        beside = grown(family, bench, lines, command)
        if beside > TIMES * max(alone, 1 << 20):
            family.fail(GROWS, f"{' '.join(command)}: {beside:,} bytes with a blocked reader, "
                        f"{alone:,} without, after {len(lines)} appends",
                        commands=[["replay", *command]], variant=command[0])
        else:
            family.ok()


def grown(family, bench, lines, command):
    """The size of the file after appends, beside a reader that is blocked."""
    path = os.path.join(family.fresh("place"), "log.daybook")
    content.copy(bench, path)
    reader = None
    if command:
        reader = start(
            [family.attack.binary, *command, "--log", path], stdout=PIPE,
            stderr=DEVNULL)
        # It has begun once there is something to read.
        os.read(reader.stdout.fileno(), 1)
    try:
        family.expect(family.tool(
            "append", "--each", "--log", path, stdin=encoded(lines)))
    finally:
        if reader:
            kill(reader)
            reader.stdout.close()
    family.expect(family.tool("verify", "--log", path))
    return os.path.getsize(path)
