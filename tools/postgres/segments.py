"""A log of `replay` goes to PostgreSQL and back: `ship`, `append` and `fill_people`, `records`, `pull`.

The replica that `pull` makes of PostgreSQL's rows has the same head and answers the same.
"""
import glob
import hashlib
import json
import os
import struct
import sys

import pq
import rows
import writer
from examples import A, Log
from processes import ROOT, Tool, temporary

sys.path.insert(0, os.path.join(ROOT, "tools", "witness"))
import samples

MAGIC = b"daybook-segment-v1\n"
NONE = bytes(32)


def read_segments(folder):
    """Log id, and all records of the segments of a folder."""
    records, log = [], None
    for path in sorted(glob.glob(os.path.join(folder, "*.segment"))):
        with open(path, "rb") as file:
            data = file.read()
        log, at = data[len(MAGIC):len(MAGIC) + 16], len(MAGIC) + 72
        while at < len(data):
            size = struct.unpack_from("<I", data, at + 1)[0]
            records.append((data[at:at + 1], data[at + 5:at + 5 + size]))
            at += 5 + size
    return log, records


def write_segment(path, log, after, head, people, records):
    """Writes what `daybook.records` gave as one segment, a shipment of its own."""
    data = MAGIC + log + struct.pack("<QIIQ", head[0], 0, people, after[0]) + after[1]
    for letter, number, field, value in records:
        number, field = struct.unpack(">q", number)[0], struct.unpack(">q", field)[0]
        key = {b"P": struct.pack("<I", number), b"T": rows.text_key(number, field)}.get(letter, b"")
        body = key + value[:-8]
        data += letter + struct.pack("<I", len(body)) + body
    data += b"B" + bytes(4) + b"Z" + struct.pack("<I", 73) + b"\1" + struct.pack("<Q", head[0]) + head[1]
    with open(path, "wb") as file:
        file.write(data + hashlib.sha256(data).digest())


class StoredBytes:
    """Commits of a file as parameters of an append."""

    def __init__(self, log, end, commits, digests, events, names, texts):
        made = writer.Bytes(log, end, [], {})
        made.commits, made.events, made.new_names, made.texts = commits, events, names, texts
        made.groups = list(range(1, len(commits) + 1))
        self.values = made.parameters()
        self.values[10] = pq.array(pq.BYTEA, digests)


def push(log, records, most=200):
    """Sends the commits of segments to a log that is filled."""
    texts, position, name_count = {}, 0, 0
    for letter, body in records:
        if letter == b"T":
            place, field = struct.unpack(">QI", body[:12])
            texts.setdefault(place, []).append((place, field, rows.with_checksum(rows.TEXTS, body[:12], body[12:])))
    commits, digests, events, names, of_texts = [], [], [], [], []
    people = {}

    def send():
        if commits:
            made = StoredBytes(log.number, log.end(), commits, digests, events, names, of_texts)
            result = log.writer.take(log.writer.connection.query(writer.APPEND, *made.values)[0])
            assert result[0] == "appended" and set(result[1]) == {1}, result
        for each in (commits, digests, events, names, of_texts):
            each.clear()

    for letter, body in records:
        if letter == b"P":
            people[struct.unpack("<I", body[:4])[0]] = body[4:]
        elif letter == b"N":
            name_count += 1
            names.append(rows.with_checksum(rows.NAMES, name_count, body))
        elif letter == b"C":
            # Names come before their commit, which is the next one.
            own = [name for name in names if struct.unpack_from("<Q", name, 1)[0] > position]
            if len(commits) >= most:
                for name in own:
                    names.remove(name)
                send()
                names.extend(own)
            commits.append(rows.with_checksum(rows.COMMITS, position + 1, body))
            digests.append(body[92:108] if body[92:124] != NONE else os.urandom(16))
        elif letter == b"E":
            position += 1
            events.append(rows.with_checksum(rows.EVENTS, position, body))
            of_texts += texts.get(position, [])
    send()
    return people


