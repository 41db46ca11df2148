"""Functions that are wrong in one place each; the other parts must notice every one."""
import glob
import os
import re

import pq
import server as servers

# What is replaced in the schema, by what, and the part that must notice.
FAULTS = {
    "the isolation level is not asserted": (
        "current_setting('transaction_isolation') <> 'read committed'", "false", "examples"),
    "the commit may be asynchronous": ("current_setting('synchronous_commit') = 'off'", "false", "examples"),
    "the chain is not compared": ("chain <> substr(bytes, 17, 32)", "false", "examples"),
    "the position of the end is not compared": (
        "return (head.position, head.chain,", "return (p_position, p_chain,", "examples"),
    "the names of the end are not compared": (
        "head.chain, head.next_name, head.next_person", "head.chain, p_next_name, head.next_person", "examples"),
    "the epoch of the end is not compared": ("head.next_slot, head.epoch,\n    head.state) =",
                                             "head.next_slot, p_epoch,\n    head.state) =", "examples"),
    "conditions look one event too late": ("t.position > i.after", "t.position > i.after + 1", "examples"),
    "only the first tag of an item counts": ("and u.position = t.position", "", "examples"),
    "kinds of an item with tags do not count": ("i.kinds = '{}' or t.kind", "true or t.kind", "examples"),
    "kinds of an item without tags do not count": (
        "i.kinds = '{}' or daybook.uint16", "true or daybook.uint16", "examples"),
    "conditions are not checked": ("cardinality(p_item_groups) > 0", "false", "races"),
    "known keys are not looked up": ("answer.outcomes[item.commit] := 2", "null", "examples"),
    "a group is written in part": ("array_position(p_groups, p_groups[i]) - 1", "i - 1", "examples"),
    "the time of a commit is not checked": ("commits.recorded_at > clock + 1000000",
                                               "commits.recorded_at > clock + 9000000", "examples"),
    "times go back": ("daybook.int64(bytes, 0) < newest", "false", "examples"),
    "a person's row is replaced unseen": (
        "and substr(p.value, length(p.value) - 7) = p_person_sums[i]", "", "examples"),
    "the kind of an event is not checked": (
        "kind not between 1 and p_next_name - 1 + cardinality(p_names)", "kind < 0", "examples"),
    "anybody may append": ("daybook.append, daybook.lock_head to daybook_append",
                           "daybook.append, daybook.lock_head to daybook_read", "examples"),
    "keys of the old epoch are left": (
        "if exists (select from daybook.vault where log = p_log and epoch = p_epoch)",
        "if false", "erasing"),
    "an erasure leaves the keys": (
        "as v set epoch = p_new_epoch, value = n.value", "as v set epoch = p_new_epoch", "erasing"),
    "a block that an erasure has replaced comes back": (
        "v.block = n.block and v.epoch < p_epoch", "v.block = n.block", "erasing"),
    "an erasure keeps the epoch": (
        "as h set epoch = p_new_epoch", "as h set epoch = h.epoch", "erasing"),
    "an erasure is committed without its record": ("when (new.is_beginning)", "when (false)", "erasing"),
    "two erasures are recorded at once": ("'current' for update skip locked", "'current'", "erasing"),
    "an erasure does not know of reserved slots": ("if p_reserved <> array(", "if false and p_reserved <> array(", "erasing"),
    "the epoch of an attempt that was given up goes on": (
        "state in ('created', 'current') and epoch <> p_new_epoch", "state = 'current'", "erasing"),
    "texts that were changed are not given": ("e.begun_by > p_after", "e.begun_by > p_through", "erasing"),
}


class Counter:
    """Counts expectations that do not hold."""

    def __init__(self):
        self.faults = 0

    def __call__(self, _, found, wanted):
        self.faults += found != wanted


def schema():
    for path in sorted(glob.glob(os.path.join(servers.SCHEMA, "*.sql"))):
        with open(path, encoding="utf-8") as file:
            yield file.read()


def run(server, expect, seed):
    noticed = 0
    with pq.Connection(server.address("postgres")) as connection:
        connection.run("alter database logs rename to sound")
    for sentence, (old, new, part) in FAULTS.items():
        text = "\n".join(schema())
        expect(f"'{sentence}' is in one place", text.count(old), 1)
        with pq.Connection(server.address("postgres")) as connection:
            connection.run("set client_min_messages = warning")
            connection.run("drop database if exists logs")
        with pq.Connection(server.address("postgres")) as connection:
            connection.run("create database logs encoding 'UTF8'")
        with pq.Connection(server.address()) as connection:
            connection.run("set client_min_messages = warning; begin;" + text.replace(old, new) + "commit;")
        found = Counter()
        module = __import__(part)
        try:
            module.run(server, found, seed, *([3] if part == "races" else []))
            how = found.faults
        except Exception as error:
            how = re.sub(r"\s+", " ", f"{type(error).__name__}: {error}")[:90]
        expect(f"noticed by {part}: {sentence}", bool(how), True)
        noticed += bool(how)
        with pq.Connection(server.address("postgres")) as connection:
            connection.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = 'logs'")
    return f"{noticed} of {len(FAULTS)} faults noticed; "
