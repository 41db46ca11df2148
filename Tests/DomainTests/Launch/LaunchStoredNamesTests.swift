import Domain
import EventSourcing
import Testing

@Suite struct LaunchStoredNamesTests {
    /// What stands in logs: a change here needs a new version of the kind.
    static let stored = """
        """

    @Test func keepsItsStoredNames() {
        let actual = Launch.events.map { event in
            event.kind.name + "\n" + Self.lines(event.fields, "  ")
        }
        #expect(actual.joined() == Self.stored + "\n")
    }

    @Test func keepsItsTags() {
        var config = LaunchTests.fetched(Launch.Config())
        config.configDigest = Digest(bits: 0xAB)
        #expect(LaunchTests.launched.tags.map(\.text) == ["launch:l1", "device:d1"])
        #expect(
            config.tags.map(\.text)
                == ["launch:l1", "config:sha256:00000000000000ab", "device:d1"])
        #expect(LaunchTests.failed.tags.map(\.text) == ["launch:l1"])
        #expect(
            LaunchTests.forced.tags.map(\.text)
                == ["launch:l1", "version:1.0.0", "device:d1"])
        #expect(LaunchTests.skipped().tags.map(\.text) == ["launch:l1", "device:d1"])
        #expect(
            LaunchTests.noticeShown.tags.map(\.text)
                == ["launch:l1", "notice:sha256:0000000000000007"])
    }

    @Test func readsBackWhatItWrites() throws {
        let config = Sample.config(
            min: "1", maintenance: "m", force: "2", optional: "3", blacklist: ["4"],
            notice: Sample.notice())
        let payloads: [any EventPayload] = [
            LaunchTests.launched, LaunchTests.fetched(config), LaunchTests.failed,
            LaunchTests.optional, LaunchTests.promptShown, LaunchTests.skipped(),
            LaunchTests.noticeShown, LaunchTests.dismissed(true), LaunchTests.terminated,
        ]
        for payload in payloads { try Self.check(payload) }
    }

    private static func check<Payload: EventPayload>(_ payload: Payload) throws {
        let event = NewEvent(payload, occurredAt: Sample.now)
        let description = try #require(Launch.events.first { $0.kind == event.kind })
        let json = JSONWriter.text(payload)
        let again = try description.read(JSONParser.parse(json.utf8), "", Sample.input)
        #expect(again.payload == event.payload)
        #expect(try description.rewritten(event.payload.span.bytes) == event.payload)
    }

    private static func lines(_ fields: [FieldDescription], _ indent: String) -> String {
        fields.map { field in
            "\(indent)\(field.name): \(field.form)\n" + lines(field.fields, indent + "  ")
        }.joined()
    }
}
