import Daybook
import Testing

/// Events of commands are held to what comes in, and records of what was before are not.
@Suite("Limits of what commands make") struct DecidedLimitTests {
    enum Tank: Projection {
        enum Event: DecidedEvents {
            case filled(Filled)
            static let kinds = [StoredKind(filled)]
        }

        struct Level: Record {
            var litres: Int64 = 0
            static var blank: Self { Self() }
            mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("litres", &litres, .values(0...100))
            }
        }

        struct Filled: EventPayload {
            static let kind: EventKind = "tank.filled.v1"
            var tank = ""
            var level = Level()
            var prior = Level()
            var note: PersonalText?
            static var blank: Self { Self() }
            var tags: [Daybook.Tag] { [Daybook.Tag("tank", tank)] }
            mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("tank", &tank, "level", &level)
                try field("prior", &prior, .history)
                try field("note", &note, .bytes(3))
            }
        }

        struct Fill: Command {
            typealias Model = Tank
            static let name = "tank.fill"
            var tank = "t"
            var litres: Int64 = 0
            var before: Int64 = 0
            var note = ""
            static var blank: Self { Self() }
            mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("tank", &tank, "litres", &litres, "before", &before, "note", &note)
            }
            var query: Query { events(of: Daybook.Tag("tank", tank)) }
            func decide(_ state: Level, now: Instant) throws(Refusal) -> [Event] {
                [
                    .filled(
                        Filled(
                            tank: tank, level: Level(litres: litres),
                            prior: Level(litres: before), note: PersonalText(note)))
                ]
            }
        }

        static func evolve(_ state: inout Level, with event: Event, _ envelope: Envelope) {}
    }

    private static func outcome(_ command: Tank.Fill) -> Outcome {
        PendingCommand(command, context: CommandContext(now: .epoch)).outcome()
    }

    @Test("A value beyond the limit of its field is refused by field, value and limit")
    func refused() {
        #expect(
            Self.outcome(Tank.Fill(litres: 101))
                == .refused(
                    Refusal(
                        "outOfLimit",
                        "the event tank.filled.v1 has a value outside its limits: field "
                            + "'level.litres': expected 0 to 100, found 101")))
    }

    @Test("A personal text, which is not in the payload's bytes, is held to its limit")
    func personal() {
        guard case .events = Self.outcome(Tank.Fill(note: "dry")) else {
            Issue.record("refused")
            return
        }
        #expect(
            Self.outcome(Tank.Fill(note: "full"))
                == .refused(
                    Refusal(
                        "outOfLimit",
                        "the event tank.filled.v1 has a value outside its limits: field "
                            + "'note': expected at most 3 bytes, found 4 bytes")))
    }

    @Test("A record of what was before may lie beyond the limits")
    func history() throws {
        guard case .events(let events) = Self.outcome(Tank.Fill(litres: 100, before: 5_000)) else {
            Issue.record("refused")
            return
        }
        #expect(events.count == 1)
        #expect(Tank.Filled(level: .blank, prior: Tank.Level(litres: 5_000)).outOfLimits.isEmpty)
    }

    @Test(
        "An id that makes no tag is refused",
        arguments: ["", "a\u{0}", String(repeating: "x", count: 300)])
    func tags(_ id: String) {
        guard case .refused(let refusal) = Self.outcome(Tank.Fill(tank: id)) else {
            Issue.record("accepted")
            return
        }
        #expect(refusal.code == "invalidTag")
    }
}
