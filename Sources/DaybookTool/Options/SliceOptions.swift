import ArgumentParser

/// Options for writing a scenario that is made from recorded events.
struct SliceOptions: ParsableArguments {
    @Flag(help: "Replace ids, texts and places; equal values stay equal.")
    var pseudonymise = false

    @Option(help: ArgumentHelp("Title of the scenario.", valueName: "title"))
    var title: String?

    @Option(
        help: ArgumentHelp(
            "File to write, or a folder for a file named after the projection; by default standard output.",
            valueName: "path"),
        completion: .file())
    var output: String?

    @Flag(help: "Replace an existing file that --output names.")
    var force = false

    @Option(
        help: ArgumentHelp("Folder of the compiled tz database, for reports.", valueName: "folder"),
        completion: .directory)
    var tzdata = ZoneOptions.standardFolder

    /// Throws an error if the file may not be written, before the scenario is made.
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
