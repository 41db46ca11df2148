"""Replicas of a long log, whose appends, shipments and pulls are killed all the time, beside each other."""

import json
import os
import random
import re
import signal
import threading
import time

from logs import Violation, line_of
from processes import DEVNULL, PIPE, kill, start


class LongRun:
    """Appends numbered launches in chunks, each under its own key, beside shipments and pulls."""

    CHUNK = 50_000

    def __init__(self, chain, rng, events):
        self.chain, self.family, self.rng = chain, chain.family, rng
        self.chunks = max(1, events // self.CHUNK)
        self.ended = threading.Event()
        self.faults = []

    def run(self):
        others = [
            threading.Thread(target=self.repeat, args=(names, self.rng.randrange(1 << 32)))
            for names in [["ship"], ["pull", "pull without keys"]]
        ]
        for number in range(self.chunks):
            if self.faults:
                break
            self.append(number)
            if number == 0:
                for thread in others:
                    thread.start()
        self.ended.set()
        for thread in others:
            thread.join()
        if self.faults:
            raise self.faults[0]
        for name, command in self.chain.commands().items():
            answer = self.family.tool(*command, timeout=3600)
            if answer.code != 0:
                raise Violation(3, f"{name} at the end: {answer}")
        self.check()

    def append(self, number):
        """Appends a chunk; repeats a killed append, whose lines count once."""
        file = os.path.join(self.chain.folder, "chunk")
        with open(file, "w", encoding="utf-8") as lines:
            for index in range(number * self.CHUNK, (number + 1) * self.CHUNK):
                data = {
                    "launchId": f"n{index}", "appVersion": "1.0.0", "platform": "ios",
                    "firstLaunch": False, "device": f"d{index % 1000}",
                }
                line = line_of("launch.app-launched.v1", data, f"key-{index}")
                line["actor"] = f"user {index % 50}"
                lines.write(json.dumps(line) + "\n")
        started = time.monotonic()
        while True:
            with open(file, "rb") as lines:
                process = start(
                    [self.family.attack.binary, "append", "--wait", "3600", "--log", self.chain.log],
                    stdin=lines, stdout=DEVNULL, stderr=PIPE)
                if self.rng.random() < 0.3:
                    time.sleep(self.rng.random() * self.chain.took * 1.2)
                    if kill(process) == -signal.SIGKILL:
                        self.family.note("appends killed")
                        continue
                words = process.communicate()[1].decode()
            if process.returncode == 0:
                self.chain.took = time.monotonic() - started
                return
            raise Violation(1, f"an append ended with {process.returncode}: {words}")

    def repeat(self, names, seed):
        """Runs commands one after another, and kills half of them, until the appends have ended."""
        rng, took = random.Random(seed), 1
        try:
            while not self.ended.is_set():
                name = rng.choice(names)
                started = time.monotonic()
                process = start(
                    [self.family.attack.binary, *self.chain.commands()[name]],
                    stdout=DEVNULL, stderr=PIPE)
                if rng.random() < 0.5:
                    time.sleep(rng.random() * took * 1.2)
                    if kill(process) == -signal.SIGKILL:
                        self.family.note(f"{name.split()[0]}s killed")
                        continue
                words = process.communicate()[1].decode()
                # A pull meets the keys or the folder of a shipment under way, and says so.
                if process.returncode not in (0, 2, 3):
                    raise Violation(3, f"{name} ended with {process.returncode}: {words}")
                self.family.note(f"{name.split()[0]}s ended")
                took = max(0.05, time.monotonic() - started)
        except Violation as violation:
            self.faults.append(violation)

    def check(self):
        head = self.chain.head(self.chain.log)
        expected = self.chunks * self.CHUNK
        for path in [self.chain.log, self.chain.replica, self.chain.without]:
            if self.chain.head(path) != head:
                raise Violation(2, f"{path} has another head")
            seen, found = bytearray(expected), 0
            process = start(
                [self.family.attack.binary, "log", "--log", path], stdout=PIPE)
            for line in process.stdout:
                number = int(re.search(rb"launch:n(\d+)", line)[1])
                found += 1
                if seen[number]:
                    raise Violation(2, f"{path} has launch {number} twice")
                seen[number] = 1
            if process.wait() != 0 or found != expected or not all(seen):
                raise Violation(1, f"{path} has {found} of {expected} events")
            answer = self.family.tool("verify", "--log", path, timeout=3600)
            if answer.code != 0:
                raise Violation(2, f"{path}: {answer}")
        self.family.note("events", expected)
