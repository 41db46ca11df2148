/// A new id for an entity; the old and the new id mean the same entity in all of history.
public struct Renaming: Hashable, Sendable {
    /// Noun of the tags that name the entity, such as `baby` in `baby:7`.
    public var noun: String
    /// The id that is replaced.
    public var from: String
    /// The id that replaces `from`.
    public var to: String

    public init(noun: String, from: String, to: String) {
        self.noun = noun
        self.from = from
        self.to = to
    }
}

/// Ids that were replaced, each as the key of the id that replaced it.
///
/// An id is replaced at most once, and never by itself, either directly or through other ids.
extension [String: String] {
    /// Adds the replacement of `id` by a newer id.
    ///
    /// - Returns: false, without a change, if `id` was replaced, or is the entity's newest id.
    public mutating func replace(_ id: String, by newer: String) -> Bool {
        guard self[id] == nil, newest(newer) != id else { return false }
        self[id] = newer
        return true
    }

    /// Returns every id of the entity that `id` means, in alphabetical order.
    public func all(_ id: String) -> [String] {
        if isEmpty { return [id] }
        let newest = newest(id)
        return Set([id, newest] + keys.filter { self.newest($0) == newest }).sorted()
    }

    /// True if `newer` replaced an id, directly or through other ids.
    public func isReplaced(_ id: String, by newer: String) -> Bool {
        var id = id
        for _ in 0..<count {
            guard let next = self[id] else { return false }
            if next == newer { return true }
            id = next
        }
        return false
    }

    /// Returns the newest id of the entity that `id` means; `id` itself if it was not replaced.
    public func newest(_ id: String) -> String {
        var id = id
        for _ in 0..<count {
            guard let newer = self[id] else { break }
            id = newer
        }
        return id
    }
}
