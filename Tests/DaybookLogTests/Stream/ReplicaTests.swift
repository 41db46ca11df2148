import Daybook
import DaybookCryptography
import DaybookLMDB
import Foundation
import TestSupport
import Testing

@testable import DaybookLog

/// A log with texts, names and places, its segments, and replicas of it.
struct ShippedLog {
    let folder: TemporaryFolder
    let catalogue: Catalogue
    var log: EventLog

    static let people: PersonNouns = ["person": "person", "user": "user"]

    init() throws {
        folder = try TemporaryFolder()
        catalogue = try Catalogue([PeopleNotes.self, Strolls.self])
        log = try EventLog(path: folder.path("log"), access: .create, people: Self.people)
    }

    func path(_ name: String) -> String { folder.path(name) }

    /// Appends a text about one of four people, or a walk with places and a name.
    func append(_ number: Int64) throws {
        let actor = number % 3 == 0 ? "" : "kim \(number % 2)"
        let metadata = CommitMetadata(actor: actor)
        let time = Instant(microseconds: number)
        let events: [NewEvent] =
            number % 4 == 3
            ? [
                NewEvent(
                    Stroll(
                        "w\(number % 8)", by: Author("lee"), user: "ada", [number << 20, -7],
                        title: "walk-needle-\(number)"), occurredAt: time)
            ]
            : (0...number % 3).map {
                NewEvent(
                    PeopleNote(["person:p\(number % 4)"], "text-needle-\(number)-\($0)"),
                    occurredAt: time)
            }
        _ = try log.append(
            AppendRequest(
                events, metadata: metadata,
                idempotency: number % 5 == 0
                    ? nil : .init(key: "key-\(number)", asked: [UInt8(truncatingIfNeeded: number)]))
        )
    }

    @discardableResult
    func ship(_ name: String = "segments", segmentByteCount: Int = 700) throws -> Shipment {
        try ShipmentFolder(log).ship(
            to: path(name), keysTo: path(name + ".keys"), segmentByteCount: segmentByteCount)
    }

    @discardableResult
    func pull(
        _ name: String, from segments: String = "segments", hasKeys: Bool, promotes: Bool = false
    ) throws -> Pulled {
        try Pull.run(
            .folder(path: path(segments)), into: path(name),
            keysFrom: hasKeys ? path(segments + ".keys") : nil, promotes: promotes)
    }

    /// Makes segments from the stored records of each event, in a new folder.
    func shipRecords(_ name: String) throws {
        try? FileManager.default.removeItem(atPath: path(name))
        try FileManager.default.createDirectory(
            atPath: path(name), withIntermediateDirectories: false)
        var writer = try #require(
            RecordSegmentWriter(folder: path(name), logID: log.id, head: try log.chainHead()))
        try StoredRecords.forEach(of: log, keysTo: path(name + ".keys")) { records in
            #expect(records.first == writer.position.next)
            for event in records.ofEvents { try writer.add(event) }
        }
        try writer.finish()
    }

    /// What a reader sees of an event: its payload, its actor and its texts.
    struct Seen: Hashable {
        var kind: EventKind
        var tags: [Daybook.Tag]
        var payload: [UInt8]
        var metadata: CommitMetadata?
        var isActorErased: Bool?
        var keyDigest: [UInt8]?
        var texts: [String?]
    }

    func seen(_ log: EventLog) throws -> [Seen] {
        try log.reader().collect().map { event in
            let commit = try log.commits.at(event.position)
            return Seen(
                kind: event.kind, tags: event.tags, payload: event.payload,
                metadata: commit?.metadata, isActorErased: commit?.isActorErased,
                keyDigest: commit?.keyDigest,
                texts: [try log.people.text(at: event.position, field: 0)])
        }
    }

    /// Checks that a replica has what the log has.
    func expectEqual(
        _ name: String, hasKeys: Bool, _ place: String = "",
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let replica = try EventLog(path: path(name), access: .read, people: Self.people)
        #expect(try replica.chainHead() == log.chainHead(), "\(place)", sourceLocation: location)
        #expect(replica.id == log.id && replica.hasKeys == hasKeys, sourceLocation: location)
        let (found, expected) = (
            try replica.verify(against: catalogue), try log.verify(against: catalogue)
        )
        #expect(expected.isSound, "\(place): \(expected.findings)", sourceLocation: location)
        #expect(found.isSound, "\(place): \(found.findings)", sourceLocation: location)
        #expect(found.erasedTexts == expected.erasedTexts, "\(place)", sourceLocation: location)
        let (here, there) = (try seen(replica), try seen(log))
        if hasKeys {
            #expect(here == there, "\(place)", sourceLocation: location)
            #expect(try replica.file.status() == log.file.status(), sourceLocation: location)
            return
        }
        #expect(here.map(\.kind) == there.map(\.kind), "\(place)", sourceLocation: location)
        for (here, there) in zip(here, there) {
            let isErased = there.texts == [nil]
            #expect(
                here.texts == [isErased ? nil : "not here"], "\(place)", sourceLocation: location)
        }
    }
}

