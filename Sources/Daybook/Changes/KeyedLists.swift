/// The lists of a record whose elements are compared by a key field instead of by their index.
///
/// An inserted element is then one difference, instead of a difference in every element after it.
/// A list is compared by key if all its elements have different keys in both versions; otherwise
/// it is compared by index.
package struct KeyedLists: Sendable {
    /// A list whose elements have a key field.
    fileprivate struct List: Sendable {
        /// The field names, elements and map members that lead from the record to the list.
        var path: [PathComponent]
        var keyField: String
    }

    fileprivate enum PathComponent: Hashable {
        /// A field of a record, by its name.
        case field(String)
        /// Any element of a list.
        case element
        /// Any member of a map.
        case member
    }

    /// The lists with a key field, inner lists before the lists that contain them.
    private let lists: [List]

    /// Finds, in the descriptions of a record's fields, the lists whose elements have a key field.
    public init(_ fields: [FieldDescription]) { lists = Self.lists(fields, []).reversed() }

    /// True if a path leads into an element of one of the lists.
    public func contains(_ path: String) -> Bool {
        lists.contains { $0.indexRange(in: path) != nil }
    }

    /// The paths of the key fields, in the form of `Leaf.field`: `entries[].entryId`.
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
                return "\(path.joined().dropFirst())[].\(list.keyField)"
            })
    }

    /// Returns the lists with a key field at any depth; `outer` is the path of the fields' record.
    private static func lists(_ fields: [FieldDescription], _ outer: [PathComponent]) -> [List] {
        fields.flatMap { field -> [List] in
            let path = outer + [.field(field.name)]
            let element: [PathComponent] =
                field.form.hasPrefix("[") ? [.element] : field.form.hasPrefix("{") ? [.member] : []
            let own =
                element == [.element]
                ? field.elementKey.map { List(path: path, keyField: $0) } : nil
            return [own].compactMap(\.self) + lists(field.fields, path + element)
        }
    }

    /// Returns both versions of a record with keys in place of element indices: `entries[e1].kind`.
    fileprivate func replacingIndicesByKeys(
        _ before: [FlatFields.Leaf], _ after: [FlatFields.Leaf]
    ) -> (before: Version, after: Version) {
        var (old, new) = (Version(leaves: before), Version(leaves: after))
        for list in lists {
            guard let oldKeys = old.keys(of: list), let newKeys = new.keys(of: list) else {
                continue
            }
            old.replaceIndices(of: list, by: oldKeys)
            new.replaceIndices(of: list, by: newKeys)
        }
        return (old, new)
    }

    /// The leaves of one version of a record, and the order of the elements in its lists.
    fileprivate struct Version {
        /// The leaves of the record; `replaceIndices` changes the indices in their paths to keys.
        var leaves: [FlatFields.Leaf]
        /// The path, with outer keys, and the ordered keys of each list with replaced indices.
        var keyOrders: [(path: String, keys: [String])] = []

        /// Returns the keys of a list's elements, by the path of the list and the element's index.
        ///
        /// `nil` if an element has no key, or the same key as another element of the list.
        fileprivate func keys(of list: List) -> [String: [String: String]]? {
            var keys: [String: [String: String]] = [:]
            var numbers: [String: Set<Substring>] = [:]
            for leaf in leaves {
                guard let place = list.indexRange(in: leaf.path) else { continue }
                let path = String(leaf.path[..<place.lowerBound])
                let number = leaf.path[place]
                numbers[path, default: []].insert(number)
                guard leaf.path[place.upperBound...].dropFirst() == ".\(list.keyField)" else {
                    continue
                }
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

        /// Replaces the element indices of a list by the keys, in the paths of all leaves.
        fileprivate mutating func replaceIndices(
            of list: List, by keys: [String: [String: String]]
        ) {
            func renamed(_ path: String) -> (path: String, list: String, key: String)? {
                guard let place = list.indexRange(in: path) else { return nil }
                let start = String(path[..<place.lowerBound])
                guard let key = keys[start]?[String(path[place])] else { return nil }
                return (start + key + path[place.upperBound...], start, key)
            }
            for index in keyOrders.indices {
                if let new = renamed(keyOrders[index].path) { keyOrders[index].path = new.path }
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
            keyOrders += order
        }
    }
}

extension KeyedLists.List {
    /// Returns the range of the element's index in a path; `nil` if the path is outside the list.
    fileprivate func indexRange(in path: String) -> Range<String.Index>? {
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
    /// The value as it appears in a path as a key: a text without its quotation marks.
    fileprivate var keyText: String {
        value.count > 1 && value.first == "\"" ? String(value.dropFirst().dropLast()) : value
    }
}

extension FieldChange {
    /// Returns the leaves that differ, with list elements matched by key: `entries[e1].kind`.
    ///
    /// Changed and added leaves come first, in the order of `after`, then removed leaves. Last come
    /// the lists in which elements of both versions are reordered. The values of such a change are
    /// JSON lists of the keys that both versions have, in their earlier and their later order.
    public static func between(
        _ before: [FlatFields.Leaf], _ after: [FlatFields.Leaf], _ lists: KeyedLists
    ) -> [FieldChange] {
        let (old, new) = lists.replacingIndicesByKeys(before, after)
        var changes = between(old.leaves, new.leaves)
        let earlier = Dictionary(
            old.keyOrders.map { ($0.path, $0.keys) }, uniquingKeysWith: { first, _ in first })
        for (path, keys) in new.keyOrders {
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
    /// The changes as shown to people: one for each added or removed element of a list with keys.
    ///
    /// The value of such a change is an object with the element's fields, without empty fields.
    package var withWholeElements: [FieldChange] {
        var elements: [String: Int] = [:]
        var changes: [FieldChange] = []
        for change in self {
            if let element = change.elementOfKey { elements[element] = -1 }
        }
        for change in self {
            let element =
                change.isOneSided ? change.path.elementPaths.first { elements[$0] != nil } : nil
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
                changes[changes.count - 1].addField(change)
                continue
            }
            changes[index].addField(change)
        }
        return changes
    }

    /// The changes without the elements that only got a new key, and each new key by the old key.
    ///
    /// The keys are given as JSON. An element only got a new key if an element with equal other
    /// fields was removed from the same list, or from a list within the same outermost list.
    package var separatedFromNewKeys: (changes: [FieldChange], keys: [String: String]) {
        // The fields of each added or removed element, without its key.
        var contents: [String: [String]] = [:]
        for change in self {
            if let element = change.elementOfKey { contents[element] = [] }
        }
        guard !contents.isEmpty else { return (self, [:]) }
        for change in self where change.isOneSided && change.elementOfKey == nil {
            guard let element = change.path.elementPaths.first(where: { contents[$0] != nil })
            else { continue }
            let name = change.path.dropFirst(element.count)
            contents[element]?.append("\(name) \(change.before ?? change.after ?? "")")
        }
        var gone: [[String]: [(element: String, key: String)]] = [:]
        for change in self where change.after == nil {
            guard let element = change.elementOfKey, let held = contents[element],
                let key = change.before
            else { continue }
            gone[[element.outermostList] + held, default: []].append((element, key))
        }
        var renamed: Set<String> = []
        var keys: [String: String] = [:]
        for change in self where change.before == nil {
            guard let element = change.elementOfKey, let held = contents[element],
                let key = change.after, let former = gone[[element.outermostList] + held]?.popLast()
            else { continue }
            renamed.formUnion([element, former.element])
            keys[former.key] = key
        }
        let changes = filter { change in
            !change.isOneSided || !change.path.elementPaths.contains(where: renamed.contains)
        }
        return (changes, keys)
    }
}

extension FieldChange {
    /// The path without the indices or keys of list elements: `entries[].entryId`.
    var field: String { FlatFields.Leaf(path: path, value: "").field }

    /// True if the field was added or removed.
    fileprivate var isOneSided: Bool { (before == nil) != (after == nil) }

    /// The path, like `entries[e1]`, of the added or removed element whose key this is; else `nil`.
    fileprivate var elementOfKey: String? {
        guard isOneSided, let value = before ?? after, path.contains("]"),
            let dot = path.lastIndex(of: ".")
        else { return nil }
        let key = FlatFields.Leaf(path: path, value: value).keyText
        let element = path[..<dot]
        return element.hasSuffix("[\(key)]") ? String(element) : nil
    }

    /// Adds an element's field, unless empty, to the JSON object that is this change's value.
    fileprivate mutating func addField(_ change: FieldChange) {
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
    /// The path of the outermost list that this path leads through.
    fileprivate var outermostList: String { String(prefix { $0 != "[" }) }

    /// The paths of the elements that this path leads through, the outermost first.
    fileprivate var elementPaths: [String] {
        indices.filter { self[$0] == "]" }.map { String(self[...$0]) }
    }
}
