/// The allowed keys of each object in a scenario file; `Scenarios/schema.json` lists the same keys.
public enum ScenarioFormat {
    /// Keys of the file itself.
    public static let scenario = [
        "scenario", "source", "holds", "rules", "clock", "zone", "table", "network", "given",
        "when", "then",
    ]
    /// Keys of a scripted answer of the simulated network.
    public static let answer = ["id", "detail", "answer", "lost", "delayMs", "times"]
    /// Keys of a step.
    public static let step = [
        "do", "command", "event", "wait", "restart", "parallel", "file", "with", "data", "at",
        "repeat", "name", "actor", "device",
    ]
    /// Keys that state the action of a step; a step has exactly one of them, or none if it only
    /// sets the time.
    public static let actions = ["do", "command", "event", "wait", "restart", "parallel", "file"]
    /// Keys of a check, which has exactly one of them.
    public static let check = ["events", "count", "refused", "state", "report", "finding"]
    /// Keys of an expected event.
    public static let expectedEvent = ["event", "data"]
    /// Keys of an expected refusal.
    public static let refusal = ["step", "code", "says"]
    /// Keys of an expected state.
    public static let state = ["of", "key", "at", "is"]
    /// Keys of an expected report.
    public static let report = ["of", "with", "at", "is"]
    /// Keys of an expected finding of the audits.
    public static let finding = ["rule", "entity", "at"]
    /// Keys of a line of a file with recorded events and commands.
    public static let recordedLine = ["event", "command", "at", "data", "actor", "device"]

    /// The allowed keys of each object, by the name of its definition in the schema.
    public static let objects: [String: [String]] = [
        "scenario": scenario, "answer": answer, "step": step, "check": check,
        "expectedEvent": expectedEvent, "refused": refusal, "state": state, "report": report,
        "finding": finding,
    ]
}
