-- Epochs and erasures.
--
-- An erasure, in order; each step may be repeated after a crash:
--   1. `begin_epoch` gives the number of a new epoch, for which the key command makes a key.
--      `reserve_slots` gives slots to people who keep some texts.
--   2. One transaction records the erasure. `begin_erasure` keeps other erasures out;
--      `replace_blocks` and `replace_texts` write the blocks without the erased keys, under the
--      new epoch, and the texts that are kept, under keys of the reserved slots. Only then
--      `lock_head` takes the lock of the log, for which appends wait, and `erase` appends the
--      event, changes the texts that came meanwhile, and makes the new epoch the current one.
--   3. `blocks_before` and `rewrap` encrypt the other blocks anew, without the lock of the head.
--   4. `empty_epoch` finds nothing left, and notes where the WAL ends.
--   5. `is_durable` answers true once the named standbys have this place on disk.
--   6. The key command destroys the old epoch's key, and `end_epoch` notes that.
-- From step 2 on, nothing in the tables opens an erased text; from step 6 on, nothing in WAL,
-- standbys or backups does. Before step 6 both keys exist, so that no crash loses a kept text.
--
-- An attempt that was abandoned in step 2 may be in the WAL. Its data there are under the key of
-- its own epoch, which the next erasure ends like the current one, and under keys of reserved
-- slots, which the next erasure drops.

-- Gives the number of a new epoch to an erasure.
--
-- p_standbys are those that step 5 will wait for. The call is refused if the owner of the tables
-- cannot see them.
create function daybook.begin_epoch(p_log integer, p_standbys text[] = '{}') returns integer
language plpgsql volatile security definer
set search_path = daybook, pg_temp
as $$
declare
    made integer;
begin
    if cardinality(p_standbys) > 0 and not pg_has_role(current_user, 'pg_read_all_stats', 'member')
    then
        raise exception using errcode = 'DAY05', message = format(
            'the owner of the tables, %s, cannot see standbys: it needs the role pg_monitor',
            current_user);
    end if;
    while made is null loop
        insert into daybook.epochs (log, epoch, state)
        select p_log, max(e.epoch) + 1, 'created' from daybook.epochs as e where e.log = p_log
        -- Another program has got the number at the same time.
        on conflict (log, epoch) do nothing
        returning epoch into made;
    end loop;
    return made;
end $$;

-- Reserves the next key slots for texts that an erasure keeps; surplus slots stay unused. Returns
-- false if the log has another end, or if another erasure is being recorded, which must know all
-- reserved slots.
--
-- p_blocks are new blocks, encrypted under the epoch, for slots that are the first of one.
create function daybook.reserve_slots(
    p_log integer, p_next_slot bigint, p_epoch integer, p_count integer, p_blocks bytea[]
) returns boolean
language plpgsql volatile security definer
set search_path = daybook, pg_temp
as $$
declare
    -- The number of blocks before, and after.
    known constant bigint := (p_next_slot + 2045) / 2047;
    needed constant bigint := (p_next_slot + p_count + 2045) / 2047;
begin
    perform daybook.check_transaction();
    if p_count < 1 or needed - known <> cardinality(p_blocks) then
        perform daybook.refuse_bytes(
            'slots', 0, format('expected %s blocks of keys', needed - known));
    end if;
    -- The call does not wait for it, because the caller may have the lock of the head.
    perform from daybook.epochs as e
    where e.log = p_log and e.epoch = p_epoch and e.state = 'current' for share skip locked;
    if not found then return false; end if;
    update daybook.heads as h set next_slot = p_next_slot + p_count
    where h.log = p_log and h.next_slot = p_next_slot and h.epoch = p_epoch and h.state = 'open';
    if not found then return false; end if;
    insert into daybook.vault (log, block, epoch, value)
    select p_log, known - 1 + b.ordinality, p_epoch, b.value
    from unnest(p_blocks) with ordinality as b (value);
    insert into daybook.reserved_slots (log, slot)
    select p_log, n from generate_series(p_next_slot, p_next_slot + p_count - 1) as n;
    return true;
end $$;

