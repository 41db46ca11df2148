#if PostgreSQL
    package import Daybook
    import DaybookCryptography
    package import DaybookLog

    // What is left to do once an erasure is recorded, and how far it reaches.
    extension PostgresStore {
        /// The number of blocks that are encrypted anew in one transaction, some 80 KB each.
        private static let blocksPerStep: Int32 = 5

        package func finishErasures() throws(StoreError) -> [ErasureReach.Epoch] {
            var epochs = try self.epochs(.leaving)
            let keyring = try requireKeyring()
            let destroyed = try self.epochs(.destroyed)
            do throws(EpochKeyError) {
                try keyring.source.destroyCopies(of: destroyed, log: logID)
            } catch {
                throw .keys(name: name, reason: "\(error)")
            }
            guard !epochs.isEmpty else { return [] }
            if let standbys {
                var name = about("select daybook.await_standbys($1, $2)")
                name.add(standbys)
                try read { (connection) throws(PostgresError) in _ = try connection.run([name]) }
            }
            // Begins anew if another erasure begins an epoch meanwhile, or is about to.
            for _ in 0..<20 {
                if try encryptAnew(keyring) { break }
                Pause.sleep(.milliseconds(50))
            }
            epochs = try self.epochs(.leaving)
            var left: [ErasureReach.Epoch] = []
            for epoch in epochs {
                if let reason = try end(epoch, keyring) {
                    left.append(ErasureReach.Epoch(epoch, reason))
                }
            }
            return left
        }

        /// How far an erasure that has ended an epoch is.
        private enum EpochState: String {
            case leaving
            case destroyed
        }

        /// The epochs in a state, oldest first.
        private func epochs(_ state: EpochState) throws(StoreError) -> [Int32] {
            var select = about(
                "select epoch from daybook.epochs where log = $1 and state = $2 order by epoch")
            select.add(state.rawValue)
            return try read { (connection) throws(PostgresError) in
                let result = try connection.run([select])[0]
                var epochs: [Int32] = []
                for row in 0..<result.rowCount {
                    epochs.append(Int32(clamping: try result.integer(row, 0)))
                }
                return epochs
            }
        }

        /// Encrypts what is under earlier epochs under the current one, without the log's lock.
        ///
        /// - Returns: false if another epoch has begun meanwhile.
        private func encryptAnew(_ keyring: EpochKeyring) throws(StoreError) -> Bool {
            let current = try end().epoch
            let key = try epochKey(current, keyring)
            var after: Int64 = -2
            while true {
                var select = about("select * from daybook.blocks_before($1, $2, $3, $4)")
                select.add(current)
                select.add(after)
                select.add(Self.blocksPerStep)
                let found = try read { (connection) throws(PostgresError) in
                    try Self.blocks(try connection.run([select])[0])
                }
                guard let last = found.last?.block else { return true }
                after = last
                var values: [[UInt8]] = []
                for (block, epoch, value) in found {
                    let plain = try decrypted(value, block, epoch, keyring)
                    values.append(
                        WrappedBlock.seal(plain, block, current, of: logID, with: key))
                }
                var rewrap = about("select daybook.rewrap($1, $2, $3, $4)")
                rewrap.add(current)
                rewrap.add(found.map(\.block))
                rewrap.add(values)
                do throws(StoreError) {
                    try read { (connection) throws(PostgresError) in
                        _ = try connection.run([rewrap])
                    }
                } catch .refused(_, "DAY05", _) {
                    return false
                }
            }
        }

        /// Destroys the key of an epoch under which nothing is encrypted any more.
        ///
        /// - Returns: the reason why the key must exist still; `nil` if it is destroyed.
        private func end(
            _ epoch: Int32, _ keyring: EpochKeyring
        ) throws(StoreError) -> ErasureReach.Epoch.Reason? {
            var empty = about("select daybook.empty_epoch($1, $2)")
            empty.add(epoch)
            var durable = about("select daybook.is_durable($1, $2, '{}')")
            durable.add(epoch)
            var late = about("select name from daybook.late_standbys($1, $2)")
            late.add(epoch)
            // Each in a transaction of its own, so that the second one sees what the first one noted.
            let isEmpty = try isTrue(empty)
            guard isEmpty else { return try isEnded(epoch) ? nil : .inUse }
            guard try isTrue(durable) else { return .standbys(try texts(late)) }
            do throws(EpochKeyError) {
                try keyring.source.destroyKey(of: epoch, log: logID)
            } catch {
                return .failed("\(error)")
            }
            keyring.forget(epoch)
            var end = about("select daybook.end_epoch($1, $2)")
            end.add(epoch)
            do throws(StoreError) {
                try read { (connection) throws(PostgresError) in _ = try connection.run([end]) }
            } catch .refused(_, "DAY05", _) {
                // Another program has ended it at the same time.
            }
            return nil
        }

        /// True if another program has ended an epoch.
        private func isEnded(_ epoch: Int32) throws(StoreError) -> Bool {
            var select = about(
                """
                select exists (
                    select from daybook.epochs
                    where log = $1 and epoch = $2 and state = 'destroyed')
                """)
            select.add(epoch)
            return try isTrue(select)
        }

        package func note(_ replica: StoreReplica) throws(StoreError) {
            var report = about("select daybook.report_replica($1, $2::text::uuid, $3, $4, $5)")
            report.add(Hexadecimal.text(replica.id))
            report.add(String(replica.label.prefix(255)))
            report.add(Int64(clamping: replica.position.rawValue))
            report.add(Int64(clamping: replica.erasedThrough.rawValue))
            try read { (connection) throws(PostgresError) in _ = try connection.run([report]) }
        }

        package func reach(of erasure: Position) throws(StoreError) -> ErasureReach {
            var select = about(
                """
                select replace(r.replica::text, '-', ''), r.label,
                    (extract(epoch from r.heard_at) * 1000000)::bigint
                from daybook.replicas as r
                where r.log = $1 and r.erased_through < $2
                order by r.heard_at, r.replica
                """)
            select.add(Int64(clamping: erasure.rawValue))
            let connected = about(
                """
                select c.name from daybook.connected_standbys() as c
                where not exists (
                    select from daybook.epochs as e
                    where e.log = $1 and c.name = any (e.standbys))
                """)
            var reach = ErasureReach(askedAt: try end().clock)
            reach.replicas = try read { (connection) throws(PostgresError) in
                let result = try connection.run([select])[0]
                var replicas: [ErasureReach.Replica] = []
                for row in 0..<result.rowCount {
                    replicas.append(
                        ErasureReach.Replica(
                            id: try result.text(row, 0), label: try result.text(row, 1),
                            heardAt: Instant(microseconds: try result.integer(row, 2))))
                }
                return replicas
            }
            reach.otherStandbys = try texts(connected)
            return reach
        }

        /// Runs a statement that returns one truth value.
        private func isTrue(_ statement: PostgresStatement) throws(StoreError) -> Bool {
            try read { (connection) throws(PostgresError) in
                let result = try connection.run([statement])[0]
                try result.expect(rows: 1...1, columns: 1)
                return try result.bytes(0, 0) == [1]
            }
        }

        /// Runs a statement that returns texts.
        private func texts(_ statement: PostgresStatement) throws(StoreError) -> [String] {
            try read { (connection) throws(PostgresError) in
                let result = try connection.run([statement])[0]
                try result.expect(rows: 0...Int.max, columns: 1)
                var texts: [String] = []
                for row in 0..<result.rowCount { texts.append(try result.text(row, 0)) }
                return texts
            }
        }
    }
#endif
