/// The keys of every object of a scenario file. `Scenarios/schema.json` says the same.
public enum ScenarioFormat {
    public static let scenario = [
        "scenario", "source", "rules", "clock", "zone", "table", "network", "given", "when", "then",
    ]
    /// One scripted answer of the network.
    public static let answer = ["id", "detail", "answer", "lost", "delayMs", "times"]
    public static let step = [
        "do", "command", "event", "wait", "restart", "parallel", "file", "with", "data", "at",
        "repeat", "name", "actor", "device",
    ]
    /// Actions of a step, of which it has one, or none if it only has a time.
    public static let actions = [
        "do", "command", "event", "wait", "restart", "parallel", "file",
    ]
    public static let check = ["events", "count", "refused", "state", "report", "finding"]
    public static let expectedEvent = ["event", "data"]
    public static let refused = ["step", "code", "says"]
    public static let state = ["of", "key", "at", "is"]
    public static let report = ["of", "with", "at", "is"]
    public static let finding = ["rule", "entity", "at"]
    /// One line of a recorded file.
    public static let recorded = ["event", "command", "at", "data", "actor", "device"]

    /// Keys of each object, by the name of its definition in the schema.
    public static let objects: [String: [String]] = [
        "scenario": scenario, "answer": answer, "step": step, "check": check,
        "expectedEvent": expectedEvent, "refused": refused, "state": state, "report": report,
        "finding": finding,
    ]
}
