-- The queries of a replica. All read by position, so that a standby answers them too.

-- A log by its name.
create function daybook.log_named(p_name text)
returns table (log integer, id bytea, log_end daybook.log_end)
language sql volatile
begin atomic
    select l.log, l.id, daybook.end_of(h)
    from daybook.logs as l join daybook.heads as h using (log)
    where l.name = p_name;
end;

-- The chain value of the commit that ends at a position; null if none ends there.
--
-- A replica compares its own head with it before it continues: another value means that one of the
-- two was rewritten, null that the server was restored to an earlier state.
create function daybook.chain_at(p_log integer, p_position bigint) returns bytea
language plpgsql stable
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
begin
    return (
        select substr(c.value, 17, 32)
        from (
            select * from daybook.commits as c
            where c.log = p_log and c.first <= p_position
            order by c.first desc limit 1
        ) as c
        where c.first + daybook.uint32(c.value, 8) - 1 = p_position);
end $$;

-- The last position of the commits after a position that have at most the given number of events
-- together, or of the first commit if it has more; the position itself at the end of the log.
create function daybook.end_after(p_log integer, p_after bigint, p_most bigint) returns bigint
language sql stable
begin atomic
    select coalesce(
        (
            select c.first + daybook.uint32(c.value, 8) - 1
            from daybook.commits as c
            where c.log = p_log and c.first > p_after and c.first <= p_after + p_most
                and c.first + daybook.uint32(c.value, 8) - 1 <= p_after + p_most
            order by c.first desc limit 1
        ),
        (
            select c.first + daybook.uint32(c.value, 8) - 1
            from daybook.commits as c
            where c.log = p_log and c.first > p_after
            order by c.first limit 1
        ),
        p_after);
end;

-- The records of the commits after a position, as in a segment of docs/format.md, but with the
-- checksums of the rows: people (P), then names, commits and events (N, C, E), then texts (T).
--
-- People and texts are as of the statement, and may be ahead of the events. Those that a commit
-- after p_after has changed are among them, however old they are, so that a replica carries out
-- erasures.
create function daybook.records(p_log integer, p_after bigint, p_through bigint)
returns table (letter text, number bigint, field bigint, value bytea)
language plpgsql stable
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
#variable_conflict use_column
begin
    return query select r.letter, r.number, r.field, r.value
    from (
        select 0, p.person, 0, 'P', p.person, 0::bigint, p.value
        from daybook.people as p
        where p.log = p_log and p.changed_at > p_after
        union all
        -- A name stands before the commit that is the first to use it.
        select 1, (
            select max(c.first) from daybook.commits as c
            where c.log = p_log and c.first <= daybook.int64(n.value, 1)
        ), 0, 'N', n.name, 0, n.value
        from daybook.names as n
        where n.log = p_log and daybook.int64(n.value, 1) between p_after + 1 and p_through
        union all
        select 1, c.first, 1, 'C', c.first, 0, c.value
        from daybook.commits as c
        where c.log = p_log and c.first > p_after and c.first <= p_through
        union all
        select 1, e.position, 2, 'E', e.position, 0, e.value
        from daybook.events as e
        where e.log = p_log and e.position > p_after and e.position <= p_through
        union all
        select 2, t.position, 0, 'T', t.position, t.field, t.value
        from daybook.texts as t
        where t.log = p_log and t.position > p_after and t.position <= p_through
        union all
        select 2, t.position, 0, 'T', t.position, t.field, t.value
        from daybook.epochs as e
        join daybook.texts as t on t.log = e.log and t.epoch = e.epoch
        where e.log = p_log and e.begun_by > p_after
            and t.log = p_log and t.epoch is not null and t.position <= p_after
    ) as r (part, place, rank, letter, number, field, value)
    order by r.part, r.place, r.rank, r.number, r.field;
end $$;

-- The outcomes of requests after a lost answer: the first position of each request's commit, or
-- null.
--
-- A request without a position is known to be lost only if the log has moved past the end that its
-- bytes were made for. At the same end, the lost append may still be on its way, and must be sent
-- again under the same digests.
create function daybook.outcomes(p_log integer, p_digests bytea[])
returns table (log_end daybook.log_end, firsts bigint[])
language plpgsql volatile as $$
begin
    -- The end is read first, so that a request that is not found after it was not written before
    -- it.
    log_end := daybook.head(p_log);
    firsts := array(
        select (
            select r.first from daybook.requests as r
            where r.log = p_log and r.digest = d.digest
            limit 1)
        from unnest(p_digests) with ordinality as d (digest)
        order by d.ordinality);
    return next;
end $$;

-- The id of a replica in `replicas`, from its secret of 16 random bytes.
create function daybook.replica_id(p_secret uuid) returns uuid
language sql immutable
begin atomic
    select encode(
        substr(sha256('daybook-replica-v1'::bytea || '\x00'::bytea || uuid_send(p_secret)), 1, 16),
        'hex')::uuid;
end;

-- Records the erasures that a replica with keys has carried out; `erase` names replicas without
-- such a report.
--
-- A report counts only for the replica whose secret it has. A user has at most 100 replicas of a
-- log here. One more row stands for all further replicas, whose erasures are unknown; `erase` names
-- it until the owner has deleted rows.
create function daybook.report_replica(
    p_log integer, p_replica uuid, p_label text, p_position bigint, p_erased_through bigint
) returns void
language plpgsql volatile security definer
set search_path = daybook, pg_temp
as $$
declare
    named uuid := daybook.replica_id(p_replica);
    most constant integer := 100;
begin
    if not exists (
        select from daybook.heads as h
        where h.log = p_log and p_erased_through between 0 and p_position
            and p_position <= h.position)
    then
        raise exception using errcode = 'DAY08', message = format(
            'log %s has no replica at position %s with erasures through %s',
            p_log, p_position, p_erased_through);
    end if;
    update daybook.replicas as r set
        label = p_label, position = p_position, erased_through = p_erased_through,
        heard_at = clock_timestamp()
    where r.log = p_log and r.replica = named;
    if found then return; end if;
    -- Concurrent first reports are counted one after the other.
    perform pg_advisory_xact_lock(hashtextextended('daybook.replicas ' || session_user, p_log));
    if (
        select count(*) from daybook.replicas as r
        where r.log = p_log and r.reporter = session_user) >= most
    then
        named := daybook.replica_id(md5(session_user)::uuid);
        p_label := format('more than %s replicas of the user %s', most, session_user);
        p_erased_through := 0;
    end if;
    insert into daybook.replicas (log, replica, label, position, erased_through)
    values (p_log, named, p_label, p_position, p_erased_through)
    on conflict (log, replica) do update set
        label = excluded.label, position = excluded.position,
        erased_through = excluded.erased_through, heard_at = clock_timestamp();
end $$;
