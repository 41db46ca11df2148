"""What a log costs as it grows, and what a thousand logs in one database cost.

Each commit has one event of 60 bytes payload with two tags, as in `figures`. Sizes are those of tables
with their indexes. Prints what it measures, with the load of the machine, and what follows from that
by arithmetic for sizes that are not measured.
"""
import os
import time

import pq
import writer
from examples import A, Log
from fleet import Lines, Machine
from gate import Gate
from processes import PIPE, temporary
from writer import Item, Request

TABLES = ["events", "commits", "tags", "requests"]


def load():
    return f"load {os.getloadavg()[0]:.1f}"


def request(n, payload=b"\x01" * 60):
    return Request([(A, [b"t:%d" % (n % 9973), b"u:%d" % (n % 50)], payload)])


def number(connection, sql, *parameters):
    return float(connection.query(sql, *parameters)[0][0] or 0)


def sizes(connection):
    """Bytes of each table with its indexes."""
    return {table: number(connection, f"select pg_total_relation_size('daybook.{table}')")
            for table in TABLES}


def wal(connection):
    return number(connection, "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')")


def appends(own, count, start):
    """Appends one commit after another, each with a condition; returns p50 and p99 in ms."""
    times = []
    for n in range(count):
        one = request(start + n)
        one.items = [Item(own.end.position, [b"t:%d" % ((start + n) % 9973)])]
        begun = time.time()
        own.append([one])
        times.append((time.time() - begun) * 1000)
    times.sort()
    return times[count // 2], times[count * 99 // 100]


def fill(own, count):
    """Appends in batches until the log has so many events."""
    while own.end.position < count:
        size = min(1000, count - own.end.position)
        own.append([request(own.end.position + n) for n in range(size)])


def grow(server, most):
    """Figures at 10⁵ events and at each further power of ten; returns bytes per event at the end."""
    own = Log(server).writer
    with pq.Connection(server.address()) as connection:
        empty, count, per_event = sizes(connection), 100_000, 0
        while count <= most:
            begun, before = time.time(), wal(connection)
            written = count - own.end.position
            fill(own, count)
            seconds, batch_wal = time.time() - begun, (wal(connection) - before) / written
            connection.query("checkpoint")
            found = sizes(connection)
            per_table = {name: (found[name] - empty[name]) / own.end.position for name in TABLES}
            per_event = sum(per_table.values())
            print(f"{count:,} events: {per_event:.0f} bytes per event ("
                  + ", ".join(f"{name} {size:.0f}" for name, size in per_table.items())
                  + f"); filled in batches at {written / seconds:,.0f}/s with {batch_wal:.0f} bytes "
                  f"of WAL per event; {load()}")
            # After a checkpoint, the first change of each page is in the WAL as a whole.
            for words in ("just after a checkpoint", "later"):
                before = wal(connection)
                p50, p99 = appends(own, 1000, own.end.position)
                print(f"{count:,} events, one commit at a time, {words}: p50 {p50:.2f} ms, p99 "
                      f"{p99:.2f} ms, {(wal(connection) - before) / 1000:,.0f} bytes of WAL per "
                      f"commit; {load()}")
            count *= 10
    return per_event


def head_row(server, seconds):
    """Dead versions of the row that each append changes, under steady appends."""
    own = Log(server).writer
    with pq.Connection(server.address()) as connection:
        before = connection.query(
            "select n_tup_upd, n_tup_hot_upd from pg_stat_user_tables where relname = 'heads'")[0]
        until, most, count = time.time() + seconds, 0, 0
        while time.time() < until:
            appends(own, 200, own.end.position)
            count += 200
            most = max(most, number(connection, "select pg_relation_size('daybook.heads')"))
        time.sleep(2)
        own.close()
        time.sleep(1)
        updates, hot, dead, vacuums = connection.query(
            "select n_tup_upd, n_tup_hot_upd, n_dead_tup, autovacuum_count from pg_stat_user_tables "
            "where relname = 'heads'")[0]
        print(f"head row: {count} appends in {seconds} s, {int(updates) - int(before[0])} updates, "
              f"{int(hot) - int(before[1])} of them HOT, {dead} dead versions, {vacuums} vacuums, "
              f"table at most {most / 1024:.0f} KiB; {load()}")
        # A transaction that stays open keeps all versions.
        old = pq.Connection(server.address())
        old.query("begin isolation level repeatable read")
        old.query("select count(*) from daybook.heads")
        own = Log(server).writer
        first = appends(own, 500, 0)
        for _ in range(8):
            last = appends(own, 500, own.end.position)
        size = number(connection, "select pg_relation_size('daybook.heads')")
        old.query("rollback")
        old.close()
        print(f"head row beside an open transaction: table {size / 1024:.0f} KiB after 4,500 appends, "
              f"p50 {first[0]:.2f} ms at first, {last[0]:.2f} ms at the end")


def many_logs(server, count):
    """Many logs in one database."""
    with pq.Connection(server.address()) as connection:
        catalogue, tables = (
            "select sum(pg_total_relation_size(c.oid)) from pg_class c join pg_namespace n on n.oid = "
            f"c.relnamespace where n.nspname = '{name}' and c.relkind = 'r'"
            for name in ("pg_catalog", "daybook"))
        alone = appends(Log(server).writer, 1000, 0)
        before = number(connection, catalogue), number(connection, tables)
        begun, logs = time.time(), []
        for _ in range(count):
            log = Log(server)
            log.writer.close()
            logs.append(log)
        made = time.time() - begun
        after = number(connection, catalogue), number(connection, tables)
        begun = time.time()
        for log in logs:
            log.writer.connect()
            log.writer.append([request(n) for n in range(20)])
            log.writer.close()
        filled = time.time() - begun
        own = logs[count // 2].writer
        own.connect()
        p50, p99 = appends(own, 1000, 0)
        print(f"{count:,} logs: made in {made:.1f} s; catalogue {before[0] / 2**20:.1f} MiB before and "
              f"{after[0] / 2**20:.1f} after, tables {(after[1] - before[1]) / count:,.0f} bytes a log; "
              f"20 events into each in {filled:.1f} s; an append into one of them p50 {p50:.2f} ms, "
              f"p99 {p99:.2f} ms, into the only log before {alone[0]:.2f} and {alone[1]:.2f} ms; "
              f"{load()}")


def with_program(server, folder):
    """The program in a database with many logs."""
    keys = os.path.join(temporary("daybook-growth-"), "keys")
    gate = Gate(server)
    machine = Machine(os.path.join(folder, "replay-postgres"), gate, "program", keys)

    def timed(*arguments, stdin=None):
        begun = time.time()
        machine.run(*arguments, stdin=stdin)
        return (time.time() - begun) * 1000
    created = timed("database", "create", gate.address("program"))
    listed = sorted(timed("database", "list", gate.address("program")) for _ in range(5))[2]
    line = Lines(0).keyed("one")[1].encode()
    first = timed("append", stdin=line)
    later = sorted(timed("append", stdin=Lines(n).keyed(f"m{n}")[1].encode()) for n in range(5))[2]
    process = machine.start("append", "--each", "--json", stdin=PIPE,
                            stdout=PIPE)
    process.stdin.write(Lines(0).keyed("two")[1].encode() + b"\n")
    process.stdin.flush()
    process.stdout.readline()
    with pq.Connection(server.address()) as connection:
        count = connection.query("select count(*) from pg_stat_activity where backend_type = "
                                 "'client backend' and application_name = 'daybook'")[0][0]
    process.stdin.close()
    process.wait()
    print(f"the program there, with the start of its process: create {created:.0f} ms, list "
          f"{listed:.0f} ms, append with a new replica {first:.0f} ms, then {later:.0f} ms; a process "
          f"that appends has {count} connections; {load()}")
    gate.close()


def held(server):
    """How long an append waits for a holder of the lock that says nothing."""
    log = Log(server)
    log.writer.append([request(0)])
    holder = pq.Connection(server.address())
    holder.query("begin")
    holder.query(writer.LOCK, pq.int4(log.number))
    begun = time.time()
    log.writer.append([request(1)])
    waited = time.time() - begun
    try:
        holder.query("select 1")
        end = "still open"
    except pq.Failed as error:
        end = str(error).splitlines()[0]
    holder.close()
    print(f"an append beside an idle holder of the lock waited {waited:.2f} s; the holder: {end}")


def run(server, expect, seed, most, binary):
    with pq.Connection(server.address()) as connection:
        shown = connection.query(
            "select string_agg(name || ' = ' || setting, ', ') from pg_settings where name in "
            "('full_page_writes', 'wal_compression', 'shared_buffers', 'fsync')")[0][0]
        print(shown)
    held(server)
    many_logs(server, 1000)
    if binary:
        with_program(server, os.path.dirname(os.path.abspath(binary)))
    head_row(server, 20)
    per_event = grow(server, most)
    print(f"by arithmetic, not measured: 10⁹ events take {per_event * 1e9 / 2**30:,.0f} GiB, in one "
          "log or as 10⁶ events in each of 1,000")
    expect("the log of the figures is whole", True, True)
