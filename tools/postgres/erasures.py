"""Erasures by the program --binary in a log with the keys of a million people, while others append.

Somebody has 5,000 texts, one of which is erased, so that 4,999 are kept; then all of them are. The other
people have keys only, which each erasure encrypts anew. Prints how long appends of single events waited, before
and during each erasure, how long each erasure took, and how long it held the log's lock by the server's log file.
"""
import ctypes
import ctypes.util
import datetime
import json
import os
import re
import struct
import threading
import time
import urllib.parse

import pq
import processes
import writer
from erasing import SLOT, SLOTS
from examples import A
from processes import ROOT, temporary
from writer import Request

TEXTS = 5_000
crypto = ctypes.CDLL(ctypes.util.find_library("crypto") or "libcrypto.so.3")
for name in ("EVP_CIPHER_CTX_new", "EVP_aes_256_gcm"):
    getattr(crypto, name).restype = ctypes.c_void_p


def sealed(plain, key, place):
    """AES-256-GCM: nonce, encrypted bytes and tag, as docs/format.md has a block of keys."""
    nonce, size = os.urandom(12), ctypes.c_int()
    context = ctypes.c_void_p(crypto.EVP_CIPHER_CTX_new())
    out, tag = ctypes.create_string_buffer(len(plain)), ctypes.create_string_buffer(16)
    crypto.EVP_EncryptInit_ex(context, ctypes.c_void_p(crypto.EVP_aes_256_gcm()), None, key, nonce)
    crypto.EVP_EncryptUpdate(context, None, ctypes.byref(size), place, len(place))
    crypto.EVP_EncryptUpdate(context, out, ctypes.byref(size), plain, len(plain))
    crypto.EVP_EncryptFinal_ex(context, out, ctypes.byref(size))
    crypto.EVP_CIPHER_CTX_ctrl(context, 16, 16, tag)
    crypto.EVP_CIPHER_CTX_free(context)
    return nonce + out.raw + tag.raw


class Program:
    """The program, with a replica and keys of its own."""

    def __init__(self, binary, server):
        self.binary, self.folder = os.path.abspath(binary), temporary("daybook-erasures-")
        # The server logs the statements of the program, and no others.
        options = "-c log_min_duration_statement=0 -c log_parameter_max_length=0"
        self.base = f"postgres://daybook@/logs?host={server.folder}&options={urllib.parse.quote(options)}"
        self.keys = os.path.join(self.folder, "keys")
        self.environment = processes.environment({"XDG_CACHE_HOME": self.folder})

    def run(self, *arguments, stdin=b"", codes=(0,)):
        return processes.run([self.binary, *arguments], stdin, 3600, cwd=ROOT,
                             env=self.environment).needs(*codes).text

    def on_log(self, *arguments, codes=(0,)):
        log = ["--log", self.base + "&log=big", "--key-file", self.keys]
        return self.run(*arguments, *log, codes=codes)

    def fill(self):
        """Makes a log in a file, and pushes it."""
        person = {"device": "d", "roomId": "r", "userId": "kim"}
        lines = [{"command": "chat.enter-room", "at": "2026-01-01T00:00:00Z", "actor": "kim", "data": person}]
        lines += [{"command": "chat.send-message", "at": "2026-01-01T00:00:00Z", "actor": "kim",
                   "data": {**person, "messageId": f"m{n}", "text": f"the words of message {n}"}}
                  for n in range(TEXTS)]
        path = os.path.join(self.folder, "file")
        self.run("append", "--log", path, stdin="\n".join(map(json.dumps, lines)).encode())
        self.run("push", path, self.base + "&log=big", "--key-file", self.keys)


def add_blocks(connection, log, program, people):
    """Adds blocks of keys for `people` people to the log; the keys are random bytes without checksums."""
    with open(program.keys, encoding="ascii") as file:
        line = file.read().split("\n")[1].split(" ")
    identity, key = bytes.fromhex(line[0]), bytes.fromhex(line[2])
    count = -(-people // SLOTS)
    for block in range(1, count):
        value = sealed(os.urandom(SLOTS * SLOT), key, identity + struct.pack("<qi", block, 1))
        connection.query("insert into daybook.vault (log, block, epoch, value) values ($1, $2, 1, $3)",
                         pq.int4(log), pq.int8(block), pq.bytea(value))
    connection.query("update daybook.heads set next_slot = $2 where log = $1",
                     pq.int4(log), pq.int8(count * SLOTS + 1))
    return count


def append(server, log, stop, waits):
    own = writer.Writer(server.address(), log)
    while not stop.is_set():
        started = time.monotonic()
        own.append_surely([Request([(A, [b"beside:1"], b"")])])
        waits.append((started, time.monotonic()))
        time.sleep(0.003)
    own.close()


def spread(waits, since, until):
    """The waits that overlap a time, in words."""
    times = sorted((b - a) * 1000 for a, b in waits if b > since and a < until)
    if not times:
        return "no appends"
    return (f"{len(times)} appends, half within {times[len(times) // 2]:.1f} ms, 99 % within "
            f"{times[len(times) * 99 // 100]:.1f} ms, all within {times[-1]:.1f} ms")


def holds(server):
    """The milliseconds for which each erasure held the log's lock, by the log file of the server."""
    since, erasing, held = {}, set(), []
    pattern = re.compile(r"(\S+ \S+) UTC \[(\d+)\] LOG: .* (bind|execute) <unnamed>: *(.*)")
    with open(os.path.join(server.folder, "log"), encoding="utf-8", errors="replace") as file:
        process = when = None
        for line in file:
            found = pattern.match(line)
            if found:
                when, process = datetime.datetime.fromisoformat(found[1]), found[2]
                if found[3] == "execute" and "lock_head" in found[4]:
                    since[process] = when
                elif found[3] == "execute" and found[4] == "commit" and process in erasing:
                    erasing.remove(process)
                    held.append((when - since[process]).total_seconds() * 1000)
            elif "daybook.erase(" in line:
                erasing.add(process)
    return held


def run(server, expect, seed, binary=None, people=1_000_000):
    if binary is None:
        return "skipped, because no --binary is given; "
    program = Program(binary, server)
    program.fill()
    with pq.Connection(server.address()) as connection:
        log = int(connection.query("select log from daybook.logs where name = 'big'")[0][0])
        blocks = add_blocks(connection, log, program, people)
        connection.query("checkpoint")
        program.on_log("stat")
        stop, waits = threading.Event(), []
        thread = threading.Thread(target=append, daemon=True, args=(server, log, stop, waits))
        thread.start()
        time.sleep(5)
        said = [f"load {os.getloadavg()[0]:.1f}", f"{blocks} blocks of {blocks * SLOTS:,} keys",
                f"before: {spread(waits, 0, time.monotonic())}"]
        for what, arguments in [("one text of 5,000", ["--position", str(TEXTS // 2)]),
                                ("all of them", ["--tag", "user:kim"])]:
            started = time.monotonic()
            # Ends with 1, because the file that was pushed is a replica that has not heard of it.
            program.on_log("erase", *arguments, codes=(0, 1))
            ended = time.monotonic()
            expect("the keys of earlier epochs are destroyed", connection.query(
                "select distinct state from daybook.epochs where log = $1 order by state", pq.int4(log)),
                [["current"], ["destroyed"]])
            said.append(f"erased {what} in {ended - started:.1f} s: {spread(waits, started, ended)}")
            time.sleep(2)
        stop.set()
        thread.join()
    said.append("the lock was held for " + " and ".join(f"{held:.0f} ms" for held in holds(server)))
    return "\n  ".join(said) + "; "
