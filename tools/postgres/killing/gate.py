"""A socket between clients and a server that can cut connections, or hold an answer back."""
import os
import socket
import struct
import threading

from processes import temporary

NAME = ".s.PGSQL.5432"


class Trap:
    """Waits for a request with some word, and holds its answer back.

    `sprung` is set once the request is on its way, `answered` once the server has answered it.
    """

    def __init__(self, word, processes=None):
        self.word, self.processes = word, processes
        self.sprung, self.answered, self.released = (threading.Event() for _ in range(3))
        self.process = None
        self.is_cut = False

    def release(self, is_cut=False):
        """Lets the answer pass, or cuts the connection."""
        self.is_cut = is_cut
        self.released.set()


class Passage:
    """A connection of a client, and that of the gate to the server."""

    def __init__(self, gate, client, server):
        self.gate, self.ends, self.trap = gate, (client, server), None
        # SO_PEERCRED tells which process has connected.
        data = client.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
        self.process = struct.unpack("iii", data)[0]
        # The number of bytes after which the connection is cut; None for no end.
        self.limit = None

    def open(self):
        client, server = self.ends
        for source, target, is_request in [(client, server, True), (server, client, False)]:
            threading.Thread(
                target=self.copy, args=(source, target, is_request), daemon=True).start()

    def copy(self, source, target, is_request):
        try:
            while data := source.recv(65536):
                if is_request:
                    self.gate.spring(self, data)
                elif self.trap:
                    trap = self.trap
                    trap.answered.set()
                    trap.released.wait(20)
                    self.trap = None
                    if trap.is_cut:
                        break
                limit = self.limit
                if limit is not None:
                    data = data[:limit]
                    self.limit = limit - len(data)
                target.sendall(data)
                if limit is not None and self.limit <= 0:
                    self.gate.cuts += 1
                    break
        except OSError:
            pass
        self.close()

    def close(self):
        if self.trap:
            self.trap.answered.set()
        for end in self.ends:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            end.close()
        self.gate.passages.discard(self)


class Gate:
    """A folder with a socket, by which clients reach a server that may be replaced."""

    def __init__(self, server):
        self.server = server
        self.folder = temporary("daybook-gate-")
        self.cuts, self.trap, self.passages = 0, None, set()
        self.lock = threading.Lock()
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.bind(os.path.join(self.folder, NAME))
        self.socket.listen(64)
        threading.Thread(target=self.serve, daemon=True).start()

    def address(self, log):
        return f"postgres://daybook@/logs?host={self.folder}&log={log}"

    def serve(self):
        while True:
            try:
                client, _ = self.socket.accept()
            except OSError:
                return
            server = socket.socket(socket.AF_UNIX)
            try:
                server.connect(os.path.join(self.server.folder, NAME))
            except OSError:
                client.close()
                server.close()
                continue
            passage = Passage(self, client, server)
            self.passages.add(passage)
            passage.open()

    def close(self):
        """Ends all connections, and takes no more."""
        self.socket.close()
        for passage in list(self.passages):
            passage.close()

    def set(self, word, processes=None):
        """Holds back the answer to the next request with a word, of some processes."""
        trap = Trap(word, processes)
        with self.lock:
            self.trap = trap
        return trap

    def unset(self):
        """Removes the trap, unless a request was caught already."""
        with self.lock:
            self.trap = None

    def spring(self, passage, data):
        with self.lock:
            trap = self.trap
            if trap is None or trap.word not in data:
                return
            if trap.processes is not None and passage.process not in trap.processes:
                return
            self.trap = None
        trap.process = passage.process
        passage.trap = trap
        trap.sprung.set()

    def cut(self, generator):
        """Cuts each connection, now or after a random number of bytes."""
        for passage in list(self.passages):
            if generator.random() < 0.3:
                passage.limit = generator.randrange(1, 8_000)
            else:
                self.cuts += 1
                passage.close()
