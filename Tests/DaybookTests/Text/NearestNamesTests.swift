import Daybook
import Testing

@Suite struct NearestNamesTests {
    static let known = [
        "launch.app-launched.v1", "launch.app-terminated.v1", "session", "splash", "babyconnect",
        "baby", "profile",
    ]

    @Test(
        "A mistyped name finds the closest known ones",
        arguments: [
            ("sesion", ["session"]), ("SPLASH", ["splash"]), ("babyconect", ["babyconnect"]),
            ("bay", ["baby"]), ("launch.app-lunched.v1", ["launch.app-launched.v1"]),
            ("app-launched", ["launch.app-launched.v1"]), ("splahs", ["splash"]),
            ("quarterly", []), ("", []), (String(repeating: "s", count: 10_000), []),
        ])
    func findsTheClosest(_ text: String, _ expected: [String]) {
        #expect(NearestNames.nearest(to: text, in: Self.known) == expected)
    }

    @Test("A hint ends its sentence, also where nothing is close")
    func hintEndsItsSentence() {
        #expect(NearestNames.hint(for: "sesion", in: Self.known) == "; did you mean 'session'?")
        #expect(NearestNames.hint(for: "quarterly", in: Self.known) == ".")
        #expect(
            NearestNames.hint(for: "rum", in: ["run", "ruma"]) == "; did you mean 'ruma' or 'run'?")
    }

    @Test("At most three names are suggested")
    func atMostThree() {
        let known = (0..<9).map { "run\($0)" }
        #expect(NearestNames.nearest(to: "runx", in: known) == ["run0", "run1", "run2"])
    }
}
