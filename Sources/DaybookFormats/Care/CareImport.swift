public import Daybook
import DaybookCryptography
public import DaybookModel

/// Plans the commits of a file's rows, given the results of earlier files.
///
/// A row is identified by a key: format, baby, digest of all cells, and number among equal rows.
///
/// A row with a known key was imported before. A row with a new key changes the entries of an
/// earlier row if both have equal identifying cells (activity, start, caregiver, contents) and the
/// earlier row is missing from this file. Any other row is new.
public struct CareImport: Sendable {
    public let babyId: String
    public let format: BabyCare.FileFormat
    /// Settings that determine the meaning of the cells, as text: the zone, the unit.
    public let context: String
    public let rows: [CareFile.Row]
    /// Keyed digest for the cells in origins, because cells include notes and caregivers.
    private let digest: KeyedDigest

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

    /// The identity of a row, derived from its cells and the equal rows before it.
    public struct Identity: Hashable, Sendable {
        /// Idempotency key of the row's commit; the log stores only a keyed digest of it.
        public var key: CommandKey
        public var origin: BabyCare.Origin
        /// Id of the entry in the file; `nil` if the file has no ids.
        public var givenId: String?
        /// Prefix of generated entry ids, derived only from fields that events store in plain text.
        public var stem: String
        /// Identities of the row under other ids of the baby.
        public var others: [Identity] = []
    }

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

    /// Returns the SHA-256 of times, kinds and amounts, so that ids reveal nothing personal.
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

    /// Returns the ids of the entries that each row changes; empty for a known or wholly new row.
    ///
    /// - Parameters:
    ///   - isKnown: for each row, true if its key is known.
    ///   - entries: the baby's entries, including those from earlier files.
    public func changes(
        _ identities: [Identity?], isKnown: [Bool], among entries: [BabyCare.Entry]
    ) -> [[String]] {
        var groups: [Daybook.Digest: RowGroups] = [:]
        let others = OtherOrigins(identities.compactMap { $0 })
        let imported = entries.filter { $0.origin?.format == format }
            .sorted { ($0.recorded, $0.entryId) < ($1.recorded, $1.entryId) }
        for entry in imported {
            guard let origin = entry.origin.map(others.renewed) else { continue }
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

    /// Returns the entry id without the suffix that distinguishes several entries of a row.
    private static func stem(_ entry: BabyCare.Entry) -> String {
        let suffix = "-\(entry.kind.name)"
        return entry.entryId.hasSuffix(suffix)
            ? String(entry.entryId.dropLast(suffix.count)) : entry.entryId
    }

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

/// Maps origins recorded under other ids of the baby to the origins under its present id.
private struct OtherOrigins {
    /// Row digests under the baby's id, by the row digests under its other ids.
    private var rows: [Daybook.Digest: Daybook.Digest] = [:]
    /// Digests of the cells under the baby's id, by their digests under its other ids.
    private var cells: [Daybook.Digest: Daybook.Digest] = [:]

    init(_ identities: [CareImport.Identity]) {
        for identity in identities {
            for origin in identity.others.lazy.map(\.origin) {
                rows[origin.row] = identity.origin.row
                cells[origin.cells] = identity.origin.cells
            }
        }
    }

    /// Returns the origin under the baby's id; unchanged for a row that this file does not contain.
    func renewed(_ origin: BabyCare.Origin) -> BabyCare.Origin {
        var origin = origin
        origin.row = rows[origin.row] ?? origin.row
        origin.cells = cells[origin.cells] ?? origin.cells
        return origin
    }
}

/// Generates unused ids for the entries of new rows.
public struct EntryIds {
    private var reached: [String: Int] = [:]

    public init() {}

    /// Returns the id of the file, else the stem and the first free number.
    ///
    /// For a row with several entries the result is the prefix of their ids.
    public mutating func next(
        _ identity: CareImport.Identity, _ entries: [BabyCare.ImportedEntry],
        isTaken: (String) -> Bool
    ) -> String {
        if let id = identity.givenId { return id }
        while true {
            let ordinal = reached[identity.stem, default: 0] + 1
            reached[identity.stem] = ordinal
            let id = "\(identity.stem)-\(ordinal)"
            let ids = [id] + entries.map { "\(id)-\($0.kind.name)" }
            if !ids.contains(where: isTaken) { return id }
        }
    }
}
