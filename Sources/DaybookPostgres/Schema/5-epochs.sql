-- Steps 3 to 6 of an erasure, which any program with keys may carry out or repeat; `5-erase.sql`
-- lists all steps in order.

-- Blocks that are still encrypted under an earlier epoch, by number.
create function daybook.blocks_before(
    p_log integer, p_epoch integer, p_after bigint, p_most integer
) returns table (block bigint, epoch integer, value bytea)
language sql stable security definer
set search_path = daybook, pg_temp
begin atomic
    select v.block, v.epoch, v.value
    from daybook.vault as v
    where v.log = p_log and v.block > p_after and v.epoch < p_epoch
    order by v.block limit p_most;
end;

-- Replaces blocks by the same keys under the current epoch; returns how many were replaced.
--
-- A block that an erasure has replaced meanwhile stays as it is.
create function daybook.rewrap(
    p_log integer, p_epoch integer, p_blocks bigint[], p_values bytea[]
) returns bigint
language plpgsql volatile security definer
set search_path = daybook, pg_temp
as $$
declare
    replaced bigint;
begin
    -- Held until the commit, so that the epoch does not end meanwhile. The call does not wait for
    -- it, because an erasure that is being recorded has locked blocks that this call needs next.
    perform from daybook.epochs as e
    where e.log = p_log and e.epoch = p_epoch and e.state = 'current' for share skip locked;
    if not found then
        raise exception using errcode = 'DAY05', message = format(
            'epoch %s of log %s is not current, or is about to end', p_epoch, p_log);
    end if;
    update daybook.vault as v set epoch = p_epoch, value = n.value
    from unnest(p_blocks, p_values) as n (block, value)
    where v.log = p_log and v.block = n.block and v.epoch < p_epoch;
    get diagnostics replaced = row_count;
    return replaced;
end $$;

-- Marks an epoch as emptied; returns false if data are still encrypted under it.
create function daybook.empty_epoch(p_log integer, p_epoch integer) returns boolean
language plpgsql volatile security definer
set search_path = daybook, pg_temp
as $$
begin
    if exists (select from daybook.vault where log = p_log and epoch = p_epoch) then
        return false;
    end if;
    -- The newly encrypted rows are committed, so the WAL has them before this place.
    update daybook.epochs set emptied_at = coalesce(emptied_at, pg_current_wal_insert_lsn())
    where log = p_log and epoch = p_epoch and state = 'leaving';
    return found;
end $$;

-- True if the server and the standbys, those given here or named by the erasure, have an emptied
-- epoch on disk.
--
-- A standby that is not named may still need the epoch's key if it is promoted.
create function daybook.is_durable(p_log integer, p_epoch integer, p_standbys text[])
returns boolean
language sql volatile security definer
set search_path = daybook, pg_temp
begin atomic
    select coalesce(bool_and(
        e.emptied_at <= pg_current_wal_flush_lsn()
        and not exists (
            select from unnest(p_standbys || e.standbys) as s (name)
            where not exists (
                select from pg_stat_replication as r
                where r.application_name = s.name and r.flush_lsn >= e.emptied_at))), false)
    from daybook.epochs as e
    where e.log = p_log and e.epoch = p_epoch and e.state in ('leaving', 'destroyed')
        and e.emptied_at is not null;
end;

-- The standbys that an erasure has named and that do not have the emptied epoch on disk yet.
create function daybook.late_standbys(p_log integer, p_epoch integer)
returns table (name text)
language sql volatile security definer
set search_path = daybook, pg_temp
begin atomic
    select s.name
    from daybook.epochs as e cross join lateral unnest(e.standbys) as s (name)
    where e.log = p_log and e.epoch = p_epoch and not exists (
        select from pg_stat_replication as r
        where r.application_name = s.name and r.flush_lsn >= e.emptied_at)
    order by s.name;
end;

-- The standbys that are connected now.
create function daybook.connected_standbys() returns table (name text)
language sql volatile security definer
set search_path = daybook, pg_temp
begin atomic
    select distinct r.application_name
    from pg_stat_replication as r
    where r.application_name is not null and r.state in ('streaming', 'catchup')
    order by r.application_name;
end;

-- Replaces the standbys that current erasures wait for.
create function daybook.await_standbys(p_log integer, p_standbys text[]) returns void
language sql volatile security definer
set search_path = daybook, pg_temp
begin atomic
    update daybook.epochs set standbys = p_standbys where log = p_log and state = 'leaving';
end;

-- Records that the key of an epoch was destroyed.
create function daybook.end_epoch(p_log integer, p_epoch integer) returns void
language plpgsql volatile security definer
set search_path = daybook, pg_temp
as $$
begin
    update daybook.epochs set state = 'destroyed', destroyed_at = clock_timestamp()
    where log = p_log and epoch = p_epoch and state = 'leaving' and emptied_at is not null;
    if not found then
        raise exception using errcode = 'DAY05',
            message = format('epoch %s of log %s is not empty', p_epoch, p_log);
    end if;
end $$;