-- Begins the transaction that records an erasure, and keeps other erasures of the log from theirs:
--   begun  the transaction may continue
--   busy   another program has begun, or encrypts blocks anew; try again
--   moved  another erasure was faster, or reserved slots; prepare the erasure anew
--
-- p_reserved are the reserved slots that the erasure knows, ascending: it uses them or drops their
-- keys. A transaction that has begun here can only be committed once `erase` has recorded the
-- erasure. A program that is silent in it for a minute loses its connection.
create function daybook.begin_erasure(
    p_log integer, p_epoch integer, p_new_epoch integer, p_reserved bigint[]
) returns text
language plpgsql volatile security definer
set search_path = daybook, pg_temp
as $$
begin
    perform daybook.check_transaction();
    perform from daybook.epochs as e
    where e.log = p_log and e.epoch = p_epoch and e.state = 'current' for update skip locked;
    if not found then
        perform from daybook.epochs as e
        where e.log = p_log and e.epoch = p_epoch and e.state = 'current';
        return case when found then 'busy' else 'moved' end;
    end if;
    if p_reserved <> array(
        select s.slot from daybook.reserved_slots as s where s.log = p_log order by s.slot)
    then
        return 'moved';
    end if;
    update daybook.epochs set is_beginning = true
    where log = p_log and epoch = p_new_epoch and epoch > p_epoch and state = 'created';
    if not found then return 'moved'; end if;
    perform set_config('idle_in_transaction_session_timeout', '60000', true);
    return 'begun';
end $$;

-- Refuses a call outside the transaction that records the erasure.
create function daybook.check_is_beginning(p_log integer, p_new_epoch integer) returns void
language plpgsql stable
as $$
begin
    if not exists (
        select from daybook.epochs as e
        where e.log = p_log and e.epoch = p_new_epoch and e.state = 'created' and e.is_beginning)
    then
        raise exception using errcode = 'DAY05', message = format(
            'no erasure that begins epoch %s of log %s is being recorded', p_new_epoch, p_log);
    end if;
end $$;

-- Refuses the commit of a transaction that has begun an erasure and not recorded it.
create function daybook.refuse_unrecorded() returns trigger
language plpgsql security definer
set search_path = daybook, pg_temp
as $$
begin
    if exists (
        select from daybook.epochs as e
        where e.log = new.log and e.epoch = new.epoch and e.is_beginning)
    then
        raise exception using errcode = 'DAY05', message = format(
            'the erasure that begins epoch %s of log %s was not recorded', new.epoch, new.log);
    end if;
    return null;
end $$;
create constraint trigger erasure_is_recorded after update on daybook.epochs
    deferrable initially deferred for each row when (new.is_beginning)
    execute function daybook.refuse_unrecorded();

-- Replaces blocks, -1 for the secret among them, by the same ones under the new epoch, without the
-- erased keys.
create function daybook.replace_blocks(
    p_log integer, p_new_epoch integer, p_blocks bigint[], p_values bytea[]
) returns void
language plpgsql volatile security definer
set search_path = daybook, pg_temp
as $$
declare
    replaced bigint;
begin
    perform daybook.check_is_beginning(p_log, p_new_epoch);
    update daybook.vault as v set epoch = p_new_epoch, value = n.value
    from unnest(p_blocks, p_values) as n (block, value)
    where v.log = p_log and v.block = n.block;
    get diagnostics replaced = row_count;
    if replaced <> cardinality(p_blocks) then
        perform daybook.refuse_bytes('blocks', 0, 'not in the log, or twice');
    end if;
end $$;

-- Replaces texts of earlier events by their new form.
--
-- A text that is missing without an erasure gets a row that marks it as missing.
create function daybook.replace_texts(
    p_log integer, p_new_epoch integer, p_positions bigint[], p_fields bigint[], p_values bytea[]
) returns void
language plpgsql volatile security definer
set search_path = daybook, pg_temp
as $$
declare
    place bigint;
begin
    perform daybook.check_is_beginning(p_log, p_new_epoch);
    insert into daybook.texts (log, position, field, epoch, value)
    select p_log, n.position, n.field, p_new_epoch, n.value
    from unnest(p_positions, p_fields, p_values) as n (position, field, value)
    on conflict (log, position, field) do update
        set epoch = excluded.epoch, value = excluded.value;
    select max(n.position) into place from unnest(p_positions) as n (position);
    if place > (select h.position from daybook.heads as h where h.log = p_log) then
        perform daybook.refuse_bytes('text', place, 'of an event that the log does not have');
    end if;
