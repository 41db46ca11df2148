"""A writer of one log: makes the bytes of requests for the end that it knows, and appends them."""
import hashlib
import os
import struct
import time

import pq
import rows

APPEND = """
select a.result, (a.log_end).position, (a.log_end).chain, (a.log_end).recorded_at,
    (a.log_end).next_name, (a.log_end).next_person, (a.log_end).next_slot, (a.log_end).epoch,
    (a.log_end).state, (a.log_end).clock, a.outcomes, a.places
from daybook.append(
    $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
    $21, $22, $23, $24, $25) as a"""
HEAD = "select * from daybook.head($1)"
LOCK = "select * from daybook.lock_head($1)"
WRITTEN, REPEATED, FORBIDDEN, UNWRITTEN = 1, 2, 3, 4


class End:
    """The end of a log, as the functions give it."""

    def __init__(self, values):
        self.position, self.chain = int(values[0]), bytes.fromhex(values[1][2:])
        self.recorded_at = int(values[2])
        self.next_name, self.next_person, self.next_slot, self.epoch = map(int, values[3:7])
        self.state, self.clock = values[7], int(values[8])
        # How far the server's clock is ahead of this machine's.
        self.lead = self.clock - time.time_ns() // 1000


class Item:
    """No event after a position has one of the kinds and all of the tags."""

    def __init__(self, after, tags=(), kinds=()):
        self.after, self.tags, self.kinds = after, list(tags), list(kinds)


class Request:
    """A commit: events as (kind, tags, payload), items of its condition, and its key."""

    def __init__(self, events, items=(), key=None, people=(), texts=()):
        self.events, self.items, self.people, self.texts = events, list(items), people, texts
        self.key = key
        self.key_digest = hashlib.sha256(b"key\0" + key).digest() if key else bytes(32)
        self.digest = self.key_digest[:16] if key else os.urandom(16)
        self.outcome = self.place = None


