"""Appends events to an UmaDB server, each request durable when it is answered.

    umadb_peer.py single|batches|writers|head COMMITS URL EVENTS

Prints the number of events and the seconds; `head` asks for the position of the last event instead,
which costs the round trip and the client and writes nothing.
"""

import sys
import time

import umadb

import events

work, commits, url, path = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
if work == "head":
    client = umadb.Client(url)
    client.head()
    start = time.monotonic()
    for _ in range(commits):
        client.head()
    print(commits, time.monotonic() - start)
    raise SystemExit
stored = [
    umadb.Event(event_type=kind, data=payload, tags=tags)
    for kind, _, payload, tags in events.read(path, events.count_of(work, commits))
]
events.measure(work, commits, stored, lambda: umadb.Client(url).append)
assert umadb.Client(url).head() == len(stored), "events are missing"