def run(server, expect, seed, binary):
    if not binary:
        return "skipped, no --binary; "
    folder = temporary("daybook-segments-")
    tool = Tool(binary, os.path.join(folder, "log"))
    for name in ["tour.jsonl", "story-queue.jsonl", "tour-voice.jsonl"]:
        with open(os.path.join(ROOT, "docs", name), "rb") as file:
            tool.run("append", "--each", stdin=file.read(), codes=(0, 1))
    facts = samples.steps([kind for kind in tool.schema() if kind["kind"] == "event"])
    tool.run("append", "--each", stdin="\n".join(map(json.dumps, facts)).encode(), codes=(0, 1))
    tool.run("import", "--format", "gpx", "--user", "kim", "docs/tour-run.gpx", codes=(0, 1))
    tool.run("erase", "--tag", "user:kim", codes=(0, 1))
    shipped, keys = os.path.join(folder, "shipped"), os.path.join(folder, "keys")
    tool.run("ship", shipped, "--texts", keys)
    identifier, records = read_segments(shipped)
    log = Log(server, "filling")
    log.writer.connection.query("update daybook.logs set id = $2 where log = $1", pq.int4(log.number), pq.bytea(identifier))
    people = push(log, records)
    with open(keys, "rb") as file:
        data = file.read()
    slots, lost = struct.unpack_from("<II", data, 16 + 16 + 40 + 32)
    at = 16 + 16 + 40 + 32 + 8 + 4 * lost
    blocks = [data[at + n * 81880:at + (n + 1) * 81880] for n in range((slots + 2046) // 2047)]
    numbers = sorted(people)
    log.writer.connection.query(
        "select daybook.fill_people($1, $2, $3, $4, $5)", pq.int4(log.number), pq.array(pq.INT8, numbers),
        pq.array(pq.BYTEA, [rows.with_checksum(rows.PEOPLE, n, people[n]) for n in numbers]),
        pq.array(pq.INT8, list(range(len(blocks)))), pq.array(pq.BYTEA, [bytes(28) + block for block in blocks]))
    end = log.end()
    log.writer.connection.query(
        "select daybook.end_filling($1, $2, $3, $4, $5)", pq.int4(log.number), pq.int8(end.position),
        pq.bytea(end.chain), pq.int8(len(numbers) + 1), pq.int8(slots + 1))
    expect("PostgreSQL has the head of the file", f"{end.position}:{end.chain.hex()}", tool.head())

    def segment(name, after, head):
        found = log.writer.connection.query(
            "select letter, number, field, value from daybook.records($1, $2, $3)", pq.int4(log.number),
            pq.int8(after[0]), pq.int8(head[0]), binary=True)
        path = os.path.join(folder, name)
        write_segment(path, identifier, after, head, len(numbers), found)
        return path
    first = segment("first.segment", (0, NONE), (end.position, end.chain))
    replica = Tool(binary, os.path.join(folder, "replica"))
    replica.run("pull", first, "--texts", keys)
    expect("a replica of PostgreSQL has the same head", replica.head(), tool.head())
    for question in [["log", "--json", "--chain"], ["verify", "--json"], ["state", "run", "--json"],
                     ["audit", "--all", "--json"]]:
        codes = (0, 1)
        expect(f"and answers the same: {question[0]}", replica.run(*question, codes=codes) == tool.run(*question, codes=codes), True)

    bare = Tool(binary, os.path.join(folder, "bare"))
    bare.run("pull", first)
    log.writer.connect()
    log.writer.append([writer.Request([(A, [b"topic:x", b"t:y"], b"\1\2"), (b"test.b.v1", [], b"")], people=[b"n" * 44])])
    new = log.end()
    bare.run("pull", segment("second.segment", (end.position, end.chain), (new.position, new.chain)))
    expect("a replica without keys goes on with what was appended there",
           bare.head(), f"{new.position}:{new.chain.hex()}")
    expect("and finds nothing wrong", json.loads(bare.run("verify", "--json"))["findings"], [])
    return f"{end.position} events and {len(numbers)} people of a file there and back; "
