import ArgumentParser

/// Forms in which a command that checks something prints what it found.
enum GateForm: String, ExpressibleByArgument, CaseIterable {
    case text
    case json
    case junit
    /// A log in SARIF 2.1.0, which code scanning reads.
    case sarif
    /// Workflow commands, which GitHub shows beside the lines of a pull request.
    case annotations

    /// True for the forms that a `GateReport` has.
    var isForBuildServers: Bool { self != .text && self != .json }
}

/// Options for the form in which findings are printed.
struct GateOptions: ParsableArguments {
    @Option(
        help: .text(
            "Form of the answer; junit, sarif and annotations (for GitHub) are for build servers.",
            "form"))
    var format = GateForm.text

    @Flag(help: "Short for --format json: one object per line.")
    var json = false

    var form: GateForm { json ? .json : format }

    func validate() throws {
        guard !json || format == .text || format == .json else {
            throw ValidationError("Give only one of --json and --format \(format.rawValue).")
        }
    }
}
