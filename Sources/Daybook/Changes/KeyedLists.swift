/// The lists of a record whose elements have keys, so that two versions are compared by key.
///
/// An element that was inserted is then one difference, and not one of each element behind it. A list
/// is taken by key where each of its elements has one of its own in both versions, and by number
/// elsewhere.
public struct KeyedLists: Sendable {
    fileprivate struct List: Sendable {
        var path: [Step]
        /// The name of the field.
        var key: String
    }

    fileprivate enum Step: Hashable {
        case field(String)
        case element
        case member
    }

    /// Inner lists before those that hold them.
    private let lists: [List]

    /// The lists that the descriptions of a record's fields declare.
    public init(_ fields: [FieldDescription]) {
        lists = Self.lists(fields, []).reversed()
    }

    /// True for a path within a list whose elements have keys.
    public func hold(_ path: String) -> Bool { lists.contains { $0.place(in: path) != nil } }

    /// The fields that hold the keys, as `Leaf.field` names them: `entries[].entryId`.
    public var keyFields: Set<String> {
        Set(
            lists.map { list in
                let path = list.path.map { step in
                    switch step {
                    case .field(let name): ".\(name)"
                    case .element: "[]"
                    case .member: ".*"
                    }
                }
                return "\(path.joined().dropFirst())[].\(list.key)"
            })
    }

    private static func lists(_ fields: [FieldDescription], _ outer: [Step]) -> [List] {
        fields.flatMap { field -> [List] in
            let path = outer + [.field(field.name)]
            let element: [Step] =
                field.form.hasPrefix("[") ? [.element] : field.form.hasPrefix("{") ? [.member] : []
            let own =
                element == [.element] ? field.elementKey.map { List(path: path, key: $0) } : nil
            return [own].compactMap(\.self) + lists(field.fields, path + element)
        }
    }

    /// Two versions with keys in place of numbers: `entries[e1].kind`.
    fileprivate func keyed(
        _ before: [FlatFields.Leaf], _ after: [FlatFields.Leaf]
    ) -> (before: Version, after: Version) {
        var (old, new) = (Version(leaves: before), Version(leaves: after))
        for list in lists {
            guard let oldKeys = old.keys(of: list), let newKeys = new.keys(of: list) else {
                continue
            }
            old.rename(list, oldKeys)
            new.rename(list, newKeys)
        }
        return (old, new)
    }

    /// A record's leaves, and the order of the keys of its lists.
    fileprivate struct Version {
        var leaves: [FlatFields.Leaf]
        /// The keys of each list, by what its path begins with as long as outer lists have numbers.
        var orders: [(path: String, keys: [String])] = []

        /// The keys of the elements, by list and number; `nil` where some element has none of its own.
        fileprivate func keys(of list: List) -> [String: [String: String]]? {
            var keys: [String: [String: String]] = [:]
            var numbers: [String: Set<Substring>] = [:]
            for leaf in leaves {
                guard let place = list.place(in: leaf.path) else { continue }
                let path = String(leaf.path[..<place.lowerBound])
                let number = leaf.path[place]
                numbers[path, default: []].insert(number)
                guard leaf.path[place.upperBound...].dropFirst() == ".\(list.key)" else { continue }
                keys[path, default: [:]][String(number)] = leaf.keyText
            }
            for (path, numbers) in numbers {
                let own = keys[path] ?? [:]
                guard own.count == numbers.count, Set(own.values).count == own.count else {
                    return nil
                }
            }
            return keys
        }

        fileprivate mutating func rename(_ list: List, _ keys: [String: [String: String]]) {
            func renamed(_ path: String) -> (path: String, list: String, key: String)? {
                guard let place = list.place(in: path) else { return nil }
                let start = String(path[..<place.lowerBound])
                guard let key = keys[start]?[String(path[place])] else { return nil }
                return (start + key + path[place.upperBound...], start, key)
            }
            for index in orders.indices {
                if let new = renamed(orders[index].path) { orders[index].path = new.path }
            }
            var order: [(path: String, keys: [String])] = []
            for index in leaves.indices {
                guard let new = renamed(leaves[index].path) else { continue }
                leaves[index].path = new.path
                if order.last?.path != new.list { order.append((new.list, [])) }
                if order[order.count - 1].keys.last != new.key {
                    order[order.count - 1].keys.append(new.key)
                }
            }
            orders += order
        }
    }
}

extension KeyedLists.List {
    /// The number of an element in a path within the list; `nil` for a path outside it.
    fileprivate func place(in path: String) -> Range<String.Index>? {
        guard path.utf8.contains(UInt8(ascii: "[")) else { return nil }
        var rest = path[...]
        for (index, step) in self.path.enumerated() {
            switch step {
            case .field(let name):
                if index > 0 {
                    guard rest.first == "." else { return nil }
                    rest = rest.dropFirst()
                }
                guard rest.hasPrefix(name) else { return nil }
                rest = rest.dropFirst(name.count)
            case .element:
                guard rest.first == "[", let end = rest.firstIndex(of: "]") else { return nil }
                rest = rest[rest.index(after: end)...]
            case .member:
                guard rest.first == "." else { return nil }
                rest = rest.dropFirst().drop { $0 != "." && $0 != "[" }
            }
        }
        guard rest.first == "[", let end = rest.firstIndex(of: "]") else { return nil }
        return rest.index(after: rest.startIndex)..<end
    }
}

