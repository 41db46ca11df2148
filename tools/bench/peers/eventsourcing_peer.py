"""Appends events with a recorder of the Python library `eventsourcing`, each call durable.

    eventsourcing_peer.py sqlite|postgres single|batches|writers|clients COMMITS TARGET EVENTS

TARGET is a folder, or the folder of the server's socket. The SQLite recorder (SQLiteApplicationRecorder)
stores no tags; the one of PostgreSQL (PostgresDCBRecorderTT) has a table of tags. Neither stores the
time of an event by itself. Prints the number of events and the seconds.
"""

import sys

import events

store, work, commits, target, path = sys.argv[1], sys.argv[2], int(sys.argv[3]), *sys.argv[4:6]
facts = events.read(path, events.count_of(work, commits))
if store == "sqlite":
    from eventsourcing.persistence import StoredEvent
    from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteDatastore

    datastore = SQLiteDatastore(
        f"{target}/events.sqlite", pool_size=events.THREADS.get(work, 1), pool_timeout=60, lock_timeout=60,
        originator_id_type="text")
    recorder = SQLiteApplicationRecorder(datastore)
    recorder.create_table()
    versions = {}
    stored = []
    for kind, _, payload, tags in facts:
        entity = tags[1]
        versions[entity] = versions.get(entity, 0) + 1
        stored.append(StoredEvent(entity, versions[entity], kind, payload))
    append, head = recorder.insert_events, recorder.max_notification_id
else:
    from eventsourcing.dcb.api import DCBEvent
    from eventsourcing.dcb.postgres_tt import PostgresDCBRecorderTT
    from eventsourcing.postgres import PostgresDatastore

    datastore = PostgresDatastore(
        "postgres", target, "5432", "postgres", "", pool_size=events.THREADS.get(work, 1),
        enable_db_functions=True)
    recorder = PostgresDCBRecorderTT(datastore)
    with datastore.transaction(commit=True) as cursor:
        for table in (recorder.events_table_name, recorder.tags_table_name):
            cursor.execute(f"DROP TABLE IF EXISTS {table} CASCADE")
    recorder.create_table()
    datastore.pool.wait()
    stored = [DCBEvent(kind, payload, tags) for kind, _, payload, tags in facts]
    append, head = recorder.append, lambda: recorder.read().head
events.measure(work, commits, stored, lambda: append)
assert head() == len(stored), "events are missing"
datastore.close()
