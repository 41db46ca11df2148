/// The nouns of tags that name people, and the noun that a person goes by.
///
/// `["baby": "baby", "profile": "baby"]`: the tags `baby:b` and `profile:b` are about one person,
/// `baby:b`, whose texts are erased together.
public struct PersonNouns: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    /// The noun that a person goes by, for each noun that names the person.
    public private(set) var nouns: [String: String]
    /// Nouns of entities that hold personal values of their own, with the noun of their owner.
    ///
    /// `["run": "user"]`: what an event of a run alone holds is encrypted under a key of the run,
    /// and erased with it or with its user, whom other events of the run name.
    public private(set) var owners: [String: String]

    public init(_ nouns: [String: String] = [:]) {
        self.init(nouns, owners: [:])
    }

    public init(_ nouns: [String: String], owners: [String: String]) {
        self.nouns = nouns
        self.owners = owners
    }

    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(Dictionary(elements) { first, _ in first })
    }

    /// The person or the owned entity that a tag names; `nil` for one that names none.
    public func person(_ tag: Tag) -> Tag? { named(tag) ?? (isOwned(tag) ? tag : nil) }

    private func named(_ tag: Tag) -> Tag? {
        guard let noun = nouns[String(tag.noun)] else { return nil }
        // In the form that the tag is stored in, under which the log knows the person.
        return noun == tag.noun ? tag : Tag(stored: "\(noun):\(tag.id)")
    }

    /// `true` for the tag of an entity that a person owns.
    public func isOwned(_ tag: Tag) -> Bool { owners[String(tag.noun)] != nil }

    /// The person whose personal data an event with these tags holds: the first person named, else
    /// the first entity with an owner.
    public func subject(of tags: [Tag]) -> Tag? {
        tags.lazy.compactMap(named).first ?? tags.first(where: isOwned)
    }

    /// `true` for a person who may own entities.
    public func hasOwned(_ person: Tag) -> Bool { owners.values.contains(String(person.noun)) }

    /// The tags of entities that a person owns, in an event about that person.
    public func owned(by person: Tag, among tags: [Tag]) -> [Tag] {
        guard subject(of: tags) == person else { return [] }
        return tags.filter { owners[String($0.noun)].map { $0 == person.noun } ?? false }
    }

    /// Every tag that names a person; the tag itself where it names none.
    public func tags(naming tag: Tag) -> [Tag] {
        guard let person = named(tag) else { return [tag] }
        return nouns.keys.sorted().filter { nouns[$0].map { $0 == person.noun } ?? false }
            .compactMap { Tag("\($0):\(person.id)") }
    }
}
