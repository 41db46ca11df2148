"""The parts that all families of attacks share: rounds, counts and reports. `processes` runs the
tool."""

import itertools
import os
import random
import re
import shlex
import shutil
import sys
import time

from processes import PIPE, environment, run

#: Seconds after which a command on a small log counts as hanging. It only ends a hang: a busy machine needs a few.
HANG = 120
#: Reproductions kept of one cause; later ones are counted only.
KEPT_OF_A_CAUSE = 3
#: What a message about a log that is whole must not say.
CALLS_DAMAGED = re.compile(
    r"damaged|corrupt|no event log|no LMDB file|wrong type|MDB_|assert|Fatal error", re.IGNORECASE)


def calls_damaged(text):
    return CALLS_DAMAGED.search(text) is not None


class Failure:
    def __init__(self, cause, variant, detail, number, folder):
        self.cause, self.variant, self.detail = cause, variant, detail
        self.round, self.folder = number, folder


class Family:
    """The count of one row of the table, and the folder its attacks work in."""

    def __init__(self, attack, name):
        self.attack, self.name = attack, name
        self.tried = 0
        self.failures = []
        self.notes = {}
        self.skipped = []
        self.folder = os.path.join(attack.folder, name)
        os.makedirs(self.folder, exist_ok=True)
        self.started = self.prepared = time.monotonic()
        self.round = None

    # Rounds

    def begin(self):
        """Starts the time of the rounds, after their preparation."""
        self.prepared = time.monotonic()

    def rounds(self, quick):
        """Numbers and generators of rounds: `quick` of them, or as many as the time allows.

        A round depends on the seed, the family and its number alone, so that `--round` repeats it.
        """
        if self.attack.only_round is not None:
            numbers = [self.attack.only_round]
        elif self.attack.wanted is not None:
            numbers = range(self.attack.wanted)
        elif self.attack.seconds is None:
            numbers = range(quick)
        else:
            numbers = itertools.count()
        limit = self.attack.seconds
        for number in numbers:
            is_late = limit is not None and time.monotonic() - self.prepared > limit
            if is_late or self.attack.first and self.failures:
                break
            self.round = number
            yield number, self.generator(number)

    def turn(self, cases, number):
        """The case of a round: each in turn, in an order that the seed gives."""
        order = list(cases)
        self.generator("order of cases").shuffle(order)
        return order[number % len(order)]

    def generator(self, number):
        return random.Random(f"{self.attack.seed}:{self.name}:{number}")

    def fresh(self, name):
        """An empty folder of that name."""
        path = os.path.join(self.folder, name)
        shutil.rmtree(path, ignore_errors=True)
        os.makedirs(path)
        return path

    # Counting

    @property
    def counts(self):
        """What was counted, for the table and the causes."""
        return self.tried, self.failures, self.notes, self.skipped

    @counts.setter
    def counts(self, found):
        self.tried, self.failures, self.notes, self.skipped = found

    def ok(self, count=1):
        self.tried += count

    def note(self, what, count=1):
        """Counts an event for the table that is not a failure."""
        self.notes[what] = self.notes.get(what, 0) + count

    def skip(self, why):
        if why not in self.skipped:
            self.skipped.append(why)

    def fail(self, cause, detail, files=(), commands=(), variant=""):
        """Counts a failed try, and keeps what reproduces it.

        Failures are listed by cause; a variant of a cause, like the kind of damage, has
        reproductions of its own.
        """
        self.tried += 1
        kept = None
        alike = [failure for failure in self.failures
                 if (failure.cause, failure.variant) == (cause, variant)]
        if len(alike) < KEPT_OF_A_CAUSE:
            kept = self.keep(f"{variant} {cause}".strip(), detail, files, commands)
        self.failures.append(Failure(cause, variant, detail, self.round, kept))

    def keep(self, cause, detail, files, commands):
        slug = re.sub(r"[^a-z0-9]+", "-", cause.lower()).strip("-")[:60]
        folder = os.path.join(
            self.attack.keep, f"{self.name}-{self.round}-{slug}-{len(self.failures)}")
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        for path in files:
            if os.path.isfile(path):
                shutil.copyfile(path, os.path.join(folder, os.path.basename(path)))
        with open(os.path.join(folder, "what.txt"), "w", encoding="utf-8") as file:
            file.write(f"{cause}\n\n{detail}\n\nseed {self.attack.seed}, round {self.round}\n")
            file.write(f"again: {self.again()}\n")
            for command in commands:
                file.write("command: " + shlex.join(map(str, command)) + "\n")
        return folder

    def again(self):
        """The command that repeats this round."""
        number = "" if self.round is None else f" --round {self.round}"
        return (f"tools/attack/run {self.attack.binary} --only {self.name} "
                f"--seed {self.attack.seed}{number}")

    # Running the tool

    def tool(self, *arguments, stdin=b"", env=None, timeout=HANG, cwd=None, limits=None,
             stdout=PIPE, user=None):
        """Runs the tool to its end. `user` runs it without root's powers."""
        command = [self.attack.binary, *arguments]
        if user is not None:
            command = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", *command]
        answer = run(command, stdin, timeout, stdout=stdout, env=environment(env), cwd=cwd,
                     preexec_fn=limits)
        answer.arguments = arguments
        return answer

    def expect(self, answer, codes=(0,)):
        """Returns the answer of a command that prepares an attack and must succeed."""
        if answer.code not in codes:
            raise Refused(str(answer))
        return answer


