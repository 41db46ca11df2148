-- The only function that adds events to a log.

-- The end of a log: the values that a writer needs for the bytes of the next commits.
create type daybook.log_end as (
    position bigint,
    chain bytea,
    recorded_at bigint,
    next_name integer,
    next_person bigint,
    next_slot bigint,
    epoch integer,
    state text,
    -- The server's clock, in microseconds since 1970.
    clock bigint,
    -- The log, so that the end of another log is recognised.
    log integer
);

-- The answer to an append: its result, the log's end, and the outcome of each commit.
--
-- result:
--   appended  every commit was written, or all before the first one whose outcome is 2, 3 or 4
--   moved     the bytes were made for another end of the log; nothing was written
--   clock     the recording times are not within a second of the server's clock, or go back;
--             nothing was written
--   behind    a condition reaches back further than the function looks; nothing was written
-- outcomes:
--   1 written, places has the position of its first event
--   2 the request was written before, places has the position of that commit's first event
--   3 an event that a condition forbids is at places
--   4 not written, because it must be made again for the new end
-- Outcomes 2 and 3 are also given with 'moved' and 'behind', as far as they are known then.
create type daybook.append_answer as (
    result text,
    log_end daybook.log_end,
    outcomes smallint[],
    places bigint[]
);

create function daybook.end_of(head daybook.heads) returns daybook.log_end
language sql volatile
return row(
    head.position, head.chain, head.recorded_at, head.next_name, head.next_person, head.next_slot,
    head.epoch, head.state, daybook.clock(), head.log)::daybook.log_end;

-- The end of a log.
create function daybook.head(p_log integer) returns daybook.log_end
language sql volatile
begin atomic
    select daybook.end_of(h) from daybook.heads as h where h.log = p_log;
end;

-- True if a writer knows the end of the log, including the numbers of the next name, person and
-- slot, which the bytes of commits contain.
create function daybook.is_end(
    head daybook.heads, p_position bigint, p_chain bytea, p_next_name integer, p_next_person bigint,
    p_next_slot bigint, p_epoch integer, p_state text
) returns boolean
language sql immutable
return (head.position, head.chain, head.next_name, head.next_person, head.next_slot, head.epoch,
    head.state) = (p_position, p_chain, p_next_name, p_next_person, p_next_slot, p_epoch, p_state);

-- Takes the log's lock until the end of the transaction, and returns the end of the log.
--
-- For a writer that has lost to another: its next append is made for the locked end. A writer that
-- holds the lock for a second without a statement loses its connection.
create function daybook.lock_head(p_log integer) returns daybook.log_end
language plpgsql volatile security definer
set search_path = daybook, pg_temp
set lock_timeout = '10s'
as $$
declare
    known daybook.heads;
begin
    perform daybook.check_transaction();
    select * into known from daybook.heads where log = p_log for no key update;
    if not found then
        raise exception using errcode = 'DAY04', message = format('there is no log %s', p_log);
    end if;
    perform set_config('idle_in_transaction_session_timeout', '1000', true);
    return daybook.end_of(known);
end $$;

-- Appends commits, or the first of them, and returns the outcome of each.
--
-- A writer makes the bytes for the end of the log that it knows, and names this end. The function
-- reads them as far as the log depends on them, proves the chain, takes the lock and compares the
-- end; only then does it look for keys and forbidden events, in later statements, which see all
-- earlier commits. The checks of bytes come before the lock, because they take most of the time.
--
-- Commits of one number in p_groups are written together or not at all. A group with a known key or
-- a forbidden event is not written, nor are those after it, because their bytes follow from its
-- bytes; the groups before it are.
--
-- Lists that belong together have one length:
--   p_groups, p_commits, p_digests: group, row and 16 bytes of a request, of each commit
--   p_events: the rows of their events
--   p_names: the rows of new names, from p_next_name on
--   p_person_commits, p_persons, p_person_sums, p_person_rows: number of the commit from 1, number
--     of the person, checksum of the row that this row replaces (empty for a new person), and the
--     row
--   p_text_positions, p_text_fields, p_texts: key and row of each text
--   p_blocks: blocks of keys, encrypted under p_epoch, for new people whose slot is the first of
--     one
--   p_item_groups, p_item_after, p_item_kinds, p_item_tags: an item of a condition: no event after
--     the position may have one of the kinds (rows of names, as the text of an integer[]) and all
--     of the tags (as the text of a bytea[]); '{}' for any
create function daybook.append(
    p_log integer, p_position bigint, p_chain bytea, p_next_name integer, p_next_person bigint,
    p_next_slot bigint, p_epoch integer, p_state text,
    p_groups integer[], p_commits bytea[], p_digests bytea[], p_events bytea[],
    p_names bytea[] = '{}',
    p_person_commits integer[] = '{}', p_persons bigint[] = '{}', p_person_sums bytea[] = '{}',
    p_person_rows bytea[] = '{}',
    p_text_positions bigint[] = '{}', p_text_fields bigint[] = '{}', p_texts bytea[] = '{}',
    p_blocks bytea[] = '{}',
    p_item_groups integer[] = '{}', p_item_after bigint[] = '{}', p_item_kinds text[] = '{}',
    p_item_tags text[] = '{}'
) returns daybook.append_answer
language plpgsql volatile security definer
set search_path = daybook, pg_temp
set lock_timeout = '10s'
-- A plan is made once in a session; a plan for small tables must not scan them once they are large.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
declare
    -- The greatest number of events that a condition without tags may scan.
    most_scanned constant bigint := 10000;
    head daybook.heads;
    answer daybook.append_answer;
    commit_count constant integer := cardinality(p_commits);
    lasts bigint[] := '{}';
    is_current boolean;
    clock bigint;
    commits daybook.commits_read;
    item record;
    -- The number of commits that are written, and their last position.
    written integer;
    last bigint;
    -- The next name, person and slot after these.
    names_to integer := p_next_name;
    people_to bigint := p_next_person;
    slots_to bigint := p_next_slot;
    block_count integer := 0;
    place bigint := p_position;
    i integer;
