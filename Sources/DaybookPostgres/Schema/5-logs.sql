-- Creation, filling, closing and cleaning of logs.

-- Makes an empty log, with its secret encrypted under epoch 1.
create function daybook.create_log(
    p_name text, p_id bytea, p_proof bytea, p_secret bytea, p_state text = 'open'
) returns integer
language plpgsql as $$
declare
    made integer;
begin
    insert into daybook.logs (name, id) values (p_name, p_id) returning log into made;
    insert into daybook.heads (log, state) values (made, p_state);
    insert into daybook.epochs (log, epoch, state, proof) values (made, 1, 'current', p_proof);
    insert into daybook.vault (log, block, epoch, value) values (made, -1, 1, p_secret);
    return made;
end $$;

-- Adds people and blocks of keys to a log that takes the commits of one file; repeating it is
-- harmless.
--
-- Its commits, events, names and texts come through `append`, before the people.
create function daybook.fill_people(
    p_log integer, p_persons bigint[], p_rows bytea[], p_blocks bigint[], p_values bytea[]
) returns void
language plpgsql as $$
declare
    head daybook.heads;
begin
    select * into head from daybook.heads as h where h.log = p_log for no key update;
    if head.state is distinct from 'filling' then
        raise exception using errcode = 'DAY06',
            message = format('log %s is not being filled', p_log);
    end if;
    insert into daybook.people (log, person, changed_at, value)
    select p_log, p.person, greatest(head.position, 1), p.value
    from unnest(p_persons, p_rows) as p (person, value)
    on conflict (log, person) do update set
        value = excluded.value, changed_at = excluded.changed_at;
    insert into daybook.vault (log, block, epoch, value)
    select p_log, b.block, head.epoch, b.value
    from unnest(p_blocks, p_values) as b (block, value)
    on conflict (log, block) do update set value = excluded.value;
end $$;

-- Ends the filling of a log at the head of its file. From then on it takes appends.
create function daybook.end_filling(
    p_log integer, p_position bigint, p_chain bytea, p_next_person bigint, p_next_slot bigint
) returns void
language plpgsql as $$
begin
    update daybook.heads as h set
        state = 'open', next_person = p_next_person, next_slot = p_next_slot
    where h.log = p_log and h.state = 'filling' and h.position = p_position and h.chain = p_chain
        and p_next_person = 1 + (
            select count(*) from daybook.people as p
            where p.log = p_log and p.person < p_next_person)
        and (p_next_slot - 2 + 2047) / 2047 = (
            select count(*) from daybook.vault as v where v.log = p_log and v.block >= 0);
    if not found then
        raise exception using errcode = 'DAY06',
            message = format('log %s does not have all commits of its file', p_log);
    end if;
end $$;

-- Closes a log, or opens it again.
create function daybook.set_state(p_log integer, p_state text) returns void
language sql volatile
begin atomic
    update daybook.heads set state = p_state where log = p_log;
end;

-- Deletes the random digests of requests that were written more than a day ago; returns how many.
create function daybook.forget_requests(p_log integer, p_after bigint, p_through bigint)
returns bigint
language sql volatile
begin atomic
    with forgotten as (
        delete from daybook.requests as r
        using daybook.commits as c
        where r.log = p_log and c.log = p_log and c.first = r.first
            and c.first > p_after and c.first <= p_through
            and substr(c.value, 93, 32) = decode(repeat('00', 32), 'hex')
            and daybook.int64(c.value, 0) < daybook.clock() - 86400000000
        returning 1
    )
    select count(*) from forgotten;
end;
