"""64 contenders in 4 processes decide on a few entities, each on what it has read before.

In two processes each contender appends by itself, in the others they have a leader.
"""
import multiprocessing
import random
import threading
import time

import pq
import writer
from leader import Leader
from examples import A, Log
from writer import WRITTEN, Item, Request

PROCESSES, THREADS = 4, 16
ENTITIES = [b"e:%d" % n for n in range(12)]


def contend(address, log, seed, seconds, acknowledged, counts, leader):
    generator = random.Random(seed)
    own = writer.Writer(address, log)
    until = time.time() + seconds
    while time.time() < until:
        # Some decisions are about two entities at once.
        entities = generator.sample(ENTITIES, generator.choice([1, 1, 1, 2]))
        p = writer.End(own.connection.query(writer.HEAD, pq.int4(log))[0]).position
        states = [int(own.connection.query(
            "select count(*) from daybook.tags where log = $1 and tag = $2 and position <= $3",
            pq.int4(log), pq.bytea(entity), pq.int8(p))[0][0]) for entity in entities]
        payload = b" ".join(b"%s=%d" % (e, n + 1) for e, n in zip(entities, states))
        request = Request([(A, entities, payload)], [Item(p, [entity]) for entity in entities],
                          key=payload + b"%d" % seed if generator.random() < 0.5 else None)
        leader.append(request) if leader else own.append([request])
        if request.outcome == WRITTEN:
            acknowledged.append((request.place, payload))
    counts.append((own.losses, own.locked, own.trips))
    own.close()


def contend_in_threads(address, log, seed, seconds, queue):
    acknowledged, counts = [], []
    leader = Leader(address, log) if seed % 2 else None
    threads = [threading.Thread(target=contend, args=(
        address, log, seed * 1000 + n, seconds, acknowledged, counts, leader)) for n in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if leader:
        counts.append((leader.writer.losses, leader.writer.locked, leader.writer.trips))
    queue.put((acknowledged, counts))


def run(server, expect, seed, seconds):
    log = Log(server)
    log.writer.append([Request([(A, [b"first"], b"")])])
    queue = multiprocessing.Queue()
    processes = [multiprocessing.Process(target=contend_in_threads, args=(
        server.address(), log.number, seed % 2**20 + n, seconds, queue)) for n in range(PROCESSES)]
    for process in processes:
        process.start()
    answers = [queue.get() for _ in processes]
    for process in processes:
        process.join()
    acknowledged = sorted(item for answer in answers for item in answer[0])
    counts = [count for answer in answers for count in answer[1]]
    expect("each contender ended", len(counts), PROCESSES * THREADS + PROCESSES // 2)
    events = writer.read_log(log.writer.connection, log.number)[0]
    found = [(position, row[32 + sum(1 + len(tag) for tag in tags):])
             for _, tags, position, row in events[1:]]
    expect("what was acknowledged is what the log has", found == acknowledged, True)
    states, wrong = dict.fromkeys(ENTITIES, 0), 0
    for _, payload in found:
        for word in payload.split(b" "):
            entity, number = word.split(b"=")
            states[entity] += 1
            wrong += int(number) != states[entity]
    expect("each decision saw all before it", wrong, 0)
    losses, locked, trips = (sum(column) for column in zip(*counts))
    return (f"{len(found)} decisions of {PROCESSES * THREADS} contenders in {seconds} s, {losses} losses, "
            f"{locked} with the lock first, {trips} round trips; ")
