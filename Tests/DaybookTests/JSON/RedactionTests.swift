import Daybook
import Testing

/// JSON without personal values, written from a record and from a payload's bytes.
@Suite struct RedactionTests {
    private struct Sighting: Record {
        var id = "x/y"
        var latitude: Int64 = 71
        var longitude: Int64?
        var height: PersonalInteger = 73
        var inner = Inner()
        var by: Author? = "kim"
        var erased: Author = .erased
        var note = PersonalText("needle")
        var plain = SealableText.plain("needle")
        var sealed = SealableText("needle")
        var words = FreeText("needle")
        var token = Digest(bits: 1)
        var counts = ["a": Int64(1)]
        var list = [PersonalInteger(74), .erased]

        static var blank: Self { Self() }
        static let places: PlaceFields? = PlaceFields(
            latitude: "latitude", longitude: "longitude", power: 9)

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("id", &id, "latitude", &latitude, "longitude", &longitude)
            try field("height", &height, "inner", &inner, "by", &by, "erased", &erased)
            try field("note", &note, "plain", &plain, "sealed", &sealed)
            try field("words", &words)
            try field("token", &token, "counts", &counts, "list", &list)
        }
    }

    /// A record within a place, whose fields have the names of the place's.
    private struct Inner: Record {
        var latitude: Int64 = 5
        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("latitude", &latitude)
        }
    }

    private static let shown =
        #"{"id":"x/y","latitude":71,"longitude":72,"height":73,"inner":{"latitude":5},"#
        + #""by":"kim","erased":null,"note":"needle","plain":"needle","sealed":"needle","words":"needle","#
        + #""token":"sha256:0000000000000001","counts":{"a":1},"list":[74,null]}"#
    private static let hidden =
        #"{"id":"x/y","latitude":null,"longitude":null,"height":null,"inner":{"latitude":5},"#
        + #""by":"redacted","erased":"redacted","note":"redacted","plain":"redacted","#
        + #""sealed":"redacted","words":"redacted","token":"sha256:0000000000000001","#
        + #""counts":{"a":1},"#
        + #""list":[null,null]}"#
    private static let replaced =
        #"{"id":"<x/y>","latitude":null,"longitude":null,"height":null,"inner":{"latitude":5},"#
        + #""by":"<kim>","erased":"redacted","note":"redacted","plain":"redacted","#
        + #""sealed":"redacted","words":"redacted","token":"<sha256:0000000000000001>","counts":{"<a>":1},"#
        + #""list":[null,null]}"#

    private static let rules: [(Redaction?, String)] = [
        (nil, shown), (Redaction(), hidden), (Redaction { "<\($0)>" }, replaced),
    ]

    @Test("Both ways to write JSON hide the same values", arguments: rules)
    func hides(_ redaction: Redaction?, _ json: String) throws {
        var sighting = Sighting()
        sighting.longitude = 72
        var writer = JSONWriter(answer: true, redaction)
        writer.value(sighting)
        #expect(writer.text == json)
        var other = JSONWriter(answer: true, redaction)
        let payload = BinaryWriter.bytes(sighting)
        try unsafe PayloadLayout(of: Sighting.self)
            .write(payload.contents.bytes, { _ in "needle" }, to: &other)
        #expect(other.text == json)
    }

    /// A place to which an elevation was added later.
    private struct Spot: Record {
        var latitude: Int64 = 71
        var longitude: Int64 = 72
        var elevation: Int64?
        var name: String?

        static var blank: Self { Self() }
        static let places: PlaceFields? = PlaceFields(
            latitude: "latitude", longitude: "longitude", power: 9, elevation: "elevation")

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("latitude", &latitude, "longitude", &longitude)
            try field.addedField("elevation", &elevation)
            try field.addedField("name", &name)
        }
    }

    @Test(
        "A part of a location that was added later is hidden, in payloads with and without it",
        arguments: [
            (nil, nil, #"null,"name":null}"#), (73, nil, #"null,"name":null}"#),
            (nil, "n", #"null,"name":"n"}"#), (73, "n", #"null,"name":"n"}"#),
        ] as [(Int64?, String?, String)])
    func addedPlace(_ elevation: Int64?, _ name: String?, _ end: String) throws {
        var spot = Spot()
        (spot.elevation, spot.name) = (elevation, name)
        var writer = JSONWriter(answer: true, Redaction())
        let payload = BinaryWriter.bytes(spot)
        try unsafe PayloadLayout(of: Spot.self)
            .write(payload.contents.bytes, { _ in nil }, to: &writer)
        #expect(
            writer.text == #"{"latitude":null,"longitude":null,"elevation":"# + end)
    }
}
