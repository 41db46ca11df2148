import ArgumentParser

/// How a scenario that is made of events is written.
struct SliceOptions: ParsableArguments {
    @Flag(help: "Without ids, texts and places; equal stays equal.")
    var pseudonymise = false

    @Option(help: ArgumentHelp("What the scenario is called.", valueName: "title"))
    var title: String?

    @Option(
        help: ArgumentHelp(
            "The file; a folder gets one of the projection's name. Standard output by default.",
            valueName: "path"),
        completion: .file())
    var output: String?

    @Flag(help: "Replace the file that --output names where there is one.")
    var force = false

    @Option(
        help: ArgumentHelp("The compiled tz database for reports.", valueName: "folder"),
        completion: .directory)
    var tzdata = ZoneOptions.standardFolder

    /// Refuses a file that may not be written, before the scenario is made.
    func checkOutput() throws {
        if let output { try OutputFile.check(output, over: OutputFile.Existing(force: force)) }
    }

    func write(_ text: String, named name: String) throws {
        guard let output else { return Output.text(text) }
        let path = try OutputFile.write(
            text, to: output, "\(name).yaml", over: OutputFile.Existing(force: force))
        StandardError.message("written to \(path)")
    }
}
