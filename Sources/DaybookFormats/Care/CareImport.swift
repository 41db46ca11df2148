public import Daybook
import DaybookCryptography
public import DaybookModel

/// Plans the import of a file's rows: which are new, known, or changes of earlier rows.
///
/// A row is identified by a key: format, baby, digest of all cells, and number among equal rows.
///
/// A row with a known key was imported before. A row with a new key changes the entries of an
/// earlier row if both have equal identifying cells (activity, start, caregiver, contents) and the
/// earlier row is missing from this file. Any other row is new.
public struct CareImport: Sendable {
    /// Id of the baby that the file is imported for.
    public let babyId: String
    /// Format of the file.
    public let format: BabyCare.FileFormat
    /// Settings that determine the meaning of the cells, as text, such as zone and unit.
    public let context: String
    /// Rows of the file, in order.
    public let rows: [CareFile.Row]
    /// Computes digests keyed with the log's secret, because cells include notes and names.
    private let digest: KeyedDigest

    /// Creates the plan of one file.
    ///
    /// - Parameter digest: keyed with the log's secret, for cells that are personal.
    public init(
        babyId: String, format: BabyCare.FileFormat, context: String, rows: [CareFile.Row],
        digest: @escaping KeyedDigest
    ) {
        self.babyId = babyId
        self.format = format
        self.context = context
        self.rows = rows
        self.digest = digest
    }

    /// The identity of a row, derived from its cells and the number of equal rows before it.
    public struct Identity: Hashable, Sendable {
        /// Idempotency key of the row's commit; the log stores only a keyed digest of it.
        public var key: CommandKey
        /// The format with keyed digests of the row's identifying cells and of all its cells.
        public var origin: BabyCare.Origin
        /// Id of the entry in the file; `nil` if the file has no ids.
        public var givenId: String?
        /// Prefix of generated entry ids, derived only from times, kinds and amounts.
        public var stem: String
        /// Identities of the row under other ids of the baby.
        public var others: [Identity] = []
    }

    /// Creates an origin from two digests: identifying cells (`row`) and all cells.
    private func origin(_ row: Daybook.Digest, _ cells: Daybook.Digest)
        -> BabyCare.Origin
    {
        BabyCare.Origin {
            $0.format = format
            $0.row = row
            $0.cells = cells
        }
    }

    /// Returns the identity of each row, in the order of `rows`; `nil` for a rejected row.
    ///
    /// - Parameter otherIds: other ids of the baby that earlier imports may have used.
    public func identities(otherIds: [String] = []) -> [Identity?] {
        var identities = identities(of: babyId)
        for other in otherIds {
            for (index, identity) in self.identities(of: other).enumerated() {
                if let identity { identities[index]?.others.append(identity) }
            }
        }
        return identities
    }

    /// Returns the identity of each row under one id of the baby.
    private func identities(of babyId: String) -> [Identity?] {
        var ordinals: [String: Int] = [:]
        return rows.map { (row) -> Identity? in
            guard case .success(let content) = row.result else { return nil }
            let cells = [format.name, babyId] + content.cells
            let identity = [format.name, babyId] + content.identity
            let plainCells = Self.sha256(cells)
            let ordinal = ordinals[plainCells, default: 0] + 1
            ordinals[plainCells] = ordinal
            return Identity(
                key: CommandKey(
                    key: "import/\(format.name)/\(babyId)/\(plainCells)/\(ordinal)",
                    asked: Array(context.utf8)),
                origin: origin(keyed("import.row", identity), keyed("import.cells", cells)),
                givenId: content.entryId,
                stem: "\(format.name)-\(stem(of: content, babyId).prefix(16))")
        }
    }

    /// Returns the SHA-256 of times, kinds and amounts, so that entry ids reveal no names or notes.
    private func stem(of content: CareFile.Content, _ babyId: String) -> String {
        let entries = content.entries.map { entry in
            let value = entry.value
            let numbers: [Int64?] = [
                entry.started.microseconds, entry.ended?.microseconds, entry.declaredDurationS,
                value.amountUl, value.durationS, value.massMg, value.lengthUm, value.headUm,
                value.milliC, value.count,
            ]
            let words = [entry.kind.name, value.side?.name ?? ""]
            return (words + numbers.map { $0.map { "\($0)" } ?? "" }).joined(separator: ",")
        }
        return Self.sha256([format.name, babyId] + entries)
    }

