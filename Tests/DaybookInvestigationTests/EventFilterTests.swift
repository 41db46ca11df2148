import Daybook
import DaybookInvestigation
import DaybookLog
import Foundation
import TestSupport
import Testing

@Suite("Filters of events") struct EventFilterTests {
    /// Nine events, of which the first is of the older version of its kind.
    private func mail() throws -> MailLog {
        let mail = try MailLog()
        var old = Mail.SentInGrams()
        (old.grams, old.receiver) = (2, "ada")
        let sent = Mail.Sent { sent in
            (sent.milligrams, sent.receiver, sent.size) = (5_000, "bob", .large)
            (sent.stamps, sent.isUrgent) = (["rose", "oak"], true)
            sent.by = "kim"
            sent.note = PersonalText("Caf\u{E9} Stra\u{DF}e")
        }
        let called = Mail.Called { called in
            (called.receiver, called.minutes, called.device) = ("ada", 3, "d1")
            (called.line.number, called.line.startedUs) = ("555", 1_000_000)
        }
        try mail.append([old], by: "lee")
        try mail.append([sent, called, called], by: "lee", on: "d2")
        try mail.append([called], by: "kim")
        var long = called
        (long.minutes, long.device) = (9, nil)
        try mail.append([long], by: "mia")
        var other = sent
        (other.by, other.receiver, other.marks) = (nil, "eve", ["color": "\u{C5}ngstr\u{F6}m"])
        other.note = PersonalText("to be erased")
        try mail.append([other])
        _ = try mail.log.erase(.actor("mia"), catalogue: mail.catalogue)
        return mail
    }

    @Test(
        "An expression selects the events of the kinds that have its fields",
        arguments: [
            ("milligrams >= 5000", [2, 7]), ("milligrams == 2000", [1]),
            ("receiver == \"ada\"", [1, 3, 4, 5, 6]), ("size == large", [2, 7]),
            ("size == small", [1]), ("size != large", [1]),
            ("minutes > 3", [6]), ("line.number == '555' && minutes < 9", [3, 4, 5]),
            ("line.startedUs >= 1970-01-01T00:00:01Z", [3, 4, 5, 6]),
            ("line.startedUs > 1970-01-01T00:00:01Z", []),
            ("device == null", [6]), ("isUrgent", [2, 7]), ("!isUrgent", [1]),
            ("stamps.count == 2", [2, 7]), ("stamps[1] == 'oak'", [2, 7]),
            ("marks.color == '\u{C5}ngstr\u{F6}m'", [7]), ("marks.count > 0", [7]),
            ("by == 'kim'", [2]), ("note == 'Caf\u{E9} Stra\u{DF}e'", [2]),
            ("mail.called.minutes == 9", [6]), ("receiver == 'bob' || receiver == 'eve'", [2, 7]),
        ] as [(String, [UInt64])])
    func expressions(_ expression: String, _ wanted: [UInt64]) throws {
        let mail = try mail()
        var filter = EventFilter()
        try filter.require(expression, describedBy: mail.catalogue)
        try expect(mail.positions(filter), equals: wanted)
        try expect(mail.positions(filter, ReadWindow(.descending)), equals: wanted.reversed())
    }

