public import Daybook
import Foundation
public import Testing

/// The layouts of an area's event kinds as text, to be committed and compared in a test.
///
///     @Test func layouts() throws {
///         try LayoutPins(of: Lending.self).check(heldIn: "layouts.txt")
///     }
///
/// A stored layout never changes: a new layout needs a new version of the kind, and an upcaster.
public struct LayoutPins: Sendable {
    /// A line for each kind, by name, and below it a line for each field, in stored order.
    public let text: String
    /// The layouts in the order of the kinds.
    private let layouts: [Layout]

    /// The fields of one kind.
    private struct Layout: Hashable {
        /// The name of the kind.
        var kind: String
        /// A line for each field, indented by its depth.
        var fields: [String]
    }

    /// Collects the layouts of an area's kinds.
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

    /// Returns a sentence for each kind whose layout differs from the committed text.
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
                return "\(layout.kind) is not pinned; add its lines"
            }
            guard before != layout.fields else { return nil }
            return "\(layout.kind): its fields were pinned as \(Self.listing(before)) and are "
                + "\(Self.listing(layout.fields)); a new layout needs a new version of the kind"
        }
        return changed
            + pinned.keys.sorted().map { "\($0) is pinned, and the area no longer lists it" }
    }

    /// Returns the lines of the fields as one text in brackets, for messages.
    private static func listing(_ fields: [String]) -> String {
        "(\(fields.map { $0.drop { $0 == " " } }.joined(separator: "; ")))"
    }

    /// Compares the layouts with a committed file, and records each fault as an issue.
    ///
    /// If the file is missing, writes it and records that as an issue too.
    public func check(
        heldIn path: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        guard FileManager.default.fileExists(atPath: path) else {
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            Issue.record("\(path) was missing; commit it", sourceLocation: sourceLocation)
            return
        }
        let committed = try String(contentsOfFile: path, encoding: .utf8)
        for fault in faults(comparedWith: committed) {
            Issue.record("\(fault)", sourceLocation: sourceLocation)
        }
    }
}
