"""What the functions take and refuse, one sentence each."""
import os
import random
import time

import pq
import rows
import writer
from writer import FORBIDDEN, REPEATED, UNWRITTEN, WRITTEN, Bytes, Item, Request

A, B = b"test.a.v1", b"test.b.v1"


class Log:
    """A new log, with a writer."""

    count = 0

    def __init__(self, server, state="open"):
        Log.count += 1
        self.server = server
        with pq.Connection(server.address()) as connection:
            self.number = int(connection.query(
                "select daybook.create_log($1, $2, $3, $4, $5)", pq.text(f"log {Log.count}"),
                pq.bytea(os.urandom(16)), pq.bytea(bytes(32)), pq.bytea(bytes(60)),
                pq.text(state))[0][0])
        self.writer = writer.Writer(server.address(), self.number)

    def end(self):
        return writer.End(self.writer.connection.query(writer.HEAD, pq.int4(self.number))[0])

    def made(self, requests, groups=None):
        self.writer.end = self.end()
        self.writer.learn_names()
        return Bytes(self.number, self.writer.end, requests, self.writer.names, groups)

    def send(self, made):
        """Sends bytes as they are; returns the answer, or the SQLSTATE of an error."""
        try:
            return self.writer.take(
                self.writer.connection.query(writer.APPEND, *made.parameters())[0])
        except pq.Failed as error:
            return error.state


def some(tag=b"t:1", kind=A, payload=b"\x01", **more):
    return Request([(kind, [tag], payload)], **more)


def transactions(server, expect):
    log = Log(server)
    for level in ["repeatable read", "serializable"]:
        log.writer.connection.query(f"begin isolation level {level}")
        expect(f"an append at {level} is refused", log.send(log.made([some()])), "DAY01")
        log.writer.connection.query("rollback")
    log.writer.connection.query("set synchronous_commit = off")
    expect("an append without a durable commit is refused", log.send(log.made([some()])), "DAY02")
    log.writer.connection.query("set synchronous_commit = on")
    expect("nothing was written", log.end().position, 0)
    log.writer.connection.query("begin")
    expect("an append within a transaction", log.send(log.made([some()]))[0], "appended")
    expect("a second one within it", log.send(log.made([some()]))[0], "appended")
    log.writer.connection.query("rollback")
    expect("is taken back with it", log.end().position, 0)
    made = log.made([some()])
    made.log = 999
    expect("an unknown log is refused", log.send(made), "DAY04")


def ends(server, expect):
    log = Log(server)
    made = log.made([some(), some()])
    expect("two commits are written", log.send(made), ("appended", [WRITTEN, WRITTEN], [1, 2]))
    answer = log.send(made)
    expect("the same bytes again are known by their digests", answer,
           ("moved", [REPEATED, REPEATED], [1, 2]))
    expect("and the answer has the end", log.writer.end.position, 2)
    good = log.end()
    changes = {
        "position": 1, "chain": bytes(32), "next_name": 9, "next_person": 2, "next_slot": 2,
        "epoch": 2, "state": "filling"}
    for field, value in changes.items():
        made = log.made([some()])
        setattr(made.end, field, value)
        expect(f"bytes for another {field} are answered with the end", log.send(made)[0], "moved")
        expect(f"the end that {field} was answered with", log.writer.end.chain, good.chain)
    for state in ["closed", "filling"]:
        log.writer.connection.query(
            "select daybook.set_state($1, $2)", pq.int4(log.number), pq.text(state))
        made = log.made([some()])
        made.end.state = "open"
        expect(f"a log that is {state} takes no append", log.send(made)[0], "moved")
    filled = Log(server, "filling")
    made = Bytes(filled.number, _with(filled.end(), lead=-10**12), [some()], {})
    expect("a log that is filled takes old times", filled.send(made)[0], "appended")

    def ask(log, name, *parameters):
        marks = ", ".join(f"${n + 2}" for n in range(len(parameters)))
        try:
            log.writer.connection.query(f"select daybook.{name}($1, {marks})", pq.int4(log.number), *parameters)
            return ""
        except pq.Failed as error:
            return error.state
    person = rows.with_checksum(rows.PEOPLE, 1, rows.person(1, 1, 0, bytes(32), b"n" * 44))
    people = [pq.array(pq.INT8, [1]), pq.array(pq.BYTEA, [person]), pq.array(pq.INT8, [0]),
              pq.array(pq.BYTEA, [bytes(60)])]
    head = [pq.int8(1), pq.bytea(filled.end().chain), pq.int8(2), pq.int8(2)]
    expect("a file's head without its people", ask(filled, "end_filling", *head), "DAY06")
    expect("its people", [ask(filled, "fill_people", *people) for _ in range(2)], ["", ""])
    expect("another head", ask(filled, "end_filling", pq.int8(1), pq.bytea(bytes(32)), *head[2:]), "DAY06")
    expect("its head", ask(filled, "end_filling", *head), "")
    expect("then it takes no people so", ask(filled, "fill_people", *people), "DAY06")
    answer = filled.send(filled.made([some(kind=B, people=[b"n" * 44])]))
    expect("but appends", (answer[0], filled.end().next_person, filled.end().next_slot), ("appended", 3, 3))


