import Daybook
import DaybookCryptography
import DaybookModel

/// Plans the import of a file: which rows are new, which are known, and which change earlier rows.
///
/// The idempotency key of a row contains the format, the baby, the digest of all cells, and the
/// number of the row among equal rows.
///
/// A row with a known key was imported before. A row with a new key changes the entries of an
/// earlier row if both have equal identifying cells (activity, start, caregiver, contents) and the
/// earlier row is missing from this file. Any other row is new.
struct CareImportPlan: Sendable {
    let babyId: String
    let format: BabyCare.FileFormat
    /// Settings that change the meaning of the cells, as one text, such as zone and unit.
    let settingsText: String
    /// Rows of the file, in order.
    let rows: [CareFile.Row]
    /// Computes digests with the log's secret, because cells can contain notes and names.
    let digest: KeyedDigest

    /// The idempotency key and the ids that identify a row in later imports.
    ///
    /// They are derived from the cells. Of equal rows in one file, each has a key of its own.
    struct Identity: Equatable, Sendable {
        /// Idempotency key of the row's commit; the log stores only a keyed digest of it.
        var key: CommandKey
        /// The format, and digests of the row's identifying cells and of all its cells.
        var origin: BabyCare.Origin
        /// Id of the entry in the file; `nil` if the file has no ids of entries.
        var givenId: String?
        /// Prefix of the ids that are generated for the row's entries. The prefix is derived only
        /// from times, kinds and amounts.
        var idStem: String
        /// Identities that the row would have if it had been imported under the baby's other ids.
        var identitiesUnderOtherIds: [Identity] = []
    }

    /// Creates an origin from the digest of the identifying cells (`row`) and that of all cells.
    private func origin(_ row: Daybook.Digest, _ cells: Daybook.Digest)
        -> BabyCare.Origin
    {
        BabyCare.Origin {
            $0.format = format
            $0.rowDigest = row
            $0.cellsDigest = cells
        }
    }

    /// Returns the identity of each row, in the order of `rows`; `nil` for a rejected row.
    ///
    /// - Parameter otherIds: the other ids of the baby, under which rows may have been imported.
    func identities(otherIds: [String] = []) -> [Identity?] {
        var identities = identities(of: babyId)
        for other in otherIds {
            for (index, identity) in self.identities(of: other).enumerated() {
                if let identity { identities[index]?.identitiesUnderOtherIds.append(identity) }
            }
        }
        return identities
    }

    /// Returns the identity of each row under one id of the baby; `nil` for a rejected row.
    private func identities(of babyId: String) -> [Identity?] {
        let start = [UInt8](lengthPrefixed: [format.name, babyId])
        let (keyStart, asked) = ("import/\(format.name)/\(babyId)/", Array(settingsText.utf8))
        let stemStart = "\(format.name)-"
        var ordinals: [String: Int] = [:]
        return rows.map { (row) -> Identity? in
            guard case .success(let content) = row.result else { return nil }
            let cells = [UInt8](lengthPrefixed: content.cells, after: start)
            let identity = [UInt8](lengthPrefixed: content.identifyingCells, after: start)
            let plainCells = Hexadecimal.text(SHA256.hash(cells))
            let ordinal = ordinals[plainCells, default: 0].increment()
            return Identity(
                key: CommandKey(key: keyStart + plainCells + "/\(ordinal)", asked: asked),
                origin: origin(
                    Daybook.Digest(first: digest("import.row", identity)),
                    Daybook.Digest(first: digest("import.cells", cells))),
                givenId: content.entryId,
                idStem: stemStart + Self.idDigits(of: content, after: start))
        }
    }

    /// Returns the first 16 hexadecimal digits of the SHA-256 of a row's times, kinds and amounts,
    /// for the ids of its entries. Notes and names are left out, so that the ids reveal nothing
    /// about them.
    ///
    /// - Parameter start: the bytes before those of the entries.
    private static func idDigits(of content: CareFile.Content, after start: [UInt8]) -> String {
        var bytes = start
        let entries = content.entries
        for index in entries.indices {
            // By index, because a copy of an entry counts a reference to each of its texts.
            let numbers: [Int64?] = [
                entries[index].started.microseconds, entries[index].ended?.microseconds,
                entries[index].declaredDurationS, entries[index].value.amountUl,
                entries[index].value.durationS, entries[index].value.massMg,
                entries[index].value.lengthUm, entries[index].value.headUm,
                entries[index].value.milliC, entries[index].value.count,
            ]
            var text: [UInt8] = []
            text.reserveCapacity(96)
            text += entries[index].kind.name.utf8
            text.append(UInt8(ascii: ","))
            if let side = entries[index].value.side { text += side.name.utf8 }
            for number in numbers {
                text.append(UInt8(ascii: ","))
                if let number { text.appendDecimal(number) }
            }
            bytes.appendDecimal(Int64(text.count))
            bytes.append(UInt8(ascii: ":"))
            bytes += text
        }
        return Daybook.Digest(first: SHA256.hash(bytes)).digits
    }