class Bytes:
    """The parameters of an append, made for an end of the log."""

    def __init__(self, log, end, requests, names, groups=None, wrap=None):
        wrap = wrap or (lambda block, epoch: os.urandom(60))
        self.log, self.end, self.requests = log, end, requests
        self.groups = groups or list(range(1, len(requests) + 1))
        self.names = dict(names)
        self.commits, self.events, self.new_names = [], [], []
        self.persons, self.texts, self.blocks = [], [], []
        chain, position, person = end.chain, end.position, end.next_person
        # A head that is ahead of the server's clock is repeated.
        recorded_at = max(time.time_ns() // 1000 + end.lead, end.recorded_at)
        for number, request in enumerate(requests, 1):
            first = position + 1
            events, names_of_commit, people = [], [], []
            for index, (kind, tags, payload) in enumerate(request.events):
                position += 1
                if kind not in self.names:
                    self.names[kind] = end.next_name + len(self.new_names)
                    row = rows.name(b"k", position, kind)
                    self.new_names.append(rows.with_checksum(rows.NAMES, self.names[kind], row))
                    names_of_commit.append(row)
                row = rows.event(recorded_at, 7, self.names[kind], 0, 0, index, tags, payload)
                events.append(row)
                self.events.append(rows.with_checksum(rows.EVENTS, position, row))
            for sealed in request.people:
                slot = end.next_slot + len(self.persons)
                row = rows.person(first, slot, 0, hashlib.sha256(sealed).digest(), sealed)
                people.append((person, row[32:64]))
                self.persons.append(
                    (number, person, b"", rows.with_checksum(rows.PEOPLE, person, row)))
                if (slot - 1) % 2047 == 0:
                    self.blocks.append(wrap((slot - 1) // 2047, end.epoch))
                person += 1
            for field, value in request.texts:
                row = rows.with_checksum(rows.TEXTS, rows.text_key(first, field), value)
                self.texts.append((first, field, row))
            row, chain = rows.commit(
                chain, recorded_at, events, names_of_commit, key=request.key_digest, people=people)
            self.commits.append(rows.with_checksum(rows.COMMITS, first, row))

    def parameters(self):
        end = self.end
        items = [(self.groups[n], item) for n, request in enumerate(self.requests)
                 for item in request.items]
        return [
            pq.int4(self.log), pq.int8(end.position), pq.bytea(end.chain), pq.int4(end.next_name),
            pq.int8(end.next_person), pq.int8(end.next_slot), pq.int4(end.epoch),
            pq.text(end.state), pq.array(pq.INT4, self.groups), pq.array(pq.BYTEA, self.commits),
            pq.array(pq.BYTEA, [request.digest for request in self.requests]),
            pq.array(pq.BYTEA, self.events), pq.array(pq.BYTEA, self.new_names),
            pq.array(pq.INT4, [n for n, _, _, _ in self.persons]),
            pq.array(pq.INT8, [person for _, person, _, _ in self.persons]),
            pq.array(pq.BYTEA, [before for _, _, before, _ in self.persons]),
            pq.array(pq.BYTEA, [row for _, _, _, row in self.persons]),
            pq.array(pq.INT8, [position for position, _, _ in self.texts]),
            pq.array(pq.INT8, [field for _, field, _ in self.texts]),
            pq.array(pq.BYTEA, [row for _, _, row in self.texts]),
            pq.array(pq.BYTEA, self.blocks),
            pq.array(pq.INT4, [group for group, _ in items]),
            pq.array(pq.INT8, [item.after for _, item in items]),
            pq.array(pq.TEXT, ["{" + ",".join(map(str, item.kinds)) + "}" for _, item in items]),
            pq.array(pq.TEXT, [
                "{" + ",".join(f'"\\\\x{tag.hex()}"' for tag in item.tags) + "}"
                for _, item in items]),
        ]


class Writer:
    """A connection that appends to a log. It knows the log's names as far as it has read them."""

    def __init__(self, address, log, wrap=None):
        self.address, self.log, self.wrap = address, log, wrap
        self.names, self.names_read = {}, 1
        self.losses, self.trips, self.locked = 0, 0, 0
        self.connection, self.end = None, None
        self.connect()

    def connect(self):
        self.connection = pq.Connection(self.address)
        self.end = End(self.connection.query(HEAD, pq.int4(self.log))[0])
        self.learn_names()

    def close(self):
        self.connection.close()

    def learn_names(self):
        if self.end.next_name == self.names_read:
            return
        for number, value in self.connection.query(
                "select name, value from daybook.names where log = $1 and name >= $2",
                pq.int4(self.log), pq.int4(self.names_read)):
            row = bytes.fromhex(value[2:])
            if row[:1] == b"k":
                self.names[row[9:-8]] = int(number)
        self.names_read = self.end.next_name

    def take(self, values):
        """Takes the answer to an append: its result, outcomes and places."""
        self.end = End(values[1:10])
        return values[0], pq.integers(values[10]), pq.integers(values[11])

    def send(self, requests, groups=None):
        """Appends once for the end that is known; returns result, outcomes and places."""
        made = Bytes(self.log, self.end, requests, self.names, groups, self.wrap)
        values = self.connection.query(APPEND, *made.parameters())[0]
        self.trips += 1
        answer = self.take(values)
        if answer[0] == "appended":
            self.names.update(
                {text: n for text, n in made.names.items() if n < self.end.next_name})
            self.names_read = self.end.next_name
        else:
            self.learn_names()
        return answer

    def send_locked(self, requests, groups=None):
        """Appends under the lock, in two round trips."""
        self.locked += 1
        answers = self.connection.pipeline([("begin", ()), (LOCK, (pq.int4(self.log),))])
        self.end = End(answers[1][0])
        self.learn_names()
        made = Bytes(self.log, self.end, requests, self.names, groups, self.wrap)
        answers = self.connection.pipeline([(APPEND, made.parameters()), ("commit", ())])
        self.trips += 2
        answer = self.take(answers[0][0])
        self.names.update({text: n for text, n in made.names.items() if n < self.end.next_name})
        self.names_read = self.end.next_name
        return answer

    def append(self, requests, locks_after=2):
        """Appends until each request has an outcome; those with a forbidden event are not written."""
        left, losses = list(requests), 0
        while left:
            send = self.send_locked if losses >= locks_after else self.send
            result, outcomes, places = send(left)
            for request, outcome, place in zip(left, outcomes, places):
                if outcome != UNWRITTEN:
                    request.outcome, request.place = outcome, place
            left = [request for request in left if request.outcome is None]
            if result == "moved":
                losses += 1
                self.losses += 1
            elif result == "behind":
                raise AssertionError("a condition reaches too far back")
        return requests

    def append_surely(self, requests, seconds=60):
        """Appends though connections break: an unknown outcome is asked, or the request is sent again."""
        until = time.time() + seconds
        while True:
            try:
                return self.append([request for request in requests if request.outcome is None])
            except pq.Failed as error:
                if error.state[:2] not in ("", "57", "08", "55") or time.time() > until:
                    raise
            while time.time() < until:
                time.sleep(0.05)
                try:
                    self.connection.close()
                    self.connect()
                    break
                except pq.Failed:
                    continue


def read_log(connection, log, after=0, chain=bytes(32), most=5000):
    """Reads and proves a whole log; returns events as (kind, tags, position), head and commits."""
    names, events, commits, position = [], [], [], after
    while True:
        through = int(connection.query(
            "select daybook.end_after($1, $2, $3)", pq.int4(log), pq.int8(position), pq.int8(most)
        )[0][0])
        if through == position:
            return events, position, chain, commits, names
        pending, digest, left = [], None, 0
        for letter, number, field, value in connection.query(
                "select letter, number, field, value from daybook.records($1, $2, $3)",
                pq.int4(log), pq.int8(position), pq.int8(through), binary=True):
            number, field = struct.unpack(">q", number)[0], struct.unpack(">q", field)[0]
            row = value[:-8]
            if letter == b"N":
                assert after > 0 or number == len(names) + 1
                assert rows.is_intact(rows.NAMES, number, value)
                names.append(row)
                pending.append(row)
            elif letter == b"C":
                assert left == 0 and number == position + 1, f"a gap before {number}"
                assert rows.is_intact(rows.COMMITS, number, value)
                digest = hashlib.sha256(chain + row[:16] + row[48:])
                for name in pending:
                    digest.update(name[:1] + struct.pack("<H", len(name) - 9) + name[9:])
                pending = []
                left, chain = struct.unpack_from("<I", row, 8)[0], row[16:48]
                commits.append((number, row))
            elif letter == b"E":
                position += 1
                assert number == position and rows.is_intact(rows.EVENTS, number, value)
                digest.update(row)
                left -= 1
                assert left > 0 or digest.digest() == chain, f"the chain of {number}"
                events.append((*rows.tags_of(row), position, row))
            elif letter == b"P":
                assert rows.is_intact(rows.PEOPLE, number, value)
            elif letter == b"T":
                assert rows.is_intact(rows.TEXTS, rows.text_key(number, field), value)
        assert position == through and left == 0
