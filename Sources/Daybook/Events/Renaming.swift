/// A new id for an entity; the old and the new id mean the same entity in all of history.
public struct Renaming: Hashable, Sendable {
    /// Noun of the tags that name the entity.
    public var noun: String
    /// The id that is replaced.
    public var from: String
    /// The id that replaces it.
    public var to: String

    public init(noun: String, from: String, to: String) {
        self.noun = noun
        self.from = from
        self.to = to
    }
}

/// Newest ids by the ids they replaced. Each id is replaced at most once, and never by itself.
extension [String: String] {
    /// Notes that `id` is replaced.
    ///
    /// - Returns: `false`, and nothing is noted, where it was replaced before or where the new id
    ///   is one that it replaced itself.
    public mutating func replace(_ id: String, by newer: String) -> Bool {
        guard self[id] == nil, newest(newer) != id else { return false }
        self[id] = newer
        return true
    }

    /// Every id of the thing that `id` means, in order.
    public func all(_ id: String) -> [String] {
        let newest = newest(id)
        return Set([id, newest] + keys.filter { self.newest($0) == newest }).sorted()
    }

    /// The end of the chain that begins with `id`; itself where nothing replaced it.
    public func newest(_ id: String) -> String {
        var id = id
        for _ in 0..<count {
            guard let newer = self[id] else { break }
            id = newer
        }
        return id
    }
}
