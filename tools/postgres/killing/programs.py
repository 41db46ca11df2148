"""The program appends and follows while it, the server and their connections are killed.

Each round, one thing happens at a random moment. Then all that was acknowledged is in the log once,
a client that asked again has doubled nothing, nothing that a follower saw has vanished or changed,
all replicas are equal to each other and to a fresh one, and `verify` finds nothing.
"""
import collections
import json
import os
import random
import shutil
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pq
import server as servers
from fleet import SECONDS, BatchClient, Client, Follower, Ledger, Lines, Machine, Unexpected
from gate import Gate
from incidents import Incidents
import processes
from processes import temporary
from small_disk import SmallDisk, SmallServer

KINDS = [
    "client_killed", "killed_with_the_answer_held_back", "killed_within_the_local_commit",
    "holder_stopped", "server_killed", "connections_cut", "disk_of_a_replica_full",
    "server_and_clients_killed", "standby_promoted", "disk_of_the_server_full",
    "server_shut_down_at_once", "follower_killed", "answer_lost",
]
# The rounds after which another server and another log begin, so that logs stay small.
ROUNDS_OF_A_LOG = 26


class Fleet:
    """A log on a server, five clients on four replicas, and two followers."""

    def __init__(self, binary, server, seed, has_disk):
        self.binary, self.server = binary, server
        self.lines, self.ledger, self.running = Lines(seed), Ledger(), threading.Event()
        self.folder = temporary("daybook-fleet-")
        self.keys = os.path.join(self.folder, "keys")
        self.gates = [Gate(server) for _ in range(4)]
        self.disk = None
        self.fresh = self.machine(self.gates[3])
        self.fresh.run("database", "create", self.gates[3].address("home"))
        shared, own, small = (self.machine(gate) for gate in self.gates[:3])
        if has_disk:
            self.disk = SmallDisk(small.cache, 48)
        bare = self.machine(self.gates[3], has_keys=False)
        self.keyed, self.bare = [shared, own, small], bare
        made = [(Client, shared), (Client, shared), (Client, own), (Client, small),
                (BatchClient, own)]
        self.clients = [
            kind(f"c{n}", machine, self.ledger, self.lines, self.running)
            for n, (kind, machine) in enumerate(made)]
        self.followers = [Follower("f0", shared, self.ledger), Follower("f1", bare, self.ledger)]
        for worker in self.clients + self.followers:
            worker.thread.start()

    def machine(self, gate, has_keys=True):
        return Machine(self.binary, gate, "home", self.keys if has_keys else None)

    def pause(self):
        """Waits until each client has an outcome of all that it has sent."""
        self.running.clear()
        until = time.time() + 2 * SECONDS
        for client in self.clients:
            if not client.is_idle.wait(max(0, until - time.time())) or client.pending:
                raise Unexpected(f"{client.name} is stuck with {client.pending}")

    def stop(self):
        for worker in self.clients + self.followers:
            worker.over = True
        for worker in self.clients + self.followers:
            worker.stop()
        for gate in self.gates:
            gate.close()
        self.server.stop()
        for machine in [*self.keyed, self.bare, self.fresh]:
            shutil.rmtree(machine.cache, ignore_errors=True)
        if self.disk:
            self.disk.unmount()


class Checks:
    def __init__(self, fleet, expect):
        self.fleet, self.expect = fleet, expect

    def run(self):
        fleet, expect = self.fleet, self.expect
        with pq.Connection(fleet.server.address()) as connection:
            position, chain = connection.query("select position, chain from daybook.heads")[0]
        head = f"{position}:{chain[2:]}"
        shutil.rmtree(os.path.join(fleet.fresh.cache, "daybook"), ignore_errors=True)
        fresh_bare = fleet.machine(fleet.gates[3], has_keys=False)
        machines = [fleet.fresh, *fleet.keyed, fleet.bare, fresh_bare]
        with ThreadPoolExecutor(2) as pool:
            answers = list(pool.map(self.answers, machines))
        shutil.rmtree(fresh_bare.cache, ignore_errors=True)
        for name, (found, verified, lines) in zip(
                ["fresh", "shared", "own", "small", "bare", "fresh and bare"], answers):
            expect(f"the head of the replica '{name}'", found, head)
            expect(f"findings of verify in '{name}'", (verified["ok"], verified["findings"]),
                   (True, []))
            other = answers[0 if name in ("fresh", "shared", "own", "small") else 5][2]
            expect(f"'{name}' is equal to a fresh replica", lines == other, True)
        self.check_events([json.loads(line) for line in answers[0][2]])
        self.check_followers(answers[0][2], answers[5][2])
        expect("no answer contradicts another", fleet.ledger.contradictions, [])
        return int(position)

    @staticmethod
    def answers(machine):
        lines = machine.run("log", "--json", "--through").splitlines(True)
        verified = json.loads(machine.run("verify", "--json", codes=(0, 1)))
        return json.loads(lines[-1]).get("headAtPosition"), verified, lines[:-1]

    def check_events(self, events):
        """Compares the events with what clients have been answered."""
        ledger, expect = self.fleet.ledger, self.expect
        places = collections.defaultdict(list)
        kinds, slots = collections.Counter(), collections.Counter()
        for event in events:
            # A command may have several events, of a kind each.
            places[event["correlation"]].append(event["position"])
            kinds[event["correlation"], event["kind"]] += 1
            launch = event["payload"].get("launchId", "")
            slots[launch] += launch.startswith("slot-")
        with ledger.lock:
            known = dict(ledger.places)
            unknown, refused = set(ledger.unknown), set(ledger.refused)
        lost = [id for id, place in known.items() if places.get(id, [None])[0] != place]
        expect("what was acknowledged is where it was said to be", lost, [])
        expect("nothing is there twice", [each for each in kinds if kinds[each] > 1], [])
        expect("nothing is there that was refused", [id for id in refused if id in places], [])
        asked = [id for id in places if id not in known and id not in unknown]
        expect("nothing is there that nobody asked for", asked, [])
        expect("each slot was given once", [slot for slot in slots if slots[slot] > 1], [])

    def check_followers(self, keyed, bare):
        for follower, lines in zip(self.fleet.followers, (keyed, bare)):
            processes.wait_until(lambda: len(follower.seen) >= len(lines))
            seen = list(follower.seen)
            self.expect(f"the follower {follower.name} has seen all", len(seen), len(lines))
            changed = [n + 1 for n, (one, other) in enumerate(zip(seen, lines)) if one != other]
            self.expect(f"nothing that {follower.name} saw has changed", changed, [])


