"""What happens to clients, followers and the server, once a round."""
import os
import signal
import time

import pq
import processes
from processes import DEVNULL
from standbys import wait_for

# Statements of the program, by which a gate knows them.
APPEND, LOCK = b"daybook.append(", b"daybook.lock_head("
# The calls by which LMDB writes a transaction.
WRITES = "pwrite64,pwritev,writev,fdatasync,fsync"
# How often a round does what takes little time.
REPEATS = {
    "client_killed": 5, "follower_killed": 3, "killed_with_the_answer_held_back": 3,
    "killed_within_the_local_commit": 3, "connections_cut": 6, "answer_lost": 3,
}


class Incidents:
    def __init__(self, fleet, generator, counts):
        self.fleet, self.generator, self.counts = fleet, generator, counts

    def count(self, kind):
        self.counts[kind] = self.counts.get(kind, 0) + 1

    def client(self):
        return self.generator.choice(self.fleet.clients)

    def happen(self, kind):
        """Does what a round is about, several times where that takes no time."""
        for _ in range(REPEATS.get(kind, 1)):
            if getattr(self, kind)() is not False:
                self.count(kind.replace("_", " "))
            time.sleep(self.generator.random() * 0.15)

    # Clients.

    def client_killed(self):
        return self.client().kill()

    def follower_killed(self):
        return self.generator.choice(self.fleet.followers).kill()

    def answered_append(self):
        """A trap that holds the server's answer to the next append of a client; None if none comes."""
        gate = self.client().machine.gate
        trap = gate.set(APPEND)
        if not trap.sprung.wait(4):
            gate.unset()
            return None
        trap.answered.wait(4)
        return trap

    def killed_with_the_answer_held_back(self):
        """The commit is on the server's disk; the client never hears of it."""
        trap = self.answered_append()
        if trap is None:
            return False
        os.kill(trap.process, signal.SIGKILL)
        trap.release(is_cut=True)

    def killed_within_the_local_commit(self):
        """Before some call by which LMDB writes: some of its pages are in the file."""
        victim = self.client()
        process = victim.process
        if process is None:
            return False
        when = self.generator.randrange(1, 16)
        tracer = processes.start(
            ["strace", "-f", "-qq", "-o", "/dev/null", "-p", str(process.pid), "-e",
             f"trace={WRITES}", "-e", f"inject={WRITES}:signal=SIGKILL:when={when}"],
            stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL)
        try:
            tracer.wait(3)
        except processes.TimeoutExpired:
            processes.kill(tracer)
            victim.kill()
            return False

    def holder_stopped(self):
        """A client stops for two seconds while it has the lock, which the server ends after one."""
        gate = self.client().machine.gate
        trap = gate.set(LOCK)
        if not trap.sprung.wait(3):
            # Nobody has lost twice. An append is stopped instead.
            gate.unset()
            self.count("client stopped without the lock")
            process = self.client().process
            if process is None:
                return False
            self.pause(process.pid)
            return False
        trap.answered.wait(4)
        try:
            # With or without the answer.
            if self.generator.random() < 0.5:
                trap.release()
            self.pause(trap.process)
        finally:
            trap.release()

    def pause(self, process):
        try:
            os.kill(process, signal.SIGSTOP)
            time.sleep(2)
            os.kill(process, signal.SIGCONT)
        except ProcessLookupError:
            pass

    def connections_cut(self):
        self.generator.choice(self.fleet.gates).cut(self.generator)

    def answer_lost(self):
        """The connection is cut once the server has answered an append."""
        trap = self.answered_append()
        if trap is None:
            return False
        trap.release(is_cut=True)

    # The server.

    def server_killed(self):
        self.fleet.server.crash()

    def server_shut_down_at_once(self):
        server = self.fleet.server
        server.process.send_signal(signal.SIGQUIT)
        server.process.wait(30)
        server.start()

    def server_and_clients_killed(self):
        server = self.fleet.server
        server.kill()
        for client in self.generator.sample(self.fleet.clients, 2):
            client.kill()
        time.sleep(self.generator.random() * 0.3)
        server.start()

    def standby_promoted(self):
        fleet, old = self.fleet, self.fleet.server
        wait_for(old, "")
        standby = old.standby("beside")
        wait_for(old, "beside")
        time.sleep(0.3 + self.generator.random() * 0.5)
        old.kill()
        standby.run("pg_ctl", "promote", "-D", standby.data, "-w")
        for gate in fleet.gates:
            gate.server = standby
        fleet.server = standby
        old.stop()

    # Disks.

    def disk_of_the_server_full(self):
        server = self.fleet.server
        server.disk.fill()
        try:
            time.sleep(0.2)
            if self.generator.random() < 0.5:
                # The next file of the WAL has no place either, which ends the server.
                self.count("of them with a full WAL")
                for _ in range(8):
                    with pq.Connection(server.address()) as connection:
                        connection.query("select pg_switch_wal()")
                        connection.query("select pg_logical_emit_message(false, '', 'x')")
        except pq.Failed:
            pass
        time.sleep(0.5)
        server.disk.free()
        if server.process.poll() is None:
            try:
                pq.Connection(server.address()).close()
                return
            except pq.Failed:
                server.kill()
        server.start()

    def disk_of_a_replica_full(self):
        disk = self.fleet.disk
        disk.fill()
        time.sleep(0.8)
        disk.free()
