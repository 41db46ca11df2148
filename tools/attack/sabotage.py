"""Proves that the attacks notice faults, by attacking programs that lie.

Each lie of `liar` wraps the real tool and is attacked, in quick form, by the families that must
notice it. So is a wrapper without a lie, which no family may accuse.
"""

import concurrent.futures
import os
import re
import shlex
import signal
import sys
import time

import liar
import shim
from harness import say
from processes import PIPE, STDOUT, TimeoutExpired, kill, send, start

HERE = os.path.dirname(os.path.realpath(__file__))
#: Seconds after which the attack itself counts as hanging. It takes up to some 40, and gives up a program that
#: hangs after `HANG`.
ATTACK_HANGS = 900
#: What a lie is, and which families have to notice each form of it.
SABOTAGES = [
    ("an answer loses a line", {
        liar.drops_a_line: ["answers"],
        liar.drops_the_last_line_of_a_tag: ["answers"]}),
    ("a row is there twice", {
        liar.doubles_a_line: ["answers"],
        liar.stores_a_row_twice: ["races"]}),
    ("an append is undone after its answer", {
        liar.undoes_an_append: ["kill", "races"],
        liar.undoes_the_last_row: ["kill"]}),
    ("a key is kept after an erasure", {
        liar.keeps_a_key_in_its_slot: ["erase"],
        liar.keeps_a_key_in_a_free_place: ["erase"],
        liar.keeps_the_keys_beside_the_log: ["erase"],
        liar.erases_nothing: ["erase"]}),
    ("half a backup passes for a whole one", {
        liar.shows_half_a_copy_for_a_while: ["backup"],
        liar.halves_a_copy: ["backup"],
        liar.backs_up_an_earlier_log: ["backup"]}),
    ("work in batches lets nobody in", {liar.lets_nobody_in: ["beside"]}),
    ("a blocked pipe keeps pages", {liar.keeps_what_it_reads: ["beside"]}),
    ("a replica misses commits", {liar.keeps_an_earlier_replica: ["replica"]}),
    ("verify calls every log sound", {liar.says_sound: ["damage"]}),
    ("nothing is synced", {
        liar.syncs_nothing: ["powercut"],
        liar.syncs_nothing_beneath: ["powercut"],
        liar.syncs_nothing_alone: ["powercut"]}),
    ("writes go to a private copy", {
        liar.writes_to_a_private_copy: ["kill", "races"],
        liar.brings_a_private_copy_back: ["kill", "races"]}),
    ("a process of the same number is in the way", {liar.admits_one_process: ["twins"]}),
    ("process 1 hears no signal", {liar.hears_no_signal: ["twins"]}),
    ("a signal ends it where it should refuse", {
        liar.dies_where_it_should_refuse: ["damage"],
        liar.tells_of_no_signal: ["damage"]}),
]


class Trial:
    """One lie, or none, attacked by one family."""

    def __init__(self, attack, subject, lie, family):
        self.attack, self.subject, self.lie, self.family = attack, subject, lie, family
        self.code, self.seconds, self.told, self.out = None, 0, "", ""

    @property
    def is_right(self):
        return self.code == (0 if self.lie is liar.honest else 1)

    def run(self):
        started = time.monotonic()
        folder = os.path.join(self.attack.folder, f"{self.lie.__name__}-{self.family}")
        os.makedirs(folder)
        process = start(
            [sys.executable, os.path.join(HERE, "run"), self.program(folder), "--quick", "--first",
             "--only", self.family, "--seed", str(self.attack.seed), "--dir", folder, "--keep",
             os.path.join(self.attack.keep if self.lie is liar.honest else folder, "kept")],
            stdout=PIPE, stderr=STDOUT, text=True)
        try:
            self.out, _ = process.communicate(timeout=ATTACK_HANGS)
            self.code = process.returncode
        except TimeoutExpired:
            # It ends what it has started, which is in groups of its own.
            send(process, signal.SIGINT)
            try:
                process.communicate(timeout=60)
            except TimeoutExpired:
                kill(process)
            self.out = f"no end within {ATTACK_HANGS} s"
        self.seconds = time.monotonic() - started
        cause = re.search(rf"^{self.family}: \d+ × (.*)", self.out, re.M)
        self.told = cause.group(1) if cause else self.out.strip().rpartition("\n")[2]
        say(f"attack: {self.lie.__name__}: {self.family}: {self.seconds:.0f} s")
        return self

    def program(self, folder):
        """A program that tells the lie."""
        path = os.path.join(folder, "replay")
        words = [sys.executable, "-I", "-S", os.path.join(HERE, "liar.py"), self.lie.__name__,
                 self.attack.binary]
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\nexport LIAR_PLACE={shlex.quote(folder)}\n"
                       f"exec {shlex.join(words)} \"$@\"\n")
        os.chmod(path, 0o755)
        if self.lie.__name__.startswith("syncs_nothing"):
            shim.compiled("unsynced.c", os.path.join(folder, "unsynced.so"))
        return path


def run(attack):
    """Attacks every lie; 1 if one is not noticed, or the real tool is accused."""
    started = time.monotonic()
    trials = [
        Trial(attack, subject, lie, family)
        for subject, lies in SABOTAGES for lie, families in lies.items() for family in families]
    trials += [Trial(attack, "no lie", liar.honest, family)
               for family in sorted({trial.family for trial in trials})]
    # The longest first: those of the real tool go through all rounds.
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(Trial.run, trials[::-1]))
    print("| what is wrong | form | family | | noticed by |\n|---|---|---|---|---|")
    for trial in trials:
        verdict = {0: "not noticed", 1: "noticed"}.get(trial.code, "no verdict")
        if trial.lie is liar.honest:
            verdict = {0: "not accused", 1: "ACCUSED"}.get(trial.code, "no verdict")
        print(f"| {trial.subject} | {trial.lie.__name__.replace('_', ' ')} | {trial.family} | "
              f"{verdict if trial.is_right else verdict.upper()} | "
              f"{trial.told if trial.code else ''} |")
    wrong = [trial for trial in trials if not trial.is_right]
    for trial in wrong:
        print(f"\n{trial.lie.__name__}, {trial.family}:\n{trial.out[-3_000:]}")
    print(f"\nattack: {'FAILED' if wrong else 'ok'}: {len(trials)} trials of {len(SABOTAGES)} "
          f"sabotages, {len(wrong)} wrong: seed {attack.seed}, "
          f"{time.monotonic() - started:.0f} s")
    return 1 if wrong else 0