def kinds(rounds, generator, may):
    """The kinds of all rounds: each once in a random order, and so on."""
    made = []
    while len(made) < rounds:
        possible = [kind for kind in KINDS if may(kind)]
        generator.shuffle(possible)
        made += possible
    return made[:rounds]


def run(_, expect, seed, rounds, binary):
    if not binary:
        return "skipped, no --binary; "
    folder = binary if os.path.isdir(binary) else os.path.dirname(os.path.abspath(binary))
    program = os.path.join(folder, "replay-postgres")
    if not os.path.exists(program):
        return f"skipped, there is no {program}; "
    generator, ends = random.Random(seed), collections.Counter()
    counts, of_rounds = collections.Counter(), collections.Counter()
    has_disk, has_strace = SmallDisk.is_possible(), bool(shutil.which("strace"))
    for missing, word in [(has_disk, "full disks"), (has_strace, "kills by strace")]:
        if not missing:
            print(f"{word}: skipped")
    total = acknowledged = again = seen = cuts = 0
    plan = kinds(rounds, generator, lambda kind: (
        (has_disk or not kind.startswith("disk"))
        and (has_strace or kind != "killed_within_the_local_commit")))
    for first in range(0, rounds, ROUNDS_OF_A_LOG):
        # In turns in memory, which may be full, and on the disk, which is slower.
        is_small = has_disk and first // ROUNDS_OF_A_LOG % 2 == 0
        server = SmallServer() if is_small else servers.Server()
        server.install()
        position = 0
        fleet = Fleet(program, server, generator.randrange(2**32), has_disk)
        incidents, checks = Incidents(fleet, generator, counts), Checks(fleet, expect)
        try:
            for number in range(first, min(rounds, first + ROUNDS_OF_A_LOG)):
                faults, started = expect.faults, time.time()
                kind = plan[number]
                if kind == "disk_of_the_server_full" and not is_small:
                    kind = "server_killed"
                fleet.running.set()
                time.sleep(0.2 + generator.random() * 0.4)
                incidents.happen(kind)
                of_rounds[kind] += 1
                time.sleep(0.1 + generator.random() * 0.3)
                fleet.pause()
                position = checks.run()
                if os.environ.get("DAYBOOK_ROUNDS"):
                    print(f"round {number}: {kind}, {position} events, "
                          f"{time.time() - started:.1f} s, {expect.faults - faults} faults",
                          flush=True)
        except (Unexpected, pq.Failed) as error:
            expect(f"round {number}, {kind}", str(error), "")
        finally:
            fleet.stop()
        total += position
        acknowledged += len(fleet.ledger.places)
        again += fleet.ledger.repeated
        seen += sum(len(follower.seen) for follower in fleet.followers)
        cuts += sum(gate.cuts for gate in fleet.gates)
        ends.update(fleet.ledger.ends)
    for (code, message), count in ends.most_common(20):
        print(f"{count} processes ended with {code}: {message}")
    print("rounds: " + "; ".join(f"{count} {kind}" for kind, count in sorted(of_rounds.items())))
    print("of them: " + "; ".join(f"{count} {kind}" for kind, count in sorted(counts.items())))
    return (f"{rounds} rounds, {total} events, {acknowledged} lines acknowledged, {again} of them "
            f"again, {seen} events seen by followers, {cuts} connections cut; ")