/// Replicas that are made from segments.
@Suite("Replicas") struct ReplicaTests {
    @Test("Each new part of a log arrives once, in a replica with keys and in one without")
    func steps() throws {
        let shipped = try ShippedLog()
        var count: Int64 = 0
        for step in [1, 0, 7, 40, 1] as [Int64] {
            for number in count..<count + step { try shipped.append(number) }
            count += step
            let head = try shipped.log.head()
            let shipment = try shipped.ship()
            #expect(shipment.head == (try shipped.log.chainHead()))
            for (name, hasKeys) in [("with", true), ("without", false)] {
                let pulled = try shipped.pull(name, hasKeys: hasKeys)
                #expect(pulled.head.position == head && pulled.eventCount == shipment.eventCount)
                #expect(try shipped.pull(name, hasKeys: hasKeys).eventCount == 0)
                try shipped.expectEqual(name, hasKeys: hasKeys, "step \(step)")
            }
        }
    }

    @Test("An empty log ships its id, and its replica follows it from there")
    func empty() throws {
        let shipped = try ShippedLog()
        #expect(try shipped.ship().segmentCount == 1)
        #expect(try shipped.pull("replica", hasKeys: false).head == .origin)
        try shipped.append(1)
        try shipped.ship()
        #expect(try shipped.pull("replica", hasKeys: false).eventCount == 2)
        try shipped.expectEqual("replica", hasKeys: false)
    }

