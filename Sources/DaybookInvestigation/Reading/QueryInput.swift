public import Daybook
import DaybookInput

/// Parses a query from JSON: `[{"kinds": ["launch.app-launched"], "tags": ["device:d1"]}]`.
///
/// An item selects the events that have all of `tags` and one of `kinds`; if no kinds are given,
/// events of any kind. A query selects the events that any of its items selects. A kind without a
/// version means all its schema versions.
public enum QueryInput {
    /// Parses a query's items, which may name `known` kinds; errors name the list's path `field`.
    public static func read(
        _ tree: Tree, field: String, known: Set<EventKind>
    ) throws(InputError) -> Query {
        guard case .list(let trees) = tree.content, !trees.isEmpty else {
            throw InputError(
                "expected a list of at least one item like {\"tags\": [\"launch:l1\"]}",
                line: tree.line, field: field)
        }
        var items: [Query.Item] = []
        for (index, tree) in trees.enumerated() {
            items.append(try item(tree, "\(field)[\(index)]", known))
        }
        return Query(items: items) ?? .all
    }

    /// An item of a query, as written in JSON.
    private struct Item: Record {
        /// Event kinds, with or without versions; `nil` for any kind.
        var kinds: [String]?
        /// Tags that an event must all have, such as `device:d1`; `nil` for none.
        var tags: [String]?
        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("kinds", &kinds, "tags", &tags)
        }
    }

    /// Parses the item at `path`; throws for an unknown event kind or an invalid tag.
    private static func item(
        _ tree: Tree, _ path: String, _ known: Set<EventKind>
    ) throws(InputError) -> Query.Item {
        let input = try TreeReader.read(Item.self, from: tree, field: path, rules: .standard)
        var kinds: Set<EventKind> = []
        for (index, name) in (input.kinds ?? []).enumerated() {
            let named = known.named(name)
            guard !named.isEmpty else {
                let hint = NearestNames.hint(
                    for: name, in: known.flatMap { [String($0.stem), $0.name] })
                throw InputError(
                    "there is no kind of event \(JSONWriter.text(name))\(hint == "." ? "" : hint)",
                    line: tree.line, field: "\(path).kinds[\(index)]")
            }
            kinds.formUnion(named)
        }
        var tags: [Tag] = []
        for (index, text) in (input.tags ?? []).enumerated() {
            guard let tag = Tag(text) else {
                throw InputError(
                    "expected a tag noun:id, such as launch:l1, found \(JSONWriter.text(text))",
                    line: tree.line, field: "\(path).tags[\(index)]")
            }
            tags.append(tag)
        }
        guard !kinds.isEmpty || !tags.isEmpty else {
            throw InputError(
                "expected 'kinds' or 'tags' in the item of the query, found neither",
                line: tree.line, field: path)
        }
        return Query.Item(kinds: kinds, tags: tags)
    }
}

extension Set<EventKind> {
    /// Returns the event kinds with the name; a name without a version matches all versions.
    public func named(_ name: String) -> Set<EventKind> {
        filter { $0.name == name || $0.stem == name }
    }
}

/// The append condition of a line, as JSON: that no event after a position matches a query.
struct ConditionInput: Record {
    var query = UnparsedMember()
    /// Position after which no event may match; `nil` means the beginning of the log.
    var after: Int64?
    static var blank: Self { Self() }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("query", &query)
        try field("after", &after)
    }
}

/// A placeholder for a JSON member that is allowed in a record, but that other code parses.
struct UnparsedMember: FieldValue {
    static var blank: UnparsedMember { UnparsedMember() }

    static func visit<Visitor: FieldVisitor>(
        _ visitor: inout Visitor, _ value: inout UnparsedMember
    ) throws(Visitor.Failure) {}
}
