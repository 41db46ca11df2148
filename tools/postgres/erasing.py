"""An erasure is killed at every step, while others append and register people.

Blocks of keys are encrypted by a cipher of this test, SHAKE-256 as a stream and a seal; the epochs' keys
are in a dictionary in place of the key command.
"""
import hashlib
import os
import random
import threading
import time

import pq
import rows
import writer
from examples import A, Log
from writer import Request

PEOPLE = 6200
SLOTS, SLOT = 2047, 40
VAULT = 16


def new_block(block):
    """A block of the table `vault` of docs/format.md."""
    return b"".join(rows.with_checksum(VAULT, block * SLOTS + n + 1, os.urandom(32)) for n in range(SLOTS))


class Keys:
    """The epochs' keys, which are outside the database."""

    def __init__(self):
        self.keys = {}

    def create(self, epoch):
        return self.keys.setdefault(epoch, os.urandom(32))

    @staticmethod
    def proof(key):
        return hashlib.sha256(b"daybook-epoch-v1\0" + key).digest()

    def wrap_new(self, block, epoch):
        return self.wrap(new_block(block), epoch)

    def wrap(self, plain, epoch):
        key, nonce = self.keys[epoch], os.urandom(16)
        hidden = self.mixed(plain, key + nonce)
        return nonce + hashlib.sha256(b"seal" + key + nonce + plain).digest()[:16] + hidden

    @staticmethod
    def mixed(data, key):
        stream = hashlib.shake_256(key).digest(len(data))
        return (int.from_bytes(data, "big") ^ int.from_bytes(stream, "big")).to_bytes(len(data), "big")

    def open(self, value, epoch):
        """The plain block; None if the epoch's key is gone or another one."""
        if epoch not in self.keys:
            return None
        key, nonce = self.keys[epoch], value[:16]
        plain = self.mixed(value[32:], key + nonce)
        return plain if hashlib.sha256(b"seal" + key + nonce + plain).digest()[:16] == value[16:32] else None


ERASE = """
select a.result, (a.log_end).position, (a.log_end).chain, (a.log_end).recorded_at,
    (a.log_end).next_name, (a.log_end).next_person, (a.log_end).next_slot, (a.log_end).epoch,
    (a.log_end).state, (a.log_end).clock, a.outcomes, a.places
from daybook.erase(
    $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19) as a"""