extension FlatFields.Leaf {
    /// The value as a key: a text without its quotation marks.
    fileprivate var keyText: String {
        value.count > 1 && value.first == "\"" ? String(value.dropFirst().dropLast()) : value
    }
}

extension FieldChange {
    /// The fields that differ, elements of lists with keys matched by key: `entries[e1].kind`.
    ///
    /// In the order of `after`, those that are gone next, and last the lists of which only the order
    /// of their elements differs, as the keys that both have.
    public static func between(
        _ before: [FlatFields.Leaf], _ after: [FlatFields.Leaf], _ lists: KeyedLists
    ) -> [FieldChange] {
        let (old, new) = lists.keyed(before, after)
        var changes = between(old.leaves, new.leaves)
        let earlier = Dictionary(
            old.orders.map { ($0.path, $0.keys) }, uniquingKeysWith: { first, _ in first })
        for (path, keys) in new.orders {
            guard let was = earlier[path] else { continue }
            let (all, known) = (Set(keys), Set(was))
            let orders = [was.filter(all.contains), keys.filter(known.contains)]
            guard orders[0] != orders[1] else { continue }
            let texts = orders.map { JSONWriter.text($0) }
            changes.append(
                FieldChange(path: String(path.dropLast()), before: texts[0], after: texts[1]))
        }
        return changes
    }
}

extension [FieldChange] {
    /// The changes for people: an element that came or went is one, with what it holds as an object.
    public var withWholeElements: [FieldChange] {
        var elements: [String: Int] = [:]
        var changes: [FieldChange] = []
        for change in self {
            if let element = change.elementOfKey { elements[element] = -1 }
        }
        for change in self {
            let element =
                change.isOneSided ? change.path.elements.first { elements[$0] != nil } : nil
            guard let element else {
                changes.append(change)
                continue
            }
            guard let index = elements[element], index >= 0 else {
                elements[element] = changes.count
                changes.append(
                    FieldChange(
                        path: element, before: change.before.map { _ in "{}" },
                        after: change.after.map { _ in "{}" }))
                changes[changes.count - 1].add(change)
                continue
            }
            changes[index].add(change)
        }
        return changes
    }
}

extension [FieldChange] {
    /// The changes without those of elements that only got another key, and these keys as JSON.
    public var separatedFromNewKeys: (changes: [FieldChange], keys: [String: String]) {
        /// The fields of each element beside its key.
        var contents: [String: [String]] = [:]
        for change in self {
            if let element = change.elementOfKey { contents[element] = [] }
        }
        guard !contents.isEmpty else { return (self, [:]) }
        for change in self where change.isOneSided && change.elementOfKey == nil {
            guard let element = change.path.elements.first(where: { contents[$0] != nil }) else {
                continue
            }
            let name = change.path.dropFirst(element.count)
            contents[element]?.append("\(name) \(change.before ?? change.after ?? "")")
        }
        var gone: [[String]: [(element: String, key: String)]] = [:]
        for change in self where change.after == nil {
            guard let element = change.elementOfKey, let held = contents[element],
                let key = change.before
            else { continue }
            gone[[element.list] + held, default: []].append((element, key))
        }
        var renamed: Set<String> = []
        var keys: [String: String] = [:]
        for change in self where change.before == nil {
            guard let element = change.elementOfKey, let held = contents[element],
                let key = change.after, let former = gone[[element.list] + held]?.popLast()
            else { continue }
            renamed.formUnion([element, former.element])
            keys[former.key] = key
        }
        let changes = filter { change in
            !change.isOneSided || !change.path.elements.contains(where: renamed.contains)
        }
        return (changes, keys)
    }
}

extension FieldChange {
    /// The path without the numbers of elements: `entries[].entryId`.
    var field: String { FlatFields.Leaf(path: path, value: "").field }

    /// True where the field is on one side alone.
    fileprivate var isOneSided: Bool { (before == nil) != (after == nil) }

    /// The element that comes or goes with this field, which is its key: `entries[e1]`.
    fileprivate var elementOfKey: String? {
        guard isOneSided, let value = before ?? after, path.contains("]"),
            let dot = path.lastIndex(of: ".")
        else { return nil }
        let key = FlatFields.Leaf(path: path, value: value).keyText
        let element = path[..<dot]
        return element.hasSuffix("[\(key)]") ? String(element) : nil
    }

    /// Adds a field of an element, unless it says nothing.
    fileprivate mutating func add(_ change: FieldChange) {
        guard let value = change.before ?? change.after, !["null", "[]", "{}"].contains(value)
        else { return }
        let name = change.path.dropFirst(path.count).drop { $0 == "." }
        let text = change.isMoment ? Int64(value).flatMap(JSONWriter.time) : nil
        let shown = text.map { JSONWriter.text($0) } ?? value
        let member = "\(JSONWriter.text(String(name))): \(shown)"
        func adding(_ object: String) -> String {
            "\(object.dropLast())\(object == "{}" ? "" : ", ")\(member)}"
        }
        before = before.map(adding)
        after = after.map(adding)
    }
}

extension String {
    /// The path of the list that holds an element.
    fileprivate var list: String { String(prefix { $0 != "[" }) }

    /// The paths of the elements that a path leads through, the outermost first.
    fileprivate var elements: [String] {
        indices.filter { self[$0] == "]" }.map { String(self[...$0]) }
    }
}