    /// Returns the ids of the entries that each row changes; empty for a known or a new row.
    ///
    /// - Parameters:
    ///   - isKnown: for each row, true if its key was imported before.
    ///   - entries: the baby's entries, including those from earlier files.
    public func changes(
        _ identities: [Identity?], isKnown: [Bool], among entries: [BabyCare.Entry]
    ) -> [[String]] {
        var groups: [Daybook.Digest: RowGroups] = [:]
        let others = OtherOrigins(identities.compactMap { $0 })
        let imported = entries.filter { $0.origin?.format == format }
            .sorted { ($0.recorded, $0.entryId) < ($1.recorded, $1.entryId) }
        for entry in imported {
            guard let origin = entry.origin.map(others.underPresentId) else { continue }
            groups[origin.row, default: RowGroups()].add(
                entry.entryId, of: Self.stem(entry), origin.cells)
        }
        // An unchanged row of an earlier file cannot be the earlier form of a changed row.
        for (identity, isKnown) in zip(identities, isKnown) where isKnown {
            guard let origin = identity?.origin else { continue }
            groups[origin.row]?.removeFirst(with: origin.cells)
        }
        return zip(identities, isKnown).map { identity, isKnown in
            guard let origin = identity?.origin, !isKnown else { return [] }
            return groups[origin.row]?.removeFirst() ?? []
        }
    }

    /// Returns the entry id without its kind suffix, which only rows with several entries have.
    private static func stem(_ entry: BabyCare.Entry) -> String {
        let suffix = "-\(entry.kind.name)"
        return entry.entryId.hasSuffix(suffix)
            ? String(entry.entryId.dropLast(suffix.count)) : entry.entryId
    }

    /// Returns a digest of texts, keyed with the log's secret.
    private func keyed(_ purpose: String, _ texts: [String]) -> Daybook.Digest {
        Daybook.Digest(first: digest(purpose, Self.framed(texts)))
    }

    /// Returns the SHA-256 of texts in hexadecimal; do not store it for personal texts.
    static func sha256(_ texts: [String]) -> String {
        Hexadecimal.text(SHA256.hash(framed(texts)))
    }

    /// Returns the texts as bytes, each prefixed with its length.
    private static func framed(_ texts: [String]) -> [UInt8] {
        texts.flatMap { text in
            let bytes = Array(text.utf8)
            return Array("\(bytes.count):".utf8) + bytes
        }
    }
}

/// Maps origins recorded under other ids of the baby to the same rows' origins under its present
/// id.
///
/// An origin has the digests of a row's cells.
private struct OtherOrigins {
    /// Digests of identifying cells under the present id, by those under other ids.
    private var rows: [Daybook.Digest: Daybook.Digest] = [:]
    /// Digests of all cells under the present id, by those under other ids.
    private var cells: [Daybook.Digest: Daybook.Digest] = [:]

    /// Creates the mapping from the identities of a file's rows.
    init(_ identities: [CareImport.Identity]) {
        for identity in identities {
            for origin in identity.others.lazy.map(\.origin) {
                rows[origin.row] = identity.origin.row
                cells[origin.cells] = identity.origin.cells
            }
        }
    }

    /// Returns the origin under the present id; unchanged for a row that this file does not
    /// contain.
    func underPresentId(_ origin: BabyCare.Origin) -> BabyCare.Origin {
        var origin = origin
        origin.row = rows[origin.row] ?? origin.row
        origin.cells = cells[origin.cells] ?? origin.cells
        return origin
    }
}

/// Generates unused ids for the entries of new rows.
public struct EntryIds {
    /// Last number tried for each stem (prefix of generated ids).
    private var lastNumbers: [String: Int] = [:]

    public init() {}

    /// Returns the row's id from the file, else its stem with the first unused number.
    ///
    /// For a row with several entries the result is the prefix of their ids.
    public mutating func next(
        _ identity: CareImport.Identity, _ entries: [BabyCare.ImportedEntry],
        isTaken: (String) -> Bool
    ) -> String {
        if let id = identity.givenId { return id }
        while true {
            let ordinal = lastNumbers[identity.stem, default: 0] + 1
            lastNumbers[identity.stem] = ordinal
            let id = "\(identity.stem)-\(ordinal)"
            let ids = [id] + entries.map { "\(id)-\($0.kind.name)" }
            if !ids.contains(where: isTaken) { return id }
        }
    }
}
