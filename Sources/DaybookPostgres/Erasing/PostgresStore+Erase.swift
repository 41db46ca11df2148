#if PostgreSQL
    import Daybook
    import DaybookCryptography
    package import DaybookLog

    // The steps of an erasure; `5-erase.sql` has them in order.
    extension PostgresStore: ErasingStore {
        /// The number of blocks that are written together, some 80 KB each.
        private static let blocksPerStep = 5
        /// The longest time to wait for another erasure.
        private static let longestWait = Duration.seconds(60)

        package func reserveSlots(_ count: Int) throws(LogError) -> [UInt32] {
            try waiting { () throws(LogError) in try reserveSlotsNow(count) }
        }

        /// Repeats `body` while it returns `nil`: another erasure is being recorded.
        private func waiting<Value>(
            _ body: () throws(LogError) -> Value?
        ) throws(LogError) -> Value {
            let until = ContinuousClock.now + Self.longestWait
            var pause = Duration.milliseconds(10)
            while true {
                if let value = try body() { return value }
                guard ContinuousClock.now < until else {
                    throw tables.refusal("busy", "another erasure has been going on for a minute")
                }
                Pause.sleep(pause)
                pause = min(pause + pause, Duration.milliseconds(500))
            }
        }

        /// Reserves slots; returns `nil` while another erasure is being recorded.
        private func reserveSlotsNow(_ count: Int) throws(LogError) -> [UInt32]? {
            let found = try lockHead()
            let end = found.end
            do throws(LogError) {
                guard found.state == StoreState.open.rawValue else {
                    throw tables.refusal(of: found.state)
                }
                guard UInt64(count) <= UInt64(UInt32.max) - end.nextSlot else {
                    throw tables.refusal("peopleFull", "the log has no \(count) free key slots")
                }
                let first = Vault.blockCount(ofSlots: UInt32(end.nextSlot - 1))
                let last = Vault.blockCount(ofSlots: UInt32(end.nextSlot - 1) + UInt32(count))
                var reserve = tables.about("select daybook.reserve_slots($1, $2, $3, $4, $5)")
                reserve.add(Int64(clamping: end.nextSlot))
                reserve.add(end.epoch)
                reserve.add(Int32(clamping: count))
                reserve.add(try vault.wrapped((first..<last).map { Vault.newBlock($0) }, for: end))
                let statements = [reserve, PostgresStatement("commit")]
                let isReserved = try tables.errors.mapping { () throws(PostgresError) in
                    try tables.appends.use { (connection) throws(PostgresError) in
                        try connection.run(statements)[0].bytes(0, 0) == [1]
                    }
                }
                tables.appends.release()
                return isReserved ? (0..<UInt32(count)).map { UInt32(end.nextSlot) + $0 } : nil
            } catch {
                unlock()
                throw error
            }
        }

        package func prepareErasure(
            of slots: Set<UInt32>, using used: Set<UInt32>
        ) throws(LogError) -> PreparedErasure? {
            let keyring = try vault.requireKeyring()
            guard try state() == .open else { throw tables.refusal(of: try state().rawValue) }
            let epoch = try end().epoch
            let newEpoch = try beginEpoch()
            let (key, proof) = try vault.createKey(of: newEpoch, keyring)
            // Under the lock, no key is asked for.
            try vault.fetchKeys(keyring)
            let reserved = try reservedSlots()
            guard used.isSubset(of: reserved) else { return nil }
            let unused = reserved.subtracting(used)
            let dropped = slots.union(unused)
            var blocks: [Int64: [UInt8]] = [:]
            for (block, old, value) in try vault.rows(ofBlocksWith: dropped) {
                blocks[block] = try vault.decrypted(value, block, old, keyring)
            }
            let needed = Set(dropped.map { Int64(Vault.block(of: $0)) }).union([-1])
            guard needed == Set(blocks.keys) else {
                throw .store(.damaged(name: name, reason: "'vault' lacks blocks of erased keys"))
            }
            for slot in dropped {
                let range = Vault.range(of: slot)
                blocks[Int64(Vault.block(of: slot))]?
                    .replaceSubrange(range, with: repeatElement(0, count: range.count))
            }
            for (block, plain) in blocks {
                blocks[block] = WrappedBlock.seal(plain, block, newEpoch, of: logID, with: key)
            }
            return PreparedErasure(
                epoch: epoch, newEpoch: newEpoch, slots: slots, unused: unused, reserved: reserved,
                blocks: blocks, proof: proof)
        }

        /// Returns the number of a new epoch, which no other erasure gets.
        private func beginEpoch() throws(LogError) -> Int32 {
            var begin = tables.about("select daybook.begin_epoch($1, $2)")
            begin.add(standbys ?? [])
            return try tables.read { (connection) throws(PostgresError) in
                Int32(clamping: try connection.run([begin])[0].integer(0, 0))
            }
        }

        /// The slots that unrecorded erasures have reserved.
        private func reservedSlots() throws(LogError) -> Set<UInt32> {
            let select = tables.about("select slot from daybook.reserved_slots where log = $1")
            return try tables.read { (connection) throws(PostgresError) in
                let result = try connection.run([select])[0]
                try result.expect(rows: 0...Int.max, columns: 1)
                var slots: Set<UInt32> = []
                for row in 0..<result.rowCount {
                    slots.insert(UInt32(clamping: try result.integer(row, 0)))
                }
                return slots
            }
        }

        package func beginErasure(_ prepared: PreparedErasure) throws(LogError) -> Bool {
            var begin = tables.about("select daybook.begin_erasure($1, $2, $3, $4)")
            begin.add(prepared.epoch)
            begin.add(prepared.newEpoch)
            begin.add(prepared.reserved.sorted().map { Int64($0) })
            let statements = [PostgresStatement("begin isolation level read committed"), begin]
            tables.erasures.acquire()
            do throws(LogError) {
                let hasBegun = try waiting { () throws(LogError) -> Bool? in
                    let answer = try erasing { (connection) throws(PostgresError) in
                        try connection.run(statements)[1].text(0, 0)
                    }
                    if answer != "begun" { tables.erasures.rollBack() }
                    return answer == "busy" ? nil : answer == "begun"
                }
                guard hasBegun else {
                    tables.erasures.release()
                    return false
                }
                try replaceBlocks(prepared)
                return true
            } catch {
                abandonErasure()
                throw error
            }
        }

        /// Calls `body` with the erasures' connection, on which this thread has a transaction.
        private func erasing<Value>(
            _ body: (PostgresConnection) throws(PostgresError) -> Value
        ) throws(LogError) -> Value {
            try tables.errors.mapping { () throws(PostgresError) in try tables.erasures.use(body) }
        }

        /// Writes the blocks of an erasure, some at a time.
        private func replaceBlocks(_ prepared: PreparedErasure) throws(LogError) {
            let blocks = prepared.blocks.sorted { $0.key < $1.key }
            for start in stride(from: 0, to: blocks.count, by: Self.blocksPerStep) {
                let part = blocks[start..<min(start + Self.blocksPerStep, blocks.count)]
                var replace = tables.about("select daybook.replace_blocks($1, $2, $3, $4)")
                replace.add(prepared.newEpoch)
                replace.add(part.map(\.key))
                replace.add(part.map(\.value))
                try erasing { (connection) throws(PostgresError) in
                    _ = try connection.run([replace])
                }
            }
        }

        package func replace(
            _ texts: [StoreBatch.Text], _ prepared: PreparedErasure
        ) throws(LogError) {
            var replace = tables.about("select daybook.replace_texts($1, $2, $3, $4, $5)")
            replace.add(prepared.newEpoch)
            replace.add(texts.map { Int64(clamping: $0.position) })
            replace.add(texts.map { Int64($0.field) })
            replace.add(texts.map(\.row))
            try erasing { (connection) throws(PostgresError) in _ = try connection.run([replace]) }
        }

        package func lockErasure(
            after head: Head
        ) throws(LogError) -> (end: StoreEnd, segment: [UInt8]?) {
            try locked(after: head, on: tables.erasures, [])
        }

        package func abandonErasure() {
            guard tables.erasures.isHeld else { return }
            tables.erasures.rollBack()
            tables.erasures.release()
        }

        package func erase(
            _ batch: StoreBatch, changing changed: [StoreBatch.Text], _ prepared: PreparedErasure
        ) throws(LogError) -> StoreAnswer {
            guard tables.erasures.isHeld else {
                throw tables.refusal("DAY05", "no erasure has begun on this thread")
            }
            do throws(LogError) {
                return try appended(batch, on: tables.erasures) { () throws(LogError) in
                    try statement(erasing: batch, changed, prepared)
                }
            } catch .store(.refused(_, "DAY05", _)) {
                return StoreAnswer(.moved, end: try end(), outcomes: [.unwritten])
            }
        }

        private func statement(
            erasing batch: StoreBatch, _ changed: [StoreBatch.Text], _ prepared: PreparedErasure
        ) throws(LogError) -> PostgresStatement {
            let end = batch.end
            guard batch.commits.count == 1, end.epoch == prepared.epoch else {
                throw tables.refusal("DAY05", "the erasure was prepared for another epoch")
            }
            var statement = tables.about(Self.eraseText)
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
            statement.add(prepared.newEpoch)
            statement.add(prepared.proof)
            statement.add(try vault.wrapped(batch.blocks, for: end))
            statement.add(changed.map { Int64(clamping: $0.position) })
            statement.add(changed.map { Int64($0.field) })
            statement.add(changed.map(\.row))
            statement.add(standbys ?? [])
            return statement
        }

        private static let eraseText = """
            select (a.log_end).*, a.result, a.outcomes, a.places
            from daybook.erase(
                $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,
                $19, $20, $21, $22, $23, $24) as a
            """

    }
#endif
