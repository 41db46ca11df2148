-- Roles, which an administrator grants to the users of programs.
--
--   daybook_read    reads commits; sees no key, not even encrypted
--   daybook_append  also appends, through the function only, reads encrypted keys, and reports what
--                   a replica with keys has carried out
--   daybook_erase   also erases
do $$
declare
    wanted text;
begin
    foreach wanted in array array['daybook_read', 'daybook_append', 'daybook_erase'] loop
        if not exists (select from pg_roles where rolname = wanted) then
            execute format('create role %I nologin', wanted);
        end if;
    end loop;
end $$;
grant daybook_read to daybook_append;
grant daybook_append to daybook_erase;

revoke all on all functions in schema daybook from public;
grant usage on schema daybook to daybook_read;
grant select on daybook.schema_version, daybook.logs, daybook.heads, daybook.events,
    daybook.commits, daybook.names, daybook.people, daybook.texts, daybook.requests,
    daybook.epochs, daybook.reserved_slots
    to daybook_read;
grant execute on function daybook.uint16, daybook.uint32, daybook.int64, daybook.bytes16,
    daybook.clock, daybook.end_of, daybook.head, daybook.log_named, daybook.chain_at,
    daybook.end_after, daybook.records, daybook.outcomes
    to daybook_read;

grant select on daybook.vault to daybook_append;
grant execute on function daybook.append, daybook.lock_head to daybook_append;
grant execute on function daybook.report_replica to daybook_append;

grant select on daybook.replicas to daybook_erase;
grant execute on function daybook.begin_epoch, daybook.reserve_slots, daybook.begin_erasure,
    daybook.replace_blocks, daybook.replace_texts, daybook.erase, daybook.blocks_before,
    daybook.rewrap, daybook.empty_epoch, daybook.is_durable, daybook.late_standbys,
    daybook.connected_standbys, daybook.await_standbys, daybook.end_epoch
    to daybook_erase;