begin
    perform daybook.check_transaction();
    if commit_count = 0 or cardinality(p_groups) <> commit_count
        or cardinality(p_digests) <> commit_count
    then
        perform daybook.refuse_bytes(
            'lists', place, 'expected commits, each with group and digest');
    end if;
    answer.outcomes := array_fill(4::smallint, array[commit_count]);
    answer.places := array_fill(0::bigint, array[commit_count]);

    -- A writer that has lost already does not wait for the lock.
    select * into head from daybook.heads where log = p_log;
    if not found then
        raise exception using errcode = 'DAY04', message = format('there is no log %s', p_log);
    end if;
    is_current := daybook.is_end(
        head, p_position, p_chain, p_next_name, p_next_person, p_next_slot, p_epoch, p_state);
    if is_current then
        commits := daybook.read_commits(
            p_position, p_chain, head.recorded_at, p_next_name, p_commits, p_digests, p_events,
            p_names);
        lasts := commits.lasts;
        if commits.goes_back then answer.result := 'clock'; end if;

        -- The lock, and the end after the last writer.
        select * into head from daybook.heads where log = p_log for no key update;
        is_current := daybook.is_end(
            head, p_position, p_chain, p_next_name, p_next_person, p_next_slot, p_epoch, p_state);
    end if;
    if not is_current then answer.result := 'moved'; end if;

    -- Outcomes, in statements that begin under the lock.
    for item in
        select d.ordinality as commit, found.first
        from unnest(p_digests) with ordinality as d (digest)
        cross join lateral (
            select r.first from daybook.requests as r
            where r.log = p_log and r.digest = d.digest
            limit 1
        ) as found
    loop
        answer.outcomes[item.commit] := 2;
        answer.places[item.commit] := item.first;
    end loop;
    if cardinality(p_item_groups) > 0 then
        for item in
            select i.commit_group, min(found.position) as position
            from unnest(p_item_groups, p_item_after, p_item_kinds, p_item_tags)
                as i (commit_group, after, kinds, tags)
            cross join lateral (
                select t.position
                from daybook.tags as t
                where t.log = p_log and t.tag = (i.tags::bytea[])[1] and t.position > i.after
                    and (i.kinds = '{}' or t.kind = any (i.kinds::integer[]))
                    and not exists (
                        select from unnest((i.tags::bytea[])[2:]) as other (tag)
                        where not exists (
                            select from daybook.tags as u
                            where u.log = p_log and u.tag = other.tag and u.position = t.position))
                order by t.position
                limit 1
            ) as found
            where i.tags <> '{}'
            group by i.commit_group
            union all
            select i.commit_group, min(found.position)
            from unnest(p_item_groups, p_item_after, p_item_kinds, p_item_tags)
                as i (commit_group, after, kinds, tags)
            cross join lateral (
                select e.position
                from daybook.events as e
                where e.log = p_log and e.position > i.after
                    and e.position <= i.after + most_scanned
                    and (i.kinds = '{}' or daybook.uint16(e.value, 16) = any (i.kinds::integer[]))
                order by e.position
                limit 1
            ) as found
            where i.tags = '{}'
            group by i.commit_group
        loop
            for i in 1..commit_count loop
                if p_groups[i] = item.commit_group and answer.outcomes[i] = 4 then
                    answer.outcomes[i] := 3;
                    answer.places[i] := item.position;
                end if;
            end loop;
        end loop;
        if is_current and exists (
            select from unnest(p_item_after, p_item_kinds, p_item_tags, p_item_groups)
                as i (after, kinds, tags, commit_group)
            where i.tags = '{}' and i.after < head.position - most_scanned
                and not exists (
                    select from unnest(p_groups, answer.outcomes) as c (commit_group, outcome)
                    where c.commit_group = i.commit_group and c.outcome = 3))
        then
            answer.result := 'behind';
        end if;
    end if;
    clock := daybook.clock();
    -- A head that is ahead of the clock may be repeated, but not by more than a day. Erasures alone
    -- are exempt: their transaction has an epoch that is beginning.
    if is_current and p_state = 'open' and (
        daybook.int64(p_commits[1], 0) < clock - 1000000
        or commits.recorded_at > clock + 1000000
            and commits.recorded_at <> head.recorded_at
        or commits.recorded_at > clock + 86400000000
            and not exists (
                select from daybook.epochs as e where e.log = p_log and e.is_beginning))
    then
        answer.result := 'clock';
    end if;
    if answer.result is not null then
        answer.log_end := daybook.end_of(head);
        return answer;
    end if;

    written := commit_count;
    for i in 1..commit_count loop
        if answer.outcomes[i] <> 4 then
            written := array_position(p_groups, p_groups[i]) - 1;
            exit;
        end if;
    end loop;
    answer.result := 'appended';
    if written = 0 then
        answer.log_end := daybook.end_of(head);
        return answer;
    end if;
    last := lasts[written];

    insert into daybook.commits (log, first, value)
    select p_log, coalesce(lasts[c.ordinality - 1], p_position) + 1, c.value
    from unnest(p_commits[:written]) with ordinality as c (value);
    insert into daybook.requests (log, first, digest)
    select p_log, coalesce(lasts[d.ordinality - 1], p_position) + 1, d.digest
    from unnest(p_digests[:written]) with ordinality as d (digest);
    insert into daybook.events (log, position, value)
    select p_log, p_position + e.ordinality, e.value
    from unnest(p_events) with ordinality as e (value)
    where e.ordinality <= last - p_position;
    insert into daybook.tags (log, tag, position, kind)
    -- An event may have a tag twice.
    select distinct p_log, t.tag, t.position, t.kind
    from unnest(commits.tags, commits.tag_places, commits.tag_kinds)
        as t (tag, position, kind)
    where t.position <= last;

    if cardinality(p_names) > 0 then
        insert into daybook.names (log, name, value)
        select p_log, p_next_name - 1 + n.ordinality, n.value
        from unnest(p_names) with ordinality as n (value)
        where daybook.int64(n.value, 1) <= last;
        get diagnostics i = row_count;
        names_to := p_next_name + i;
    end if;
    for i in 1..cardinality(p_persons) loop
        continue when p_person_commits[i] > written;
        place := coalesce(lasts[p_person_commits[i] - 1], p_position) + 1;
        if p_persons[i] = people_to and p_person_sums[i] = '' then
            insert into daybook.people (log, person, changed_at, value)
            values (p_log, people_to, place, p_person_rows[i]);
            people_to := people_to + 1;
            if daybook.uint32(p_person_rows[i], 8) <> slots_to then
                perform daybook.refuse_bytes('person', place, 'another slot than the next one');
            end if;
            if (slots_to - 1) % 2047 = 0 then
                block_count := block_count + 1;
                if block_count > cardinality(p_blocks) then
                    perform daybook.refuse_bytes('person', place, 'no block of keys for the slot');
                end if;
                insert into daybook.vault (log, block, epoch, value)
                values (p_log, (slots_to - 1) / 2047, p_epoch, p_blocks[block_count]);
            end if;
            slots_to := slots_to + 1;
        else
            update daybook.people as p set value = p_person_rows[i], changed_at = place
            where p.log = p_log and p.person = p_persons[i]
                and substr(p.value, length(p.value) - 7) = p_person_sums[i];
            if not found then
                perform daybook.refuse_bytes(
                    'person', place, format('person %s has another row', p_persons[i]));
            end if;
        end if;
    end loop;
    if cardinality(p_texts) > 0 then
        insert into daybook.texts (log, position, field, value)
        select p_log, t.position, t.field, t.value
        from unnest(p_text_positions, p_text_fields, p_texts) as t (position, field, value)
        where t.position <= last;
        if exists (
            select from unnest(p_text_positions) as t (position) where position <= p_position)
        then
            perform daybook.refuse_bytes('text', p_position, 'of an event before the commits');
        end if;
    end if;

    update daybook.heads as h set
        position = last, chain = substr(p_commits[written], 17, 32),
        recorded_at = daybook.int64(p_commits[written], 0),
        next_name = names_to, next_person = people_to, next_slot = slots_to
    where h.log = p_log
    returning h.* into head;
    for i in 1..written loop
        answer.outcomes[i] := 1;
        answer.places[i] := coalesce(lasts[i - 1], p_position) + 1;
    end loop;
    answer.log_end := daybook.end_of(head);
    return answer;
end $$;
