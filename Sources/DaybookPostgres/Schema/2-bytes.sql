-- Integers in rows, and the checks that all functions make first.

-- Two, four and eight bytes at an offset, little-endian.
create function daybook.uint16(bytes bytea, at integer) returns integer
language sql immutable strict parallel safe
return get_byte(bytes, at) | (get_byte(bytes, at + 1) << 8);

create function daybook.uint32(bytes bytea, at integer) returns bigint
language sql immutable strict parallel safe
return daybook.uint16(bytes, at)::bigint | (daybook.uint16(bytes, at + 2)::bigint << 16);

create function daybook.int64(bytes bytea, at integer) returns bigint
language sql immutable strict parallel safe
return daybook.uint32(bytes, at) | (daybook.uint32(bytes, at + 4) << 32);

create function daybook.bytes16(value integer) returns bytea
language sql immutable strict parallel safe
return set_byte(set_byte('\x0000', 0, value & 255), 1, value >> 8);

-- Microseconds since 1970, by the server's clock.
create function daybook.clock() returns bigint
language sql volatile
return (extract(epoch from clock_timestamp()) * 1000000)::bigint;

-- Refuses a transaction whose settings make an append unsafe.
--
-- At REPEATABLE READ and above, the snapshot is older than the lock, so that conditions would be
-- checked against an earlier log. Without a synchronous commit, others would see events that a
-- crash takes back.
create function daybook.check_transaction() returns void
language plpgsql volatile as $$
begin
    if current_setting('transaction_isolation') <> 'read committed' then
        raise exception using errcode = 'DAY01', message = format(
            'appends need the isolation level ''read committed'', but the transaction has ''%s''',
            current_setting('transaction_isolation'));
    end if;
    if current_setting('synchronous_commit') = 'off' or current_setting('fsync') = 'off' then
        raise exception using errcode = 'DAY02',
            message = 'appends need a durable commit, but synchronous_commit or fsync is off';
    end if;
end $$;

-- The error for malformed bytes of a program. Its transaction ends without a change.
create function daybook.refuse_bytes(field text, place bigint, reason text) returns void
language plpgsql as $$
begin
    raise exception using errcode = 'DAY03', message = format(
        'the writer has a fault: %s at position %s: %s', field, place, reason);
end $$;

-- The values in the bytes of commits that a log depends on.
create type daybook.commits_read as (
    -- The last position of each commit.
    lasts bigint[],
    -- The recording time of the last commit, and true if a time is earlier than that of the commit
    -- before it.
    recorded_at bigint,
    goes_back boolean,
    -- The tags of all events, with the position and kind of their event.
    tags bytea[],
    tag_places bigint[],
    tag_kinds integer[]
);

-- Reads commits that follow an end of a log, and refuses those with wrong chain values. The
-- parameters are those of `append`.
create function daybook.read_commits(
    p_position bigint, p_chain bytea, p_recorded_at bigint, p_next_name integer,
    p_commits bytea[], p_digests bytea[], p_events bytea[], p_names bytea[]
) returns daybook.commits_read
language plpgsql stable
as $$
declare
    made daybook.commits_read;
    lasts bigint[] := '{}';
    -- Recording time of the commit before.
    newest bigint := p_recorded_at;
    -- The events of each commit in one piece, without checksums.
    bodies bytea[];
    commit_of_event integer[] := '{}';
    tags bytea[] := '{}';
    tag_places bigint[] := '{}';
    tag_kinds integer[] := '{}';
    counts bigint[] := '{}';
    bytes bytea;
    stored bytea;
    chain bytea := p_chain;
    new_names bytea;
    name_count integer := 0;
    name_place bigint;
    kind integer;
    zone integer;
    left_in_commit bigint := 0;
    place bigint := p_position;
    at integer;
    tags_end integer;
    size integer;
    i integer;
