/// The values of a state by path, as a tree, so that the parts of a field are found quickly.
struct PathValues: Sendable {
    /// The last write at the path itself: none, a removal or a value.
    private enum Held: Sendable {
        case nothing
        case gone
        case value(String)
    }

    private var own = Held.nothing
    /// Subtrees by the next step with its leading character: `.status`, `[3]`.
    private var parts: [Substring: PathValues] = [:]

    /// The value of a path: `.some(nil)` if it was removed, `.none` if no event wrote it.
    subscript(path: String) -> String?? {
        get {
            var part = self
            for step in path.steps {
                guard let next = part.parts[step] else { return .none }
                part = next
            }
            return part.held
        }
        set {
            let held: Held =
                switch newValue {
                case .none: .nothing
                case .some(nil): .gone
                case .some(let value?): .value(value)
                }
            set(path.steps[...], held)
        }
    }

    private var held: String?? {
        switch own {
        case .nothing: .none
        case .gone: .some(nil)
        case .value(let value): value
        }
    }

    private var isEmpty: Bool {
        if case .nothing = own { parts.isEmpty } else { false }
    }

    private mutating func set(_ steps: ArraySlice<Substring>, _ held: Held) {
        guard let first = steps.first else { return own = held }
        if case .nothing = held {
            parts[first]?.set(steps.dropFirst(), held)
            if parts[first]?.isEmpty == true { parts[first] = nil }
        } else {
            parts[first, default: PathValues()].set(steps.dropFirst(), held)
        }
    }

    /// Returns `path` and the paths within it that were written or removed, in no order.
    func paths(within path: String = "") -> [String] {
        var part = self
        for step in path.steps {
            guard let next = part.parts[step] else { return [] }
            part = next
        }
        var paths: [String] = []
        part.collect(path, &paths)
        return paths
    }

    private func collect(_ path: String, _ paths: inout [String]) {
        if held != nil { paths.append(path) }
        for (step, part) in parts { part.collect(path + step, &paths) }
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
