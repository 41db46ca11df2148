import Daybook
import DaybookCryptography
import DaybookLMDB
import Foundation
import TestSupport
import Testing

@testable import DaybookLog

/// Integers about people within payloads: sealed and encrypted apart from the event in the file, and
/// in it for readers.
@Suite("Places in events") struct PlacesInEventsTests {
    private let folder: TemporaryFolder
    private let catalogue: Catalogue

    init() throws {
        folder = try TemporaryFolder()
        catalogue = try Catalogue([Strolls.self])
    }

    private func open(
        _ access: EventLog.Access = .create, _ name: String = "log"
    ) throws -> EventLog {
        try EventLog(path: folder.path(name), access: access, people: catalogue.people)
    }

    private func append(
        _ walks: [Stroll], to log: EventLog, actor: String = "", key: String? = nil
    ) throws {
        _ = try log.append(
            AppendRequest(
                walks.map { NewEvent($0, occurredAt: Instant(microseconds: 5)) },
                metadata: CommitMetadata(actor: actor),
                idempotency: key.map { .init(key: $0, asked: [1]) }))
    }

    private func stored(_ position: UInt64, _ log: EventLog) throws -> [UInt8] {
        let transaction = try log.file.beginReading()
        return try #require(try transaction.row(position, in: log.file.tables.events)?.copied())
    }

    private func walks(_ log: EventLog) throws -> [Stroll] {
        try log.reader(Query(Query.Item(kinds: [Stroll.kind]))).collect().map {
            try BinaryReader.read(Stroll.self, from: $0.payload)
        }
    }

    /// True where the file holds a place, as a payload or as decimal text.
    private func holds(_ value: Int64, _ name: String = "log") throws -> Bool {
        let file = try Data(contentsOf: URL(fileURLWithPath: folder.path(name)))
        return file.range(of: Data(BinaryWriter.bytes(value))) != nil
            || file.range(of: Data("\(value)".utf8)) != nil
    }

    private static let north: Int64 = 37_566_512_345
    private static let east: Int64 = -126_978_054_321

