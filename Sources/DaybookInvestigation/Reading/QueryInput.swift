public import Daybook
import DaybookScenarios

/// Items of a query as JSON: `[{"kinds": ["launch.app-launched"], "tags": ["device:d1"]}]`.
///
/// An event is selected by an item that has its kind among `kinds`, if any are given, and all of
/// `tags` among its tags; by a query, if one of the items selects it. A kind without a version
/// means all its layouts.
public enum QueryInput {
    /// - Parameters:
    ///   - field: what the items are a member of, for messages.
    ///   - known: the kinds that may be named.
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

    private struct Item: Record {
        var kinds: [String]?
        var tags: [String]?
        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("kinds", &kinds, "tags", &tags)
        }
    }

    private static func item(
        _ tree: Tree, _ path: String, _ known: Set<EventKind>
    ) throws(InputError) -> Query.Item {
        let input = try TreeReader.read(Item.self, from: tree, field: path, rules: .standard)
        var item = Query.Item()
        for (index, name) in (input.kinds ?? []).enumerated() {
            let named = known.named(name)
            guard !named.isEmpty else {
                let hint = NearestNames.hint(
                    for: name, in: known.flatMap { [String($0.stem), $0.name] })
                throw InputError(
                    "there is no kind of event \(JSONWriter.text(name))\(hint == "." ? "" : hint)",
                    line: tree.line, field: "\(path).kinds[\(index)]")
            }
            item.kinds.formUnion(named)
        }
        for (index, text) in (input.tags ?? []).enumerated() {
            guard let tag = Tag(text) else {
                throw InputError(
                    "expected noun:id like launch:l1, found \(JSONWriter.text(text))",
                    line: tree.line, field: "\(path).tags[\(index)]")
            }
            item.tags.insert(tag)
        }
        guard !item.kinds.isEmpty || !item.tags.isEmpty else {
            throw InputError("expected kinds or tags", line: tree.line, field: path)
        }
        return item
    }
}

extension Set<EventKind> {
    /// The kinds with a name, in one layout, or in all where it has no version.
    public func named(_ name: String) -> Set<EventKind> {
        filter { $0.name == name || $0.stem == name }
    }
}

/// The condition of an event line: no event that matches the query has come after a position.
struct ConditionInput: Record {
    var query = Unread()
    var after: Int64?
    static var blank: Self { Self() }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("query", &query)
        try field("after", &after)
    }
}

/// A member that is read elsewhere.
struct Unread: FieldValue {
    static var blank: Unread { Unread() }

    static func visit<Visitor: FieldVisitor>(
        _ visitor: inout Visitor, _ value: inout Unread
    ) throws(Visitor.Failure) {}
}
