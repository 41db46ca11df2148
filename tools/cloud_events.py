"""Holds the CloudEvents of `replay export` to their specification and to docs/format.md; part of
tools/interchange-test.

The SDK of CloudEvents (`pip install cloudevents`) reads every line and writes it again, and what it wrote
makes a copy with the same head. The records are read by the page on the format alone.
"""
import base64
import hashlib
import json
import os
import re
import struct

NAME = re.compile("[a-z0-9]{1,20}")


def chain_of(lines, faults):
    """The head to which the records of the lines lead, by docs/format.md; or None."""
    chain, position, pending = bytes(32), 0, None
    names = []
    for line in lines:
        data = base64.b64decode(line["daybookrecords"], validate=True)
        at = events = 0
        while at < len(data):
            letter, count = data[at:at + 1], struct.unpack_from("<I", data, at + 1)[0]
            body = data[at + 5:at + 5 + count]
            at += 5 + count
            if letter == b"N":
                names.append(body)
            elif letter == b"C":
                if pending:
                    faults.add(f"cloudevents: the commit before line {line['id']} is not complete")
                digest = hashlib.sha256(chain + body[:16] + body[48:])
                for name in names:
                    text = name[9:]
                    digest.update(name[:1] + struct.pack("<H", len(text)) + text)
                pending = (digest, body[16:48], struct.unpack_from("<I", body, 8)[0])
                names = []
            elif letter == b"E":
                events += 1
                position += 1
                digest, chain, left = pending
                digest.update(body)
                pending = (digest, chain, left - 1) if left > 1 else None
                if left == 1 and digest.digest() != chain:
                    faults.add(f"cloudevents: the chain of line {line['id']} differs")
        if events != 1 or str(position) != line["id"]:
            faults.add(f"cloudevents: line {line['id']} has {events} events at {position}")
    return f"{position}:{chain.hex()}"


def check(tool, folder, faults):
    before = faults.count
    file, keys = os.path.join(folder, "events.jsonl"), os.path.join(folder, "events.keys")
    tool.run("export", "--format", "cloudevents", "--texts", keys, "--output", file)
    with open(file, encoding="utf-8") as text:
        lines = [json.loads(line) for line in text]
    head = tool.objects("stat", "--json")[0]["headAtPosition"]
    if lines[0]["daybookhead"] != head or chain_of(lines, faults) != head:
        faults.add("cloudevents: the records do not lead to the head")
    events = tool.objects("log", "--json")
    for line, event in zip(lines, events, strict=True):
        what = f"cloudevents: event {line['id']}"
        for name in line:
            if not NAME.fullmatch(name):
                faults.add(f"{what}: the attribute {name!r} is no name")
        if line["sequence"] != line["id"].zfill(20) or line["type"] != event["kind"]:
            faults.add(f"{what}: {line['type']} at {line['sequence']}")
        if line.get("causationid", "None") != str(event["causation"]):
            faults.add(f"{what}: the cause is {line.get('causationid')}")
    again(tool, folder, file, keys, head, faults)
    sdk = through_sdk(file, os.path.join(folder, "sdk.jsonl"), faults)
    if sdk:
        again(tool, folder, sdk, keys, head, faults)
    print(
        f"cloudevents: {len(lines)} events, {'read by' if sdk else 'without'} the SDK; "
        f"{faults.count - before} faults")


def again(tool, folder, file, keys, head, faults):
    """The file makes a copy with the same head and answers, with keys and without."""
    listing = tool.run("log", "--json", "--chain")
    for options in [[], ["--texts", keys]]:
        copy = type(tool)(tool.binary, os.path.join(folder, f"{os.path.basename(file)}-{len(options)}"))
        answer = copy.objects("import", "--format", "cloudevents", file, "--json", *options)[0]
        if answer["headAtPosition"] != head or copy.objects("verify", "--json")[0]["findings"]:
            faults.add(f"cloudevents: the copy of {os.path.basename(file)} differs: {answer}")
        if options and copy.run("log", "--json", "--chain") != listing:
            faults.add(f"cloudevents: the copy of {os.path.basename(file)} shows other events")


def through_sdk(file, output, faults):
    """Reads each line with the SDK and writes it again; returns the path, or None without the SDK."""
    try:
        from cloudevents.core.formats.json import JSONFormat
        from cloudevents.core.v1.event import CloudEvent
    except ImportError:
        print("cloudevents in the SDK: skipped, the package 'cloudevents' is not installed")
        return None
    form = JSONFormat()
    with open(file, "rb") as lines, open(output, "wb") as written:
        for line in lines:
            plain = json.loads(line)
            event = form.read(CloudEvent, line)
            if (event.get_id(), event.get_type(), event.get_source()) != (
                    plain["id"], plain["type"], plain["source"]):
                faults.add(f"cloudevents: the SDK reads {plain['id']} otherwise")
            if event.get_data() != plain.get("data") or event.get_subject() != plain.get("subject"):
                faults.add(f"cloudevents: the SDK reads other data of {plain['id']}")
            written.write(form.write(event).replace(b"\n", b" ") + b"\n")
    return output