    @Test(
        "An expression that fits no kind is an error about the kind that it fits best",
        arguments: [
            (
                "miligrams > 1",
                "column 1: no kind of event has a field 'miligrams'; did you mean 'milligrams'?"
            ),
            (
                "line.nummer == '5'",
                "column 1: no kind of event has a field 'line.nummer'; did you mean 'line.number'?"
            ),
            (
                "milligrams > 1 && minutes > 1",
                "column 19: no kind of event has 'minutes' together with the other fields"
            ),
            ("size == lrge", "column 9: expected one of small, large, found 'lrge'"),
            ("minutes > 'x'", "column 11: expected integer, found text"),
            ("minutes >", "column 10: expected a field, found the end of the expression"),
            ("zzzzzzz == 1", "column 1: no kind of event has a field 'zzzzzzz'."),
        ])
    func errors(_ expression: String, _ message: String) throws {
        let catalogue = try Catalogue([Mail.self])
        var filter = EventFilter()
        let error = #expect(throws: ExpressionError.self) {
            try filter.require(expression, describedBy: catalogue)
        }
        expect(error.map { "\($0)" }, equals: message)
        filter.kinds = ["mail.sent.v2"]
        let own = #expect(throws: ExpressionError.self) {
            try filter.require("minutes > 1", describedBy: catalogue)
        }
        #expect("\(own.map { "\($0)" } ?? "")".contains("mail.sent has no field 'minutes'"))
    }

    @Test(
        "Actors are those of commits and authors, and no name is that of an erased one",
        arguments: [
            ("kim", [2, 5]), ("lee", [1, 2, 3, 4]), ("mia", []), ("", [7]), ("erased", []),
            ("not here", []),
        ] as [(String, [UInt64])])
    func actors(_ actor: String, _ wanted: [UInt64]) throws {
        let mail = try mail()
        var filter = EventFilter()
        filter.actor = actor
        // The erasure is an event without an actor.
        try expect(mail.positions(filter, ReadWindow(through: Position(7))), equals: wanted)
    }

    @Test(
        "Devices are those of commits, fields and tags",
        arguments: [("d1", [3, 4, 5]), ("d2", [2, 3, 4]), ("long", [6]), ("d", [])]
            as [(String, [UInt64])])
    func devices(_ device: String, _ wanted: [UInt64]) throws {
        let mail = try mail()
        var filter = EventFilter()
        filter.device = device
        try expect(mail.positions(filter), equals: wanted)
    }

    @Test(
        "A text is found in any case and normal form, and not once it is erased",
        arguments: [
            ("ADA", [1, 3, 4, 5, 6]), ("kim", [2]), ("cafe\u{301}", [2]),
            ("CAF\u{C9} STRASSE", [2]),
            ("caf\u{E9} stra\u{DF}e", [2]), ("cafe", []), ("\u{212B}NGSTRO\u{308}M", [7]),
            ("LARGE", [2, 7]), ("color", [7]), ("oak", [2, 7]), ("milligrams", []), ("5000", []),
            ("55", [3, 4, 5, 6]), ("be erased", [7]), ("x", []),
        ] as [(String, [UInt64])])
    func texts(_ text: String, _ wanted: [UInt64]) throws {
        let mail = try mail()
        var filter = EventFilter()
        filter.text = text
        let window = ReadWindow(through: Position(7))
        try expect(mail.positions(filter, window), equals: wanted)
        let erasure = try mail.log.erase(.position(Position(7)), catalogue: mail.catalogue)
        #expect(erasure.texts == 1)
        let left = text == "be erased" ? [] : wanted
        try expect(mail.positions(filter, window), equals: left)
    }

    @Test("Kinds and tags narrow a condition, and nothing is read that cannot match")
    func narrowed() throws {
        let mail = try mail()
        var filter = EventFilter(Query(Query.Item(tags: [Daybook.Tag("person", "ada")])))
        try filter.require("minutes > 0", describedBy: mail.catalogue)
        try expect(mail.positions(filter), equals: [3, 4, 5, 6])
        filter.kinds = ["mail.sent.v1"]
        try expect(mail.positions(filter), equals: [])
        filter = EventFilter()
        filter.kinds = ["mail.sent.v1"]
        try expect(mail.positions(filter), equals: [1])
        filter.from = Instant(microseconds: 2)
        try expect(mail.positions(filter), equals: [])
    }
}

/// Filters compared with a plain oracle, which looks at every event by hand.
@Suite("Filters of events by chance") struct EventFilterPropertyTests {
    /// An event as a log shows it.
    private struct Shown {
        var position: UInt64
        var kind: EventKind
        var tags: [Daybook.Tag]
        var at: Instant
        var actor: String
        var device: String
        var by: String?
        var ownDevice: String?
        /// Fields that the expressions below use; `nil` for a field that the kind lacks.
        var milligrams: Int64?
        var minutes: Int64?
        var isLarge: Bool?
        var texts: [String]
    }

    private static let words = ["ada", "Bob", "\u{E9}t\u{E9}", "e\u{301}tage", "OAK", "stone oak"]

    private static let expressions: [(text: String, isMet: @Sendable (Shown) -> Bool)] = [
        ("milligrams > 3000", { $0.milligrams.map { $0 > 3_000 } ?? false }),
        (
            "milligrams <= 3000 && size == small",
            { $0.milligrams.map { $0 <= 3_000 } ?? false && $0.isLarge == false }
        ),
        ("minutes == 4 || minutes > 6", { $0.minutes.map { $0 == 4 || $0 > 6 } ?? false }),
        ("size == large", { $0.isLarge == true }),
    ]

    private func mail(_ random: inout SeededGenerator) throws -> MailLog {
        let mail = try MailLog()
        let people = ["ada", "bob", "kim"]
        let word = { (random: inout SeededGenerator) in
            Self.words.randomElement(using: &random) ?? ""
        }
        for _ in 0..<40 {
            let payloads = (0..<Int.random(in: 1...4, using: &random)).map {
                _ -> any EventPayload in
                let receiver = people.randomElement(using: &random) ?? ""
                let number = Int64.random(in: 0...8, using: &random)
                switch Int.random(in: 0...2, using: &random) {
                case 0:
                    return Mail.SentInGrams { ($0.grams, $0.receiver) = (number, receiver) }
                case 1:
                    return Mail.Sent { sent in
                        (sent.milligrams, sent.receiver) = (number * 1_000, receiver)
                        if Bool.random(using: &random) { sent.size = .large }
                        if Bool.random(using: &random) {
                            sent.by = people.randomElement(using: &random).map { Author($0) }
                        }
                        if Bool.random(using: &random) { sent.note = PersonalText(word(&random)) }
                        sent.stamps = [word(&random)]
                    }
                default:
                    return Mail.Called { called in
                        (called.minutes, called.receiver) = (number, receiver)
                        if Bool.random(using: &random) { called.device = "d1" }
                        called.line.number = word(&random)
                    }
                }
            }
            try mail.append(
                payloads, by: (people + [""]).randomElement(using: &random) ?? "",
                on: ["d1", "d2", ""].randomElement(using: &random) ?? "")
        }
        _ = try mail.log.erase(.actor("bob"), catalogue: mail.catalogue)
        _ = try mail.log.erase(.tags([Daybook.Tag("person", "ada")]), catalogue: mail.catalogue)
        return mail
    }

