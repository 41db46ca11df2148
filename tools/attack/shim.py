"""Builds and configures the library that is preloaded into the tool."""

import os
import struct

from harness import HarnessError
from processes import run

KINDS = ["open", "write", "pwrite", "pwritev", "fsync", "fdatasync", "msync", "ftruncate",
         "rename", "mmap"]


def library(attack):
    """The path of the shim, compiled once a run."""
    path = os.path.join(attack.folder, "shim.so")
    if not os.path.exists(path):
        compiled("shim.c", path)
    return path


def compiled(name, path):
    """Compiles a source beside this file to a library at `path`."""
    source = os.path.join(os.path.dirname(os.path.realpath(__file__)), name)
    # Under its name once it is whole: another family may need it too.
    made = f"{path}.{os.getpid()}"
    done = run(["cc", "-O1", "-shared", "-fPIC", "-pthread", "-Wall", "-Werror", "-o", made, source,
                "-ldl"])
    if done.code != 0:
        raise HarnessError(f"{name} does not compile: {done.words[:2000]}")
    os.replace(made, path)


def settings(attack, files, *, main=None, fault=None, state=None, record=None, touch=None):
    """The environment under which the shim works on files whose path begins with `files`.

    `main` is the log itself: faults on it are counted apart.
    """
    env = {"LD_PRELOAD": library(attack), "ATTACK_FILES": os.path.realpath(files)}
    if main is not None:
        env["ATTACK_MAIN"] = os.path.realpath(main)
    for name, value in (("FAULT", fault), ("STATE", state), ("RECORD", record), ("TOUCH", touch)):
        if value is not None:
            env[f"ATTACK_{name}"] = str(value)
    return env


def unseen(family, what):
    """Judges a tool whose calls the shim did not see.

    A program that is linked statically loads no library; from any other hidden calls are a fault.
    """
    with open(family.attack.binary, "rb") as file:
        start = file.read(4096)
    if start.startswith(b"\x7fELF") and b"ld-" not in start:
        family.skip(f"{what} of a program that is linked statically cannot be seen")
    else:
        family.fail("the tool hides its calls", f"no {what} on the log's files were seen")


def counters(path):
    """Calls by kind; under "faults" how many failed, under "main faults" those on the log."""
    with open(path, "rb") as file:
        numbers = struct.unpack(f"<{len(KINDS) + 2}Q", file.read(8 * (len(KINDS) + 2)))
    return dict(zip([*KINDS, "faults", "main faults"], numbers))


def touched(path):
    """The pages that LMDB read."""
    if not os.path.exists(path):
        return set()
    with open(path, "rb") as file:
        return {page for page, byte in enumerate(file.read()) if byte}


def records(path):
    """Writes, syncs and changes of size in order: (what, path, offset, data or length)."""
    with open(path, "rb") as file:
        data = file.read()
    at, found = 0, []
    while at < len(data):
        what, path_length, offset, length = struct.unpack_from("<c3xIqQ", data, at)
        at += 24
        name = data[at:at + path_length].decode()
        at += path_length
        what = what.decode()
        body = b""
        if what in "wda":
            body = data[at:at + length]
            at += length
        found.append((what, name, offset, body))
    return found


def mark(path, text):
    """Adds a mark to a record: what the writer has acknowledged by now."""
    body = text.encode()
    with open(path, "ab", buffering=0) as file:
        file.write(struct.pack("<c3xIqQ", b"a", 0, 0, len(body)) + body)