class HarnessError(Exception):
    """A fault of the harness or of the machine; the tool is not accused."""


class Refused(Exception):
    """A command on an intact log that failed although nothing hindered it."""


class Attack:
    """One run of the harness: what is attacked, how long, from which seed."""

    def __init__(self, binary, seed, keep, seconds, rounds, only_round, folder, first=False):
        self.binary, self.seed, self.keep = binary, seed, keep
        self.seconds, self.wanted, self.only_round = seconds, rounds, only_round
        # A family ends with its first failure.
        self.first = first
        self.folder = folder
        #: Families with an end go through all of it, as when they are run alone.
        self.takes_all = False
        self.families = []
        self.helps = {}

    def help(self, command):
        """Returns the help of a command; of the tool if the command is empty."""
        if command not in self.helps:
            shown = run([self.binary, *command.split(), "--help"], timeout=HANG)
            if shown.code != 0:
                raise Refused(str(shown))
            self.helps[command] = shown.text
        return self.helps[command]

    def has(self, command):
        """True if the help of this build has a command."""
        return re.search(rf"^  {re.escape(command)}(\s|$)", self.help(""), re.M) is not None

    def can(self, command, option):
        """True if this build's command has an option, since builds of any age are attacked."""
        return re.search(rf"(^|\s){re.escape(option)}\b", self.help(command)) is not None

    def family(self, name):
        family = Family(self, name)
        self.families.append(family)
        return family

    def table(self):
        """The table of tries, failures and notes."""
        rows = [("family", "tried", "failed", "notes")]
        for family in self.families:
            notes = [f"{count:,} {what}" for what, count in sorted(family.notes.items())]
            notes += [f"skipped: {why}" for why in family.skipped]
            rows.append(
                (family.name, f"{family.tried:,}", f"{len(family.failures):,}", "; ".join(notes)))
        widths = [max(len(row[column]) for row in rows) for column in range(3)]
        lines = [
            f"| {name:<{widths[0]}} | {tried:>{widths[1]}} | {failed:>{widths[2]}} | {notes} |"
            for name, tried, failed, notes in rows]
        return "\n".join([lines[0], "|---|---:|---:|---|", *lines[1:]])

    def causes(self):
        """Failures by cause and variant, the most frequent first."""
        lines = []
        for family in self.families:
            by_cause = {}
            for failure in family.failures:
                by_cause.setdefault(failure.cause, {}).setdefault(
                    failure.variant, []).append(failure)
            for cause, variants in sorted(
                    by_cause.items(), key=lambda pair: -sum(map(len, pair[1].values()))):
                lines.append(f"{family.name}: {sum(map(len, variants.values()))} × {cause}")
                for variant, failures in sorted(variants.items(), key=lambda pair: -len(pair[1])):
                    first = failures[0]
                    lines.append(f"    {len(failures)} × {variant or 'in all'}: "
                                 f"{first.detail[:500]}".replace(self.folder, "…"))
                    lines.append(f"        kept in {first.folder}")
        return "\n".join(lines)


def say(text):
    print(text, file=sys.stderr, flush=True)
