public import Daybook
import DaybookCryptography
public import DaybookModel

/// Plans the commits of a file's rows, given the results of earlier files.
///
/// A row is known by its key: the format, the baby, a digest of all its cells, and the row's number
/// among the equal rows of the file. A row that is not known, but equal in activity, start,
/// caregiver and contents to one of an earlier file that this file no longer has, completes or edits
/// that one's entries.
public struct CareImport: Sendable {
    public let babyId: String
    public let format: BabyCare.FileFormat
    /// The meaning of rows beside their cells: the zone, the unit.
    public let context: String
    public let rows: [CareFile.Row]
    /// The digest of what events keep of a row's cells, notes and caregivers among them.
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

    /// The identity of a row, derived from it and the rows before it.
    public struct Identity: Hashable, Sendable {
        /// The key of the row's commit, of which a log keeps only a digest under its secret.
        public var key: CommandKey
        public var origin: BabyCare.Origin
        /// The id that the file gives the entry.
        public var givenId: String?
        /// The beginning of the ids of the row's entries, of cells that events hold in clear anyway.
        public var stem: String
        /// The same row under the other ids of the baby.
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

    /// The identity of each row that could be read, in the order of `rows`.
    ///
    /// - Parameter otherIds: further ids of the baby, under which a file may have been imported.
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

    /// SHA-256 of times, kinds and amounts, so that the id reveals no more than the entries do.
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

    /// The entries that a new row completes or edits, for each row; empty for one that is new
    /// altogether.
    ///
    /// - Parameters:
    ///   - isKnown: for each row, true if its key is known.
    ///   - entries: the baby's entries that earlier files have left.
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
        // A row that is the same in an earlier file cannot be the changed form of another row.
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

    private func keyed(_ purpose: String, _ texts: [String]) -> Daybook.Digest {
        Daybook.Digest(first: digest(purpose, Self.framed(texts)))
    }

    /// SHA-256 of texts, as hexadecimal digits. It may be kept only of what is not personal.
    static func sha256(_ texts: [String]) -> String {
        Hexadecimal.text(SHA256.hash(framed(texts)))
    }

    /// Texts, each with its length in front.
    private static func framed(_ texts: [String]) -> [UInt8] {
        texts.flatMap { text in
            let bytes = Array(text.utf8)
            return Array("\(bytes.count):".utf8) + bytes
        }
    }
}

/// Origins that imports under another id of the baby recorded of the rows of a file, as they would be
/// recorded under its id.
private struct OtherOrigins {
    private var rows: [Daybook.Digest: Daybook.Digest] = [:]
    private var cells: [Daybook.Digest: Daybook.Digest] = [:]

    init(_ identities: [CareImport.Identity]) {
        for identity in identities {
            for origin in identity.others.lazy.map(\.origin) {
                rows[origin.row] = identity.origin.row
                cells[origin.cells] = identity.origin.cells
            }
        }
    }

    /// The same row's origin under the baby's id; itself for a row that this file does not have.
    func renewed(_ origin: BabyCare.Origin) -> BabyCare.Origin {
        var origin = origin
        origin.row = rows[origin.row] ?? origin.row
        origin.cells = cells[origin.cells] ?? origin.cells
        return origin
    }
}

/// Gives the entries of new rows ids that no entry has.
public struct EntryIds {
    private var reached: [String: Int] = [:]

    public init() {}

    /// The id of a row's entry, or the beginning of those of its entries: a stem and the first
    /// number that is free.
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