class Erasure:
    """One run of the command `erase`, which may be killed after any statement and begun again."""

    def __init__(self, server, log, keys, slots):
        self.server, self.log, self.keys, self.slots = server, log, keys, slots
        self.connection = pq.Connection(server.address())

    def ask(self, name, *parameters):
        marks = ", ".join(f"${n + 2}" for n in range(len(parameters)))
        return self.connection.query(
            f"select * from daybook.{name}($1{', ' if marks else ''}{marks})",
            pq.int4(self.log), *parameters)

    def steps(self):
        """Yields after each step."""
        current = self.connection.query(
            "select epoch, ended_by from daybook.epochs where log = $1 and state = 'leaving' "
            "order by epoch", pq.int4(self.log))
        if not current:
            end = writer.End(self.ask("head")[0])
            epoch = int(self.ask("begin_epoch")[0][0])
            yield "epoch given"
            self.keys.create(epoch)
            yield "key created"
            read = "select block, epoch, value from daybook.vault where log = $1 and block = any ($2)"
            wanted = pq.array(pq.INT8, sorted({(n - 1) // SLOTS for n in self.slots}))
            stale = [(int(block), self.keys.open(bytes.fromhex(value[2:]), int(old)))
                     for block, old, value in self.connection.query(read, pq.int4(self.log), wanted)]
            for step in self.erase(end.epoch, epoch, stale):
                yield step
            # A program that has read blocks before the erasure does not bring the keys back.
            self.ask("rewrap", pq.int4(epoch), pq.array(pq.INT8, [block for block, _ in stale]),
                     pq.array(pq.BYTEA, [self.keys.wrap(plain, epoch) for _, plain in stale]))
            yield "erased"
            current = self.connection.query(
                "select epoch, ended_by from daybook.epochs where log = $1 and state = 'leaving' "
                "order by epoch", pq.int4(self.log))
        newest = writer.End(self.ask("head")[0]).epoch
        for _, epoch, _ in self.ask("blocks_before", pq.int4(newest), pq.int8(-2), pq.int4(1)):
            if self.ask("empty_epoch", pq.int4(int(epoch)))[0][0] == "t":
                raise AssertionError("an epoch is called empty, but keys are under it")
        after = -2
        while True:
            found = self.ask("blocks_before", pq.int4(newest), pq.int8(after), pq.int4(1))
            if not found:
                break
            after = int(found[-1][0])
            opened = [self.keys.open(bytes.fromhex(v[2:]), int(e)) for _, e, v in found]
            if None in opened:
                raise AssertionError("a block cannot be opened")
            self.ask("rewrap", pq.int4(newest), pq.array(pq.INT8, [int(s) for s, _, _ in found]),
                     pq.array(pq.BYTEA, [self.keys.wrap(key, newest) for key in opened]))
            yield "block wrapped"
        for epoch, _ in current:
            if self.ask("empty_epoch", pq.int4(int(epoch)))[0][0] != "t":
                raise AssertionError("something is left under the old epoch")
            yield "emptied"
            if self.ask("is_durable", pq.int4(int(epoch)), pq.array(pq.TEXT, []))[0][0] != "t":
                raise AssertionError("not durable")
            self.keys.keys.pop(int(epoch), None)
            yield "key destroyed"
            self.ask("end_epoch", pq.int4(int(epoch)))
        yield "done"

    def erase(self, old_epoch, epoch, read):
        """Step 2: the blocks first, then the lock and the erasure, in one transaction."""
        blocks = {-1: self.keys.wrap(bytes(32), epoch)}
        for block, plain in read:
            plain = bytearray(plain)
            for slot in self.slots:
                if (slot - 1) // SLOTS == block:
                    at = (slot - 1) % SLOTS * SLOT
                    plain[at:at + SLOT] = bytes(SLOT)
            blocks[block] = self.keys.wrap(bytes(plain), epoch)
        answers = self.connection.pipeline([
            ("begin", ()), ("select daybook.begin_erasure($1, $2, $3, $4)", (
                pq.int4(self.log), pq.int4(old_epoch), pq.int4(epoch), pq.array(pq.INT8, [])))])
        if answers[1][0][0] != "begun":
            raise AssertionError(f"the erasure has not begun: {answers[1][0][0]}")
        yield "begun"
        for block, value in blocks.items():
            self.ask("replace_blocks", pq.int4(epoch), pq.array(pq.INT8, [block]), pq.array(pq.BYTEA, [value]))
        yield "blocks replaced"
        self.record(epoch)
        yield "not committed"
        self.connection.pipeline([("commit", ())])

    def record(self, epoch):
        """Takes the lock of the log, and records the erasure without its commit."""
        answers = self.connection.pipeline([
            (writer.LOCK, (pq.int4(self.log),)),
            ("select name, value from daybook.names where log = $1", (pq.int4(self.log),)),
            ("select person, value from daybook.people where log = $1 and "
             "daybook.uint32(value, 8) = any ($2)", (pq.int4(self.log), pq.array(pq.INT8, self.slots)))])
        end = writer.End(answers[0][0])
        names = {bytes.fromhex(v[2:])[9:-8]: int(n) for n, v in answers[1]}
        persons = [(int(number), bytes.fromhex(value[2:])) for number, value in answers[2]]
        request = Request([(b"log.texts-erased.v1", [], b"")])
        made = writer.Bytes(self.log, end, [request], names)
        changed = [rows.with_checksum(rows.PEOPLE, number, row[:24] + b"\x02" + row[25:64])
                   for number, row in persons]
        parameters = [
            *made.parameters()[:7], pq.bytea(made.commits[0]), pq.bytea(request.digest),
            pq.array(pq.BYTEA, made.events), pq.array(pq.BYTEA, made.new_names),
            pq.array(pq.INT8, [number for number, _ in persons]),
            pq.array(pq.BYTEA, [row[-8:] for _, row in persons]), pq.array(pq.BYTEA, changed),
            pq.array(pq.INT8, []), pq.array(pq.INT8, []), pq.array(pq.BYTEA, []),
            pq.int4(epoch), pq.bytea(Keys.proof(self.keys.keys[epoch]))]
        answer = self.connection.pipeline([(ERASE, parameters)])[0][0]
        if answer[0] != "appended" or pq.integers(answer[10]) != [1]:
            raise AssertionError(f"the erasure under the lock was not written: {answer}")
        return end


def refused(connection, *statements):
    """The code of the error of some statements; '' for none."""
    try:
        connection.pipeline(list(statements))
        return ""
    except pq.Failed as error:
        return error.state
    finally:
        connection.query("rollback")


def refusals(server, expect):
    """An erasure is recorded as a whole, one at a time, while others append."""
    keys = Keys()
    log = Log(server).number
    keys.create(1)
    own = writer.Writer(server.address(), log, wrap=keys.wrap_new)
    text = os.urandom(44)
    own.append([Request([(A, [b"p"], b"")], people=[os.urandom(44)], texts=[(0, text), (1, text)])])
    one, two = (Erasure(server, log, keys, []) for _ in range(2))
    for erasure in (one, two):
        erasure.connection.query("set client_min_messages = error")
    number = pq.int4(log)
    first, second = (int(erasure.ask("begin_epoch")[0][0]) for erasure in (one, two))
    expect("each erasure gets an epoch of its own", (first, second), (2, 3))

    def begun(epoch, reserved=()):
        return ("select daybook.begin_erasure($1, 1, $2, $3)",
                (number, pq.int4(epoch), pq.array(pq.INT8, reserved)))
    block = ("select daybook.replace_blocks($1, 2, '{0}', $2)",
             (number, pq.array(pq.BYTEA, [keys.wrap_new(0, 1)])))
    texts = ("select daybook.replace_texts($1, 2, '{1}', '{1}', $2)", (number, pq.array(
        pq.BYTEA, [rows.with_checksum(rows.TEXTS, rows.text_key(1, 1), bytes(4))])))
    begin, commit = ("begin", ()), ("commit", ())
    before = one.connection.query("select epoch, value from daybook.vault where log = $1", number)
    expect("blocks are replaced by an erasure only", refused(one.connection, begin, block, commit), "DAY05")
    expect("and texts", refused(one.connection, begin, texts, commit), "DAY05")
    expect("an erasure that is not recorded is not committed",
           refused(one.connection, begin, begun(2), block, texts, commit), "DAY05")
    expect("and has changed nothing", one.connection.query(
        "select epoch, value from daybook.vault where log = $1", number), before)
    one.connection.pipeline([begin, begun(2), texts])
    expect("another erasure waits", two.connection.query(*_flat(begun(3)))[0][0], "busy")
    expect("so does who encrypts blocks anew", refused(
        two.connection, ("select daybook.rewrap($1, 1, '{}', '{}')", (number,))), "DAY05")
    reserve = "select daybook.reserve_slots($1, $2, 1, 1, '{}')"
    next_slot = pq.int8(writer.End(one.ask("head")[0]).next_slot)
    expect("and who reserves slots", two.connection.query(reserve, number, next_slot)[0][0], "f")
    own.append([Request([(A, [b"p"], b"")])])
    # One that waited for this transaction would end with an error of its lock after ten seconds.
    expect("an append does not", one.connection.query("select 1"), [["1"]])
    one.connection.query("rollback")
    expect("slots are reserved", two.connection.query(reserve, number, next_slot)[0][0], "t")
    expect("of which an erasure must know",
           one.connection.query(*_flat(begun(2)))[0][0], "moved")
    keys.create(2)
    one.connection.pipeline([begin, begun(2, [2]), texts])
    end = one.record(2)
    one.connection.pipeline([commit])
    expect("the epochs of other attempts end too", one.connection.query(
        "select epoch, state from daybook.epochs where log = $1 order by epoch", number),
        [["1", "leaving"], ["2", "current"], ["3", "leaving"]])
    expect("an epoch under which keys are is not empty",
           one.ask("empty_epoch", pq.int4(1))[0][0], "f")
    expect("no slot is reserved any more", one.connection.query(
        "select slot from daybook.reserved_slots where log = $1", number), [])
    expect("another erasure is too late", two.connection.query(*_flat(begun(3)))[0][0], "moved")
    found = one.connection.query("select letter, number, field from daybook.records($1, $2, $3)",
                                 number, pq.int8(end.position), pq.int8(end.position + 1))
    expect("a replica gets the text that was changed", [row for row in found if row[0] == "T"], [["T", "1", "1"]])
    for each in (own, one.connection, two.connection):
        each.close()


def _flat(statement):
    return statement[0], *statement[1]


def register(server, log, keys, known, stop, waits):
    """Appends events that name new people, each with a key."""
    own = writer.Writer(server.address(), log, wrap=keys.wrap_new)
    while not stop.is_set():
        batch = [Request([(A, [b"p"], b"")], people=[os.urandom(44)])]
        started = time.time()
        own.append_surely(batch)
        waits.append(time.time() - started)
        known.append(batch[0])
        time.sleep(0.002)
    own.close()


def state(server, log, keys):
    """The keys that open now, by slot, and the number of blocks that do not."""
    with pq.Connection(server.address()) as connection:
        opened, closed = {}, 0
        for block, epoch, value in connection.query(
                "select block, epoch, value from daybook.vault where log = $1 and block >= 0", pq.int4(log)):
            plain = keys.open(bytes.fromhex(value[2:]), int(epoch))
            closed += plain is None
            for n in range(SLOTS if plain else 0):
                key = plain[n * SLOT:n * SLOT + 32]
                if any(key):
                    opened[int(block) * SLOTS + n + 1] = key
        return opened, closed


def find(folder, needles):
    """How many of the byte strings are in any file of the folder."""
    found = set()
    for path, _, names in os.walk(folder):
        for name in names:
            try:
                with open(os.path.join(path, name), "rb") as file:
                    data = file.read()
            except OSError:
                continue
            found.update(needle for needle in needles if needle in data)
    return len(found)


def run(server, expect, seed):
    generator = random.Random(seed)
    keys = Keys()
    log = Log(server).number
    secret = keys.wrap(bytes(32), keys.create(1) and 1)
    with pq.Connection(server.address()) as connection:
        connection.query("update daybook.vault set value = $2 where log = $1 and block = -1",
                         pq.int4(log), pq.bytea(secret))
    own = writer.Writer(server.address(), log, wrap=keys.wrap_new)
    people = [os.urandom(44) for _ in range(PEOPLE)]
    for start in range(0, PEOPLE, 500):
        own.append([Request([(A, [b"p"], b"")], people=[person]) for person in people[start:start + 500]])
    before, _ = state(server, log, keys)
    stop, known, waits = threading.Event(), [], []
    thread = threading.Thread(target=register, daemon=True, args=(server, log, keys, known, stop, waits))
    thread.start()
    erased, killed_after = set(), []
    try:
        for round in range(6):
            slots = generator.sample(sorted(set(before) - erased), 5)
            forms = list(_forms(server, log, slots))
            done = False
            while not done:
                # Killed after random steps, in some rounds by a crash of the server.
                steps = Erasure(server, log, keys, slots)
                for step in steps.steps():
                    done = step == "done"
                    if step == "erased":
                        erased |= set(slots)
                    if step == "not committed":
                        # Nobody sees anything of it, and whoever is silent under the lock loses it.
                        if generator.random() < 0.5:
                            killed_after.append(step)
                            break
                        continue
                    opened, closed = state(server, log, keys)
                    expect(f"all keys open after '{step}'", closed, 0)
                    kept = {slot: key for slot, key in before.items() if slot not in erased}
                    expect(f"no kept key is lost after '{step}'",
                           all(opened.get(slot) == key for slot, key in kept.items()), True)
                    expect(f"no erased key is back after '{step}'", erased & set(opened), set())
                    if not done and generator.random() < 0.35:
                        killed_after.append(step)
                        break
                steps.connection.close()
                if round < 2 and not done:
                    server.crash()
            expect("the old blocks open nothing", [
                block for block, epoch, value in forms if keys.open(value, epoch)], [])
    finally:
        stop.set()
        thread.join()
    with pq.Connection(server.address()) as connection:
        connection.query("checkpoint")
    expect("no key is in the data folder or the WAL",
           find(server.data, [before[slot] for slot in erased] + list(before.values())[:50]), 0)
    # Stored in pieces of a little less than 2,000 bytes.
    hidden = find(server.data, [value[2100:2400] for _, _, value in forms])
    expect("people who came meanwhile have keys", state(server, log, keys)[1], 0)
    expect("one key is left, also of attempts that were killed", len(keys.keys), 1)
    refusals(server, expect)
    said = figures(server, keys, expect)
    return (f"killed after {', '.join(sorted(set(killed_after)))}; {len(known)} people came meanwhile; "
            f"{hidden} of {len(forms)} blocks with erased keys still in the files, under a destroyed epoch; {said}; ")


def _forms(server, log, slots):
    """The blocks of slots as they are stored: number, epoch and bytes."""
    with pq.Connection(server.address()) as connection:
        for block, epoch, value in connection.query(
                "select block, epoch, value from daybook.vault where log = $1 and block = any ($2)",
                pq.int4(log), pq.array(pq.INT8, sorted({(n - 1) // SLOTS for n in slots}))):
            yield int(block), int(epoch), bytes.fromhex(value[2:])


def figures(server, keys, expect, count=490):
    """How fast the blocks of a million people are replaced, and how long appends wait meanwhile."""
    log = Log(server).number
    block = os.urandom(SLOTS * SLOT + 28)
    with pq.Connection(server.address()) as connection:
        connection.query(
            "insert into daybook.vault (log, block, epoch, value) select $1, n, 1, $3 "
            "from generate_series(0, $2) as n", pq.int4(log), pq.int4(count - 1), pq.bytea(block))
        connection.query("update daybook.heads set next_slot = $2, epoch = 2 where log = $1",
                         pq.int4(log), pq.int8(count * SLOTS))
        connection.query("update daybook.epochs set epoch = 2 where log = $1", pq.int4(log))
        stop, waits = threading.Event(), []
        keys.create(2)
        thread = threading.Thread(target=register, daemon=True, args=(server, log, keys, [], stop, waits))
        thread.start()
        started = time.time()
        for after in range(0, count, 5):
            # Read as well, as an erasure does.
            found = connection.query(
                "select block, value from daybook.blocks_before($1, 2, $2, 5)", pq.int4(log),
                pq.int8(after - 1), binary=True)
            connection.query(
                "select daybook.rewrap($1, 2, $2, $3)", pq.int4(log),
                pq.array(pq.INT8, [int.from_bytes(n, "big") for n, _ in found]),
                pq.array(pq.BYTEA, [value for _, value in found]))
        took = time.time() - started
        stop.set()
        thread.join()
    waits.sort()
    expect("appends went on", bool(waits), True)
    return (f"{count} blocks of {count * SLOTS:,} people replaced in {took:.1f} s, appends meanwhile "
            f"{waits[len(waits) // 2] * 1000:.1f} ms, at most {waits[-1] * 1000:.0f} ms")
