"""Commits a second, durable: a global lock, the head's lock, the end compared, and batches.

One event of 60 bytes with two tags a commit, and a condition on one of them. Clients are in 4
processes; the bytes are made in Python, on the same cores.
"""
import multiprocessing
import os
import threading
import time

import pq
import writer
from leader import Leader
from examples import A, Log
from writer import Item, Request

CLIENTS = 64
PROCESSES = 4


def request(n, p):
    tag = b"t:%d" % (n % 997)
    return Request([(A, [tag, b"u:%d" % (n % 50)], b"\x01" * 60)], [Item(p, [tag])])


def global_lock(own, n):
    answers = own.connection.pipeline([
        ("begin", ()), ("select pg_advisory_xact_lock(1)", ()), (writer.HEAD, (pq.int4(own.log),))])
    own.end = writer.End(answers[2][0])
    made = writer.Bytes(own.log, own.end, [request(n, own.end.position)], own.names)
    answers = own.connection.pipeline([(writer.APPEND, made.parameters()), ("commit", ())])
    assert own.take(answers[0][0])[0] == "appended"


def head_lock(own, n):
    # The condition is about what comes after the end that the writer gets with the lock.
    assert own.send_locked([request(n, 2**60)])[0] == "appended"


def compared(own, n):
    own.append([request(n, 2**60)])


def led(leader, n):
    leader.append(request(n, 2**60))


def client(address, log, way, seconds, counts, begin, leader):
    own = writer.Writer(address, log)
    own.append([request(0, 2**60)])
    begin.wait()
    until, n, times = time.time() + seconds, 0, []
    while time.time() < until:
        started = time.time()
        way(leader if way is led else own, n)
        times.append(time.time() - started)
        n += 1
    counts.append((n, times, own.losses))
    own.close()


def process(address, log, way, seconds, threads, queue, begin):
    counts = []
    leader = Leader(address, log) if way is led else None
    started = [threading.Thread(
        target=client, args=(address, log, way, seconds, counts, begin, leader))
               for _ in range(threads)]
    for thread in started:
        thread.start()
    for thread in started:
        thread.join()
    queue.put(counts)


def many(server, way, seconds, clients=CLIENTS, processes=PROCESSES):
    log = Log(server)
    queue, begin = multiprocessing.Queue(), multiprocessing.Barrier(clients)
    started = [multiprocessing.Process(target=process, args=(
        server.address(), log.number, way, seconds, clients // processes, queue, begin)) for _ in range(processes)]
    for one in started:
        one.start()
    counts = [count for _ in started for count in queue.get()]
    for one in started:
        one.join()
    times = sorted(each for _, times, _ in counts for each in times)
    return (sum(n for n, _, _ in counts) / seconds, times[len(times) // 2] * 1000,
            times[len(times) * 99 // 100] * 1000, sum(losses for _, _, losses in counts))


def batches(server, size, seconds):
    """One leader that appends batches; returns commits a second, with and without making the bytes."""
    own = Log(server).writer
    own.append([request(0, 2**60)])
    until, count, inside = time.time() + seconds, 0, 0.0
    while time.time() < until:
        made = writer.Bytes(
            own.log, own.end, [request(n, own.end.position) for n in range(size)], own.names)
        parameters = made.parameters()
        started = time.time()
        values = own.connection.query(writer.APPEND, *parameters)[0]
        inside += time.time() - started
        assert own.take(values)[0] == "appended"
        count += size
    return count / seconds, count / inside


def catching_up(server, count=100_000):
    own = Log(server).writer
    for _ in range(count // 2000):
        own.append([Request([(A, [b"t:%d" % (n % 97), b"u"], b"\x01" * 60)]) for n in range(2000)])
    started, after = time.time(), 0
    size = 0
    while after < count:
        through = int(own.connection.query(
            "select daybook.end_after($1, $2, $3)", pq.int4(own.log), pq.int8(after), pq.int8(20000))[0][0])
        # Counted by the server, so that this program's reading is no part of it.
        answer = own.connection.query(
            "select count(*), sum(length(value)) from daybook.records($1, $2, $3)", pq.int4(own.log),
            pq.int8(after), pq.int8(through))
        size += int(answer[0][1])
        after = through
    return count / (time.time() - started)


def run(server, expect, seed, seconds):
    print(f"load before: {os.getloadavg()[0]:.1f}")
    for name, way, processes in [
            ("a global lock", global_lock, PROCESSES), ("the head's lock", head_lock, PROCESSES),
            ("the end compared, the lock after two losses", compared, PROCESSES),
            (f"{PROCESSES} leaders", led, PROCESSES), ("one leader", led, 1)]:
        rate, p50, p99, losses = many(server, way, seconds, CLIENTS, processes)
        print(f"{CLIENTS} clients, {name}: {rate:,.0f} commits/s, p50 {p50:.1f} ms, p99 {p99:.1f} ms, "
              f"{losses} losses")
    rate, p50, p99, _ = many(server, compared, seconds, 1, 1)
    print(f"1 client, the end compared: {rate:,.0f} commits/s, p50 {p50:.1f} ms, p99 {p99:.1f} ms")
    for size in [10, 100, 1000]:
        rate, inside = batches(server, size, seconds)
        print(f"1 leader, batches of {size}: {rate:,.0f} commits/s; without making the bytes {inside:,.0f}")
    print(f"records of events with their commits, read by the server: {catching_up(server):,.0f} events/s")
    expect("the log of the figures is whole", True, True)
