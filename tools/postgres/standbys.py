"""The server is lost while others append, and its standby becomes the server."""
import multiprocessing
import os
import signal
import time

import pq
import writer
from crashes import follow, work
from examples import Log
from processes import temporary, wait_until


def wait_for(server, standby):
    """Makes commits wait for a standby, or for none."""
    for statement in [f"alter system set synchronous_standby_names = '{standby}'", "select pg_reload_conf()"]:
        with pq.Connection(server.address()) as connection:
            connection.run(statement)

    def is_set():
        with pq.Connection(server.address()) as connection:
            return connection.query("show synchronous_standby_names")[0][0] == standby
    wait_until(is_set)
    # The process that tells the others has read it as well.
    time.sleep(1)


def lose(server, expect, is_synchronous, seed):
    """Loses the server; returns how many acknowledged requests the standby lacks."""
    start = multiprocessing.get_context("fork").Process
    wait_for(server, "")
    log = Log(server)
    standby = server.standby("beside")
    try:
        wait_for(server, "beside" if is_synchronous else "")
        folder = temporary("daybook-journals-")
        if not is_synchronous:
            # The standby is a little late, as it may be.
            os.kill(_receiver(standby), signal.SIGSTOP)
        workers = [start(target=work, daemon=True, args=(
            server.address(), log.number, f"{folder}/{n}", n, seed + n)) for n in range(4)]
        reader = start(target=follow, daemon=True, args=(server.address(), log.number, f"{folder}/heads"))
        for process in [*workers, reader]:
            process.start()
        time.sleep(3)
        os.killpg(server.process.pid, signal.SIGKILL)
        server.process.wait()
        for process in [*workers, reader]:
            process.kill()
            process.join()
        if not is_synchronous:
            os.kill(_receiver(standby), signal.SIGKILL)
        standby.run("pg_ctl", "promote", "-D", standby.data, "-w")
        with pq.Connection(standby.address()) as connection:
            events, position, _, commits, _ = writer.read_log(connection, log.number)
        places = {}
        for _, tags, place, row in events:
            places.setdefault(row[32 + sum(1 + len(tag) for tag in tags):].decode(), place)
        acknowledged = lost = 0
        for n in range(4):
            for _, id, place in [line.split() for line in open(f"{folder}/{n}") if line[0] == "A"]:
                acknowledged += 1
                lost += places.get(id) != int(place)
        chains = {first + int.from_bytes(row[8:12], "little") - 1: row[16:48] for first, row in commits}
        seen = [line.split() for line in open(f"{folder}/heads") if line.endswith("\n")]
        vanished = sum(chains.get(int(p)) != bytes.fromhex(c) for p, c in seen if p != "0")
        with pq.Connection(standby.address()) as connection:
            own = writer.Writer(standby.address(), log.number)
            own.append([writer.Request([(b"test.a.v1", [b"w:0"], b"after")])])
            known = connection.query("select daybook.chain_at($1, $2)", pq.int4(log.number),
                                     pq.int8(int(seen[-1][0])))[0][0]
        # What a replica that has seen more than the standby asks before it goes on.
        parted = known != "\\x" + seen[-1][1]
        return acknowledged, lost, len(seen), vanished, parted
    finally:
        standby.stop()
        if server.process.poll() is not None:
            server.start()


def _receiver(standby):
    """The process of a standby that receives the WAL."""
    for _ in range(100):
        with pq.Connection(standby.address()) as connection:
            rows = connection.query("select pid from pg_stat_wal_receiver")
        if rows:
            return int(rows[0][0])
        time.sleep(0.1)
    raise SystemExit("the standby receives nothing")


def durable(server, expect):
    """An epoch's key is not destroyed before the named standbys have what was wrapped anew."""
    log = Log(server)
    standby = server.standby("beside")
    try:
        with pq.Connection(server.address()) as connection:
            receiver = _receiver(standby)
            os.kill(receiver, signal.SIGSTOP)
            connection.query("insert into daybook.epochs (log, epoch, state, proof) values ($1, 2, 'created', $2)",
                             pq.int4(log.number), pq.bytea(bytes(32)))
            connection.query("update daybook.epochs set state = 'leaving' where log = $1 and epoch = 1", pq.int4(log.number))
            connection.query("update daybook.vault set epoch = 2 where log = $1", pq.int4(log.number))
            connection.query("select daybook.empty_epoch($1, 1)", pq.int4(log.number))

            def asked(names):
                return connection.query("select daybook.is_durable($1, 1, $2)", pq.int4(log.number),
                                        pq.array(pq.TEXT, names))[0][0]
            expect("without standbys it is durable at once", asked([]), "t")
            expect("a standby that is behind delays it", asked(["beside"]), "f")
            expect("one that is not connected delays it", asked(["elsewhere"]), "f")
            os.kill(receiver, signal.SIGCONT)
            expect("until it has caught up", wait_until(lambda: asked(["beside"]) == "t"), True)
    finally:
        standby.stop()


def run(server, expect, seed):
    durable(server, expect)
    acknowledged, lost, seen, vanished, parted = lose(server, expect, True, seed)
    expect("a synchronous standby has all that was acknowledged", lost, 0)
    expect("and all that was seen", (vanished, parted), (0, False))
    late, late_lost, _, late_vanished, late_parted = lose(server, expect, False, seed)
    expect("a late standby lacks some of it", late_lost > 0, True)
    expect("which a replica that has seen it notices", late_parted, True)
    return (f"synchronous: {acknowledged} acknowledged, {seen} heads seen, none lost; late: "
            f"{late_lost} of {late} acknowledged lost, {late_vanished} heads vanished; ")
