import Daybook
import TestSupport
import Testing

@testable import DaybookModel

/// A launch played with scripted answers of the network, on a log that is an array.
private struct Play {
    var log: [RecordedEvent] = []
    var refusals: [String] = []
    var effects: [Effect] = []
    var logins: [String] = []
    private var flow: any AnyFlow
    private let config: String

    init(config: String, rules: Rules = .standard) throws {
        self.config = config
        flow = try #require(Launch.flows.first).make(rules.ruleSet)
    }

    mutating func give(_ input: String, _ json: String) throws {
        let tree = try JSONParser.parse(json.utf8)
        try run(flow.give(input, tree, field: "", Sample.input, at: Sample.now))
    }

    mutating func start(_ version: String = "1.0.0", more: String = "", id: String = "l1") throws {
        try give(
            "start",
            #"{"launchId":"\#(id)","appVersion":"\#(version)","platform":"android","#
                + #""firstLaunch":false,"device":"d1"\#(more)}"#)
    }

    private mutating func run(_ steps: [FlowStep]) throws {
        for step in steps {
            switch step {
            case .command(let command):
                var decision = command.pending(in: CommandContext(now: Sample.now))
                for event in log
                where decision.query.matches(kind: event.kind, tags: event.tags) {
                    try decision.fold(event)
                }
                let outcome = decision.outcome()
                switch outcome {
                case .refused(let refused): refusals.append(refused.code)
                case .events(let events): events.forEach { record($0) }
                }
                try run(flow.decided(outcome, of: type(of: command).name, at: Sample.now))
            case .effect(let effect):
                effects.append(effect)
                let answer = try JSONParser.parse(config.utf8)
                try run(flow.answer(to: effect, with: answer, Sample.input, at: Sample.now))
            case .sendInput(let flow, let name, let tree):
                expect(flow, equals: "session")
                expect(name, equals: "check-login")
                expect(tree["device"]?.content, equals: .text("d1"))
                logins.append(tree["launchId"]?.noun ?? "")
            }
        }
    }

    private mutating func record(_ event: NewEvent) {
        log.append(
            RecordedEvent(
                envelope: Envelope(
                    position: Position(UInt64(log.count) + 1), occurredAt: event.occurredAt,
                    recordedAt: Sample.now),
                kind: event.kind, tags: event.tags, zone: "", payload: event.payload))
    }

    var kinds: [String] { log.map { String($0.kind.stem.dropFirst(7)) } }

    func state(_ projection: String, _ rules: Rules = .standard) throws -> String {
        let known = try #require(Launch.projections.first { $0.name == projection })
        var fold = known.fold(rules.ruleSet)
        for event in log { try fold.apply(event) }
        return fold.json
    }
}

// Holds: s0-login-after-version, s2-prompts-in-order
@Suite struct LaunchFlowTests {
    @Test("An app that is up to date asks whether someone is signed in")
    func goesOnToTheLogin() throws {
        var play = try Play(config: #"{"body":{"minVersion":"1.0.0"},"latencyMs":40}"#)
        try play.start()
        expect(
            play.kinds, equals: ["app-launched", "remote-config-fetched", "app-version-checked"])
        expect(play.effects, equals: [Effect("config", id: "l1", detail: "GET /api/config")])
        expect(play.logins, equals: [#"the text "l1""#])
        #expect(try play.state("splash").contains(#""state":"loading","stage":"login""#))
        try play.start()
        expect(play.effects.count, equals: 1, "a repeated start asks for nothing")
    }

    @Test(
        "Nothing is asked of the session unless the version is up to date",
        arguments: [
            #"{"body":{"minVersion":"1.0.1"}}"#,
            #"{"body":{"maintenanceMode":true,"maintenanceMessage":"점검 중"}}"#,
            #"{"failure":"network"}"#, #"{"failure":"timeout","latencyMs":10000}"#,
            #"{"body":{},"status":503}"#,
        ], Rules.allCases)
    func stops(_ config: String, _ rules: Rules) throws {
        var play = try Play(config: config, rules: rules)
        try play.start()
        #expect(play.logins.isEmpty)
        #expect(play.refusals.isEmpty)
        #expect(play.kinds.contains("app-version-checked"))
        #expect(!(try play.state("splash").contains(#""state":"loading""#)))
    }

    static let both = #"""
        {"body":{"optionalUpdateAppVersionKey":"2.0","optionalUpdateAlertDoneLinkURLKey":
        "https://a.b","noticeStartDateKey":"2026-07-12T00:00:00Z","noticeEndDateKey":
        "2026-07-13T00:00:00Z","noticeAlertMessageKey":"hello"}}
        """#

    @Test("An optional update, then the notice, then the login")
    func showsInOrder() throws {
        var play = try Play(config: Self.both)
        try play.start()
        expect(play.kinds.last, equals: "update-prompt-shown")
        try play.give("dismiss-notice", #"{"launchId":"l1","action":"close"}"#)
        expect(play.refusals, equals: ["notShown"])
        try play.give("accept-update", #"{"launchId":"l1","kind":"optional"}"#)
        try play.give("skip-optional", #"{"launchId":"l1","remember":true}"#)
        expect(play.kinds.last, equals: "notice-shown")
        #expect(play.logins.isEmpty)
        try play.give("dismiss-notice", #"{"launchId":"l1","action":"close"}"#)
        expect(play.logins.count, equals: 1)
        #expect(try play.state("splash").contains(#""unexpectedTransitions":0"#))
        #expect(try play.state("version-check").contains(#""skipped":["2.0"]"#))

        try play.start(id: "l2")
        expect(play.kinds.last, equals: "notice-shown", "the skipped version is not offered again")
    }

    @Test("The source shows the optional update alone")
    func showsOneThingInTheSource() throws {
        var play = try Play(config: Self.both, rules: .source)
        try play.start()
        try play.give("skip-optional", #"{"launchId":"l1","remember":false}"#)
        #expect(!play.kinds.contains("notice-shown"))
        expect(play.logins.count, equals: 1)
    }

    @Test("The end stops everything")
    func terminates() throws {
        var play = try Play(config: Self.both)
        try play.start()
        try play.give("terminate", #"{"launchId":"l1","cause":"user"}"#)
        try play.give("skip-optional", #"{"launchId":"l1","remember":true}"#)
        expect(play.kinds.last, equals: "app-terminated")
        expect(play.refusals, equals: ["terminated"])
    }

    @Test("A failed fetch can fall back to the last config, and says so")
    func fallsBack() throws {
        var first = try Play(config: #"{"body":{"minVersion":"2"}}"#)
        try first.start()
        var play = try Play(config: #"{"failure":"network"}"#)
        play.log = first.log
        try play.start(more: #","fallback":"cached""#, id: "l2")
        let state = try play.state("version-check")
        #expect(state.contains(#""primary":"forced""#))
        #expect(state.contains(#""fromCache":true"#))
        #expect(play.kinds.contains("remote-config-fetch-failed"))
    }

    @Test(
        "An answer that makes no sense is refused",
        arguments: [
            "[]", "{}", #"{"failure":"bored"}"#, #"{"body":{},"failure":"network"}"#,
            #"{"body":{"minVersion":2}}"#, #"{"body":{},"delay":5}"#,
        ])
    func refuses(_ answer: String) throws {
        var play = try Play(config: answer)
        #expect(throws: InputError.self) { try play.start() }
    }
}
