// Written by tools/postgres-schema from the files in Schema; edit those.

#if PostgreSQL
    extension SchemaSource {
        /// The file `Schema/5-erase.sql`.
        static let erase = #"""
            -- Logs, epochs and erasures.
            --
            -- An erasure, in order; each step may be repeated after a crash:
            --   1. The key command makes the key of the next epoch, and `begin_epoch` notes its proof.
            --      `reserve_slots` gives slots to people who keep some texts.
            --   2. `erase` appends the event, replaces the blocks of the erased keys by blocks without them,
            --      and makes the new epoch the current one, in one transaction. Later blocks are encrypted
            --      under it.
            --   3. `blocks_before` and `rewrap` encrypt the other blocks anew, without the lock of the head.
            --   4. `empty_epoch` finds nothing left, and notes where the WAL ends.
            --   5. `is_durable` answers true once the named standbys have this place on disk.
            --   6. The key command destroys the old epoch's key, and `end_epoch` notes that.
            -- From step 2 on, nothing in the tables opens an erased text; from step 6 on, nothing in WAL,
            -- standbys or backups does. Before step 6 both keys exist, so that no crash loses a kept text.

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
                        message = format('log %s has not got all of its file', p_log);
                end if;
            end $$;

            -- Closes a log, or opens it again.
            create function daybook.set_state(p_log integer, p_state text) returns void
            language sql volatile
            begin atomic
                update daybook.heads set state = p_state where log = p_log;
            end;

            -- Notes the key of the next epoch, whose number it returns.
            --
            -- A key that was noted and not used is replaced: its erasure was killed before step 2. Another
            -- program that has noted its own key meanwhile finds out by the proof in step 2.
            --
            -- p_standbys are those for which step 5 will wait, which is refused early if the owner of the
            -- tables would never see them.
            create function daybook.begin_epoch(p_log integer, p_proof bytea, p_standbys text[] = '{}')
            returns integer
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
                select h.epoch + 1 into made from daybook.heads as h where h.log = p_log;
                insert into daybook.epochs (log, epoch, state, proof) values (p_log, made, 'created', p_proof)
                on conflict (log, epoch) do update set proof = excluded.proof
                    where epochs.state = 'created';
                if not found then
                    raise exception using errcode = 'DAY05',
                        message = format('epoch %s of log %s has begun already', made, p_log);
                end if;
                return made;
            end $$;

            -- Gives the next key slots to an erasure, for texts that it keeps; those that it does not use stay
            -- unused. Returns false if the log has another end.
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
                update daybook.heads as h set next_slot = p_next_slot + p_count
                where h.log = p_log and h.next_slot = p_next_slot and h.epoch = p_epoch and h.state = 'open';
                if not found then return false; end if;
                insert into daybook.vault (log, block, epoch, value)
                select p_log, known - 1 + b.ordinality, p_epoch, b.value
                from unnest(p_blocks) with ordinality as b (value);
                return true;
            end $$;

            -- Records an erasure: step 2.
            --
            -- The first parameters are those of `append`, for one commit; p_new_blocks are for people whom it
            -- is the first to name. p_blocks are numbers of blocks, -1 for the secret among them, and p_values
            -- what they are under the new epoch, without the erased keys. p_old_* are texts of earlier events
            -- in their new form. p_proof is that of the new epoch's key, and p_standbys those for which step 5
            -- waits. An erasure whose commit was not written changes nothing.
            create function daybook.erase(
                p_log integer, p_position bigint, p_chain bytea, p_next_name integer, p_next_person bigint,
                p_next_slot bigint, p_epoch integer, p_commit bytea, p_digest bytea, p_events bytea[],
                p_names bytea[], p_persons bigint[], p_person_sums bytea[], p_person_rows bytea[],
                p_text_positions bigint[], p_text_fields bigint[], p_texts bytea[],
                p_new_epoch integer, p_blocks bigint[], p_values bytea[], p_new_blocks bytea[] = '{}',
                p_old_positions bigint[] = '{}', p_old_fields bigint[] = '{}', p_old_texts bytea[] = '{}',
                p_proof bytea = null, p_standbys text[] = '{}'
            ) returns daybook.append_answer
            language plpgsql volatile security definer
            set search_path = daybook, pg_temp
            set enable_seqscan = off
            as $$
            declare
                answer daybook.append_answer;
                place constant bigint := p_position + 1;
            begin
                answer := daybook.append(
                    p_log, p_position, p_chain, p_next_name, p_next_person, p_next_slot, p_epoch, 'open',
                    array[1], array[p_commit], array[p_digest], p_events, p_names,
                    array_fill(1, array[cardinality(p_persons)]), p_persons, p_person_sums, p_person_rows,
                    p_text_positions, p_text_fields, p_texts, p_new_blocks);
                if answer.result <> 'appended' or answer.outcomes[1] <> 1 then return answer; end if;

                -- The end of the log was the one that the erasure was made for, so no other erasure was
                -- between.
                insert into daybook.vault (log, block, epoch, value)
                select p_log, b.block, p_new_epoch, b.value
                from unnest(p_blocks, p_values) as b (block, value)
                on conflict (log, block) do update set epoch = excluded.epoch, value = excluded.value;
                -- A text that was missing without an erasure gets a row that says so.
                insert into daybook.texts (log, position, field, changed_at, value)
                select p_log, o.position, o.field, place, o.value
                from unnest(p_old_positions, p_old_fields, p_old_texts) as o (position, field, value)
                on conflict (log, position, field) do update set value = excluded.value, changed_at = place;
                if exists (select from unnest(p_old_positions) as o (position) where o.position >= place) then
                    perform daybook.refuse_bytes('text', place, 'of an event after the earlier ones');
                end if;

                update daybook.epochs set state = 'leaving', ended_by = place, standbys = p_standbys
                where log = p_log and epoch = p_epoch and state = 'current';
                update daybook.epochs set state = 'current'
                where log = p_log and epoch = p_new_epoch and state = 'created'
                    and proof = coalesce(p_proof, proof);
                if not found or p_new_epoch <> p_epoch + 1 then
                    raise exception using errcode = 'DAY05',
                        message = format('epoch %s of log %s has not been prepared', p_new_epoch, p_log);
                end if;
                update daybook.heads as h set epoch = p_new_epoch
                where h.log = p_log
                returning daybook.end_of(h) into answer.log_end;
                return answer;
            end $$;

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
                -- Held until the commit, so that the epoch does not end meanwhile.
                perform from daybook.epochs as e
                where e.log = p_log and e.epoch = p_epoch and e.state = 'current' for share;
                if not found then
                    raise exception using errcode = 'DAY05',
                        message = format('epoch %s of log %s is not current', p_epoch, p_log);
                end if;
                update daybook.vault as v set epoch = p_epoch, value = n.value
                from unnest(p_blocks, p_values) as n (block, value)
                where v.log = p_log and v.block = n.block and v.epoch < p_epoch;
                get diagnostics replaced = row_count;
                return replaced;
            end $$;

            -- Notes that nothing is encrypted under an epoch; returns false if something still is.
            create function daybook.empty_epoch(p_log integer, p_epoch integer) returns boolean
            language plpgsql volatile security definer
            set search_path = daybook, pg_temp
            as $$
            begin
                if exists (select from daybook.vault where log = p_log and epoch = p_epoch) then
                    return false;
                end if;
                -- All that was encrypted anew is before this place, because it is committed.
                update daybook.epochs set emptied_at = coalesce(emptied_at, pg_current_wal_insert_lsn())
                where log = p_log and epoch = p_epoch and state = 'leaving';
                return found;
            end $$;

            -- True if the server and the named standbys, here or by the erasure, have on disk that an epoch was
            -- emptied.
            --
            -- A standby that is not named may still need the epoch's key, should it become the server.
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

            -- The standbys that an erasure has named and that do not have on disk that an epoch was emptied.
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

            -- Names the standbys for which erasures that are under way wait, instead of those before.
            create function daybook.await_standbys(p_log integer, p_standbys text[]) returns void
            language sql volatile security definer
            set search_path = daybook, pg_temp
            begin atomic
                update daybook.epochs set standbys = p_standbys where log = p_log and state = 'leaving';
            end;

            -- Notes that the key of an epoch was destroyed.
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

            """#
    }
#endif
