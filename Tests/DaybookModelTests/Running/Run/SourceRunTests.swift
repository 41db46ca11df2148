import Daybook
import TestSupport
import Testing

@testable import DaybookModel

/// Runs by the formulas of the source's app, which has no limits and goes by its own clock.
@Suite struct SourceRunTests {
    private static let start: Int64 = 1_771_581_600_000_000

    private static func at(_ second: Int64) -> Instant {
        Instant(microseconds: start + second * 1_000_000)
    }

    private static func fix(_ second: Int64, _ lon: String, _ accM: String? = nil)
        -> Running.LocationFix
    {
        Running.LocationFix(
            time: at(second), lat: Scalar("0"), lon: Scalar(lon), accM: accM.map { Scalar($0) })
    }

    /// The run after commands, each with its second, by the source's rules.
    private func sourceRun(
        _ commands: [(second: Int64, command: any Running.RunCommand)]
    ) throws -> Running.Run {
        var state = Running.State()
        var run = Running.Run()
        for (second, command) in commands {
            for event in try decide(command, state, second) {
                let envelope = Envelope(
                    position: Position(1), occurredAt: Self.at(second), recordedAt: Self.at(second))
                Running.evolve(&state, with: event, envelope)
                Running.SourceRunView.evolve(&run, with: event, envelope)
            }
        }
        return run
    }

    private func decide(
        _ command: some Running.RunCommand, _ state: Running.State, _ second: Int64
    ) throws -> [Running.Event] {
        try command.decide(state, now: Self.at(second))
    }

    private static let places = [fix(0, "0"), fix(5, "0.001", "60"), fix(10, "0.0002")]

    @Test("A standard run that left a place out has no figures by the source's rules")
    func leftOut() throws {
        let record = Running.RecordLocations(runId: "r", points: Self.places)
        let standard = try sourceRun([
            (0, Running.Start(runId: "r", userId: "u")), (20, record),
            (20, Running.Stop(runId: "r")),
        ])
        #expect(
            standard.sourceRefusal
                == "there are no figures by the rules of the original app ('source'): the run "
                + "rejected 1 location point, which that app counts")
        let source = try sourceRun([
            (0, Running.Start(runId: "r", userId: "u", rules: .source)), (20, record),
            (20, Running.Stop(runId: "r")),
        ])
        #expect(source.sourceRefusal == nil)
        #expect(source.distanceMm == 200_151)
    }

    @Test("Places that the source's app leaves out too do not make its figures refused")
    func leftOutByBoth() throws {
        let run = try sourceRun([
            (0, Running.Start(runId: "r", userId: "u")),
            (
                20,
                Running.RecordLocations(
                    runId: "r",
                    points: [Self.fix(0, "0"), Self.fix(5, "181"), Self.fix(10, "0.0002")])
            ),
            (30, Running.Pause(runId: "r")),
            (40, Running.RecordLocations(runId: "r", points: [Self.fix(35, "0.0003")])),
            (50, Running.Stop(runId: "r")),
        ])
        #expect(run.rejectedCount == 2)
        #expect(run.sourceRefusal == nil)
    }

    @Test("An automatic pause has no figures by the source's rules, whose app has none")
    func automaticPause() throws {
        let run = try sourceRun([
            (0, Running.Start(runId: "r", userId: "u", autoPauseS: 10)),
            (
                40,
                Running.RecordLocations(
                    runId: "r", points: [Self.fix(0, "0"), Self.fix(10, "0"), Self.fix(20, "0")])
            ),
        ])
        #expect(
            run.sourceRefusal
                == "there are no figures by the rules of the original app ('source'): the run "
                + "rejected 1 location point, which that app counts, and paused automatically, "
                + "which that app never does")
    }

    @Test(
        "A place with a time ahead of the app's clock lengthens no run of the source",
        arguments: [
            Rules.standard, .source,
        ])
    func clock(_ rules: Rules) throws {
        let commands: [(Int64, any Running.RunCommand)] = [
            (0, Running.Start(runId: "s", userId: "u", rules: rules)),
            (
                10,
                Running.RecordLocations(
                    runId: "s", points: [Self.fix(5, "0"), Self.fix(50, "0.0001")])
            ),
        ]
        #expect(try sourceRun(commands).wallMs == 10_000)
        let run = try sourceRun(commands + [(13, Running.Stop(runId: "s"))])
        #expect(run.wallMs == 13_000)
        #expect(run.ended == Self.at(13))
    }
}