def _with(end, **fields):
    for field, value in fields.items():
        setattr(end, field, value)
    return end


def clocks(server, expect):
    log = Log(server)
    for seconds in [-1.5, 1.5]:
        made = Bytes(log.number, _with(log.end(), lead=int(seconds * 1e6)), [some()], {})
        expect(f"a clock {seconds} s off is answered with the server's",
               (log.send(made)[0], log.end().position), ("clock", 0))
    made = Bytes(log.number, _with(log.end(), lead=800_000), [some()], {})
    expect("0.8 s are no fault", log.send(made)[0], "appended")
    made = Bytes(log.number, _with(log.end(), lead=0, recorded_at=0), [some()], log.writer.names)
    expect("times never go back", log.send(made)[0], "clock")
    expect("a head before the clock is repeated", log.send(log.made([some()]))[0], "appended")


def groups(server, expect):
    log = Log(server)
    log.writer.append([some(b"t:x"), some(b"t:y", key=b"k1")])
    p = log.end().position
    log.writer.append([some(b"t:x", kind=B)])
    requests = [
        some(b"t:a", items=[Item(p, [b"t:a"])]), some(b"t:b", items=[Item(p, [b"t:x"])]),
        some(b"t:c"), some(b"t:d", items=[Item(p, kinds=[2])])]
    answer = log.send(log.made(requests))
    expect("what comes before a forbidden event is written, and each has its outcome", answer,
           ("appended", [WRITTEN, FORBIDDEN, UNWRITTEN, FORBIDDEN], [4, 3, 0, 3]))
    answer = log.send(log.made([some(b"t:a"), some(b"t:b"), some(b"t:y", key=b"k1")], [1, 2, 2]))
    expect("a group with a known key is not written in part", answer,
           ("appended", [WRITTEN, UNWRITTEN, REPEATED], [5, 0, 2]))
    answer = log.send(log.made([some(), some(items=[Item(p, [b"t:x"])])], [1, 1]))
    expect("a group with a forbidden event is not written", answer,
           ("appended", [FORBIDDEN, FORBIDDEN], [3, 3]))
    expect("the log has five events", log.end().position, 5)
    twice = Request([(A, [b"t:twice", b"t:twice"], b"")])
    expect("an event may have a tag twice", log.writer.append([twice])[0].outcome, WRITTEN)
    log.writer.append([Request([(A, [b"bulk"], b"")] * 10_050)])
    expect("a condition without tags reaches 10,000 events back",
           log.send(log.made([some(items=[Item(0, kinds=[999])])]))[0], "behind")
    expect("one with tags reaches everywhere",
           log.send(log.made([some(items=[Item(0, [b"t:q", b"bulk"])])]))[0], "appended")
    answer = log.send(log.made([some(items=[Item(log.end().position - 3)])]))
    expect("'all' is forbidden by any event", answer[1], [FORBIDDEN])


