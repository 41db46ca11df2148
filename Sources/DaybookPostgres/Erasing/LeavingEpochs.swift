#if PostgreSQL
    import DaybookCryptography
    import DaybookLog

    /// Ends the former epochs after erasures: encrypts their blocks under the current key, and
    /// destroys their keys.
    struct LeavingEpochs {
        let tables: LogTables
        let keys: StoredKeys
        /// The standbys to wait for before a key is destroyed; `nil` for those of the erasure.
        let standbys: [String]?

        /// The number of blocks that are encrypted anew in one transaction, some 80 KB each.
        private static let blocksPerStep: Int32 = 5

        /// Returns the epochs whose keys cannot be destroyed yet, each with the reason.
        func finish() throws(LogError) -> [ErasureReach.Epoch] {
            var leaving = try epochs(.leaving)
            let keyring = try keys.requireKeyring()
            let destroyed = try epochs(.destroyed)
            do throws(EpochKeyError) {
                try keyring.source.destroyCopies(of: destroyed, log: tables.id)
            } catch {
                throw .store(.keys(name: tables.name, reason: "\(error)"))
            }
            guard !leaving.isEmpty else { return [] }
            if let standbys {
                var name = tables.about("select daybook.await_standbys($1, $2)")
                name.add(standbys)
                try tables.read { (connection) throws(PostgresError) in
                    _ = try connection.run([name])
                }
            }
            // Begins anew if another erasure begins an epoch meanwhile, or is about to.
            for _ in 0..<20 {
                if try encryptAnew(keyring) { break }
                Pause.sleep(.milliseconds(50))
            }
            leaving = try epochs(.leaving)
            var left: [ErasureReach.Epoch] = []
            for epoch in leaving {
                if let reason = try end(epoch, keyring) {
                    left.append(ErasureReach.Epoch(epoch, reason))
                }
            }
            return left
        }

        /// The progress of the erasure that has ended an epoch.
        private enum EpochState: String {
            case leaving
            case destroyed
        }

        /// The epochs in a state, oldest first.
        private func epochs(_ state: EpochState) throws(LogError) -> [Int32] {
            var select = tables.about(
                "select epoch from daybook.epochs where log = $1 and state = $2 order by epoch")
            select.add(state.rawValue)
            return try tables.read { (connection) throws(PostgresError) in
                let result = try connection.run([select])[0]
                var epochs: [Int32] = []
                for row in 0..<result.rowCount {
                    epochs.append(Int32(clamping: try result.integer(row, 0)))
                }
                return epochs
            }
        }

        /// Encrypts the blocks of earlier epochs under the current one, without the log's lock.
        ///
        /// - Returns: false if another epoch has begun meanwhile.
        private func encryptAnew(_ keyring: EpochKeyring) throws(LogError) -> Bool {
            let current = try tables.end().end.epoch
            let key = try keys.epochKey(current, keyring)
            var after: Int64 = -2
            while true {
                var select = tables.about("select * from daybook.blocks_before($1, $2, $3, $4)")
                select.add(current)
                select.add(after)
                select.add(Self.blocksPerStep)
                let found = try tables.read { (connection) throws(PostgresError) in
                    try StoredKeys.blocks(try connection.run([select])[0])
                }
                guard let last = found.last?.block else { return true }
                after = last
                var values: [[UInt8]] = []
                for (block, epoch, value) in found {
                    let plain = try keys.decrypted(value, block, epoch, keyring)
                    values.append(
                        WrappedBlock.seal(plain, block, current, of: tables.id, with: key))
                }
                var rewrap = tables.about("select daybook.rewrap($1, $2, $3, $4)")
                rewrap.add(current)
                rewrap.add(found.map(\.block))
                rewrap.add(values)
                do throws(LogError) {
                    try tables.read { (connection) throws(PostgresError) in
                        _ = try connection.run([rewrap])
                    }
                } catch .store(.refused(_, "DAY05", _)) {
                    return false
                }
            }
        }

        /// Destroys the key of an epoch without blocks; returns the reason if the key is kept.
        private func end(
            _ epoch: Int32, _ keyring: EpochKeyring
        ) throws(LogError) -> ErasureReach.Epoch.Reason? {
            var empty = tables.about("select daybook.empty_epoch($1, $2)")
            empty.add(epoch)
            var durable = tables.about("select daybook.is_durable($1, $2, '{}')")
            durable.add(epoch)
            var late = tables.about("select name from daybook.late_standbys($1, $2)")
            late.add(epoch)
            // Each in a transaction of its own, so that the second one sees what the first one noted.
            let isEmpty = try tables.isTrue(empty)
            guard isEmpty else { return try isEnded(epoch) ? nil : .inUse }
            guard try tables.isTrue(durable) else { return .standbys(try tables.texts(late)) }
            do throws(EpochKeyError) {
                try keyring.source.destroyKey(of: epoch, log: tables.id)
            } catch { return .failed("\(error)") }
            keyring.forget(epoch)
            var end = tables.about("select daybook.end_epoch($1, $2)")
            end.add(epoch)
            do throws(LogError) {
                try tables.read { (connection) throws(PostgresError) in
                    _ = try connection.run([end])
                }
            } catch .store(.refused(_, "DAY05", _)) {
                // Another program has ended it at the same time.
            }
            return nil
        }

        /// True if another program has ended an epoch.
        private func isEnded(_ epoch: Int32) throws(LogError) -> Bool {
            var select = tables.about(
                """
                select exists (
                    select from daybook.epochs
                    where log = $1 and epoch = $2 and state = 'destroyed')
                """)
            select.add(epoch)
            return try tables.isTrue(select)
        }
    }
#endif
