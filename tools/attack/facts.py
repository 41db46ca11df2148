"""Facts, commands and questions made from the schema: extreme values, ids that collide.

`tools/attack-facts` makes them; here its tries are counted among the others. No line and no
question may end the tool by a signal, with a code outside 0 to 3, or not at all.
"""

import os
import re

from content import REPOSITORY
from harness import HANG, HarnessError
from processes import run

NAME = "facts"
QUICK = 2
#: Seconds after which a round counts as hanging; each of its commands does after `HANG`.
ROUND_HANGS = 3600
SUMMARY = re.compile(r"(\d+) rounds, (\d+) lines, (\d+) questions, (\d+) faults of (\d+) causes")


def attack(family):
    for number, rng in family.rounds(QUICK):
        command = [os.path.join(REPOSITORY, "tools", "attack-facts"), family.attack.binary,
                   "--seed", str(rng.randrange(10**9)), "--rounds", "1", "--timeout", str(HANG),
                   "--questions", "10" if family.attack.seconds is None else "40",
                   "--keep", family.fresh(f"kept-{number}")]
        done = run(command, timeout=ROUND_HANGS)
        summary = SUMMARY.search(done.text)
        if summary is None:
            raise HarnessError(f"attack-facts: {done.text[-500:]} {done.words[-500:]}")
        lines, questions, faults = (int(summary.group(index)) for index in (2, 3, 4))
        family.note("lines", lines)
        family.note("questions", questions)
        family.ok(lines + questions - faults)
        kept = os.path.join(family.folder, f"kept-{number}")
        files = [os.path.join(kept, name) for name in sorted(os.listdir(kept))]
        for _ in range(faults):
            family.fail("a line or a question ends the tool wrongly", done.text[-1_500:], files,
                        [command])
