/// The file formats, pictures, report renderers and server endpoints of an area of the model.
///
/// An area lists the formats that it implements itself. Formats that need a parser are listed in a
/// separate type by a module that depends on the area, so that no area depends on a parser.
public protocol FileFormats: SendableMetatype {
    /// Formats of files that can be imported; none by default.
    static var imports: [ImportDescription] { get }
    /// Formats of files that can be exported; none by default.
    static var exports: [ExportDescription] { get }
    /// SVG pictures of entities, by the name of the projection that has the entities; none by
    /// default.
    ///
    /// The subject option of the export that draws a picture names the entity.
    static var pictures: [String: ExportDescription] { get }
    /// Commands that show the decisions that a candidate file leads to; none by default.
    static var trials: [any Trial.Type] { get }
    /// Renderers for reports of this or any other area; none by default.
    static var renderers: [ReportRenderer] { get }
    /// Endpoints of the app's servers that concern the area; none by default.
    static var routes: [RouteDescription] { get }
}

extension FileFormats {
    /// The default: no file can be imported.
    public static var imports: [ImportDescription] { [] }
    /// The default: no file can be exported.
    public static var exports: [ExportDescription] { [] }
    /// The default: there are no pictures.
    public static var pictures: [String: ExportDescription] { [:] }
    /// The default: there are no trials of candidate files.
    public static var trials: [any Trial.Type] { [] }
    /// The default: there are no renderers of reports.
    public static var renderers: [ReportRenderer] { [] }
    /// The default: there are no endpoints.
    public static var routes: [RouteDescription] { [] }
}
