"""Writers of logs, and the invariants that a log keeps under any attack.

 1  Every acknowledged line is in the log, at the position that was acknowledged.
 2  Nothing is there that was not sent, nothing is there twice, and positions are dense.
 3  `replay verify` finds nothing.
 4  Sending every line again with the same keys adds exactly the missing ones.
"""

import json
import os
import threading

from processes import PATIENCE, PIPE, TimeoutExpired, environment, kill, run, start


class Violation(Exception):
    """A broken invariant, with the observation."""

    def __init__(self, invariant, message):
        super().__init__(f"invariant {invariant}: {message}")
        self.invariant = invariant


CAUSES = {
    1: "an acknowledged row is lost",
    2: "a row is doubled, strange or out of place",
    3: "verify finds damage in a log that only the tool has written",
    4: "sending again does not add exactly what is missing",
}


def parsed(text):
    """One object that the tool printed."""
    try:
        found = json.loads(text)
    except ValueError as error:
        raise Violation(2, f"an answer is no JSON: {text[:200]!r}: {error}") from None
    if not isinstance(found, dict):
        raise Violation(2, f"an answer is no object: {text[:200]!r}")
    return found


def rows(out):
    """The objects that the tool printed, one a line."""
    return [parsed(line) for line in out.splitlines()]


def lines_of(name, rng, count):
    """The lines of one writer by key, in order."""
    lines = {}
    for number in range(count):
        key = f"{name}-{number}"
        launch = f"l-{key}"
        if rng.random() < 0.5:
            event, data = "launch.app-launched.v1", {
                "launchId": launch,
                "appVersion": f"1.{rng.randrange(100)}.0",
                "platform": rng.choice(["ios", "android", "linux"]),
                "firstLaunch": rng.random() < 0.5,
                "device": f"d{rng.randrange(20)}",
            }
        else:
            event, data = "launch.app-terminated.v1", {
                "launchId": launch,
                "cause": rng.choice(["notice", "force", "user", "crash"]),
            }
        lines[key] = line_of(event, data, key)
    return lines


def line_of(event, data, key):
    """A fact under a key. The log keeps a digest of the key alone: the flow names it again."""
    return {"event": event, "data": data, "key": key, "correlation": key,
            "at": "2026-07-12T12:00:00Z"}


def key_of(event):
    """The key of an event that `log --json` prints; "" for one that was sent without."""
    return event.get("correlation") or event["keyDigest"] or ""


def encoded(lines):
    """Lines as `replay append` reads them."""
    return "".join(json.dumps(line) + "\n" for line in lines.values()).encode()


def receipts_of(out, keys):
    """The acknowledgements in an output of `append --json`, by key.

    A line without its end was under way when the writer was stopped: it acknowledges nothing.
    """
    receipts = {}
    for line in out.splitlines(keepends=True):
        if not line.endswith(b"\n") or not line.startswith(b"{"):
            continue
        receipt = parsed(line)
        if receipt.get("first") is not None:
            receipts[keys[receipt["line"] - 1]] = receipt
    return receipts


class Writer:
    """A running `replay append --each`, which is fed line by line if `lines` is missing."""

    def __init__(self, binary, path, lines=None, *, extra=(), env=None, prefix=(), cwd=None,
                 limits=None):
        self.keys = list(lines or ())
        self.out, self.errors = [], b""
        self.read_count, self.read = 0, {}
        self.process = start(
            [*prefix, binary, "append", "--each", "--json", "--log", path, *extra],
            stdin=PIPE, stdout=PIPE, stderr=PIPE,
            env=environment(env), cwd=cwd, preexec_fn=limits)
        self.arrived = threading.Condition()
        self.threads = [
            threading.Thread(target=self.receive), threading.Thread(target=self.complain)]
        if lines is not None:
            self.threads.append(threading.Thread(target=self.send_all, args=(encoded(lines),)))
        for thread in self.threads:
            thread.start()

    def send_all(self, text):
        try:
            self.process.stdin.write(text)
            self.process.stdin.close()
        except (BrokenPipeError, OSError):
            pass

    def send(self, lines, wait=120):
        """Sends lines; returns those acknowledged within `wait` seconds."""
        before = dict(self.receipts)
        self.keys += list(lines)
        try:
            self.process.stdin.write(encoded(lines))
            self.process.stdin.flush()
        except (BrokenPipeError, OSError):
            return {}
        with self.arrived:
            self.arrived.wait_for(
                lambda: self.ended or lines.keys() <= self.receipts.keys(), timeout=wait)
        return {key: row for key, row in self.receipts.items() if key not in before}

    def wait_for(self, count, wait=120):
        """Waits until `count` lines are acknowledged, or the writer has ended."""
        with self.arrived:
            self.arrived.wait_for(lambda: self.ended or len(self.out) >= count, timeout=wait)

    ended = False

    def receive(self):
        for line in self.process.stdout:
            with self.arrived:
                self.out.append(line)
                self.arrived.notify_all()
        with self.arrived:
            self.ended = True
            self.arrived.notify_all()

    def complain(self):
        self.errors = self.process.stderr.read()

    @property
    def receipts(self):
        """Acknowledgements so far, by key; each line is read once."""
        count = len(self.out)
        new = self.out[self.read_count:count]
        self.read.update(receipts_of(b"".join(new), self.keys))
        self.read_count = count
        return self.read

    @property
    def words(self):
        return self.errors.decode("utf-8", "replace").strip()

    def kill(self):
        kill(self.process)
        return self.finish()

    def finish(self, timeout=PATIENCE):
        """Ends the input, waits for the writer, and returns its code; None if it hung."""
        try:
            self.process.stdin.close()
        except (BrokenPipeError, OSError, ValueError):
            pass
        try:
            code = self.process.wait(timeout=timeout)
        except TimeoutExpired:
            kill(self.process)
            code = None
        for thread in self.threads:
            thread.join()
        return code


