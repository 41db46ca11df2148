/// The forms that a part of the model is read from and shown in: files of other programs, pictures,
/// texts of reports, and the endpoints of servers.
///
/// An area lists those that it may make itself. A module above it lists the others in a type of its
/// own, so that no area depends on parsers.
public protocol FileFormats: SendableMetatype {
    /// Files that are read; none by default.
    static var imports: [ImportDescription] { get }
    /// Files that are written; none by default.
    static var exports: [ExportDescription] { get }
    /// Pictures of entities; none by default.
    static var pictures: [PictureDescription] { get }
    /// Files that are tried without being recorded; none by default.
    static var trials: [any Trial.Type] { get }
    /// Forms of reports, of whatever area.
    static var renderers: [ReportRenderer] { get }
    /// The endpoints of the app's servers that it answers for.
    static var routes: [RouteDescription] { get }
}

extension FileFormats {
    /// Files that are read; none by default.
    public static var imports: [ImportDescription] { [] }
    /// Files that are written; none by default.
    public static var exports: [ExportDescription] { [] }
    /// Pictures of entities; none by default.
    public static var pictures: [PictureDescription] { [] }
    /// Files that are tried without being recorded; none by default.
    public static var trials: [any Trial.Type] { [] }
    public static var renderers: [ReportRenderer] { [] }
    public static var routes: [RouteDescription] { [] }
}
