public import Daybook

/// The list of the file and report formats of the example model.
public enum FormatCatalog {
    /// All formats, in alphabetical order.
    public static let formats: [any FileFormats.Type] = [
        CareFiles.self,
        CareForms.self,
        LaunchFiles.self,
        RunFiles.self,
        RunningForms.self,
        SourceForms.self,
    ]
}
