import Daybook
import TestSupport
import Testing

@testable import DaybookModel

// Holds: s4-date-scope, s4-no-scope
/// The records that a question to the AI is about.
@Suite("Scopes of questions") struct ScopeTests {
    private static func moment(_ text: String) throws -> Instant {
        try #require(Timestamp.parse(text)).instant
    }

    private static func zone(_ offset: String) throws -> Zone {
        try #require(Zone(fixedOffset: offset))
    }

    /// Friday evening in Seoul, Friday morning in New York.
    private static let now = "2026-02-20T11:00:00Z"

    private static func scope(
        _ mode: String?, _ anchor: String? = nil, in offset: String = "+09:00",
        _ rules: Rules = .standard
    ) throws -> Chat.Scope {
        try Chat.Scope(mode, anchor, try zone(offset), try moment(now), rules)
    }

    @Test(
        "Each word of the app means its stretch, in any case",
        arguments: [
            ("day", .day), ("daily", .day), ("date", .day), ("today", .day), ("d", .day),
            ("week", .week), ("weekly", .week), ("w", .week), ("month", .month),
            ("monthly", .month), ("m", .month), (" Weekly ", .week), ("", .last72h),
        ] as [(String, Chat.ScopeKind)])
    func words(_ word: String, _ kind: Chat.ScopeKind) throws {
        try expect(Self.scope(word).kind, equals: kind)
        try expect(Self.scope(word, nil, in: "+09:00", .source).kind, equals: kind)
    }

    @Test("Another word is refused; the source takes it for none")
    func unknownWord() throws {
        let refusal = #expect(throws: Refusal.self) { try Self.scope("year") }
        expect(refusal?.code, equals: "unknownScope")
        try expect(Self.scope("year", nil, in: "+09:00", .source).kind, equals: .last72h)
    }

    @Test("Without a word the last 72 hours count, to the second, and as they are")
    func last72h() throws {
        let scope = try Self.scope(nil, "2026-02-01")
        let expected = [try Self.moment("2026-02-17T11:00:00Z"), try Self.moment(Self.now)]
        expect([scope.from, scope.until], equals: expected)
        #expect(scope.form == .raw && scope.firstDay == nil)
    }

    @Test(
        "An anchor is a day of the zone, and a week begins on its Monday",
        arguments: [
            ("day", nil, "+09:00", "2026-02-19T15:00:00Z", "2026-02-20T15:00:00Z"),
            ("day", nil, "-05:00", "2026-02-20T05:00:00Z", "2026-02-21T05:00:00Z"),
            ("day", "2026-02-19", "+09:00", "2026-02-18T15:00:00Z", "2026-02-19T15:00:00Z"),
            ("day", "2026-02-19", "-05:00", "2026-02-19T05:00:00Z", "2026-02-20T05:00:00Z"),
            ("week", nil, "+09:00", "2026-02-15T15:00:00Z", "2026-02-22T15:00:00Z"),
            ("week", "2026-02-22", "+09:00", "2026-02-15T15:00:00Z", "2026-02-22T15:00:00Z"),
            ("week", "2026-02-23", "-05:00", "2026-02-23T05:00:00Z", "2026-03-02T05:00:00Z"),
            ("month", "2026-02-01", "-05:00", "2026-02-01T05:00:00Z", "2026-03-01T05:00:00Z"),
            ("month", "2025-12-31", "+09:00", "2025-11-30T15:00:00Z", "2025-12-31T15:00:00Z"),
        ] as [(String, String?, String, String, String)])
    func bounds(
        _ mode: String, _ anchor: String?, _ offset: String, _ from: String, _ until: String
    ) throws {
        let scope = try Self.scope(mode, anchor, in: offset)
        let expected = [try Self.moment(from), try Self.moment(until)]
        expect([scope.from, scope.until], equals: expected)
        expect(scope.zone, equals: offset)
    }

    @Test(
        "The source reads an anchor as midnight of UTC: the day before where clocks are behind",
        arguments: [
            ("day", "2026-02-19", "-05:00", "2026-02-18"),
            ("day", "2026-02-19", "+09:00", "2026-02-19"),
            ("day", "2026-02-19", "Z", "2026-02-19"),
            ("week", "2026-02-16", "-05:00", "2026-02-09"),
            ("month", "2026-02-01", "-10:00", "2026-01-01"),
        ])
    func sourceAnchors(_ mode: String, _ anchor: String, _ offset: String, _ first: String) throws {
        try expect(Self.scope(mode, anchor, in: offset, .source).firstDay, equals: first)
    }

    @Test(
        "A day that is partly older than 72 hours is given as a summary, weeks and months always",
        arguments: [
            ("day", "2026-02-20", .raw), ("day", "2026-02-19", .raw), ("day", "2026-02-18", .raw),
            // Begins at 15:00 UTC on the 16th, four hours before the oldest raw record.
            ("day", "2026-02-17", .summary), ("day", "2025-02-17", .summary),
            ("day", "2026-02-25", .raw), ("week", "2026-02-20", .summary),
            ("month", "2026-02-20", .summary),
        ] as [(String, String, Chat.ScopeForm)])
    func forms(_ mode: String, _ anchor: String, _ form: Chat.ScopeForm) throws {
        try expect(Self.scope(mode, anchor).form, equals: form)
    }

    @Test("A day that begins exactly 72 hours ago is raw")
    func edge() throws {
        let now = try Self.moment("2026-02-20T15:00:00Z")
        let zone = try Self.zone("+09:00")
        try expect(Chat.Scope("day", "2026-02-18", zone, now, .standard).form, equals: .raw)
        let later = now.advanced(byMicroseconds: 1)
        try expect(Chat.Scope("day", "2026-02-18", zone, later, .standard).form, equals: .summary)
    }

    @Test("An anchor that is no date is refused", arguments: ["yesterday", "2026-02-30", "19.2."])
    func unreadable(_ anchor: String) throws {
        let refusal = #expect(throws: Refusal.self) { try Self.scope("day", anchor) }
        expect(refusal?.code, equals: "unreadableDate")
    }
}
