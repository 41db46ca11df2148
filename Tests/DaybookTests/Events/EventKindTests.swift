import Daybook
import TestSupport
import Testing

@Suite struct EventKindTests {
    @Test(
        "A kind of event has an area, a name and a version of plain characters",
        arguments: [
            ("a.b.v1", true), ("chat.message-sent.v12", true), ("a-1.2.v3", true), ("", false),
            ("a.b", false), ("a.b.v0", false), ("a.b.v01", false), ("a.b.1", false),
            ("a.b.v", false), ("a.b.v1.c", false), ("a..v1", false), (".b.v1", false),
            ("a.b.v1.", false), ("A.b.v1", false), ("a.b.v-1", false), ("a.b c.v1", false),
            ("a.é.v1", false), ("a.b.\u{301}v1", false), ("a.b.v99999999999999999999", false),
            ("a.\(String(repeating: "b", count: 95)).v1", true),
            ("a.\(String(repeating: "b", count: 96)).v1", false),
        ])
    func kinds(_ name: String, _ isValid: Bool) {
        expect(EventKind(name)?.name, equals: isValid ? name : nil)
    }
}
