#if PostgreSQL
    import Daybook
    import DaybookCryptography
    package import DaybookLog

    // The steps of an erasure; `5-erase.sql` has them in order.
    extension PostgresStore: ErasingStore {
        package func reserveSlots(_ count: Int) throws(StoreError) -> [UInt32] {
            appends.acquire()
            defer { appends.release() }
            let end = try errors.mapping { () throws(PostgresError) in
                try appends.use { (connection) throws(PostgresError) in
                    try StoredEnd(
                        try connection.run([
                            PostgresStatement("begin isolation level read committed"),
                            self.about("select * from daybook.lock_head($1)"),
                        ])[1])
                }
            }.end
            do throws(StoreError) {
                guard UInt64(count) <= UInt64(UInt32.max) - end.nextSlot else {
                    throw refusal("peopleFull", "the log has no \(count) free key slots")
                }
                let first = Vault.blockCount(ofSlots: UInt32(end.nextSlot - 1))
                let last = Vault.blockCount(ofSlots: UInt32(end.nextSlot - 1) + UInt32(count))
                var reserve = about("select daybook.reserve_slots($1, $2, $3, $4, $5)")
                reserve.add(Int64(clamping: end.nextSlot))
                reserve.add(end.epoch)
                reserve.add(Int32(clamping: count))
                reserve.add(try wrapped((first..<last).map { Vault.newBlock($0) }, for: end))
                let statements = [reserve, PostgresStatement("commit")]
                let isReserved = try errors.mapping { () throws(PostgresError) in
                    try appends.use { (connection) throws(PostgresError) in
                        try connection.run(statements)[0].bytes(0, 0) == [1]
                    }
                }
                guard isReserved else {
                    throw refusal("state", "the log takes no erasures now")
                }
                return (0..<UInt32(count)).map { UInt32(end.nextSlot) + $0 }
            } catch {
                appends.rollBack()
                throw error
            }
        }

        package func prepareErasure(
            of slots: Set<UInt32>
        ) throws(StoreError) -> PreparedErasure {
            let keyring = try requireKeyring()
            for _ in 0..<20 {
                let epoch = try end().epoch
                guard let proof = try beginEpoch(after: epoch, keyring) else { continue }
                let key = try epochKey(epoch + 1, keyring)
                var blocks: [Int64: [UInt8]] = [:]
                for (block, old, value) in try rows(ofBlocksWith: slots) {
                    var plain = try decrypted(value, block, old, keyring)
                    for slot in slots where block >= 0 && Vault.block(of: slot) == UInt64(block) {
                        let range = Vault.range(of: slot)
                        plain.replaceSubrange(range, with: repeatElement(0, count: range.count))
                    }
                    blocks[block] = WrappedBlock.seal(
                        plain, block, epoch + 1, of: logID, with: key)
                }
                let needed = Set(slots.map { Int64(Vault.block(of: $0)) }).union([-1])
                guard needed == Set(blocks.keys) else {
                    throw .damaged(name: name, reason: "'vault' lacks blocks of erased keys")
                }
                return PreparedErasure(epoch: epoch, slots: slots, blocks: blocks, proof: proof)
            }
            throw refusal("moved", "other erasures were faster again and again")
        }

        /// Makes the key of the next epoch and notes its proof; returns the proof, or `nil` if another
        /// erasure was faster.
        private func beginEpoch(
            after epoch: Int32, _ keyring: EpochKeyring
        ) throws(StoreError) -> [UInt8]? {
            let bytes: [UInt8]
            do throws(EpochKeyError) {
                bytes = try keyring.source.createKey(of: epoch + 1, log: logID)
            } catch {
                throw .keys(name: name, reason: "\(error)")
            }
            let proof = EpochKeyring.proof(of: bytes)
            var begin = about("select daybook.begin_epoch($1, $2, $3)")
            begin.add(proof)
            begin.add(standbys ?? [])
            let made: Int64
            do throws(StoreError) {
                made = try read { (connection) throws(PostgresError) in
                    try connection.run([begin])[0].integer(0, 0)
                }
            } catch .refused(_, "DAY05", let reason) where !reason.contains("pg_monitor") {
                return nil
            } catch {
                throw error
            }
            guard made == Int64(epoch) + 1 else { return nil }
            do throws(EpochKeyError) {
                _ = try keyring.adopt(bytes, of: epoch + 1, provenBy: proof)
            } catch {
                throw .keys(name: name, reason: "\(error)")
            }
            return proof
        }

        /// Reads the secret and the blocks of slots, encrypted as they are.
        private func rows(
            ofBlocksWith slots: Set<UInt32>
        ) throws(StoreError) -> [(block: Int64, epoch: Int32, value: [UInt8])] {
            var select = about(
                """
                select block, epoch, value from daybook.vault
                where log = $1 and (block = -1 or block = any ($2))
                """)
            select.add(Array(Set(slots.map { Int64(Vault.block(of: $0)) })))
            return try read { (connection) throws(PostgresError) in
                try Self.blocks(try connection.run([select])[0])
            }
        }

        /// Reads the columns block, epoch and value.
        static func blocks(
            _ result: PostgresResult
        ) throws(PostgresError) -> [(block: Int64, epoch: Int32, value: [UInt8])] {
            try result.expect(rows: 0...Int.max, columns: 3)
            var rows: [(block: Int64, epoch: Int32, value: [UInt8])] = []
            for row in 0..<result.rowCount {
                rows.append(
                    (
                        try result.integer(row, 0), Int32(clamping: try result.integer(row, 1)),
                        try result.bytes(row, 2)
                    ))
            }
            return rows
        }

        package func erase(
            _ batch: StoreBatch, changing changed: [StoreBatch.Text], _ prepared: PreparedErasure
        ) throws(StoreError) -> StoreAnswer {
            do throws(StoreError) {
                return try appended(batch) { () throws(StoreError) in
                    try statement(erasing: batch, changed, prepared)
                }
            } catch .refused(_, "DAY05", _) {
                // Another program has prepared the epoch with a key of its own.
                return StoreAnswer(.moved, end: try end(), outcomes: [.unwritten])
            }
        }

        /// The statement that records an erasure.
        private func statement(
            erasing batch: StoreBatch, _ changed: [StoreBatch.Text], _ prepared: PreparedErasure
        ) throws(StoreError) -> PostgresStatement {
            let end = batch.end
            guard batch.commits.count == 1, end.epoch == prepared.epoch else {
                throw refusal("DAY05", "the erasure was prepared for another epoch")
            }
            var statement = about(Self.eraseText)
            statement.add(Int64(clamping: end.head.position.rawValue))
            statement.add(end.head.chain)
            statement.add(Int32(clamping: end.nextName))
            statement.add(Int64(clamping: end.nextPerson))
            statement.add(Int64(clamping: end.nextSlot))
            statement.add(end.epoch)
            statement.add(batch.commits[0].row)
            statement.add(batch.commits[0].digest)
            statement.add(batch.events)
            statement.add(batch.names)
            statement.add(batch.people.map { Int64($0.number) })
            statement.add(batch.people.map(\.replaced))
            statement.add(batch.people.map(\.row))
            statement.add(batch.texts.map { Int64(clamping: $0.position) })
            statement.add(batch.texts.map { Int64($0.field) })
            statement.add(batch.texts.map(\.row))
            let blocks = prepared.blocks.sorted { $0.key < $1.key }
            statement.add(prepared.epoch + 1)
            statement.add(blocks.map(\.key))
            statement.add(blocks.map(\.value))
            statement.add(try wrapped(batch.blocks, for: end))
            statement.add(changed.map { Int64(clamping: $0.position) })
            statement.add(changed.map { Int64($0.field) })
            statement.add(changed.map(\.row))
            statement.add(prepared.proof)
            statement.add(standbys ?? [])
            return statement
        }

        private static let eraseText = """
            select (a.log_end).position, (a.log_end).chain, (a.log_end).recorded_at,
                (a.log_end).next_name, (a.log_end).next_person, (a.log_end).next_slot,
                (a.log_end).epoch, (a.log_end).state, (a.log_end).clock, a.result, a.outcomes,
                a.places
            from daybook.erase(
                $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,
                $19, $20, $21, $22, $23, $24, $25, $26) as a
            """

        func refusal(_ code: String, _ reason: String) -> StoreError {
            .refused(name: name, code: code, reason: reason)
        }
    }
#endif
