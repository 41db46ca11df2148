import Daybook
import Testing

/// The forms of fields that answers have beside those of events and states.
@Suite struct AnswerFormTests {
    private struct Found: Record {
        var position = Position.origin
        var at = Instant.epoch
        var note: String?
        var author: String??
        var value = JSONText.blank
        var inner: [Found]?

        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("position", &position, "at", &at)
            try field.optionalField("note", &note)
            try field.optionalField("author", &author)
            try field("value", &value)
            try field.optionalField("inner", &inner)
        }
    }

    @Test("A field is left out or null, a position is a number, and JSON stays as it is")
    func json() {
        #expect(
            JSONWriter.answer(Found())
                == #"{"position":0,"at":"1970-01-01T00:00:00Z","value":null}"#)
        let found = Found(
            position: Position(7), note: "n", author: .some(nil), value: JSONText(#"{"a":[1]}"#),
            inner: [])
        #expect(
            JSONWriter.text(found) == """
                {"position":7,"at":0,"note":"n","author":null,"value":{"a":[1]},"inner":[]}
                """)
    }

    @Test("The schema names these forms, and lists a record within itself once")
    func schema() {
        let fields = FieldDescription.fields(of: Found.self, isInput: false)
        let forms = [
            "position: position", "at: integer", "note: text?", "author: text?", "value: value",
            "inner: [object]?",
        ]
        #expect(fields.map { "\($0.name): \($0.form)" } == forms)
        #expect(fields.last?.fields == [])
    }

    @Test("Input and the binary form have these fields like any others")
    func otherForms() throws {
        let found = Found(position: Position(7), note: "n", value: JSONText("1"))
        let bytes = BinaryWriter.bytes(found)
        #expect(try BinaryReader.read(Found.self, from: bytes) == found)
        let tree = try JSONParser.parse(#"{"position": 7, "at": 0, "value": "1"}"#.utf8)
        let rules = InputRules(digest: { _ in 0 }, normalise: { $0 })
        let read = try TreeReader.read(Found.self, from: tree, rules: rules)
        #expect(read == Found(position: Position(7), value: JSONText("1")))
    }
}
