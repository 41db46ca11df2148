extension Catalogue {
    /// Checks that one command line can offer all file formats and trials of candidate files.
    ///
    /// Throws an error if two imports, exports or trials have the same name, if an option has a
    /// reserved name, or if two different options have the same name.
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

    /// Throws an error for an option with a reserved name, or two different options with one name.
    ///
    /// Several formats may declare the same option if the declarations are equal.
    private static func checkOptions(_ options: [FileOption]) throws(InvalidCatalogue) {
        var known: [String: FileOption] = [:]
        for option in options {
            guard !FileOption.reservedNames.contains(option.name) else {
                throw .reservedOption(option.name)
            }
            guard known.updateValue(option, forKey: option.name) ?? option == option else {
                throw .duplicateName("--\(option.name)")
            }
        }
    }
}