def conditions(server, expect, seed):
    """Random conditions, and what an oracle says of them."""
    generator = random.Random(seed)
    log = Log(server)
    tags, kinds = [b"t:%d" % n for n in range(6)], [b"test.k%d.v1" % n for n in range(4)]
    events, wrong = [], 0
    for _ in range(300):
        commit = [(generator.choice(kinds), generator.sample(tags, generator.randrange(4)), b"\x01")
                  for _ in range(generator.randrange(1, 4))]
        known = {log.writer.names[kind]: kind for kind in kinds if kind in log.writer.names}
        items = [Item(generator.randrange(max(0, len(events) - 12), len(events) + 1),
                      generator.sample(tags, generator.randrange(3)),
                      generator.sample(sorted(known), min(len(known), generator.randrange(3))))
                 for _ in range(generator.randrange(3))]
        forbidden = any(
            n >= item.after and (not item.kinds or kind in [known[k] for k in item.kinds])
            and all(tag in event_tags for tag in item.tags)
            for item in items for n, (kind, event_tags, _) in enumerate(events))
        request = Request(commit, items)
        log.writer.append([request])
        wrong += (request.outcome == FORBIDDEN) != forbidden
        if request.outcome == WRITTEN:
            events += commit
    expect(f"300 random conditions as the oracle says (seed {seed})", wrong, 0)
    stored = writer.read_log(log.writer.connection, log.number)[0]
    expect("and the log has the oracle's events", [event[1] for event in stored],
           [event[1] for event in events])


def bytes_refused(server, expect, seed):
    """A writer with a fault changes nothing."""
    log = Log(server)
    log.writer.append([some(key=b"first")])
    people = dict(people=[b"n" * 44], texts=[(0, b"c" * 40)])
    faults = {
        "a commit of another layout": lambda m: alter(m.commits, 0, 12, 2),
        "a commit without events": lambda m: alter(m.commits, 0, 8, 0),
        "a commit of more events": lambda m: alter(m.commits, 0, 8, 2),
        "another chain value": lambda m: alter(m.commits, 0, 20),
        "another digest of a key": lambda m: m.requests.__setitem__(0, some(key=b"other")),
        "an event of another time": lambda m: alter(m.events, 0, 0),
        "an event of another place in its commit": lambda m: alter(m.events, 0, 24),
        "an unknown kind": lambda m: alter(m.events, 0, 17, 200),
        "an unknown zone": lambda m: alter(m.events, 0, 19, 200),
        "tags of another length": lambda m: alter(m.events, 0, 32),
        "more tags": lambda m: alter(m.events, 0, 28, 9),
        "a changed tag": lambda m: alter(m.events, 0, 34),
        "an event that ends early": lambda m: m.events.__setitem__(0, m.events[0][:41]),
        "a missing event": lambda m: m.events.pop(),
        "a name before its commit": lambda m: m.new_names.__setitem__(0, rows.name(b"k", 1, B) + bytes(8)),
        "a name that is not used": lambda m: m.new_names.append(rows.name(b"k", 99, b"x") + bytes(8)),
        "another name": lambda m: alter(m.new_names, 0, 10),
        "a person with another number": lambda m: m.persons.__setitem__(0, (1, 7, b"", m.persons[0][3])),
        "a slot that is not next": lambda m: m.persons.__setitem__(
            0, (1, 1, b"", rows.person(1, 7, 0, bytes(32), b"n" * 44) + bytes(8))),
        "a missing block of keys": lambda m: m.blocks.clear(),
        "a text of an earlier event": lambda m: m.texts.__setitem__(0, (1, 5, m.texts[0][2])),
    }
    for sentence, fault in faults.items():
        made = log.made([some(kind=B, key=b"k", **people)])
        before = log.end().__dict__
        fault(made)
        answer = log.send(made)
        after = log.end().__dict__
        same = all(before[name] == after[name] for name in before if name not in ("clock", "lead"))
        expect(f"{sentence} is refused", (answer if isinstance(answer, str) else answer[0], same),
               ("DAY03", True))
    generator, passed, rounds = random.Random(seed), 0, 200
    for _ in range(rounds):
        made = log.made([some(kind=B, key=b"k"), some(b"t:9", payload=b"\x07" * 30)])
        rows_of = generator.choice([made.commits, made.events, made.new_names])
        index = generator.randrange(len(rows_of))
        offset = generator.randrange(len(rows_of[index]) - 8)
        alter(rows_of, index, offset, rows_of[index][offset] ^ (1 << generator.randrange(8)))
        passed += not isinstance(log.send(made), str)
    expect(f"{rounds} changed bits refused (seed {seed})", (passed, log.end().position), (0, 1))
    expect("the same request without a fault is written",
           log.send(log.made([some(kind=B, key=b"k", **people)]))[0], "appended")
    for kinds in [{A: 77}, {A: 0}]:
        made = Bytes(log.number, log.end(), [some()], kinds)
        expect(f"the kind {kinds[A]} is refused though the chain is right", log.send(made), "DAY03")
    made = log.made([some()])
    made.persons = [(1, 1, bytes(8), rows.person(1, 1, 5, bytes(32), b"n" * 44) + bytes(8))]
    expect("a person whose row another writer changed is refused", log.send(made), "DAY03")


