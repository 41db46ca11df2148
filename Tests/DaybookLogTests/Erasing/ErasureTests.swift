import Daybook
import DaybookLMDB
import Foundation
import TestSupport
import Testing

@testable import DaybookLog

/// Personal texts that are erased, and what is left of them in the file.
@Suite("Erasure") struct ErasureTests {
    private static let people: PersonNouns = ["person": "person", "profile": "person"]
    private let folder: TemporaryFolder
    private let catalogue: Catalogue

    init() throws {
        folder = try TemporaryFolder()
        catalogue = try Catalogue([PeopleNotes.self])
    }

    private func open(_ name: String = "log", _ access: EventLog.Access = .create) throws
        -> EventLog
    {
        try EventLog(path: folder.path(name), access: access, people: Self.people)
    }

    /// Texts of two people in turn, by two actors, and some that no tag says anything of.
    private func fill(_ log: EventLog, _ numbers: ClosedRange<Int64> = 1...60) throws {
        for number in numbers {
            let owner = ["person:ada", "profile:bob", "room:r"][Int(number % 3)]
            let actor = number % 2 == 0 ? "kim needle-actor-kim" : "lee needle-actor-lee"
            let note = PeopleNote([owner], "needle-\(owner.dropFirst(owner.count - 3))-\(number)-x")
            _ = try log.append(
                AppendRequest(
                    [NewEvent(note, occurredAt: .init(microseconds: number))],
                    metadata: CommitMetadata(actor: actor),
                    idempotency: .init(key: "needle-key-\(number)", asked: [UInt8(number)])))
            if number % 20 == 0 {
                try log.reindex(afresh: number == 40)
                // One that never comes about.
                var session = try AppendSession(log)
                #expect(try session.loadPeople(["person:ada"]))
                let lost = PeopleNote(["person:ada"], "needle-ada-lost-x")
                let event = NewEvent(lost, occurredAt: .init(microseconds: 0))
                _ = try session.write(AppendRequest([event]))
                session.abort()
            }
        }
    }