begin
    made.goes_back := false;
    for i in 1..cardinality(p_commits) loop
        bytes := p_commits[i];
        counts[i] := daybook.uint32(bytes, 8);
        if counts[i] = 0 or daybook.uint32(bytes, 12) <> 1 then
            perform daybook.refuse_bytes(
                'commit', place + 1, 'no events, or another layout');
        end if;
        if length(p_digests[i]) <> 16 or p_digests[i] <> substr(bytes, 93, 16)
            and substr(bytes, 93, 32) <> decode(repeat('00', 32), 'hex')
        then
            perform daybook.refuse_bytes('commit', place + 1, 'another digest of its key');
        end if;
        if daybook.int64(bytes, 0) < newest then
            made.goes_back := true;
        end if;
        newest := daybook.int64(bytes, 0);
        place := place + counts[i];
        lasts[i] := place;
    end loop;
    if cardinality(p_events) <> place - p_position then
        perform daybook.refuse_bytes(
            'events', place, 'another number than the commits say');
    end if;
    place := p_position;
    i := 0;
    foreach bytes in array p_events loop
        place := place + 1;
        if left_in_commit = 0 then
            i := i + 1;
            left_in_commit := counts[i];
        end if;
        commit_of_event := commit_of_event || i;
        kind := daybook.uint16(bytes, 16);
        zone := daybook.uint16(bytes, 18);
        if substr(bytes, 1, 8) <> substr(p_commits[i], 1, 8)
            or daybook.uint32(bytes, 24) <> counts[i] - left_in_commit
            or kind not between 1 and p_next_name - 1 + cardinality(p_names)
            or zone > p_next_name - 1 + cardinality(p_names)
        then
            perform daybook.refuse_bytes(
                'event', place, 'not of its commit, or without a known kind');
        end if;
        at := 32;
        tags_end := 32 + daybook.uint16(bytes, 30);
        for tag in 1..get_byte(bytes, 28) loop
            size := get_byte(bytes, at);
            tags := tags || substr(bytes, at + 2, size);
            tag_places := tag_places || place;
            tag_kinds := tag_kinds || kind;
            at := at + 1 + size;
        end loop;
        if at <> tags_end or at > length(bytes) - 8 then
            perform daybook.refuse_bytes('event', place, 'tags of another length');
        end if;
        left_in_commit := left_in_commit - 1;
    end loop;

    select array_agg(b.body order by b.commit) into bodies
    from (
        select
            e.commit,
            string_agg(
                substr(e.bytes, 1, length(e.bytes) - 8), ''::bytea
                order by e.ordinality) as body
        from unnest(p_events, commit_of_event) with ordinality as e (bytes, commit)
        group by e.commit
    ) as b;
    place := p_position;
    for i in 1..cardinality(p_commits) loop
        bytes := p_commits[i];
        new_names := '';
        while name_count < cardinality(p_names) loop
            stored := p_names[name_count + 1];
            name_place := daybook.int64(stored, 1);
            exit when name_place > lasts[i];
            if name_place <= place then
                perform daybook.refuse_bytes('name', name_place, 'before its commit');
            end if;
            size := length(stored) - 17;
            new_names := new_names || substr(stored, 1, 1) || daybook.bytes16(size)
                || substr(stored, 10, size);
            name_count := name_count + 1;
        end loop;
        chain := sha256(
            chain || substr(bytes, 1, 16) || substr(bytes, 49, length(bytes) - 56)
            || new_names || bodies[i]);
        if chain <> substr(bytes, 17, 32) then
            perform daybook.refuse_bytes(
                'chain', place + 1, 'another value than the rows lead to');
        end if;
        place := lasts[i];
    end loop;
    if name_count < cardinality(p_names) then
        perform daybook.refuse_bytes('names', place, 'not used by the commits');
    end if;
    made.lasts := lasts;
    made.recorded_at := newest;
    made.tags := tags;
    made.tag_places := tag_places;
    made.tag_kinds := tag_kinds;
    return made;
exception when array_subscript_error or substring_error or string_data_right_truncation then
    perform daybook.refuse_bytes('rows', place, 'a row that ends too early');
end $$;
