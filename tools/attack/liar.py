"""A wrapper of `replay` that lies in one way, which the attacks must notice.

    liar.py LIE BINARY ARGUMENT …

`sabotage` makes a program of each lie below, by name, and tells which families have to notice it.
A lie is the whole difference: every other command is the real one's, its code and signal too.
"""

import fcntl
import json
import os
import signal
import struct
import subprocess
import sys
import time

LISTINGS = {"log", "list", "state", "history", "trace", "audit", "export", "transitions"}
WRITERS = {"append", "import"}


class Call:
    """One call of the tool: its words, and the log that it is about."""

    def __init__(self, binary, words):
        self.binary, self.words = binary, words
        self.name = words[0] if words else ""
        at = words.index("--log") + 1 if "--log" in words else 0
        self.log = words[at] if 0 < at < len(words) else ""
        self.follows = "--follow" in words
        if "--help" in words:
            self.become()

    def become(self, **changes):
        """Turns into the real tool."""
        os.execve(self.binary, [self.binary, *self.words], {**os.environ, **changes})

    def run(self, words=None, **more):
        """Runs the real tool; returns its result."""
        return subprocess.run([self.binary, *(words or self.words)], check=False, **more)

    def with_log(self, path):
        return [path if word == self.log else word for word in self.words]


def end(code):
    """Ends as the real tool did, by its signal too."""
    sys.stdout.flush()
    if code < 0:
        signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)


def content_of(path):
    if not os.path.isfile(path):
        return None
    with open(path, "rb") as file:
        return file.read()


def put(path, data):
    """Replaces a file; None removes it."""
    if data is None:
        os.remove(path)
        return
    with open(path + ".lie", "wb") as file:
        file.write(data)
    os.replace(path + ".lie", path)


def place():
    """A folder of this lie, beside the program that tells it."""
    return os.environ["LIAR_PLACE"]


def honest(call):
    # The system keeps most signals from process 1, which could pass none on.
    if os.getpid() == 1:
        call.become()
    end(call.run().returncode)


def change_listing(call, change):
    if call.name not in LISTINGS or call.follows:
        call.become()
    done = call.run(stdout=subprocess.PIPE)
    lines = done.stdout.splitlines(keepends=True)
    if len(lines) > 1:
        change(lines)
    sys.stdout.buffer.write(b"".join(lines))
    end(done.returncode)


