package import Daybook

/// Two clauses for an error message about a path that leads to no field.
public struct UnknownField {
    /// A clause that lists the fields that exist, such as `its fields are kind, note`.
    public let knownClause: String
    /// A semicolon and a question that suggests the closest path; empty if no path is close.
    public let hint: String

    /// Compares a path that leads to no field with the existing fields.
    package init(_ path: String, in fields: [FieldDescription]) {
        var (known, place) = (fields, "")
        var rest = path.split(separator: ".", omittingEmptySubsequences: false)[...]
        while let part = rest.first,
            let field = known.first(where: { $0.name == part.prefix { $0 != "[" } }),
            !field.fields.isEmpty
        {
            place += (place.isEmpty ? "" : ".") + part
            known = field.fields
            rest.removeFirst()
            // A map accepts any name as a key.
            if field.form.hasPrefix("{"), !rest.isEmpty { place += ".\(rest.removeFirst())" }
        }
        let names = known.map(\.name)
        knownClause =
            (place.isEmpty ? "its fields are " : "the fields of '\(place)' are ")
            + names.joined(separator: ", ")
        let wrong = rest.first.map(String.init) ?? ""
        let near = NearestNames.nearest(to: wrong, in: names).first.map {
            (place.isEmpty ? "" : place + ".") + $0
        }
        hint = (near ?? Self.path(endingIn: path, fields)).map { "; did you mean '\($0)'?" } ?? ""
    }

    /// Returns the first path of a field that ends in `path`; does not search within lists and
    /// maps.
    private static func path(endingIn path: String, _ fields: [FieldDescription]) -> String? {
        var waiting = fields.map { (path: $0.name, field: $0) }[...]
        // Far more fields than any state has.
        for _ in 0..<10_000 {
            guard let next = waiting.popFirst() else { return nil }
            if next.path.hasSuffix("." + path) { return next.path }
            guard !"[{".contains(next.field.form.prefix(1)) else { continue }
            waiting += next.field.fields.map { ("\(next.path).\($0.name)", $0) }
        }
        return nil
    }
}
