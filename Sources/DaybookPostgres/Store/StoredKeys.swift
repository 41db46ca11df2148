#if PostgreSQL
    import Daybook
    import DaybookCryptography
    import DaybookLog

    /// The encrypted secret and people's keys of a log, in its table `vault`, and their epoch keys.
    struct StoredKeys: Sendable {
        let tables: LogTables
        /// The keys of epochs; `nil` for a store without keys.
        let keyring: EpochKeyring?

        /// Reads the secret, and the blocks from `first` on, like `EventStore.keys`.
        func keys(fromBlock first: UInt64) throws(LogError) -> StoreKeys {
            let keyring = try requireKeyring()
            var vault = tables.about(
                """
                select block, epoch, value from daybook.vault
                where log = $1 and (block = -1 or block >= $2) order by block
                """)
            vault.add(Int64(clamping: first))
            let statements = [
                LogTables.beginReading, tables.about("select * from daybook.head($1)"), vault,
                PostgresStatement("commit"),
            ]
            let (end, rows) = try tables.read { (connection) throws(PostgresError) in
                let results = try connection.run(statements)
                try results[2].expect(rows: 0...Int.max, columns: 3)
                return (try StoredEnd(results[1], of: tables.log), results[2])
            }
            var secret: [UInt8] = []
            var blocks: [[UInt8]] = []
            for row in 0..<rows.rowCount {
                let (block, epoch, value) = try tables.errors.mapping { () throws(PostgresError) in
                    (
                        try rows.integer(row, 0), Int32(clamping: try rows.integer(row, 1)),
                        try rows.bytes(row, 2)
                    )
                }
                guard block == (row == 0 ? -1 : Int64(clamping: first) + Int64(row) - 1) else {
                    throw .store(
                        .damaged(
                            name: tables.name,
                            reason: "a block before \(block) of 'vault' is missing"))
                }
                let opened = try decrypted(value, block, epoch, keyring)
                if block < 0 { secret = opened } else { blocks.append(opened) }
            }
            // While a log is filled, its end does not tell how many slots it has.
            let count =
                end.state == StoreState.filling.rawValue
                ? first + UInt64(blocks.count)
                : Vault.blockCount(ofSlots: UInt32(clamping: end.end.nextSlot - 1))
            guard !secret.isEmpty, UInt64(blocks.count) == count - min(first, count) else {
                throw .store(
                    .damaged(
                        name: tables.name,
                        reason: "'vault' has no secret, or other blocks than the log's slots need"))
            }
            return StoreKeys(secret: secret, blocks: blocks)
        }

        /// Decrypts the secret or a block of keys.
        func decrypted(
            _ value: [UInt8], _ block: Int64, _ epoch: Int32, _ keyring: EpochKeyring
        ) throws(LogError) -> [UInt8] {
            let key = try epochKey(epoch, keyring)
            let count = block < 0 ? 32 : Vault.blockByteCount
            guard let opened = WrappedBlock.open(value, block, epoch, of: tables.id, with: key),
                opened.count == count
            else {
                throw .store(
                    .damaged(
                        name: tables.name,
                        reason:
                            "block \(block) of 'vault' was changed: the key of epoch \(epoch), which "
                            + "is the right one, does not open it"))
            }
            return opened
        }

        /// Encrypts new blocks of keys, in the order of their slots, under the epoch of an end.
        func wrapped(_ blocks: [[UInt8]], for end: StoreEnd) throws(LogError) -> [[UInt8]] {
            // The block of the next slot that is the first of one.
            let first = Vault.blockCount(ofSlots: UInt32(clamping: end.nextSlot - 1))
            return try wrapped(
                blocks.enumerated().map { (first + UInt64($0.offset), $0.element) },
                under: end.epoch)
        }

        /// Encrypts blocks of keys by their numbers under an epoch.
        func wrapped(
            _ blocks: [(number: UInt64, row: [UInt8])], under epoch: Int32
        ) throws(LogError) -> [[UInt8]] {
            guard !blocks.isEmpty else { return [] }
            let key = try epochKey(epoch, try requireKeyring())
            return blocks.map { number, row in
                WrappedBlock.seal(row, Int64(clamping: number), epoch, of: tables.id, with: key)
            }
        }

        func requireKeyring() throws(LogError) -> EpochKeyring {
            guard let keyring else {
                throw .store(
                    .keys(
                        name: tables.name,
                        reason: "the keys of the log's epochs were not given, so texts, names and "
                            + "places are not here, and nothing can be appended"))
            }
            return keyring
        }

        /// Returns the key of an epoch, which matches the log's proof.
        func epochKey(
            _ epoch: Int32, _ keyring: EpochKeyring
        ) throws(LogError) -> AESGCMKey {
            if let key = keyring.knownKey(of: epoch) { return key }
            if tables.appends.isHeld || tables.erasures.isHeld {
                let failure = keyring.failure(of: epoch)
                throw .store(
                    .keys(
                        name: tables.name,
                        reason: failure.map { "\($0)" }
                            ?? "the key of epoch \(epoch) is not here, and is not asked for while others "
                            + "wait"))
            }
            var statement = tables.about(
                "select proof from daybook.epochs where log = $1 and epoch = $2")
            statement.add(epoch)
            let proof = try tables.read { (connection) throws(PostgresError) in
                let result = try connection.run([statement])[0]
                try result.expect(rows: 1...1, columns: 1)
                return try result.bytes(0, 0)
            }
            do throws(EpochKeyError) {
                return try keyring.adopt(
                    try keyring.fetchKey(of: epoch), of: epoch, provenBy: proof)
            } catch {
                throw .store(.keys(name: tables.name, reason: "\(error)"))
            }
        }

        /// Fetches the keys of all epochs that have blocks.
        ///
        /// A missing key is an error only for callers that need it.
        func fetchKeys(_ keyring: EpochKeyring) throws(LogError) {
            let select = tables.about(
                """
                select epoch, proof from daybook.epochs
                where log = $1 and state in ('current', 'leaving') and proof is not null
                order by epoch
                """)
            let found = try tables.read { (connection) throws(PostgresError) in
                let result = try connection.run([select])[0]
                try result.expect(rows: 1...Int.max, columns: 2)
                var found: [(epoch: Int32, proof: [UInt8])] = []
                for row in 0..<result.rowCount {
                    found.append(
                        (Int32(clamping: try result.integer(row, 0)), try result.bytes(row, 1)))
                }
                return found
            }
            var failures: [Int32: EpochKeyError] = [:]
            for (epoch, proof) in found where keyring.knownKey(of: epoch) == nil {
                do throws(EpochKeyError) {
                    _ = try keyring.adopt(
                        try keyring.fetchKey(of: epoch), of: epoch, provenBy: proof)
                } catch { failures[epoch] = error }
            }
            if let current = found.last?.epoch { keyring.noteAsked(for: current, failures) }
        }

        /// Creates the key of an epoch, and its proof.
        func createKey(
            of epoch: Int32, _ keyring: EpochKeyring
        ) throws(LogError) -> (AESGCMKey, proof: [UInt8]) {
            do throws(EpochKeyError) {
                let bytes = try keyring.source.createKey(of: epoch, log: tables.id)
                let proof = EpochKeyring.proof(of: bytes)
                return (try keyring.adopt(bytes, of: epoch, provenBy: proof), proof)
            } catch {
                throw .store(.keys(name: tables.name, reason: "\(error)"))
            }
        }

        /// Reads the encrypted secret, and the encrypted blocks of slots.
        func rows(
            ofBlocksWith slots: Set<UInt32>
        ) throws(LogError) -> [(block: Int64, epoch: Int32, value: [UInt8])] {
            var select = tables.about(
                """
                select block, epoch, value from daybook.vault
                where log = $1 and (block = -1 or block = any ($2))
                """)
            select.add(Array(Set(slots.map { Int64(Vault.block(of: $0)) })))
            return try tables.read { (connection) throws(PostgresError) in
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
    }
#endif
