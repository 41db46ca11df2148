#if PostgreSQL
    import Daybook
    import DaybookCryptography
    import Synchronization

    /// The place of the epoch keys outside the database: a file or a command.
    ///
    /// A log's secret and the keys of its people are in the database, encrypted under the key of an
    /// epoch. An erasure begins another epoch and destroys the key of the old one, so that copies of
    /// the old rows in WAL, standbys and backups open nothing.
    package protocol EpochKeySource: Sendable {
        /// Returns the key of an epoch, 32 bytes; creates a missing one.
        func createKey(of epoch: Int32, log: [UInt8]) throws(EpochKeyError) -> [UInt8]

        /// Returns the key of an epoch, 32 bytes.
        func key(of epoch: Int32, log: [UInt8]) throws(EpochKeyError) -> [UInt8]

        /// Destroys the key of an epoch; does nothing if there is none.
        func destroyKey(of epoch: Int32, log: [UInt8]) throws(EpochKeyError)

        /// Destroys this machine's copies of keys that an erasure on another machine has destroyed.
        func destroyCopies(of epochs: [Int32], log: [UInt8]) throws(EpochKeyError)
    }

    /// The reason why the key of an epoch cannot be used. No case holds any part of a key.
    package enum EpochKeyError: Error, Equatable, Sendable, CustomStringConvertible {
        /// A file of keys could not be read or written.
        case file(path: String, reason: String)
        /// A line of a file of keys is malformed.
        case line(path: String, line: Int, reason: String)
        case missing(source: String, epoch: Int32, log: String)
        case destroyed(source: String, epoch: Int32, log: String)
        case command(command: String, reason: String)
        /// The key is not the one under which the log is encrypted.
        case wrong(epoch: Int32, log: String)

        package var description: String {
            switch self {
            case .file(let path, let reason): "\(path): \(reason)"
            case .line(let path, let line, let reason): "\(path):\(line): \(reason)"
            case .missing(let source, let epoch, let log):
                "\(source): there is no key of epoch \(epoch) of the log \(log)"
            case .destroyed(let source, let epoch, let log):
                "\(source): the key of epoch \(epoch) of the log \(log) was destroyed by an erasure"
            case .command(let command, let reason): "the key command '\(command)' \(reason)"
            case .wrong(let epoch, let log):
                "the key of epoch \(epoch) is not that of the log \(log)"
            }
        }
    }

    /// The epoch keys of one log that have been fetched and match their proofs.
    final class EpochKeyring: Sendable {
        let source: any EpochKeySource
        private let logID: [UInt8]
        private let known = Mutex<[Int32: AESGCMKey]>([:])
        /// The last fetch of all keys: the epoch that was current, and the missing keys.
        private let asked = Mutex<Asked?>(nil)

        private struct Asked {
            var epoch: Int32
            var failures: [Int32: EpochKeyError]
            var time: ContinuousClock.Instant
        }

        /// The time after which a missing key is fetched again.
        private static let longestFailure = Duration.seconds(30)

        init(_ source: any EpochKeySource, logID: [UInt8]) {
            self.source = source
            self.logID = logID
        }

        /// Returns a key that has been fetched; `nil` for any other key.
        func knownKey(of epoch: Int32) -> AESGCMKey? { known.withLock { $0[epoch] } }

        func fetchKey(of epoch: Int32) throws(EpochKeyError) -> [UInt8] {
            try source.key(of: epoch, log: logID)
        }

        /// Keeps a key if it matches the log's proof.
        func adopt(
            _ bytes: [UInt8], of epoch: Int32, provenBy proof: [UInt8]
        ) throws(EpochKeyError) -> AESGCMKey {
            guard let key = AESGCMKey(bytes), Self.proof(of: bytes) == proof else {
                throw .wrong(epoch: epoch, log: Hexadecimal.text(logID))
            }
            known.withLock { $0[epoch] = key }
            return key
        }

        /// Notes a fetch of all keys while `epoch` was current, and why keys are missing.
        func noteAsked(for epoch: Int32, _ failures: [Int32: EpochKeyError]) {
            asked.withLock { $0 = Asked(epoch: epoch, failures: failures, time: .now) }
        }

        /// True if all keys were fetched in this epoch, and too recently for another fetch.
        func hasAsked(for epoch: Int32) -> Bool {
            asked.withLock { asked in
                guard let asked, asked.epoch == epoch else { return false }
                return asked.failures.isEmpty || .now - asked.time < Self.longestFailure
            }
        }

        /// The reason why the last fetch did not get the key of an epoch.
        func failure(of epoch: Int32) -> EpochKeyError? { asked.withLock { $0?.failures[epoch] } }

        /// Forgets a key that was destroyed.
        func forget(_ epoch: Int32) { known.withLock { $0[epoch] = nil } }

        /// The proof of a key, by which a program recognises it: SHA-256, 32 bytes.
        static func proof(of key: [UInt8]) -> [UInt8] {
            SHA256.hash(Array("daybook-epoch-v1".utf8) + [0] + key)
        }
    }

    /// The secret of a log, or a block of keys, encrypted under the key of an epoch.
    enum WrappedBlock {
        /// Encrypts a block; the result fits this log, block and epoch only.
        static func seal(
            _ bytes: [UInt8], _ block: Int64, _ epoch: Int32, of log: [UInt8], with key: AESGCMKey
        ) -> [UInt8] {
            key.seal(bytes, at: place(block, epoch, log))
        }

        /// Decrypts a block; `nil` if it was changed, or belongs elsewhere.
        static func open(
            _ bytes: [UInt8], _ block: Int64, _ epoch: Int32, of log: [UInt8], with key: AESGCMKey
        ) -> [UInt8]? {
            key.open(bytes, at: place(block, epoch, log))
        }

        /// The authenticated data: id of the log, number of the block and epoch, little-endian.
        private static func place(_ block: Int64, _ epoch: Int32, _ log: [UInt8]) -> [UInt8] {
            var bytes = log
            bytes.append(bigEndian: block.byteSwapped)
            bytes.append(bigEndian: epoch.byteSwapped)
            return bytes
        }
    }
#endif
