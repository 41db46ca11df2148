/// The file formats, pictures, report renderers and server endpoints of an area of the model.
///
/// An area lists the formats that it implements itself. Formats that need a parser are listed in a
/// separate type by a module that depends on the area, so that no area depends on a parser.
public protocol FileFormats: SendableMetatype {
    /// Formats of files that can be imported; none by default.
    static var imports: [ImportDescription] { get }
    /// Formats of files that can be exported; none by default.
    static var exports: [ExportDescription] { get }
    /// SVG pictures, by the projection of the entity in their subject option; none by default.
    static var pictures: [String: ExportDescription] { get }
    /// Commands that show the decisions that a candidate file leads to; none by default.
    static var trials: [any Trial.Type] { get }
    /// Renderers for reports of this or any other area; none by default.
    static var renderers: [ReportRenderer] { get }
    /// Endpoints of the app's servers that concern the area; none by default.
    static var routes: [RouteDescription] { get }
}

extension FileFormats {
    public static var imports: [ImportDescription] { [] }
    public static var exports: [ExportDescription] { [] }
    public static var pictures: [String: ExportDescription] { [:] }
    public static var trials: [any Trial.Type] { [] }
    public static var renderers: [ReportRenderer] { [] }
    public static var routes: [RouteDescription] { [] }
}
