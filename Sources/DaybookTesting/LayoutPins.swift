public import Daybook
import Foundation
public import Testing

/// The layouts of an area's event kinds as text, which a test compares with a committed file.
///
///     @Test func layouts() throws {
///         try LayoutPins(of: Lending.self).check(heldIn: "layouts.txt")
///     }
///
/// A stored layout never changes: a new layout needs a new version of the kind, and an upcaster.
public struct LayoutPins: Sendable {
    /// A line for each event kind, and below it a line for each of its fields in stored order.
    public let text: String
    /// The layouts of the event kinds, in the order of the kinds' names.
    private let layouts: [Layout]

    /// The fields of one event kind.
    private struct Layout: Equatable {
        var kind: String
        /// A line with name and type for each field, indented by the field's depth.
        var fields: [String]
    }

    /// Collects the layouts of an area's event kinds.
    public init(of area: any Area.Type) {
        layouts = area.events.sorted { $0.kind < $1.kind }.map { event in
            Layout(kind: event.kind.name, fields: Self.lines(event.fields, "    "))
        }
        text = layouts.map { ([$0.kind] + $0.fields).joined(separator: "\n") + "\n" }.joined()
    }

    /// Returns a line for each field, and below it the lines of its inner fields.
    private static func lines(_ fields: [FieldDescription], _ indent: String) -> [String] {
        fields.flatMap { field in
            ["\(indent)\(field.name): \(field.form)"] + lines(field.fields, indent + "    ")
        }
    }

    /// Returns a sentence for each event kind whose layout differs from the committed text.
    public func faults(comparedWith committed: String) -> [String] {
        var pinned: [String: [String]] = [:]
        var kind = ""
        for line in committed.split(separator: "\n").map(String.init) {
            if line.hasPrefix(" ") {
                pinned[kind, default: []].append(line)
            } else {
                kind = line
                pinned[kind] = []
            }
        }
        let changed = layouts.compactMap { layout -> String? in
            guard let before = pinned.removeValue(forKey: layout.kind) else {
                return "\(layout.kind) is missing from the committed layouts; add its lines"
            }
            guard before != layout.fields else { return nil }
            return "\(layout.kind): the committed fields are \(Self.listing(before)), but "
                + "the area's are \(Self.listing(layout.fields)); a new layout needs a new "
                + "version of the kind"
        }
        return changed
            + pinned.keys.sorted().map { "\($0) has a committed layout, but the area lacks it" }
    }

    /// Returns the lines of the fields as one text in parentheses, for messages.
    private static func listing(_ fields: [String]) -> String {
        "(\(fields.map { $0.drop { $0 == " " } }.joined(separator: "; ")))"
    }

    /// Compares the layouts with a committed file, and records each difference as a test issue.
    ///
    /// If the file is missing, writes it and records that as a test issue.
    public func check(
        heldIn path: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        guard FileManager.default.fileExists(atPath: path) else {
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            Issue.record(
                "\(path) was missing and has been written; commit the file",
                sourceLocation: sourceLocation)
            return
        }
        let committed = try String(contentsOfFile: path, encoding: .utf8)
        for fault in faults(comparedWith: committed) {
            Issue.record("\(fault)", sourceLocation: sourceLocation)
        }
    }
}
