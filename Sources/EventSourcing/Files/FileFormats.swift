/// The forms that a part of the model is read from and shown in: files of other programs, pictures,
/// texts of reports, and the endpoints of servers.
///
/// An area lists those that it may make itself. A module above it lists the others in a type of its
/// own, so that no area depends on parsers.
public protocol FileFormats: SendableMetatype {
    static var imports: [ImportDescription] { get }
    static var exports: [ExportDescription] { get }
    static var pictures: [PictureDescription] { get }
    static var trials: [any Trial.Type] { get }
    /// Forms of reports, of whatever area.
    static var renderers: [ReportRenderer] { get }
    /// The endpoints of the app's servers that it answers for.
    static var routes: [RouteDescription] { get }
}

extension FileFormats {
    public static var imports: [ImportDescription] { [] }
    public static var exports: [ExportDescription] { [] }
    public static var pictures: [PictureDescription] { [] }
    public static var trials: [any Trial.Type] { [] }
    public static var renderers: [ReportRenderer] { [] }
    public static var routes: [RouteDescription] { [] }
}

extension Catalogue {
    /// Refuses formats that the command line could not offer together.
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

    private static func checkNames(_ names: [String]) throws(InvalidCatalogue) {
        var known: Set<String> = []
        for name in names where !known.insert(name).inserted { throw .nameStandsTwice(name) }
    }

    /// Formats may share an option, which then means the same in each.
    private static func checkOptions(_ options: [FileOption]) throws(InvalidCatalogue) {
        var known: [String: FileOption] = [:]
        for option in options {
            guard !FileOption.reserved.contains(option.name) else {
                throw .reservedOption(option.name)
            }
            guard known.updateValue(option, forKey: option.name) ?? option == option else {
                throw .nameStandsTwice("--\(option.name)")
            }
        }
    }
}
