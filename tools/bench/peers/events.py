"""The benchmark's events, and the loops that append them, for the peers in Python."""

import threading
import time

BATCH = 1_000
# The threads of a work; one where nothing stands here.
THREADS = {"writers": 32, "clients": 64}


def read(path, count):
    """The first `count` events of a file that `daybook-bench --print-events` wrote."""
    events = []
    with open(path) as file:
        for line in file:
            if len(events) == count:
                break
            kind, at, payload, *tags = line.rstrip("\n").split("\t")
            events.append((kind, int(at), bytes.fromhex(payload), tags))
    if len(events) < count:
        raise SystemExit(f"{path}: fewer than {count} events")
    return events


def count_of(work, commits):
    return commits * BATCH if work == "batches" else commits


def measure(work, commits, events, make_append):
    """Appends the events and prints their number and the seconds.

    `make_append` returns a function that appends a list of events in one durable commit; each writer
    has its own.
    """
    if work not in THREADS:
        size = BATCH if work == "batches" else 1
        batches = [events[i:i + size] for i in range(0, len(events), size)]
        append = make_append()
        start = time.monotonic()
        for batch in batches:
            append(batch)
        print(len(events), time.monotonic() - start)
        return
    count = THREADS[work]
    barrier = threading.Barrier(count + 1)
    failures = []

    def write(number):
        try:
            append = make_append()
            own = [[event] for event in events[number::count]]
            barrier.wait()
            for batch in own:
                append(batch)
        except BaseException as failure:
            failures.append(failure)
            barrier.abort()

    threads = [threading.Thread(target=write, args=(n,)) for n in range(count)]
    for thread in threads:
        thread.start()
    barrier.wait()
    start = time.monotonic()
    for thread in threads:
        thread.join()
    seconds = time.monotonic() - start
    if failures:
        raise failures[0]
    print(len(events), seconds)
