#if PostgreSQL
    import Daybook
    package import DaybookLog

    extension PostgresStore {
        /// Writes the epoch keys that open the log as of now to a new file, to store with a backup.
        ///
        /// An `EpochKeyFile` can read the file, and open the backup with it.
        ///
        /// - Returns: the epochs whose keys are in the file; several while an erasure is under way.
        package func exportKeys(to path: String) throws(LogError) -> [Int32] {
            let keyring = try vault.requireKeyring()
            let select = tables.about(
                "select distinct epoch from daybook.vault where log = $1 order by epoch")
            let epochs = try tables.read { (connection) throws(PostgresError) in
                let result = try connection.run([select])[0]
                var epochs: [Int32] = []
                for row in 0..<result.rowCount {
                    epochs.append(Int32(clamping: try result.integer(row, 0)))
                }
                return epochs
            }
            var keys: [(epoch: Int32, key: [UInt8])] = []
            for epoch in epochs {
                // Compares the key with its proof, so that no wrong one is kept for years.
                _ = try vault.epochKey(epoch, keyring)
                do throws(EpochKeyError) {
                    keys.append((epoch, try keyring.fetchKey(of: epoch)))
                } catch {
                    throw .store(.keys(name: name, reason: "\(error)"))
                }
            }
            do throws(EpochKeyError) {
                try EpochKeyFile(path).create(keys, log: logID)
            } catch {
                throw .store(.keys(name: name, reason: "\(error)"))
            }
            return epochs
        }
    }
#endif