def alter(list_of_rows, index, offset, value=None):
    row = bytearray(list_of_rows[index])
    row[offset] = (row[offset] ^ 1) if value is None else value
    list_of_rows[index] = bytes(row)


def roles(server, expect):
    log = Log(server)
    with pq.Connection(server.address()) as owner:
        for name in ["read", "append", "erase"]:
            try:
                owner.run(f"create role user_{name} login in role daybook_{name}")
            except pq.Failed as error:
                # Another database of this server has made it.
                if error.state != "42710":
                    raise
    allowed = {
        "append": {"append", "erase"}, "insert": set(), "update": set(),
        "vault": {"append", "erase"}, "records": {"read", "append", "erase"}, "epoch": {"erase"},
        "state": set(), "create": set(), "report": {"append", "erase"}, "replicas": {"erase"}}
    statements = {
        "insert": f"insert into daybook.events values (9, {log.number}, decode(repeat('00', 60), 'hex'))",
        "update": "update daybook.heads set position = 7",
        "vault": "select * from daybook.vault",
        "records": f"select * from daybook.records({log.number}, 0, 9)",
        "epoch": f"select daybook.begin_epoch({log.number})",
        "state": f"select daybook.set_state({log.number}, 'closed')",
        "create": "select daybook.create_log('x', '', '', '')",
        "report": f"select daybook.report_replica({log.number}, gen_random_uuid(), '', 0, 0)",
        "replicas": "select * from daybook.replicas",
    }
    for name in ["read", "append", "erase"]:
        with pq.Connection(server.address(user=f"user_{name}")) as connection:
            for act, who in allowed.items():
                try:
                    if act == "append":
                        connection.query(writer.APPEND, *log.made([some()]).parameters())
                    else:
                        connection.query(statements[act])
                    state = ""
                except pq.Failed as error:
                    state = error.state
                expect(f"the role {name} may{'' if name in who else ' not'}: {act}", state,
                       "" if name in who else "42501")


def silent_holder(server, expect):
    log = Log(server)
    holder = pq.Connection(server.address())
    # The second of the holder begins after this; a busy machine makes it longer and never shorter.
    started = time.monotonic()
    holder.pipeline([("begin", ()), (writer.LOCK, (pq.int4(log.number),))])
    log.writer.append([some()])
    expect("a silent holder of the lock keeps it for a second", time.monotonic() - started > 0.95, True)
    try:
        holder.query("select 1")
        state = ""
    except pq.Failed as error:
        state = error.state or "lost"
    expect("and its connection", state in ("25P03", "lost", "57P05"), True)
    holder.close()
    log.writer.append([some()], locks_after=0)
    expect("the lock first, then an append", log.writer.locked, 1)


def plans(server, expect):
    """The plans that were made for empty tables read little of large ones."""
    log = Log(server)
    def send(n):
        p = log.writer.end.position
        log.writer.append([
            some(b"t:%d" % (i % 97), items=[Item(p, [b"t:%d" % (i % 97)], [1]), Item(p, [b"u", b"t:1"])])
            for i in range(n)])
    send(10)
    for _ in range(20):
        send(1000)
    counts = ("select coalesce(sum(seq_scan), 0), (select coalesce(sum(idx_tup_read), 0) from "
              "pg_stat_user_indexes where relname <> 'heads') from pg_stat_user_tables "
              "where relname in ('events', 'commits', 'tags', 'requests', 'texts', 'people')")
    def now():
        log.writer.connection.query("select pg_stat_force_next_flush()")
        time.sleep(0.2)
        return [int(value) for value in log.writer.connection.query(counts)[0]]
    before = now()
    send(1000)
    after = now()
    expect("an append scans no table", after[0] - before[0], 0)
    read = after[1] - before[1]
    expect(f"1,000 commits read few rows of indexes (read: {read})", read < 10_000, True)


def run(server, expect, seed):
    expect("the example of docs/format.md", rows.check_example(), True)
    for part in [transactions, ends, clocks, groups, roles, silent_holder, plans]:
        part(server, expect)
    conditions(server, expect, seed)
    bytes_refused(server, expect, seed)
