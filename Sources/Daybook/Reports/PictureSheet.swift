/// Colours and text measures that the SVG pictures of reports and runs share.
package enum PictureSheet {
    /// An SVG style element that replaces a picture's colours for users who prefer dark screens.
    ///
    /// On paper, and in programs without such a setting, the picture has its original colours.
    public static let dark: String = {
        let fills = [
            "#fff": "#14181f", "#222": "#e6e9ee", "#555": "#a3abb8", "#777": "#8f98a5",
            "#f4f4f4": "#1f2630", "#f7f7f5": "#1a2029", "#1f3f6e": "#6ea3e6",
            "#7fa3d1": "#34557f", "#dde6f2": "#26364d", "#6b4a1f": "#b98a4e",
            "#1A1D23": "#e6e9ee", "#c23b22": "#ff8a73",
        ]
        let strokes = [
            "#fff": "#14181f", "#222": "#e6e9ee", "#555": "#a3abb8", "#999": "#7c8899",
            "#bbb": "#4a5563", "#ccc": "#333b48", "#ddd": "#333b48", "#33557f": "#8fb4e0",
            "#1f3f6e": "#6ea3e6", "#1E3A8A": "#7aa2ff", "#c23b22": "#ff8a73",
        ]
        let rules =
            fills.sorted { $0.key < $1.key }.map { "[fill=\"\($0)\"]{fill:\($1)}" }
            + strokes.sorted { $0.key < $1.key }.map { "[stroke=\"\($0)\"]{stroke:\($1)}" }
        return "<style>@media screen and (prefers-color-scheme: dark) {\(rules.joined())}</style>"
    }()

    /// Estimates the width of a text from its number of characters; both sizes are in pixels.
    public static func width(of text: String, size: Int64 = 12) -> Int64 {
        (Int64(text.count) * size * 56 + 99) / 100
    }
}
