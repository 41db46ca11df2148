import Daybook

/// The overview of a program's areas, with the names by which `schema` and other commands show more.
enum SchemaOverview {
    /// Returns two or three lines for each area, and two about the rest.
    static func lines(of catalogue: Catalogue) -> [String] {
        var lines: [String] = []
        for area in catalogue.areas.sorted(by: { $0.name < $1.name }) {
            let counts = [
                area.events.count.counted("event"), area.commands.count.counted("command"),
            ]
            lines.append("\(area.name)  \(counts.joined(separator: ", "))")
            let nouns = Dictionary(grouping: area.projections) { $0.noun }.map {
                noun, projections in
                let names = projections.map(\.name).sorted()
                return names == [noun] ? noun : "\(noun) (\(names.joined(separator: ", ")))"
            }
            lines += wrapped("states", nouns.sorted())
            lines += wrapped("reports", area.reports.map(\.name).sorted())
        }
        let call = "\(Program.name) schema"
        return lines
            + Terminal.wrapped(
                "'\(call) NAME' shows an area or a part with its fields, '\(call) --all' everything.",
                into: Terminal.layoutWidth)
    }

    /// Returns a labelled list of names; empty without names.
    private static func wrapped(_ label: String, _ names: [String]) -> [String] {
        guard !names.isEmpty else { return [] }
        let label = "    " + label + String(repeating: " ", count: 9 - label.count)
        return Terminal.wrapped(
            label + names.joined(separator: ", "), into: Terminal.layoutWidth, indent: label.count)
    }
}