    @Test(
        "After any history of appends and erasures, replicas of any segments answer as the log does",
        arguments: 1...12 as ClosedRange<UInt64>)
    func randomHistories(seed: UInt64) throws {
        let shipped = try ShippedLog()
        var random = SeededGenerator(seed: seed)
        var count: Int64 = 0
        for _ in 0..<40 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0:
                _ = try shipped.log.erase(
                    .tags([Tag("person", "p\(Int.random(in: 0..<4, using: &random))")]),
                    catalogue: shipped.catalogue)
            case 1 where try shipped.log.head() > .origin:
                let last = try shipped.log.head().rawValue
                _ = try shipped.log.erase(
                    .position(Position(UInt64.random(in: 1...last, using: &random))),
                    reason: "reason-needle", catalogue: shipped.catalogue)
            case 2: _ = try shipped.log.erase(.actor("kim 1"), catalogue: shipped.catalogue)
            case 3, 4:
                try shipped.ship(segmentByteCount: Int.random(in: 100...9_000, using: &random))
            case 5: if count > 0 { try pullIfShipped("with", hasKeys: true, shipped) }
            case 6: if count > 0 { try pullIfShipped("without", hasKeys: false, shipped) }
            case 7 where count > 0:
                try shipped.shipRecords("records")
                for (name, hasKeys) in [("with-records", true), ("without-records", false)] {
                    try shipped.pull(name, from: "records", hasKeys: hasKeys)
                    try shipped.expectEqual(name, hasKeys: hasKeys, "seed \(seed), \(count)")
                }
            default:
                for _ in 0..<Int.random(in: 1...6, using: &random) {
                    try shipped.append(count)
                    count += 1
                }
            }
        }
        try shipped.append(count)
        try shipped.ship()
        try shipped.ship("afresh")
        try shipped.shipRecords("records")
        for (name, hasKeys) in [("with", true), ("without", false)] {
            for (source, replica) in [
                ("segments", name), ("segments", name + "-new"), ("afresh", name + "-afresh"),
                // The segments of the first folder again are all known.
                ("afresh", name), ("segments", name + "-afresh"),
                ("records", name + "-records"), ("records", name + "-new"),
            ] {
                try shipped.pull(replica, from: source, hasKeys: hasKeys)
                try shipped.expectEqual(
                    replica, hasKeys: hasKeys, "seed \(seed), \(replica) from \(source)")
            }
        }
        // A replica without keys gets them later.
        try shipped.pull("without", hasKeys: true)
        try shipped.expectEqual("without", hasKeys: true, "seed \(seed)")
    }

    /// Pulls what is in the folder, unless nothing was shipped yet.
    private func pullIfShipped(
        _ name: String, hasKeys: Bool, _ shipped: ShippedLog
    ) throws {
        guard FileManager.default.fileExists(atPath: shipped.path("segments")) else { return }
        try shipped.pull(name, hasKeys: hasKeys)
    }

    @Test("Segments hold no text, name, place, key or secret, in clear or in part")
    func secrecy() throws {
        let shipped = try ShippedLog()
        for number in 0..<30 as Range<Int64> { try shipped.append(number) }
        try shipped.ship()
        let keys = try ReplicaKeys(
            decoding: Array(Data(contentsOf: URL(filePath: shipped.path("segments.keys")))),
            path: "keys")
        #expect(keys.secret == shipped.log.file.secret)
        let mode = try FileManager.default.attributesOfItem(
            atPath: shipped.path("segments.keys"))[.posixPermissions]
        #expect(mode as? Int == 0o600)
        var needles: [[UInt8]] = ["needle", "kim", "lee", "key-"].map { Array($0.utf8) }
        needles.append(keys.secret)
        for slot in 1...keys.slotCount {
            let range = Vault.range(of: slot)
            needles.append(Array(keys.blocks[0][range].prefix(32)))
        }
        let folder = try SegmentFolder(shipped.path("segments"))
        #expect(folder.names.count > 5)
        for name in folder.names {
            let bytes = try Data(contentsOf: URL(filePath: folder.path(of: name)))
            for needle in needles {
                #expect(bytes.range(of: Data(needle)) == nil, "\(name)")
            }
        }
        try shipped.pull("replica", hasKeys: false)
        let replica = try Data(contentsOf: URL(filePath: shipped.path("replica")))
        for needle in needles { #expect(replica.range(of: Data(needle)) == nil) }
    }

    @Test("An erased key is overwritten in a replica with keys")
    func erasedKey() throws {
        let shipped = try ShippedLog()
        for number in 0..<12 as Range<Int64> { try shipped.append(number) }
        try shipped.ship()
        try shipped.pull("replica", hasKeys: true)
        let keys = try ReplicaKeys(
            decoding: Array(Data(contentsOf: URL(filePath: shipped.path("segments.keys")))),
            path: "keys")
        _ = try shipped.log.erase(.tags([Tag("person", "p1")]), catalogue: shipped.catalogue)
        try shipped.ship()
        try shipped.pull("replica", hasKeys: true)
        let replica = try Data(contentsOf: URL(filePath: shipped.path("replica")))
        let later = try ReplicaKeys(
            decoding: Array(Data(contentsOf: URL(filePath: shipped.path("segments.keys")))),
            path: "keys")
        var erased = 0
        for slot in 1...keys.slotCount {
            let range = Vault.range(of: slot)
            guard later.blocks[0][range].allSatisfy({ $0 == 0 }) else { continue }
            erased += 1
            #expect(replica.range(of: Data(keys.blocks[0][range].prefix(32))) == nil)
        }
        #expect(erased == 1)
    }

    @Test("Slots that are reserved for people without a commit do not disturb a replica")
    func reservedSlots() throws {
        let shipped = try ShippedLog()
        try PeopleRegistration(file: shipped.log.file).register(["nobody"])
        for step in 0..<3 as Range<Int64> {
            for records in [false, true] {
                try records ? shipped.shipRecords("records") : { try shipped.ship() }()
                let name = records ? "with-records" : "with"
                if !records || step > 0 {
                    try shipped.pull(name, from: records ? "records" : "segments", hasKeys: true)
                    try shipped.expectEqual(name, hasKeys: true, "step \(step), \(records)")
                }
            }
            // As an append that fails afterwards.
            if step == 1 {
                try PeopleRegistration(file: shipped.log.file).register(["one", "two"])
            }
            if step != 1 { try shipped.append(step) }
        }
        try shipped.pull("with", hasKeys: true, promotes: true)
        let moved = try EventLog(
            path: shipped.path("with"), access: .write, people: ShippedLog.people)
        _ = try moved.append(
            AppendRequest(
                [
                    NewEvent(
                        PeopleNote(["person:new"], "more"), occurredAt: Instant(microseconds: 1))
                ]))
        #expect(try moved.verify(against: shipped.catalogue).isSound)
    }

    @Test("A replica takes no appends and erases nothing, until it is promoted")
    func promotion() throws {
        let shipped = try ShippedLog()
        for number in 0..<9 as Range<Int64> { try shipped.append(number) }
        try shipped.ship()
        try shipped.pull("replica", hasKeys: true)
        let note = NewEvent(
            PeopleNote(["person:p0"], "more"), occurredAt: Instant(microseconds: 1))
        do {
            let replica = try EventLog(path: shipped.path("replica"), access: .write)
            let expected = LogError.replica(path: replica.path)
            #expect(throws: AppendError.log(expected)) {
                try replica.append(AppendRequest([note]))
            }
            #expect(throws: AppendError.log(expected)) {
                try replica.erase(.actor("kim 1"), catalogue: shipped.catalogue)
            }
        }
        try shipped.pull("replica", hasKeys: true, promotes: true)
        let moved = try EventLog(
            path: shipped.path("replica"), access: .write, people: ShippedLog.people)
        #expect(!moved.isReplica)
        let again = AppendRequest(
            [note], idempotency: .init(key: "key-1", asked: [1]))
        #expect(try moved.append(again)?.isRepeated == true)
        _ = try moved.append(AppendRequest([note]))
        _ = try moved.erase(.tags([Tag("person", "p0")]), catalogue: shipped.catalogue)
        #expect(try moved.verify(against: shipped.catalogue).isSound)
    }

    @Test("States with names or places are refused without keys, and others are answered")
    func refusedStates() throws {
        let shipped = try ShippedLog()
        for number in 0..<9 as Range<Int64> { try shipped.append(number) }
        try shipped.ship()
        try shipped.pull("replica", hasKeys: false)
        let replica = try EventLog(path: shipped.path("replica"), access: .read)
        let projection = try #require(shipped.catalogue.projections["last-place"])
        #expect(
            throws: LogError.keysNotHere(
                path: replica.path, need: "states of 'last-place' hold")
        ) {
            try EntityReader(replica, shipped.catalogue).walk(of: projection, "w3")
        }
    }
}
