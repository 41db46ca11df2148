-- Logs in PostgreSQL: the rows of docs/format.md, for many logs in one database.
--
-- A column `value` holds the bytes of a row as in the file, with the checksum at its end, so that a
-- replica stores it unchanged. Positions, names and people are numbered as in the file. What is
-- derived (indexes, snapshots, the tree) is in replicas only.
--
-- The files of this folder are run in the order of their names, in one transaction, by the owner of
-- the schema. They need PostgreSQL 15 and no extension.

create schema daybook;

-- The version of these tables. A program with another version refuses the database, and names both.
create table daybook.schema_version (
    version integer not null,
    migrated_at timestamptz not null default clock_timestamp(),
    only_row boolean primary key default true check (only_row)
);
insert into daybook.schema_version (version) values (1);

create table daybook.logs (
    log integer primary key generated always as identity,
    name text not null unique check (length(name) between 1 and 255),
    -- The row `id` of `meta`, without its checksum.
    id bytea not null unique check (length(id) = 16),
    created_at timestamptz not null default clock_timestamp()
);

-- The end of each log, which every append moves. Its row is the lock of the log.
--
-- No column that moves is indexed and pages are mostly empty, so that each new version of a row
-- goes into the page of the old one (HOT) and is removed by the next reader of the page.
create table daybook.heads (
    log integer primary key references daybook.logs,
    position bigint not null default 0 check (position >= 0),
    chain bytea not null default decode(repeat('00', 32), 'hex') check (length(chain) = 32),
    -- The recording time of the newest commit, in microseconds since 1970.
    recorded_at bigint not null default -9223372036854775808,
    -- The numbers of the next new name, person and key slot.
    next_name integer not null default 1 check (next_name between 1 and 65536),
    next_person bigint not null default 1 check (next_person between 1 and 4294967296),
    next_slot bigint not null default 1 check (next_slot between 1 and 4294967296),
    -- The epoch under whose key new blocks of keys are encrypted.
    epoch integer not null default 1 check (epoch > 0),
    -- open: accepts appends. filling: accepts the commits of one file, with their own recording
    -- times. closed: accepts nothing.
    state text not null default 'open' check (state in ('open', 'filling', 'closed'))
) with (fillfactor = 10, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);

create table daybook.events (
    position bigint not null check (position > 0),
    log integer not null,
    value bytea not null check (length(value) >= 40),
    primary key (log, position)
) with (fillfactor = 100);

create table daybook.commits (
    -- The position of its first event.
    first bigint not null check (first > 0),
    log integer not null,
    value bytea not null check (length(value) >= 136),
    primary key (log, first)
) with (fillfactor = 100);

-- The tags of events, in normalisation form C, each with the kind of its event.
--
-- `append` reads them from the rows of the events. They are bytes, so that neither the encoding nor
-- the collation of the database changes how they compare.
create table daybook.tags (
    position bigint not null,
    log integer not null,
    -- The row of `names`.
    kind integer not null,
    tag bytea not null check (length(tag) between 1 and 255),
    primary key (log, tag, position) include (kind)
) with (fillfactor = 100);

create table daybook.names (
    log integer not null,
    name integer not null check (name between 1 and 65535),
    value bytea not null check (length(value) >= 18),
    primary key (log, name)
);
-- A kind or zone has one row: category and text, without the position between them.
create unique index names_text on daybook.names
    (log, substr(value, 1, 1), substr(value, 10, length(value) - 17));

create table daybook.people (
    -- The position of the commit that changed the row last, from which a replica finds it.
    changed_at bigint not null,
    log integer not null,
    person bigint not null check (person between 1 and 4294967295),
    value bytea not null check (length(value) >= 72),
    primary key (log, person)
) with (fillfactor = 80);
create index people_changed on daybook.people (log, changed_at);

