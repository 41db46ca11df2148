"""Clients and the server are killed while clients append through a proxy that cuts connections."""
import multiprocessing
import os
import random
import signal
import socket
import threading
import time

import pq
import writer
from examples import A, Log
from processes import temporary
from writer import Request

WORKERS = 8


class Proxy:
    """A socket that passes bytes to the server's, and cuts each connection after a random number."""

    def __init__(self, server, seed):
        self.target = os.path.join(server.folder, ".s.PGSQL.5432")
        self.folder = temporary("daybook-proxy-")
        self.generator = random.Random(seed)
        self.cuts = 0
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.bind(os.path.join(self.folder, ".s.PGSQL.5432"))
        self.socket.listen(64)
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            client, _ = self.socket.accept()
            server = socket.socket(socket.AF_UNIX)
            try:
                server.connect(self.target)
            except OSError:
                client.close()
                continue
            # Enough to begin with, and a cut anywhere in some appends or their answers.
            limit = [2_000 + self.generator.randrange(60_000)]
            for source, target in [(client, server), (server, client)]:
                threading.Thread(target=self.copy, args=(source, target, limit), daemon=True).start()

    def copy(self, source, target, limit):
        try:
            while data := source.recv(4096):
                data = data[:max(0, limit[0])]
                limit[0] -= len(data)
                target.sendall(data)
                if limit[0] <= 0:
                    self.cuts += 1
                    break
        except OSError:
            pass
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


def work(address, log, journal, number, seed):
    """Appends until killed; notes each request before and after."""
    generator = random.Random(seed)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    count = sum(line.startswith("I ") for line in open(journal)) if os.path.exists(journal) else 0
    with open(journal, "a", buffering=1) as file:
        while True:
            try:
                own = writer.Writer(address, log)
                break
            except pq.Failed:
                time.sleep(0.05)
        while True:
            batch = []
            for _ in range(generator.choice([1, 1, 2, 20])):
                id = f"{number}:{count}".encode()
                count += 1
                batch.append(Request([(A, [b"w:%d" % number], id)] * generator.choice([1, 2]),
                                     key=id if generator.random() < 0.7 else None))
                file.write(f"I {id.decode()} {int(batch[-1].key is not None)} {len(batch[-1].events)}\n")
            own.append_surely(batch)
            for request in batch:
                file.write(f"A {request.events[0][2].decode()} {request.place}\n")


def follow(address, log, journal):
    """Reads the log as it grows, proves it, and notes each head that it has seen."""
    position, chain, names = 0, bytes(32), []
    with open(journal, "a", buffering=1) as file:
        connection = None
        while True:
            try:
                connection = connection or pq.Connection(address)
                _, position, chain, commits, _ = writer.read_log(connection, log, position, chain, 500)
                file.write(f"{position} {chain.hex()}\n")
                time.sleep(0.02)
            except pq.Failed:
                connection = None
                time.sleep(0.05)


def resend(address, log, journal, number):
    """Sends what a killed client does not know: requests with keys again; returns the places."""
    lines = [line.split() for line in open(journal)]
    known = {line[1] for line in lines if line[0] == "A"}
    unknown = [line for line in lines if line[0] == "I" and line[1] not in known and line[2] == "1"]
    own = writer.Writer(address, log)
    for _, id, _, size in unknown:
        request = Request([(A, [b"w:%d" % number], id.encode())] * int(size), key=id.encode())
        own.append([request])
        with open(journal, "a") as file:
            file.write(f"A {id} {request.place}\n")
    own.close()
    return len(unknown)


def run(server, expect, seed, rounds):
    generator = random.Random(seed)
    log, proxy = Log(server), Proxy(server, seed)
    direct = server.address()
    cut = direct.replace(server.folder, proxy.folder)
    folder = temporary("daybook-journals-")
    os.chmod(folder, 0o755)
    start = multiprocessing.get_context("fork").Process
    heads = os.path.join(folder, "heads")
    reader = start(target=follow, args=(direct, log.number, heads), daemon=True)
    reader.start()

    def worker(number):
        process = start(target=work, daemon=True, args=(
            cut if number % 2 else direct, log.number, f"{folder}/{number}", number,
            generator.randrange(2**32)))
        process.start()
        return process

    workers = [worker(number) for number in range(WORKERS)]
    server_kills = client_kills = 0
    for round in range(rounds):
        time.sleep(0.3 + generator.random())
        if round % 3 == 2:
            server.crash()
            server_kills += 1
        else:
            number = generator.randrange(WORKERS)
            workers[number].kill()
            workers[number].join()
            workers[number] = worker(number)
            client_kills += 1
    time.sleep(1)
    for process in workers + [reader]:
        process.kill()
        process.join()
    again = sum(resend(direct, log.number, f"{folder}/{n}", n) for n in range(WORKERS))
    with pq.Connection(direct) as connection:
        events, position, _, commits, _ = writer.read_log(connection, log.number)
    places, at = {}, {}
    for _, tags, place, row in events:
        id = row[32 + sum(1 + len(tag) for tag in tags):].decode()
        places.setdefault(id, []).append(place)
    lost = doubled = unasked = acknowledged = 0
    for n in range(WORKERS):
        lines = [line.split() for line in open(f"{folder}/{n}")]
        sizes = {line[1]: int(line[3]) for line in lines if line[0] == "I"}
        at.update(sizes)
        for _, id, place in [line for line in lines if line[0] == "A"]:
            acknowledged += 1
            lost += places.get(id, [None])[0] != int(place)
    for id, found in places.items():
        unasked += id not in at
        doubled += len(found) != at.get(id)
    expect("nothing acknowledged was lost or moved", lost, 0)
    expect("nothing was written twice or in part", doubled, 0)
    expect("nothing was written that nobody asked for", unasked, 0)
    chains = {first + int.from_bytes(row[8:12], "little") - 1: row[16:48] for first, row in commits}
    seen = [line.split() for line in open(heads)]
    vanished = sum(chains.get(int(p)) != bytes.fromhex(c) for p, c in seen if p != "0" and len(c) == 64)
    expect("nothing seen has vanished", vanished, 0)
    return (f"{acknowledged} requests acknowledged, {position} events, {len(seen)} heads seen, "
            f"{client_kills} clients and {server_kills} servers killed, {proxy.cuts} cuts, "
            f"{again} unknown outcomes asked again; ")
