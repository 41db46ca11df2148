/// The file formats, pictures, report renderers and server endpoints of a part of the model.
///
/// An area lists the formats that it implements itself. A module that depends on the area lists the
/// others in a separate type, so that no area depends on a parser.
public protocol FileFormats: SendableMetatype {
    /// Formats of files that can be imported; none by default.
    static var imports: [ImportDescription] { get }
    /// Formats of files that can be exported; none by default.
    static var exports: [ExportDescription] { get }
    /// SVG pictures of entities; none by default.
    static var pictures: [PictureDescription] { get }
    /// Commands that decide with a candidate file and record nothing; none by default.
    static var trials: [any Trial.Type] { get }
    /// Renderers of reports, of any area; none by default.
    static var renderers: [ReportRenderer] { get }
    /// Endpoints of the app's servers that concern this part of the model; none by default.
    static var routes: [RouteDescription] { get }
}

extension FileFormats {
    /// The default: these formats include no imports.
    public static var imports: [ImportDescription] { [] }
    /// The default: these formats include no exports.
    public static var exports: [ExportDescription] { [] }
    /// The default: these formats include no pictures.
    public static var pictures: [PictureDescription] { [] }
    /// The default: these formats include no trials.
    public static var trials: [any Trial.Type] { [] }
    /// The default: these formats include no renderers.
    public static var renderers: [ReportRenderer] { [] }
    /// The default: these formats include no routes.
    public static var routes: [RouteDescription] { [] }
}