create table daybook.texts (
    position bigint not null,
    -- The number of the personal field, or 4294967295 for the integers of the event.
    field bigint not null check (field between 0 and 4294967295),
    log integer not null,
    -- The epoch that began with the erasure that changed the text last; null for none.
    epoch integer,
    value bytea not null check (length(value) >= 12),
    primary key (log, position, field)
);
-- The texts that an erasure has changed, which a replica already has in their older form.
create index texts_changed on daybook.texts (log, epoch, position) where epoch is not null;

-- The key by which a commit is found again: the first 16 bytes of the digest of its idempotency
-- key, or 16 random bytes of a request without one. Random keys only settle lost answers, are in no
-- replica, and may be deleted after a day (`forget_requests`).
create table daybook.requests (
    first bigint not null,
    log integer not null,
    digest bytea not null check (length(digest) = 16),
    primary key (log, digest)
);

-- Blocks of the file's table `vault`, 2,047 keys of people each, and the log's secret as block -1,
-- encrypted under the key of an epoch.
--
-- The epoch's key is outside the database. Once it is destroyed, copies of these rows in WAL,
-- standbys and backups open nothing. A block's keys never change; an erasure sets some to zero.
create table daybook.vault (
    log integer not null,
    block bigint not null check (block between -1 and 4294967295),
    epoch integer not null check (epoch > 0),
    value bytea not null check (length(value) >= 32),
    primary key (log, block)
);
-- Random bytes, which compression would only cost time.
alter table daybook.vault alter column value set storage external;
create index vault_epoch on daybook.vault (log, epoch);

-- The epochs of a log, each with a key of its own, which no other attempt to erase uses.
--
-- created: an erasure is being prepared, and nothing in the tables is encrypted under its key.
-- current: the newest one, under which blocks are encrypted. leaving: an erasure has begun another
-- one; its own may have been given up. destroyed: its key is gone.
create table daybook.epochs (
    log integer not null references daybook.logs,
    epoch integer not null check (epoch > 0),
    state text not null check (state in ('created', 'current', 'leaving', 'destroyed')),
    -- SHA-256 over 'daybook-epoch-v1', a zero byte and the key, by which a program recognises the
    -- key; null for an epoch that has never been current.
    proof bytea check (length(proof) = 32),
    -- The position of the erasure that began the epoch; null for the first epoch.
    begun_by bigint,
    -- The position of the erasure that ended the epoch.
    ended_by bigint,
    -- True only within the transaction that records the erasure.
    is_beginning boolean not null default false,
    -- The standbys that must have the emptied epoch on disk before its key is destroyed.
    standbys text[] not null default '{}',
    -- The end of the WAL when the epoch was emptied.
    emptied_at pg_lsn,
    destroyed_at timestamptz,
    primary key (log, epoch),
    check (state <> 'current' or proof is not null)
);
create unique index epochs_current on daybook.epochs (log) where state = 'current';
create index epochs_begun on daybook.epochs (log, begun_by);

-- Key slots that unrecorded erasures have reserved for texts that they keep.
--
-- An abandoned attempt may have left such texts in the WAL under keys of these slots, so the next
-- erasure uses the slots or drops their keys.
create table daybook.reserved_slots (
    log integer not null references daybook.logs,
    slot bigint not null check (slot between 1 and 4294967295),
    primary key (log, slot)
);

-- The replicas with keys, and the erasures that they report as carried out.
create table daybook.replicas (
    log integer not null references daybook.logs,
    -- The start of a digest of the replica's secret (`replica_id`), so that a report needs the
    -- replica's file.
    replica uuid not null,
    -- The user who reported the replica first.
    reporter name not null default session_user,
    -- For readers: the name of the machine, if its user agrees.
    label text not null default '' check (length(label) <= 255),
    position bigint not null,
    -- The last erasure whose keys the replica has overwritten.
    erased_through bigint not null,
    heard_at timestamptz not null default clock_timestamp(),
    primary key (log, replica)
);
create index replicas_reporter on daybook.replicas (log, reporter);