    private func shown(_ mail: MailLog) throws -> [Shown] {
        var all: [Shown] = []
        try mail.log.reader().forEachInFull { (event, commit, text) throws(LogError) in
            var shown = Shown(
                position: event.position.rawValue, kind: event.kind, tags: event.tags,
                at: event.envelope.occurredAt, actor: commit.metadata.actor,
                device: commit.metadata.device, texts: [])
            if commit.isActorErased { shown.actor = "(erased)" }
            let payload = event.payload
            if let sent = try? BinaryReader.read(Mail.SentInGrams.self, from: payload),
                event.kind == Mail.SentInGrams.kind
            {
                (shown.milligrams, shown.isLarge) = (sent.grams * 1_000, false)
                shown.texts = [sent.receiver, "small"]
            } else if event.kind == Mail.Sent.kind,
                let sent = try? BinaryReader.read(Mail.Sent.self, from: payload)
            {
                (shown.milligrams, shown.isLarge) = (sent.milligrams, sent.size == .large)
                shown.by = sent.by?.name
                shown.texts = [sent.receiver, sent.size.name] + sent.stamps
                shown.texts += [sent.by?.name].compactMap(\.self)
                if sent.note != nil { shown.texts += [try text(0)].compactMap(\.self) }
            } else if event.kind == Mail.Called.kind,
                let called = try? BinaryReader.read(Mail.Called.self, from: payload)
            {
                (shown.minutes, shown.ownDevice) = (called.minutes, called.device)
                shown.texts = [called.receiver, called.line.number, called.device ?? ""]
            } else {
                return true
            }
            all.append(shown)
            return true
        }
        return all
    }

    @Test(
        "A filter selects the events that a look at each of them finds",
        arguments: Cases.sample(0..<70 as Range<UInt64>))
    func oracle(_ round: UInt64) throws {
        var random = SeededGenerator(seed: Cases.seed &+ round)
        let mail = try mail(&random)
        let all = try shown(mail)
        let last = Position(try #require(all.last?.position))
        for _ in 0..<40 {
            var filter = EventFilter()
            var conditions: [(Shown) -> Bool] = []
            if Bool.random(using: &random) {
                let actor = ["ada", "bob", "kim"].randomElement(using: &random) ?? ""
                filter.actor = actor
                conditions.append { $0.actor == actor || $0.by == actor }
            }
            if Bool.random(using: &random) {
                let device = ["d1", "d2", "long"].randomElement(using: &random) ?? ""
                filter.device = device
                conditions.append { event in
                    event.device == device || event.ownDevice == device
                        || event.tags.contains(Daybook.Tag("device", device))
                }
            }
            if Bool.random(using: &random) {
                let text = ["OAK", "\u{C9}T", "b", "e\u{301}"].randomElement(using: &random) ?? ""
                filter.text = text
                let wanted = text.lowercased().precomposedStringWithCanonicalMapping
                conditions.append { event in
                    event.texts.contains { text in
                        Array(text.lowercased().precomposedStringWithCanonicalMapping.utf8)
                            .firstRange(of: Array(wanted.utf8)) != nil
                    }
                }
            }
            if Bool.random(using: &random) {
                let tag = Daybook.Tag("person", ["ada", "kim"].randomElement(using: &random) ?? "")
                filter.query = Query(Query.Item(tags: [tag]))
                conditions.append { $0.tags.contains(tag) }
            }
            if Bool.random(using: &random) {
                filter.kinds = [Mail.Sent.kind, Mail.Called.kind]
                conditions.append { $0.kind != Mail.SentInGrams.kind }
            }
            if Bool.random(using: &random) {
                let from = Instant(microseconds: Int64.random(in: 0...100, using: &random))
                filter.from = from
                conditions.append { $0.at >= from }
            }
            if Bool.random(using: &random),
                let expression = Self.expressions.randomElement(using: &random)
            {
                try filter.require(expression.text, describedBy: mail.catalogue)
                conditions.append(expression.isMet)
            }
            let wanted = all.filter { event in conditions.allSatisfy { $0(event) } }
                .map(\.position)
            let window = ReadWindow(through: last)
            try expect(mail.positions(filter, window), equals: wanted, "\(filter)")
            let newest = try FilteredReader(
                mail.log, filter, ReadWindow(through: last, .descending)
            ).collect(limit: 3)
            expect(newest.map(\.position.rawValue), equals: wanted.reversed().prefix(3).map { $0 })
        }
    }
}