    @Test(
        "The stored event has marks and a seal, and the places lie encrypted under its own number")
    func bytes() throws {
        let log = try open()
        let walk = Stroll("r", by: "kim", [Self.north, -1], title: "t")
        try append([walk, Stroll("r", [])], to: log)
        let bytes = try stored(1, log)
        let header = try EventHeader(decoding: bytes.rawSpan)
        #expect(bytes[29] == 0x81)
        let payload: [UInt8] = [1, 0x72, 1, 0x80, 0, 2, 0x80, 0, 0x80, 0, 1]
        #expect(Array(bytes[header.payloadOffset...].prefix(11)) == payload)
        let parts = Array(bytes.suffix(40))
        let transaction = try log.file.beginReading()
        let kim = try #require(try log.file.personNumber("actor:kim", in: transaction))
        #expect(Array(parts.prefix(8)) == [3, 0, 0, 0, UInt8(kim), 0, 0, 0])
        let texts = try #require(try log.people.texts(1...1, in: transaction))
        #expect(
            texts.map(\.key) == [
                [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0],
                [0, 0, 0, 0, 0, 0, 0, 1, 0xFF, 0xFF, 0xFF, 0xFF],
            ])
        let numbers = try #require(texts.last?.row)
        // 37,566,512,345 by hand: twice it is 75,133,024,690.
        let content: [UInt8] = [6, 0xB2, 0xF3, 0x9B, 0xF2, 0x97, 0x02, 0, 1]
        #expect(Array(numbers.bytes.dropFirst(16)) == content)
        #expect(Array(parts.suffix(32)) == numbers.seal)
        #expect(try stored(2, log)[29] == 0)
        #expect(try walks(log) == [walk.sealed(in: log), Stroll("r", [])])
    }

    @Test("Places lie nowhere in the file, and nowhere in new states, before or after an erasure")
    func planted() throws {
        let log = try open()
        let places = (0..<400).map { Self.north + $0 * 1_000 }
        for (index, place) in places.enumerated() {
            let user = index % 4 == 0 ? "kim" : nil
            try append(
                [
                    Stroll(
                        index % 2 == 0 ? "r" : "s", by: user.map { Author($0) }, [place, Self.east])
                ],
                to: log, actor: "lee")
        }
        try log.reindex()
        let pass = try LogSnapshots(log).take(catalogue, of: Strolls.projections)
        #expect(pass.writtenCount == 0)
        for place in places + [Self.east] { #expect(try !holds(place)) }
        #expect(try walks(log).flatMap(\.places).compactMap(\.value).count == 800)
        _ = try log.erase(.tags([Tag("walk", "r")]), catalogue: catalogue)
        for place in places + [Self.east] { #expect(try !holds(place)) }
        for walk in try walks(log) {
            #expect(walk.places.allSatisfy { ($0.value == nil) == (walk.id == "r") })
        }
        #expect(try log.verify(against: catalogue).isSound)
    }

    @Test("A walk has a key of its own, and its walker's erasure reaches all of them")
    func owned() throws {
        let log = try open()
        for id in ["r", "s", "t"] {
            let user = id == "t" ? "lee" : "kim"
            try append([Stroll(id, user: user, [], title: "of \(id)")], to: log)
            try append((1...3).map { Stroll(id, [Self.north + $0]) }, to: log, actor: "phone")
        }
        let one = try log.erasure(of: .position(Position(3)), catalogue: catalogue)
        #expect(one.texts == 1 && one.people == 0)
        let walk = try log.erasure(of: .tags([Tag("walk", "r")]), catalogue: catalogue)
        #expect(walk.texts == 4 && walk.people == 0)
        let dry = try log.erasure(of: .tags([Tag("user", "kim")]), catalogue: catalogue)
        #expect(dry.texts == 8 && dry.people == 1)
        let kim = try log.erase(.tags([Tag("user", "kim")]), catalogue: catalogue)
        #expect(kim.texts == 8 && kim.people == 1 && kim.slots == 3)
        for walk in try walks(log) {
            #expect(walk.places.allSatisfy { ($0.value == nil) == (walk.id != "t") })
        }
        #expect(try log.people.text(at: Position(9), field: 0) == "of t")
        #expect(try log.people.text(at: Position(5), field: 0) == nil)
        let result = try log.verify(against: catalogue)
        #expect(result.isSound && result.erasedTexts == 8, "\(result.findings)")
        // A new walk under the id begins with a new key.
        try append([Stroll("r", [5])], to: log)
        #expect(try walks(log).last?.places == [5] && walks(log)[1].places == [.erased])
        #expect(try log.verify(against: catalogue).isSound)
    }

    @Test("One event loses its places, and the others of its walk keep theirs under a new key")
    func position() throws {
        let log = try open()
        try append((1...5).map { Stroll("r", by: "kim", [$0, Self.east]) }, to: log, key: "k")
        let erasure = try log.erase(.position(Position(2)), catalogue: catalogue)
        #expect(erasure.texts == 1 && erasure.rewritten == 4)
        let shown = try walks(log)
        #expect(shown[1].places == [.erased, .erased] && shown[1].by == "kim")
        #expect(shown[2].places == [3, PersonalInteger(Self.east)])
        #expect(try log.verify(against: catalogue).isSound)
        try append([Stroll("r", [])], to: log, key: "k")
        #expect(try log.head() == Position(6))
    }

    @Test("A reading that an erasure meets shows places or their absence, and no damage")
    func erasedMeanwhile() throws {
        let log = try open()
        try append((1...6).map { Stroll("r", [$0]) }, to: log)
        for target in [ErasureTarget.position(Position(6)), .tags([Tag("walk", "r")])] {
            var seen: [Int64?] = []
            try log.reader(Query(Query.Item(kinds: [Stroll.kind]))).forEach { (event) in
                if seen.isEmpty {
                    do { _ = try log.erase(target, catalogue: catalogue) } catch {
                        Issue.record("\(error)")
                    }
                }
                seen.append(
                    try? BinaryReader.read(Stroll.self, from: event.payload).places[0].value)
                return true
            }
            #expect(seen.count == 6)
            for (index, value) in seen.enumerated() {
                #expect(value == nil || value == Int64(index) + 1)
            }
        }
        #expect(try walks(log).allSatisfy { $0.places == [.erased] })
    }

    @Test("Any mixture of names, integers and texts comes back as it was appended")
    func mixtures() throws {
        let seed = Cases.seed
        var random = SeededGenerator(seed: seed)
        let log = try open()
        var appended: [[UInt8]] = []
        for number in 0..<120 {
            let places = (0..<Int.random(in: 0...300, using: &random)).map { _ in
                let bits = Int64.random(in: .min ... .max, using: &random)
                let shifted = bits >> Int64.random(in: 0...63, using: &random)
                return Int.random(in: 0...9, using: &random) == 0
                    ? PersonalInteger.erased : PersonalInteger(shifted)
            }
            var walk = Stroll("r\(number % 7)", places)
            if Bool.random(using: &random) { walk.by = Author("kim\(number % 3)") }
            walk.gap = String(repeating: "x", count: Int.random(in: 0...40_000, using: &random))
            walk.rest = (0..<Int.random(in: 0...3, using: &random)).map { Stroll.Rest($0) }
            appended.append(BinaryWriter.bytes(walk))
            try append([walk], to: log)
        }
        #expect(try log.reader().collect().map(\.payload) == appended, "seed \(seed)")
        var scanned: [[UInt8]] = []
        try LogScan(log).forEach { (_, header, bytes) in
            scanned.append(bytes.copied(from: header.payloadOffset))
            return true
        }
        #expect(scanned == appended, "seed \(seed)")
        #expect(try log.verify(against: catalogue).isSound, "seed \(seed)")
    }

    @Test("An event that was stored with its places reads as it did")
    func inClear() throws {
        let log = try open()
        var event = NewEvent(Stroll("r", [Self.north]), occurredAt: Instant(microseconds: 5))
        event.parts = []
        let payload = event.payload
        _ = try log.append(AppendRequest([event]))
        #expect(try stored(1, log)[29] == 0)
        #expect(try log.reader().collect().map(\.payload) == [payload])
        #expect(try log.verify(against: catalogue).isSound)
    }

    @Test(
        "Integers that do not lie where an event says are refused",
        arguments: [[2..<4], [90..<91], [3..<4, 3..<4], [3..<3]] as [[Range<Int>]])
    func unstorable(ranges: [Range<Int>]) throws {
        let log = try open()
        var event = NewEvent(Stroll("r", [200]), occurredAt: Instant(microseconds: 5))
        event.parts = ranges.map { PayloadPart(range: $0, person: nil) }
        #expect(throws: AppendError.self) { try log.append(AppendRequest([event])) }
        #expect(try log.head() == .origin)
    }

    enum Damage: String, CaseIterable {
        case removed, marked, otherText, otherSeal, otherGap, noFlag

        var rule: String {
            switch self {
            case .removed, .marked: "erasure"
            case .otherText, .otherSeal: "seal"
            case .otherGap: "payload"
            case .noFlag: "payload"
            }
        }
    }

    @Test(
        "Places that are gone without a record, or that do not fit, are found",
        arguments: Damage.allCases)
    func damage(_ damage: Damage) throws {
        let log = try open()
        try append([Stroll("r", [5]), Stroll("r", [6])], to: log)
        var bytes = try stored(1, log)
        let rowKey = PersonalRow.key(1, SealedNumbers.ordinal)
        let (person, key) = try key(of: "walk:r", log)
        try log.file.writing { (transaction) throws(LogError) in
            let texts = log.file.tables.texts
            switch damage {
            case .removed: try transaction.remove(rowKey.rawSpan, from: texts)
            case .marked:
                try transaction.put(TextRow.erased.bytes, for: rowKey.rawSpan, in: texts)
            case .otherText, .otherGap:
                let content: [UInt8] = damage == .otherGap ? [77, 10] : [3, 12]
                let row = PersonalRow(PersonalRow.newSalt() + content)
                let stored = TextRow(
                    row, of: person, at: rowKey, under: key, with: AESGCMKey.Sealer())
                try transaction.put(stored.bytes, for: rowKey.rawSpan, in: texts)
                guard damage == .otherGap else { return }
                bytes.replaceSubrange((bytes.count - 32)..., with: row.seal)
            case .otherSeal: bytes[bytes.count - 1] ^= 1
            case .noFlag: bytes[29] = 0
            }
            try transaction.put(bytes, for: 1 as UInt64, in: log.file.tables.events)
        }
        let result = try log.verify(against: catalogue)
        #expect(
            result.findings.contains { $0.rule == damage.rule && $0.position == Position(1) },
            "\(result.findings)")
        if damage == .otherGap { #expect(throws: LogError.self) { try log.reader().collect() } }
        guard damage == .removed else { return }
        // The erasure of the event puts it on record.
        let erasure = try log.erase(.position(Position(1)), catalogue: catalogue)
        #expect(erasure.unrecorded == 1)
        #expect(try walks(log).map(\.places) == [[.erased], [6]])
    }

    private func key(of name: String, _ log: EventLog) throws -> (UInt32, PersonKey) {
        let transaction = try log.file.beginReading()
        let number = try #require(try log.file.personNumber(name, in: transaction))
        guard case .known(_, let key) = try log.people.findPerson(number, in: transaction) else {
            throw LogError.damaged(table: "vault", .keyGone)
        }
        return (number, key)
    }

    @Test("A salvage keeps places, leaves erased ones out, and marks lost ones")
    func salvage() throws {
        do {
            let log = try open()
            for id in ["r", "s"] {
                try append([Stroll(id, user: "kim", [], title: "of \(id)")], to: log)
                try append((1...3).map { Stroll(id, [Self.north + $0]) }, to: log)
            }
            _ = try log.erase(.tags([Tag("walk", "s")]), catalogue: catalogue)
            try append([Stroll("q", [1]), Stroll("q", [2])], to: log)
        }
        let path = folder.path("log")
        _ = try Salvage.run(
            path, to: folder.path("whole"), SalvageOptions(), against: catalogue)
        let whole = try open(.read, "whole")
        #expect(try walks(whole) == walks(open(.read)))
        #expect(try whole.verify(against: catalogue).isSound)
        #expect(try !holds(Self.north + 1, "whole"))
        // Without the text of one event, in any of its pages.
        try destroyPlaces(of: 2)
        _ = try Salvage.run(
            path, to: folder.path("lost"), SalvageOptions(), against: catalogue)
        let lost = try open(.read, "lost")
        #expect(try walks(lost)[1].places == [.erased])
        #expect(try walks(lost)[2].places == [PersonalInteger(Self.north + 2)])
        #expect(try lost.verify(against: catalogue).lostTexts == 1)
    }

    private func destroyPlaces(of position: UInt64) throws {
        var sealed: [UInt8] = []
        do {
            let log = try open(.read)
            let transaction = try log.file.beginReading()
            let rowKey = PersonalRow.key(position, SealedNumbers.ordinal)
            let row = try transaction.row(rowKey.rawSpan, in: log.file.tables.texts)?.copied(
                from: 4)
            sealed = try #require(row)
        }
        let url = URL(fileURLWithPath: folder.path("log"))
        var file = try Data(contentsOf: url)
        while let range = file.range(of: Data(sealed)) {
            file.replaceSubrange(range, with: Data(count: range.count))
        }
        try file.write(to: url)
    }
}
