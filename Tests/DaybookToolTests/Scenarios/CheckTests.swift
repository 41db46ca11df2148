import Foundation
import TestSupport
import Testing

@Suite struct CheckTests {
    static func story(_ screen: String) -> String {
        """
        # A comment that stays.
        scenario: An app that is up to date leads to the login when no token is stored
        source: S0
        when:
          - do: launch.start
            with: {launchId: l1, appVersion: 1.0.0, platform: ios, firstLaunch: true, device: d1}
        then:
          - state: {of: splash, key: l1, is: {state: \(screen)}}

        """
    }

    @Test("An empty object is expected to be empty, and another may have more members")
    func emptyObject() throws {
        let scratch = try ScratchLog()
        for (object, code) in [("{}", 1), ("{terms: {}}", 1), ("{terms: {granted: true}}", 0)] {
            let story = """
                scenario: A consent
                source: made for a test
                given:
                  - event: household.consent-changed.v1
                    data: {userId: u, kind: terms, granted: true, version: "1"}
                when: []
                then:
                  - state: {of: consents, key: u, is: {consents: \(object)}}

                """
            let file = try scratch.file("consent.yaml", story)
            #expect(try ReplayProcess.run(["check", file]).code == code, "\(object)")
        }
    }

    @Test("A state of an entity that no event is about fails, even where the first state fits")
    func misspeltKey() throws {
        let scratch = try ScratchLog()
        let story = { (key: String) in
            """
            scenario: A consent
            source: made for a test
            given:
              - event: household.consent-changed.v1
                data: {userId: u, kind: terms, granted: true, version: "1"}
            when: []
            then:
              - state: {of: consents, key: \(key), is: {}}

            """
        }
        let file = try scratch.file("consent.yaml", story("uu"))
        let answer = try ReplayProcess.run(["check", file])
        expect(answer.code, equals: 1)
        #expect(answer.out.contains("events of user 'uu'"), "\(answer.out)")
    }

    @Test("A passing scenario ends without a message")
    func aStoryThatHoldsEndsWithNothingToSay() throws {
        let scratch = try ScratchLog()
        let file = try scratch.file("holds.yaml", Self.story("navigateToLogin"))
        let answer = try ReplayProcess.run(["check", file])
        expect(answer.code, equals: 0, "\(answer.err)")
        expect(answer.out, equals: "1 scenario, 0 failed\n")
    }

    @Test("A failing scenario shows the expected and actual values and the events")
    func aStoryThatDoesNotHoldShowsExpectedActualAndTheEvents() throws {
        let scratch = try ScratchLog()
        let file = try scratch.file("fails.yaml", Self.story("navigateToHome"))
        let junit = scratch.folder.appendingPathComponent("report.xml")
        let answer = try ReplayProcess.run(["check", file, "--junit", junit.path])
        expect(answer.code, equals: 1)
        #expect(answer.out.contains("fails.yaml:8: then[0].state splash l1, field 'state'"))
        #expect(answer.out.contains(#"expected  "navigateToHome""#))
        #expect(answer.out.contains(#"actual    "navigateToLogin""#))
        #expect(answer.out.contains("session.login-status-checked.v1"))
        let json = try #require(try ReplayProcess.run(["check", file, "--json"]).objects().first)
        expect(json["passed"] as? Bool, equals: false)
        let failure = try #require((json["failures"] as? [[String: Any]])?.first)
        #expect(failure["field"] as? String == "state" && failure["line"] as? Int == 8)
        let report = try String(contentsOf: junit, encoding: .utf8)
        #expect(report.contains(#"tests="1" failures="1""#))
    }

    @Test("Only --update rewrites a failing scenario")
    func onlyUpdateRewritesWhatDoesNotHold() throws {
        let scratch = try ScratchLog()
        let file = try scratch.file("fails.yaml", Self.story("navigateToHome"))
        _ = try ReplayProcess.run(["check", file])
        try expect(
            String(contentsOfFile: file, encoding: .utf8), equals: Self.story("navigateToHome"))
        let answer = try ReplayProcess.run(["check", file, "--update"])
        expect(answer.code, equals: 0, "\(answer.err)")
        try expect(
            String(contentsOfFile: file, encoding: .utf8), equals: Self.story("navigateToLogin"))
        try expect(ReplayProcess.run(["check", file]).code, equals: 0)
    }

    @Test(
        "A scenario that cannot be read ends with 2, file, line and field",
        arguments: [
            ("scenario: x\nwhen:\n  - do: launch.nothing\n", "bad.yaml:3"),
            ("scenario: x\nwen: []\n", "bad.yaml:2"),
            ("scenario: x\nscenario: y\n", "field 'scenario': the key 'scenario' is repeated"),
            ("scenario: [\n", "bad.yaml"),
            ("", "bad.yaml"),
        ])
    func unreadable(_ text: String, _ place: String) throws {
        let scratch = try ScratchLog()
        let file = try scratch.file("bad.yaml", text)
        let answer = try ReplayProcess.run(["check", file])
        expect(answer.code, equals: 2)
        #expect(answer.err.contains(place), "\(answer.err)")
    }

    @Test("A missing path or an empty folder is bad usage")
    func aMissingPathOrAnEmptyFolderIsBadUsage() throws {
        let scratch = try ScratchLog()
        try expect(ReplayProcess.run(["check", "/nowhere/at/all"]).code, equals: 2)
        try expect(ReplayProcess.run(["check", scratch.folder.path]).code, equals: 2)
        try expect(ReplayProcess.run(["check"]).code, equals: 2)
    }
}
