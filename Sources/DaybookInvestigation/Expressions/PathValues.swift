/// The values of a state by their paths, stored as a tree. The tree finds the values within a
/// field, such as `pending[3]` within `pending`, without searching all paths.
struct PathValues: Sendable {
    /// The entry at a path: none, a removal or a value.
    private enum LastWrite: Sendable {
        /// Nothing is stored: no event wrote the path, or its value was removed without a trace.
        case nothing
        /// The last event that changed the path removed its value.
        case removed
        /// The last event that changed the path wrote this value, as JSON.
        case value(String)
    }

    private var lastWrite = LastWrite.nothing
    /// Trees of the paths that are one step longer, by that step. A step includes its leading
    /// character, as in `.status` and `[3]`.
    private var subtrees: [Substring: PathValues] = [:]

    /// The value of a path: `.some(nil)` for a stored removal, `.none` if nothing is stored.
    subscript(path: String) -> String?? {
        get {
            var part = self
            for step in path.steps {
                guard let next = part.subtrees[step] else { return .none }
                part = next
            }
            return part.value
        }
        set {
            let held: LastWrite =
                switch newValue {
                case .none: .nothing
                case .some(nil): .removed
                case .some(let value?): .value(value)
                }
            set(path.steps[...], held)
        }
    }

    /// The value of the path of this tree: `.some(nil)` for a stored removal, `.none` if nothing is
    /// stored.
    private var value: String?? {
        switch lastWrite {
        case .nothing: .none
        case .removed: .some(nil)
        case .value(let value): value
        }
    }

    /// True if no path in the tree has a value or a removal.
    private var isEmpty: Bool { if case .nothing = lastWrite { subtrees.isEmpty } else { false } }

    /// Stores a write at the path to which the remaining steps lead.
    private mutating func set(_ steps: ArraySlice<Substring>, _ held: LastWrite) {
        guard let first = steps.first else { return lastWrite = held }
        if case .nothing = held {
            subtrees[first]?.set(steps.dropFirst(), held)
            if subtrees[first]?.isEmpty == true { subtrees[first] = nil }
        } else {
            subtrees[first, default: PathValues()].set(steps.dropFirst(), held)
        }
    }

    /// Returns the paths that were written or removed and that are `path` or lie within it, in no
    /// particular order.
    func paths(within path: String = "") -> [String] {
        var part = self
        for step in path.steps {
            guard let next = part.subtrees[step] else { return [] }
            part = next
        }
        var paths: [String] = []
        part.collect(path, &paths)
        return paths
    }

    /// Appends the paths of this tree that were written or removed to `paths`; `path` is the path
    /// of the tree itself.
    private func collect(_ path: String, _ paths: inout [String]) {
        if value != nil { paths.append(path) }
        for (step, part) in subtrees { part.collect(path + step, &paths) }
    }
}

extension String {
    /// The steps of a path: `pending`, `[3]` and `.status` for `pending[3].status`.
    fileprivate var steps: [Substring] {
        var steps: [Substring] = []
        var start = startIndex
        for index in utf8.indices where index > start {
            guard utf8[index] == UInt8(ascii: ".") || utf8[index] == UInt8(ascii: "[") else {
                continue
            }
            steps.append(self[start..<index])
            start = index
        }
        if start < endIndex { steps.append(self[start...]) }
        return steps
    }
}
