import ArgumentParser

/// Options that say how and where to write a scenario that is made from recorded events.
struct ScenarioOutputOptions: ParsableArguments {
    /// True to replace ids, texts and places; equal values stay equal.
    @Flag(help: "Replace ids, texts and places; equal values stay equal.")
    var pseudonymise = false

    /// Title of the scenario; `nil` means the default title.
    @Option(help: ArgumentHelp("Title of the scenario.", valueName: "title"))
    var title: String?

    /// Path of the file to write, or of a folder; `nil` means standard output.
    @Option(
        help: ArgumentHelp(
            "File to write, or a folder for a file named after the projection; by default standard output.",
            valueName: "path"),
        completion: .file())
    var output: String?

    @Flag(help: "Replace an existing file that --output names.")
    var force = false

    /// Throws an error if the file may not be written. Call this before making the scenario.
    func checkOutput() throws {
        if let output { try OutputFile.check(output, over: OutputFile.Existing(force: force)) }
    }

    /// Writes the scenario to the file or folder of `--output`, or to standard output.
    ///
    /// - Parameter name: name of the file in a folder, without `.yaml`.
    func write(_ text: String, named name: String) throws {
        guard let output else { return Output.text(text) }
        let path = try OutputFile.write(
            text, to: output, "\(name).yaml", over: OutputFile.Existing(force: force))
        StandardError.message("written to \(path)")
    }
}