end $$;

-- Records an erasure, after `begin_erasure` in the same transaction.
--
-- The first parameters are those of `append`, for one commit; p_new_blocks are for people whom it
-- is the first to name. p_old_* are texts of earlier events in their new form, other than those of
-- `replace_texts`. p_proof is that of the new epoch's key, and p_standbys those for which step 5
-- waits. If the commit is not written, the call fails, and with it the transaction.
create function daybook.erase(
    p_log integer, p_position bigint, p_chain bytea, p_next_name integer, p_next_person bigint,
    p_next_slot bigint, p_epoch integer, p_commit bytea, p_digest bytea, p_events bytea[],
    p_names bytea[], p_persons bigint[], p_person_sums bytea[], p_person_rows bytea[],
    p_text_positions bigint[], p_text_fields bigint[], p_texts bytea[],
    p_new_epoch integer, p_proof bytea, p_new_blocks bytea[] = '{}',
    p_old_positions bigint[] = '{}', p_old_fields bigint[] = '{}', p_old_texts bytea[] = '{}',
    p_standbys text[] = '{}'
) returns daybook.append_answer
language plpgsql volatile security definer
set search_path = daybook, pg_temp
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
declare
    answer daybook.append_answer;
    place constant bigint := p_position + 1;
    -- The places of new people in the lists.
    fresh constant integer[] := array(
        select p.ordinality from unnest(p_persons) with ordinality as p (person)
        where p.person >= p_next_person order by p.ordinality);
    wrong bigint;
begin
    perform daybook.check_is_beginning(p_log, p_new_epoch);
    answer := daybook.append(
        p_log, p_position, p_chain, p_next_name, p_next_person, p_next_slot, p_epoch, 'open',
        array[1], array[p_commit], array[p_digest], p_events, p_names,
        array_fill(1, array[cardinality(fresh)]),
        array(select p_persons[n] from unnest(fresh) as f (n) order by n),
        array(select p_person_sums[n] from unnest(fresh) as f (n) order by n),
        array(select p_person_rows[n] from unnest(fresh) as f (n) order by n),
        p_text_positions, p_text_fields, p_texts, p_new_blocks);
    if answer.result <> 'appended' or answer.outcomes[1] <> 1 then
        raise exception using errcode = 'DAY05', message = format(
            'the erasure was made for another end of log %s: %s', p_log, answer.result);
    end if;

    -- The end of the log was the one that the erasure was made for. All people that it changes are
    -- changed at once, because one person may own thousands of others. A row that changes twice in
    -- the commit goes from its first checksum to its last form.
    with changed as (
        select p.person, (array_agg(p.sum order by p.ordinality))[1] as sum,
            (array_agg(p.value order by p.ordinality desc))[1] as value
        from unnest(p_persons, p_person_sums, p_person_rows)
            with ordinality as p (person, sum, value)
        where p.person < p_next_person
        group by p.person
    ), updated as (
        update daybook.people as p set value = c.value, changed_at = place
        from changed as c
        where p.log = p_log and p.person = c.person
            and substr(p.value, length(p.value) - 7) = c.sum
        returning p.person
    )
    select min(c.person) into wrong
    from changed as c where c.person not in (select u.person from updated as u);
    if wrong is not null then
        perform daybook.refuse_bytes('person', place, format('person %s has another row', wrong));
    end if;
    perform daybook.replace_texts(
        p_log, p_new_epoch, p_old_positions, p_old_fields, p_old_texts);

    -- Epochs of abandoned attempts end as well, because their keys open data in the WAL.
    update daybook.epochs set state = 'leaving', ended_by = place, standbys = p_standbys
    where log = p_log and state in ('created', 'current') and epoch <> p_new_epoch;
    update daybook.epochs set
        state = 'current', begun_by = place, proof = p_proof, is_beginning = false
    where log = p_log and epoch = p_new_epoch;
    delete from daybook.reserved_slots where log = p_log;
    update daybook.heads as h set epoch = p_new_epoch
    where h.log = p_log
    returning daybook.end_of(h) into answer.log_end;
    return answer;
end $$;
