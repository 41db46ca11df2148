extension Catalogue {
    /// Throws an error for formats that one command line cannot offer together.
    ///
    /// Two formats of one sort must not share a name, and no option may have a reserved name.
    static func check(
        _ imports: [ImportDescription], _ exports: [ExportDescription],
        _ trials: [any Trial.Type]
    ) throws(InvalidCatalogue) {
        try checkNames(imports.map(\.name))
        try checkNames(exports.map(\.name))
        try checkNames(trials.map { $0.name })
        try checkOptions(imports.flatMap { [$0.subject].compactMap(\.self) + $0.options })
        try checkOptions(exports.flatMap { [$0.subject] + $0.options })
        for trial in trials { try checkOptions([trial.file] + trial.options) }
    }

    /// Throws an error for a repeated name.
    private static func checkNames(_ names: [String]) throws(InvalidCatalogue) {
        var known: Set<String> = []
        for name in names where !known.insert(name).inserted { throw .duplicateName(name) }
    }

    /// Throws an error for a reserved option, or for two different options with one name.
    ///
    /// Formats may share an option, which then has equal declarations in each format.
    private static func checkOptions(_ options: [FileOption]) throws(InvalidCatalogue) {
        var known: [String: FileOption] = [:]
        for option in options {
            guard !FileOption.reserved.contains(option.name) else {
                throw .reservedOption(option.name)
            }
            guard known.updateValue(option, forKey: option.name) ?? option == option else {
                throw .duplicateName("--\(option.name)")
            }
        }
    }
}
