import ArgumentParser

extension ArgumentHelp {
    /// Returns the help of an option or argument, whose value has a name in usage lines.
    static func text(_ abstract: String, _ valueName: String) -> ArgumentHelp {
        ArgumentHelp(abstract, valueName: valueName)
    }
}