    private func bytes(_ name: String = "log") throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: folder.path(name)))
    }

    private func text(_ log: EventLog, _ position: UInt64) throws -> String? {
        try log.people.text(at: Position(position), field: 0)
    }

    private func person(_ name: String, _ log: EventLog) throws -> (number: UInt32, row: PersonRow)
    {
        let transaction = try log.file.beginReading()
        let number = try #require(try log.file.personNumber(name, in: transaction))
        return (number, try log.file.tables.person(number, in: transaction))
    }

    private func key(_ slot: UInt32, _ log: EventLog) throws -> [UInt8] {
        let transaction = try log.file.beginReading()
        let key = Vault.block(of: slot)
        let block = try #require(
            try transaction.bytes(for: key, in: log.file.tables.vault.table)?.copied())
        return Array(block[Vault.range(of: slot)])
    }

    private func expectSound(
        _ log: EventLog, erased: UInt64, _ location: SourceLocation = #_sourceLocation
    ) throws {
        let result = try log.verify(against: catalogue)
        #expect(result.isSound, "\(result.findings)", sourceLocation: location)
        #expect(result.erasedTexts == erased, sourceLocation: location)
    }

    @Test("No text, name of an actor, key or old secret is left of somebody erased")
    func rawFile() throws {
        var old: [UInt8] = []
        do {
            let log = try open()
            try fill(log)
            // In clear neither is ever there.
            let before = try bytes()
            for needle in ["needle-ada", "needle-bob", "needle-m:r", "needle-actor", "needle-key"] {
                #expect(before.range(of: Data(needle.utf8)) == nil, "\(needle)")
            }
            old = try key(person("person:ada", log).row.slot, log)
            let found = try #require(before.range(of: Data(old)))
            #expect(before[found.upperBound...].range(of: Data(old)) == nil)
            #expect(try text(log, 3) == "needle-ada-3-x")
            let erasure = try log.erase(
                .tags([Tag("person", "ada")]), reason: "needle-reason",
                metadata: CommitMetadata(actor: "lee needle-actor-lee"), catalogue: catalogue)
            #expect(erasure.texts == 20 && erasure.people == 1 && erasure.slots == 1)
            #expect(erasure.rewritten == 0 && erasure.position == Position(61))
        }
        let after = try bytes()
        #expect(after.range(of: Data(old)) == nil && after.range(of: Data(old[8..<24])) == nil)
        for needle in ["needle-ada", "needle-bob", "needle-reason", "needle-actor"] {
            #expect(after.range(of: Data(needle.utf8)) == nil, "\(needle)")
        }
        let log = try open("log", .write)
        for number in 1...60 as ClosedRange<UInt64> {
            let expected = ["", "bob", "m:r"][Int(number % 3)]
            let text = try text(log, number)
            #expect(text == (expected.isEmpty ? nil : "needle-\(expected)-\(number)-x"))
        }
        #expect(try log.people.text(at: Position(61), field: 0) == "needle-reason")
        try expectSound(log, erased: 20)
        let again = try log.erase(.tags([Tag("person", "ada")]), catalogue: catalogue)
        #expect(again.isNothing && again.position == nil)
        // The same name begins anew.
        try fill(log, 61...63)
        #expect(try text(log, 64) == "needle-ada-63-x")
        try expectSound(log, erased: 20)
    }

    /// Returns the encrypted texts of some events, as the table has them.
    private func storedTexts(_ positions: [UInt64], _ log: EventLog) throws -> [Data] {
        let transaction = try log.file.beginReading()
        return try positions.map { position in
            let key = PersonalRow.key(position, 0)
            let row = try transaction.bytes(
                for: key.rawSpan, in: log.file.tables.texts.table)?.copied()
            return Data(try #require(row))
        }
    }

    @Test("A scrub beside a writer leaves no text as it was encrypted under the old key")
    func scrubBesideWriter() throws {
        var texts: [Data] = []
        do {
            let log = try open()
            try fill(log)
            texts = try storedTexts((1...20).map { 3 * $0 }, log)
            let erasure = try log.erase(.position(Position(3)), catalogue: catalogue)
            #expect(erasure.texts == 1 && erasure.rewritten == 19)
        }
        let before = try bytes()
        #expect(texts.contains { before.range(of: $0) != nil })
        let log = try open("log", .write)
        var number: Int64 = 100
        do {
            var scrub = try Scrub(of: log.file.environment, pieceBytes: 16_384)
            for round in 1...2 {
                while try scrub.step() {
                    number += 1
                    let note = PeopleNote(["person:ada"], "needle-ada-\(number)-x")
                    _ = try log.append(
                        AppendRequest([NewEvent(note, occurredAt: .init(microseconds: number))]))
                }
                if round == 1 { try scrub.startAgain() }
            }
        }
        #expect(number > 110)
        let after = try bytes()
        let isGone = !texts.contains { after.range(of: $0) != nil }
        #expect(isGone)
        #expect(try log.scrub())
        try expectSound(log, erased: 1)
        #expect(try text(log, 62) == "needle-ada-101-x")
    }

    @Test("One event loses its texts, and its person keeps the others under a new key")
    func onePosition() throws {
        let log = try open()
        try fill(log, 1...12)
        let (number, before) = try person("person:ada", log)
        let old = try key(before.slot, log)
        let dry = try log.erasure(of: .position(Position(6)), catalogue: catalogue)
        #expect(dry.texts == 1 && dry.position == nil)
        #expect(try text(log, 6) == "needle-ada-6-x")
        let erasure = try log.erase(.position(Position(6)), catalogue: catalogue)
        #expect(erasure.texts == 1 && erasure.people == 0 && erasure.rewritten == 3)
        #expect(try text(log, 6) == nil)
        for kept in [3, 9, 12] as [UInt64] {
            #expect(try text(log, kept) == "needle-ada-\(kept)-x")
        }
        let after = try log.file.tables.person(number, in: try log.file.beginReading())
        #expect(after.slot != before.slot && after.nextSlot == 0 && after.textCount == 3)
        #expect(try key(before.slot, log).allSatisfy { $0 == 0 })
        #expect(try bytes().range(of: Data(old)) == nil)
        try expectSound(log, erased: 1)
        #expect(try log.erase(.position(Position(6)), catalogue: catalogue).isNothing)
        #expect(try log.erase(.position(Position(99)), catalogue: catalogue).isNothing)
    }

    @Test("A tag takes the texts of its events, also of those kept under somebody else")
    func tags() throws {
        let log = try open()
        try fill(log, 1...6)
        let note = PeopleNote(["person:ada", "profile:bob", "room:r"], "of ada, with bob")
        _ = try log.append(
            AppendRequest([NewEvent(note, occurredAt: .init(microseconds: 0))]))
        let room = try log.erase(.tags([Tag("room", "r")]), catalogue: catalogue)
        #expect(room.texts == 3 && room.people == 0)
        #expect(try text(log, 2) == nil && text(log, 5) == nil && text(log, 7) == nil)
        #expect(try text(log, 3) == "needle-ada-3-x" && text(log, 1) == "needle-bob-1-x")
        // A profile is its person's.
        let bob = try log.erase(.tags([Tag("person", "bob")]), catalogue: catalogue)
        #expect(bob.texts == 2 && bob.people == 1)
        #expect(try text(log, 1) == nil && text(log, 4) == nil)
        #expect(try text(log, 6) == "needle-ada-6-x")
        try expectSound(log, erased: 5)
    }

    @Test("An actor's name is gone, and commits say that it was erased")
    func actor() throws {
        let log = try open()
        try fill(log, 1...6)
        let slot = try person("actor:kim needle-actor-kim", log).row.slot
        let old = try key(slot, log)
        let erasure = try log.erase(.actor("kim needle-actor-kim"), catalogue: catalogue)
        #expect(erasure.people == 1 && erasure.texts == 1)
        let kim = try #require(try log.commits.at(Position(2)))
        #expect(kim.isActorErased && kim.metadata.actor.isEmpty)
        let lee = try #require(try log.commits.at(Position(1)))
        #expect(!lee.isActorErased && lee.metadata.actor == "lee needle-actor-lee")
        #expect(try bytes().range(of: Data(old)) == nil)
        // The text of the event that no tag gives to anybody was the actor's.
        #expect(try text(log, 2) == nil && text(log, 5) == "needle-m:r-5-x")
        try expectSound(log, erased: 1)
    }

    @Test("An erasure that was killed before its key was overwritten is ended by the next writer")
    func killed() throws {
        var old: [UInt8] = []
        do {
            let log = try open()
            try fill(log, 1...6)
            old = try key(person("person:ada", log).row.slot, log)
            let erasure = try ErasureSteps(log: log).eraseOnce(
                .tags([Tag("person", "ada")]), nil, CommitMetadata(), [], catalogue)
            #expect(erasure?.texts == 2)
            #expect(try text(log, 3) == nil)
            let rules = try log.verify(against: catalogue).findings.map(\.rule)
            #expect(rules == ["erasure"])
        }
        #expect(try bytes().range(of: Data(old)) != nil)
        let log = try open("log", .write)
        #expect(try bytes().range(of: Data(old)) == nil)
        try expectSound(log, erased: 2)
    }

    @Test("A request that is sent again is known, also where its text is erased")
    func requests() throws {
        let log = try open()
        try fill(log, 1...3)
        let same = AppendRequest.Idempotency(key: "needle-key-3", asked: [3])
        let other = AppendRequest.Idempotency(key: "needle-key-3", asked: [4])
        #expect(try log.receipt(for: same)?.first == Position(3))
        #expect(throws: AppendError.keyReused(key: "needle-key-3", at: Position(3))) {
            try log.receipt(for: other)
        }
        _ = try log.erase(.tags([Tag("person", "ada")]), catalogue: catalogue)
        #expect(try log.receipt(for: same)?.isRepeated == true)
        // The request cannot be told any more, and no guess at it can be held to the digest.
        #expect(try log.receipt(for: other)?.isRepeated == true)
        #expect(try log.commits.ofKey("needle-key-3")?.first == Position(3))
    }

    enum Damage: String, CaseIterable {
        case zeroedSlot, changedSlot, removedText, textMarkedErased, personMarkedErased
        case otherTextCount, removedDigest, lostPerson, slotNotOverwritten, givenSlots

        var rule: String {
            switch self {
            case .zeroedSlot, .removedText, .textMarkedErased, .personMarkedErased,
                .slotNotOverwritten:
                "erasure"
            case .changedSlot, .givenSlots: "vault"
            case .otherTextCount, .removedDigest, .lostPerson: "person"
            }
        }
    }

    @Test("A row that names slot 0 has no key, since slots are numbered from 1")
    func slotZero() throws {
        let log = try open()
        try fill(log, 1...3)
        let transaction = try log.file.beginReading()
        #expect(try transaction.presentSlot(0, in: log.file.tables.vault) == nil)
    }

    @Test("Verify finds what an erasure on record does not explain", arguments: Damage.allCases)
    func unexplained(_ damage: Damage) throws {
        let log = try open()
        try fill(log, 1...9)
        _ = try log.erase(.position(Position(1)), catalogue: catalogue)
        try expectSound(log, erased: 1)
        let (number, row) = try person("person:ada", log)
        let tables = log.file.tables
        let rowKey = PersonalRow.key(3, 0)
        let (block, range) = (Vault.block(of: row.slot), Vault.range(of: row.slot))
        var changed = row
        var transaction = try log.file.beginWriting()
        switch damage {
        case .zeroedSlot: try transaction.zero(range, ofRow: block, in: tables.vault)
        case .changedSlot, .slotNotOverwritten:
            var bytes = try #require(
                try transaction.bytes(for: block, in: tables.vault.table)?.copied())
            if damage == .changedSlot {
                bytes[range.lowerBound] ^= 1
            } else {
                bytes = Vault.newBlock(block, in: tables.vault)
            }
            let key = block.bytes
            try transaction.putWithoutChecksum(bytes, for: key.rawSpan, in: tables.vault)
        case .removedText: try transaction.remove(rowKey.rawSpan, from: tables.texts)
        case .textMarkedErased:
            try transaction.put(TextRow.erased.bytes, for: rowKey.rawSpan, in: tables.texts)
        case .personMarkedErased:
            changed.erase()
            try transaction.put(changed.bytes, for: UInt64(number), in: tables.people)
        case .otherTextCount:
            changed.textCount += 1
            try transaction.put(changed.bytes, for: UInt64(number), in: tables.people)
        case .removedDigest:
            let digest = log.file.digests.person("person:ada")
            try transaction.remove(digest.rawSpan, from: tables.peopleByDigest)
        case .lostPerson:
            let key = UInt64(number).bytes
            try transaction.remove(key.rawSpan, from: tables.people)
        case .givenSlots:
            let key = Meta.slots
            try transaction.put(UInt32(900).bytes, for: key.rawSpan, in: tables.meta)
        }
        try transaction.commit()
        let result = try log.verify(against: catalogue)
        #expect(result.findings.contains { $0.rule == damage.rule }, "\(result.findings)")
        if damage == .zeroedSlot {
            let error = LogError.damaged(table: "texts", row: PersonalRow.key(3, 0), .keyGone)
            #expect(throws: error) { try text(log, 3) }
        }
    }

    @Test("A commit whose actor's key is overwritten without an erasure is damage, not missing")
    func actorKeyGone() throws {
        let log = try open()
        try fill(log, 1...9)
        let slot = try person("actor:lee needle-actor-lee", log).row.slot
        let transaction = try log.file.beginWriting()
        try transaction.zero(
            Vault.range(of: slot), ofRow: Vault.block(of: slot), in: log.file.tables.vault)
        try transaction.commit()
        let error = LogError.damaged(table: "vault", .keyGone)
        #expect(throws: error) { try log.commits.at(Position(3)) }
        #expect(throws: error) { try log.commits.ofKey("needle-key-3") }
        // Heads need no people.
        #expect(try log.mismatch(with: log.chainHead()) == nil)
        #expect(try log.chainHead().position == Position(9))
    }

    @Test("No program writes a record of an erasure but the log itself")
    func forged() throws {
        let log = try open()
        var record = TextsErased.blank
        record.position = 1
        #expect(throws: AppendError.self) {
            try log.append(
                AppendRequest([NewEvent(record, occurredAt: .init(microseconds: 0))]))
        }
    }
}

/// A text about whoever its tags name.
struct PeopleNote: EventPayload {
    static let kind: EventKind = "people.noted.v1"

    var names: [String] = []
    var text = PersonalText.blank

    static var blank: Self { Self() }

    init() {}

    init(_ names: [String], _ text: String) {
        self.names = names
        self.text = PersonalText(text)
    }

    var tags: [Daybook.Tag] { names.compactMap { Daybook.Tag($0) } }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("names", &names)
        try field("text", &text)
    }
}

enum PeopleNotes: Area {
    static let name = "people"
    static let events = [EventDescription(PeopleNote.self)]
    static let commands: [CommandDescription] = []
    static let projections: [ProjectionDescription] = []
}
