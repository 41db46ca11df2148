import ArgumentParser

/// How a scenario that is made of events is written.
struct SliceOptions: ParsableArguments {
    @Flag(help: "Without ids, texts and places; equal stays equal.")
    var pseudonymise = false

    @Option(help: ArgumentHelp("What the scenario is called.", valueName: "title"))
    var title: String?

    @Option(
        help: ArgumentHelp("The file; standard output by default.", valueName: "path"),
        completion: .file())
    var output: String?

    @Option(
        help: ArgumentHelp("The compiled tz database for reports.", valueName: "folder"),
        completion: .directory)
    var tzdata = ZoneOptions.standardFolder

    func write(_ text: String, named name: String) throws {
        guard let output else { return Output.text(text) }
        let path = try OutputFile.write(text, to: output, "\(name).yaml")
        StandardError.message("written to \(path)")
    }
}