    /// Returns, for each row, the ids of the entries that it changes.
    ///
    /// - Parameters:
    ///   - identities: the identity of each row; `nil` for a rejected row.
    ///   - isKnown: for each row, true if its key was imported before.
    ///   - entries: the baby's entries, including those from earlier files.
    func changes(
        _ identities: [Identity?], isKnown: [Bool], among entries: [BabyCare.Entry]
    ) -> [[String]] {
        var groups: [Daybook.Digest: RowGroups] = [:]
        let imported = entries.filter { $0.file.origin?.format == format }
            .sorted { ($0.history.recorded, $0.entryId) < ($1.history.recorded, $1.entryId) }
        guard !imported.isEmpty else { return Array(repeating: [], count: identities.count) }
        let others = OtherOrigins(identities.compactMap { $0 })
        for entry in imported {
            guard let origin = entry.file.origin.map(others.underPresentId) else { continue }
            groups[origin.rowDigest, default: RowGroups()].add(
                entry.entryId, of: Self.idStem(of: entry), origin.cellsDigest)
        }
        // An unchanged row of an earlier file cannot be the earlier form of a changed row.
        for (identity, isKnown) in zip(identities, isKnown) where isKnown {
            guard let origin = identity?.origin else { continue }
            groups[origin.rowDigest]?.removeFirst(with: origin.cellsDigest)
        }
        return zip(identities, isKnown).map { identity, isKnown in
            guard let origin = identity?.origin, !isKnown else { return [] }
            return groups[origin.rowDigest]?.removeFirst() ?? []
        }
    }

    /// Returns the id of an entry without the suffix for its kind, such as `-pee`.
    private static func idStem(of entry: BabyCare.Entry) -> String {
        let suffix = "-\(entry.kind.name)"
        return entry.entryId.hasSuffix(suffix)
            ? String(entry.entryId.dropLast(suffix.count)) : entry.entryId
    }

    /// Returns the SHA-256 of texts in hexadecimal. Do not store it for personal texts, which could
    /// be found by trial.
    static func sha256(_ texts: [String]) -> String {
        Hexadecimal.text(SHA256.hash([UInt8](lengthPrefixed: texts)))
    }
}

extension [UInt8] {
    /// Creates the bytes `start`, and after them each text with its length in bytes and a colon.
    fileprivate init(lengthPrefixed texts: [String], after start: [UInt8] = []) {
        self = []
        // `appendDecimal` wants room for 20 digits.
        reserveCapacity(start.count + texts.reduce(0) { $0 + 21 + $1.utf8.count })
        append(contentsOf: start)
        for text in texts {
            text.withUTF8Bytes { utf8 in
                appendDecimal(Int64(utf8.count))
                append(UInt8(ascii: ":"))
                append(addingCapacity: utf8.count) { $0.append(contentsOf: utf8) }
            }
        }
    }
}

extension Int {
    /// Adds one, and returns the sum.
    fileprivate mutating func increment() -> Int {
        self += 1
        return self
    }
}

/// Translates origins of rows that were imported under other ids of the baby.
///
/// The digests of an origin include the id of the baby, so each row has another origin under each
/// id.
private struct OtherOrigins {
    /// Digest of the identifying cells under the present id, by the digest under another id.
    private var rowDigests: [Daybook.Digest: Daybook.Digest] = [:]
    /// Digest of all cells under the present id, by the digest under another id.
    private var cellsDigests: [Daybook.Digest: Daybook.Digest] = [:]

    /// Creates the translation from the identities of a file's rows.
    init(_ identities: [CareImportPlan.Identity]) {
        for identity in identities {
            for origin in identity.identitiesUnderOtherIds.lazy.map(\.origin) {
                rowDigests[origin.rowDigest] = identity.origin.rowDigest
                cellsDigests[origin.cellsDigest] = identity.origin.cellsDigest
            }
        }
    }

    /// Returns the origin that the same row has under the present id of the baby.
    func underPresentId(_ origin: BabyCare.Origin) -> BabyCare.Origin {
        var origin = origin
        origin.rowDigest = rowDigests[origin.rowDigest] ?? origin.rowDigest
        origin.cellsDigest = cellsDigests[origin.cellsDigest] ?? origin.cellsDigest
        return origin
    }
}

/// Generates unused ids for the entries of new rows.
struct EntryIdGenerator {
    /// Last number tried for each prefix of ids, by prefix.
    private var lastNumbers: [String: Int] = [:]

    /// Returns the id for the entry of a row: the id in the file, or a generated unused id. For a
    /// row with several entries the result is the prefix of their ids.
    mutating func next(
        _ identity: CareImportPlan.Identity, _ entries: [BabyCare.ImportedEntry],
        isTaken: (String) -> Bool
    ) -> String {
        if let id = identity.givenId { return id }
        while true {
            let number = lastNumbers[identity.idStem, default: 0].increment()
            let id = identity.idStem + "-" + String(number)
            let isFree = entries.indices.allSatisfy {
                !isTaken(id + "-" + entries[$0].kind.name)
            }
            if isFree, !isTaken(id) { return id }
        }
    }
}
