import Crypto
public import Domain
public import EventSourcing

/// Plans what the rows of a file become, by what earlier files have left.
///
/// A row is known by its key: the format, the baby, the SHA-256 of all its cells, and which of the
/// equal rows of the file it is. A row that is not known, but equal in activity, start, caregiver
/// and contents to one of an earlier file that this file no longer has, completes or edits that
/// one's entries.
public struct CareImport: Sendable {
    public let babyId: String
    public let format: BabyCare.FileFormat
    /// What the rows' meaning depends on beside their cells: the zone, the unit.
    public let context: String
    public let rows: [CareFile.Row]

    public init(
        babyId: String, format: BabyCare.FileFormat, context: String, rows: [CareFile.Row]
    ) {
        self.babyId = babyId
        self.format = format
        self.context = context
        self.rows = rows
    }

    /// What identifies a row, worked out from it and the rows before it.
    public struct Identity: Hashable, Sendable {
        /// The idempotency key.
        public var key: String
        /// What was asked under the key.
        public var asked: [UInt8]
        public var origin: BabyCare.Origin
        /// Of its entry, or the stem of those of its entries.
        public var entryId: String
    }

    /// For each row that could be read; in the order of `rows`.
    public func identities() -> [Identity?] {
        var ordinals: [String: Int] = [:]
        return rows.map { (row) -> Identity? in
            guard case .success(let content) = row.result else { return nil }
            let cells = Self.sha256([format.name, babyId] + content.cells)
            let ordinal = ordinals[cells, default: 0] + 1
            ordinals[cells] = ordinal
            let origin = BabyCare.Origin(
                format: format,
                row: Self.digest(Self.sha256([format.name, babyId] + content.identity)),
                cells: Self.digest(cells))
            return Identity(
                key: "import/\(format.name)/\(babyId)/\(cells)/\(ordinal)",
                asked: Array(context.utf8), origin: origin,
                entryId: content.entryId ?? "\(format.name)-\(cells.prefix(16))-\(ordinal)")
        }
    }

    /// The entries that a new row completes or edits, for each row; empty for one that is new
    /// altogether.
    ///
    /// - Parameters:
    ///   - isKnown: for each row, whether its key is known.
    ///   - entries: what earlier files have left of this baby.
    public func changes(
        _ identities: [Identity?], isKnown: [Bool], among entries: [BabyCare.Entry]
    ) -> [[String]] {
        var groups: [EventSourcing.Digest: RowGroups] = [:]
        let imported = entries.filter { $0.origin?.format == format }
            .sorted { ($0.recordedUs, $0.entryId) < ($1.recordedUs, $1.entryId) }
        for entry in imported {
            guard let origin = entry.origin else { continue }
            groups[origin.row, default: RowGroups()].add(
                entry.entryId, of: Self.stem(entry), origin.cells)
        }
        // What stands in this file as it stood in an earlier one is not free to be changed.
        for (identity, isKnown) in zip(identities, isKnown) where isKnown {
            guard let origin = identity?.origin else { continue }
            groups[origin.row]?.removeFirst(with: origin.cells)
        }
        return zip(identities, isKnown).map { identity, isKnown in
            guard let origin = identity?.origin, !isKnown else { return [] }
            return groups[origin.row]?.removeFirst() ?? []
        }
    }

    /// The id without the part of a row that has several entries.
    private static func stem(_ entry: BabyCare.Entry) -> String {
        let suffix = "-\(entry.kind.name)"
        return entry.entryId.hasSuffix(suffix)
            ? String(entry.entryId.dropLast(suffix.count)) : entry.entryId
    }

    /// SHA-256 of texts, each with its length in front, as hexadecimal digits.
    static func sha256(_ texts: [String]) -> String {
        var hash = SHA256()
        for text in texts {
            let bytes = Array(text.utf8)
            hash.update(data: Array("\(bytes.count):".utf8))
            hash.update(data: bytes)
        }
        return Hexadecimal.text(hash.finalize())
    }

    /// SHA-256 of a file, cut to a digest.
    public static func digest(ofFile bytes: [UInt8]) -> EventSourcing.Digest {
        var hash = SHA256()
        hash.update(data: bytes)
        return digest(Hexadecimal.text(hash.finalize()))
    }

    private static func digest(_ hexadecimal: String) -> EventSourcing.Digest {
        EventSourcing.Digest(text: "sha256:\(hexadecimal.prefix(16))") ?? .blank
    }
}
