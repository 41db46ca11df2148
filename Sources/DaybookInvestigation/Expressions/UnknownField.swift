public import Daybook

/// A path that leads to no field, and what may have been meant.
public struct UnknownField {
    /// A clause: the names at the place where the path goes wrong.
    public let known: String
    /// The closest path as a question, after a semicolon; empty where nothing is close.
    public let hint: String

    public init(_ path: String, in fields: [FieldDescription]) {
        var (known, place) = (fields, "")
        var rest = path.split(separator: ".", omittingEmptySubsequences: false)[...]
        while let part = rest.first,
            let field = known.first(where: { $0.name == part.prefix { $0 != "[" } }),
            !field.fields.isEmpty
        {
            place += (place.isEmpty ? "" : ".") + part
            known = field.fields
            rest.removeFirst()
            // Any name is a member.
            if field.form.hasPrefix("{"), !rest.isEmpty { place += ".\(rest.removeFirst())" }
        }
        let names = known.map(\.name)
        self.known =
            (place.isEmpty ? "it has " : "'\(place)' has ") + names.joined(separator: ", ")
        let wrong = rest.first.map(String.init) ?? ""
        let near = NearestNames.nearest(to: wrong, in: names).first.map {
            (place.isEmpty ? "" : place + ".") + $0
        }
        hint = (near ?? Self.path(endingIn: path, fields)).map { "; did you mean '\($0)'?" } ?? ""
    }

    /// The first field whose path ends in these words, of those that a name leads to.
    private static func path(endingIn path: String, _ fields: [FieldDescription]) -> String? {
        var waiting = fields.map { (path: $0.name, field: $0) }[...]
        // No state has nearly as many.
        for _ in 0..<10_000 {
            guard let next = waiting.popFirst() else { return nil }
            if next.path.hasSuffix("." + path) { return next.path }
            guard !"[{".contains(next.field.form.prefix(1)) else { continue }
            waiting += next.field.fields.map { ("\(next.path).\($0.name)", $0) }
        }
        return nil
    }
}