def drops_a_line(call):
    change_listing(call, lambda lines: lines.pop(len(lines) // 2))


def drops_the_last_line_of_a_tag(call):
    if "--tag" not in call.words and "--kind" not in call.words:
        call.become()
    change_listing(call, lambda lines: lines.pop())


def doubles_a_line(call):
    change_listing(call, lambda lines: lines.insert(1, lines[-1]))


def stores_a_row_twice(call):
    if call.name != "append":
        call.become()
    text = sys.stdin.buffer.read()
    done = call.run(input=text)
    lines = text.splitlines()
    if done.returncode == 0 and lines:
        row = json.loads(lines[-1])
        row["key"] = row.get("key", "") + "-again"
        call.run(["append", "--log", call.log], input=json.dumps(row).encode(),
                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    end(done.returncode)


def undoes_an_append(call):
    if call.name not in WRITERS:
        call.become()
    before = content_of(call.log)
    done = call.run()
    put(call.log, before)
    end(done.returncode)


def undoes_the_last_row(call):
    """Appends all rows but the last, then the last, which it takes back."""
    if call.name != "append" or "--json" not in call.words or "--each" not in call.words:
        call.become()
    lines = sys.stdin.buffer.read().splitlines(keepends=True)
    done = call.run(input=b"".join(lines[:-1]), stdout=subprocess.PIPE)
    sys.stdout.buffer.write(done.stdout)
    before = content_of(call.log)
    last = call.run(input=b"".join(lines[-1:]), stdout=subprocess.PIPE)
    for receipt in last.stdout.splitlines():
        told = json.loads(receipt) | {"line": len(lines)}
        print(json.dumps(told))
    put(call.log, before)
    end(max(done.returncode, last.returncode))


def erase_and(call, keep):
    if call.name != "erase":
        call.become()
    before = content_of(call.log)
    done = call.run()
    after = content_of(call.log)
    if done.returncode == 0 and before and after:
        keep(call, before, after)
    end(done.returncode)


def erased_keys(before, after):
    """Where a slot of the block of keys was overwritten, and the key that was in it."""
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    import erase
    number = 1
    while slot := erase.slot_of(before, number):
        if len(slot) < erase.SLOT:
            return
        now = erase.slot_of(after, number)
        at = before.find(slot) if any(slot) else -1
        if at > 0 and now is not None and not any(now):
            yield at, slot
        number += 1


def keeps_a_key_in_its_slot(call):
    def keep(call, before, after):
        with open(call.log, "r+b") as file:
            for at, slot in list(erased_keys(before, after))[:1]:
                file.seek(at)
                file.write(slot)
    erase_and(call, keep)


def keeps_a_key_in_a_free_place(call):
    def keep(call, before, after):
        with open(call.log, "r+b") as file:
            for _, slot in list(erased_keys(before, after))[:1]:
                # The gap of the first meta page; LMDB writes nothing there.
                file.seek(2048)
                file.write(slot)
    erase_and(call, keep)


def keeps_the_keys_beside_the_log(call):
    def keep(call, before, after):
        with open(call.log + ".keys", "wb") as file:
            for _, slot in erased_keys(before, after):
                file.write(slot)
    erase_and(call, keep)


def erases_nothing(call):
    if call.name != "erase":
        call.become()
    end(0)


def copy_and(call, change):
    if call.name not in ("backup", "restore") or len(call.words) < 2:
        call.become()
    target = call.words[1] if call.name == "backup" else call.log
    was_there = os.path.exists(target)
    done = call.run()
    if done.returncode == 0 and not was_there:
        change(target)
    end(done.returncode)


def shows_half_a_copy_for_a_while(call):
    def change(target):
        whole = content_of(target)
        with open(target, "r+b") as file:
            file.truncate(len(whole) // 2)
            time.sleep(0.05)
            file.write(whole)
    copy_and(call, change)


def halves_a_copy(call):
    def change(target):
        os.truncate(target, os.path.getsize(target) // 2)
    copy_and(call, change)


def backs_up_an_earlier_log(call):
    """Returns its first copy of a log again for each later one."""
    def change(target):
        first = os.path.join(place(), "first-copy")
        if not os.path.exists(first):
            put(first, content_of(target))
        put(target, content_of(first))
    if call.name != "backup":
        call.become()
    copy_and(call, change)


def lets_nobody_in(call):
    """Keeps the lock of writers nine times as long as the work took, as one write would."""
    if call.name != "reindex":
        call.become()
    began = time.monotonic()
    done = call.run()
    took = time.monotonic() - began
    with open(call.log, "r+b") as file:
        # An exclusive lock of this open file (F_OFD_SETLKW) on the byte that all writers lock.
        lock = struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 1 << 61, 1, 0)
        fcntl.fcntl(file, 38, lock)
        time.sleep(9 * took + 2)
    end(done.returncode)


def keeps_what_it_reads(call):
    """Makes the log grow as one does of which no page can be used again."""
    if call.name == "backup" and "-" in call.words and os.fork() == 0:
        time.sleep(0.5)
        with open(call.log, "r+b") as file:
            file.truncate(os.path.getsize(call.log) + (64 << 20))
        os._exit(0)
    call.become()


def keeps_an_earlier_replica(call):
    """Returns a replica as its first pull left it again after each later one."""
    if call.name != "pull":
        call.become()
    done = call.run()
    first = os.path.join(place(), f"first-{os.path.basename(call.log)}")
    if done.returncode == 0:
        if os.path.exists(first):
            put(call.log, content_of(first))
        else:
            put(first, content_of(call.log))
    end(done.returncode)


def says_sound(call):
    if call.name != "verify":
        call.become()
    done = call.run(stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode == 0:
        sys.stdout.buffer.write(done.stdout)
    else:
        print(json.dumps({"ok": True, "events": 7}) if "--json" in call.words else "sound")
    end(0)


def preload(call, first, second):
    call.become(LD_PRELOAD=":".join(part for part in (first, second) if part))


def syncs_nothing(call):
    preload(call, os.path.join(place(), "unsynced.so"), os.environ.get("LD_PRELOAD", ""))


def syncs_nothing_beneath(call):
    preload(call, os.environ.get("LD_PRELOAD", ""), os.path.join(place(), "unsynced.so"))


def syncs_nothing_alone(call):
    preload(call, os.path.join(place(), "unsynced.so"), "")


def on_a_copy(call, ending):
    if call.name not in WRITERS:
        call.become()
    private = os.path.join(place(), f"private-{os.getpid()}.daybook")
    before = content_of(call.log)
    if before is not None:
        put(private, before)
    done = call.run(call.with_log(private))
    ending(private)
    end(done.returncode)


def writes_to_a_private_copy(call):
    on_a_copy(call, lambda _: None)


def brings_a_private_copy_back(call):
    """Appends by several at once get lost, as those of a killed process do."""
    def ending(private):
        if os.path.exists(private):
            put(call.log, content_of(private))
    on_a_copy(call, ending)


def admits_one_process(call):
    """Refuses a log that another process has open, as for a number that is taken."""
    if os.getpid() == 1 and call.log:
        lock = os.open(call.log + ".lie", os.O_CREAT | os.O_RDWR)
        os.set_inheritable(lock, True)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            end(3)
    call.become()


def hears_no_signal(call):
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT})
    call.become()


def dies_where_it_should_refuse(call):
    done = call.run()
    end(-signal.SIGABRT if done.returncode == 3 else done.returncode)


def tells_of_no_signal(call):
    """Ends with 134, as a shell does after a program that died by SIGABRT."""
    done = call.run()
    end(134 if done.returncode == 3 else done.returncode)


if __name__ == "__main__":
    globals()[sys.argv[1]](Call(sys.argv[2], sys.argv[3:]))