def check(binary, path, sent, acknowledged, others=()):
    """Invariants 1 to 3. Returns the keys that the log holds.

    `others` are keys that may be there too; "" stands for rows without a key.
    """
    if not os.path.exists(path):
        if acknowledged:
            raise Violation(1, "there is no log, though lines were acknowledged")
        return set()
    answer = run([binary, "log", "--json", "--log", path])
    if answer.code != 0:
        # Stopped before the log was made whole: then nothing can have been acknowledged, and
        # a file of our own making is never called damaged.
        if not acknowledged and answer.code == 2 and "damaged" not in answer.words:
            return set()
        if not acknowledged and not os.path.getsize(path):
            return set()
        raise Violation(1 if acknowledged else 3, str(answer))
    events = rows(answer.text)
    by_key = {}
    for place, event in enumerate(events, start=1):
        if event["position"] != place:
            raise Violation(2, f"position {event['position']} stands at place {place}")
        key = key_of(event)
        if key in others:
            continue
        if key not in sent:
            raise Violation(2, f"position {place} has the key {key!r}, which was never sent")
        if key in by_key:
            raise Violation(2, f"the key {key!r} stands at {by_key[key]['position']} and {place}")
        by_key[key] = event
        line = sent[key]
        wrong = {
            name for name, value in line["data"].items() if event["payload"].get(name) != value}
        if event["kind"] != line["event"] or wrong:
            raise Violation(2, f"position {place} differs from what {key!r} sent: {sorted(wrong)}")
    for key, receipt in acknowledged.items():
        event = by_key.get(key)
        if event is None:
            raise Violation(1, f"{key!r} was acknowledged at {receipt['first']} and is missing")
        if (event["position"], event["recordedAt"]) != (receipt["first"], receipt["recordedAt"]):
            raise Violation(1, f"{key!r} is not where and when it was acknowledged: {receipt}")
    answer = run([binary, "verify", "--json", "--log", path])
    if answer.code != 0 or not parsed(answer.text).get("ok"):
        raise Violation(3, f"{answer} {answer.text.strip()}")
    if parsed(answer.text).get("events") != len(events):
        raise Violation(3, "'replay verify' counts other events than 'replay log' lists")
    return set(by_key)


def send_again(binary, path, lines, sent, acknowledged, there, others=()):
    """Invariant 4."""
    writer = Writer(binary, path, lines)
    code = writer.finish()
    if code != 0:
        raise Violation(4, f"sending again ended with {code}: {writer.words}")
    if len(writer.receipts) != len(lines):
        raise Violation(4, f"{len(writer.receipts)} receipts for {len(lines)} lines sent again")
    for key, receipt in writer.receipts.items():
        if receipt["repeated"] != (key in there):
            raise Violation(4, f"{key!r} was in the log: {key in there}; the receipt: {receipt}")
        earlier = acknowledged.setdefault(key, receipt)
        if earlier["first"] != receipt["first"]:
            raise Violation(4, f"{key!r} has two receipts: {earlier}, {receipt}")
    now = check(binary, path, sent, acknowledged, others)
    if now != there | set(lines):
        raise Violation(4, "the log holds other lines than those sent")
