"""Rows of docs/format.md in Python, from that page alone."""
import hashlib
import struct

A, B, MASK = 0xA0761D6478BD642F, 0xE7037ED1A0B428DB, 2**64 - 1
EVENTS, COMMITS, NAMES, TEXTS, PEOPLE = 2, 3, 7, 12, 13


def fold(a, b):
    product = a * b
    return (product >> 64) ^ (product & MASK)


def lanes(data, even):
    words = struct.unpack(f"<{(len(data) + 31) // 32 * 4}Q", data + bytes(-len(data) % 32))
    odd, at, size = even ^ B, 0, len(data)
    while at + 32 <= size:
        n = at // 8
        even = fold(words[n] ^ A, words[n + 1] ^ even)
        odd = fold(words[n + 2] ^ B, words[n + 3] ^ odd)
        at += 32
    while at < size:
        n = at // 8
        even = fold(words[n] ^ A, words[n + 1] ^ even)
        at += 16
    return fold(even ^ size, odd ^ A)


def with_checksum(table, key, value):
    """A row as stored; the key is a number, or bytes."""
    start = fold(table ^ A, key ^ B) if isinstance(key, int) else lanes(key, fold(table ^ A, B))
    return value + struct.pack("<Q", lanes(value, start))


def is_intact(table, key, row):
    return with_checksum(table, key, row[:-8]) == row


def event(recorded_at, occurred_at, kind, zone, offset_s, index, tags, payload):
    body = b"".join(bytes([len(tag)]) + tag for tag in tags)
    return struct.pack("<qqHHiIBBH", recorded_at, occurred_at, kind, zone, offset_s, index,
                       len(tags), 0, len(body)) + body + payload


def tags_of(row):
    """Kind and tags of an event's row."""
    at, tags = 32, []
    for _ in range(row[28]):
        tags.append(row[at + 1:at + 1 + row[at]])
        at += 1 + row[at]
    return struct.unpack_from("<H", row, 16)[0], tags


def name(category, first, text):
    return category + struct.pack("<Q", first) + text


def person(first, slot, texts, seal, sealed):
    return struct.pack("<QIIQ8B", first, slot, 0, texts, 1, *[0] * 7) + seal + sealed


def text_key(position, field):
    return struct.pack(">QI", position, field)


def commit(previous, recorded_at, events, names=(), causation=0, request=bytes(32), actor=0,
           key=bytes(32), device=b"", correlation=b"", people=()):
    """The row of a commit, and its chain value, for events without checksums."""
    start = struct.pack("<qII", recorded_at, len(events), 1)
    rest = struct.pack("<Q", causation) + request + struct.pack("<I", actor) + key
    rest += struct.pack("<HH", len(device), len(correlation)) + device + correlation
    rest += b"".join(struct.pack("<I", number) + seal for number, seal in people)
    digest = hashlib.sha256(previous + start + rest)
    for row in names:
        digest.update(row[:1] + struct.pack("<H", len(row) - 9) + row[9:])
    for row in events:
        digest.update(row)
    return start + digest.digest() + rest, digest.digest()


def check_example():
    """The example of docs/format.md."""
    rows = [event(1000, 5, 1, 2, 0, 0, [b"topic:x"], b"\x01\x02"), event(1000, 6, 1, 0, 0, 1, [], b"")]
    names = [name(b"k", 1, b"test.a.v1"), name(b"z", 1, b"UTC")]
    _, chain = commit(bytes(32), 1000, rows, names, device=b"d", correlation=b"c")
    return chain.hex() == "ee7eef9a47664dc6a60c61b003073907e57aa2d268c5a2fad24f7ebe32a007d0"
