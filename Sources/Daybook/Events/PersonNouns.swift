/// The nouns (the parts before the colon) of tags that name people, with each person's main noun.
///
/// `["baby": "baby", "profile": "baby"]`: the tags `baby:b` and `profile:b` name one person,
/// `baby:b`, whose texts are erased together.
public struct PersonNouns: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    /// The main noun of a person, by each noun that names the person.
    public private(set) var nouns: [String: String]
    /// The noun of the owner, by the noun of each entity that a person owns.
    ///
    /// `["run": "user"]`: the personal values of an event that names a run but no user are
    /// encrypted under a key of the run. They are erased with the run, or with its user, whom other
    /// events of the run name.
    public private(set) var owners: [String: String]

    /// Creates the main nouns of people who own no entities, by each noun that names the person.
    public init(_ nouns: [String: String] = [:]) { self.init(nouns, owners: [:]) }

    /// Creates the main nouns of people and owners, by the nouns of people and of owned entities.
    public init(_ nouns: [String: String], owners: [String: String]) {
        self.nouns = nouns
        self.owners = owners
    }

    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(Dictionary(elements) { first, _ in first })
    }

    /// Returns the tag of the person or owned entity that a tag names; `nil` if neither.
    public func person(_ tag: Tag) -> Tag? { mainTag(tag) ?? (isOwned(tag) ? tag : nil) }

    /// Returns the tag of a person under the main noun; `nil` if the tag names no person.
    private func mainTag(_ tag: Tag) -> Tag? {
        let own = tag.noun
        guard let noun = nouns[String(own)] else { return nil }
        // `stored:` keeps the id unchanged, because the log knows the person by the stored id.
        return noun == own ? tag : Tag(stored: "\(noun):\(tag.id)")
    }

    /// True if the tag names an entity that a person owns.
    public func isOwned(_ tag: Tag) -> Bool { owners[String(tag.noun)] != nil }

    /// Returns the tag of the person to whom the personal data of an event with these tags belongs.
    ///
    /// It is the first person that the tags name, else the first owned entity; `nil` if the tags
    /// name neither.
    public func subject(of tags: [Tag]) -> Tag? {
        for tag in tags {
            if let person = mainTag(tag) { return person }
        }
        return tags.first(where: isOwned)
    }

    /// True if people with the noun of this tag may own entities.
    public func mayOwnEntities(_ person: Tag) -> Bool {
        owners.values.contains(String(person.noun))
    }

    /// Returns the tags of entities that a person owns, from the tags of one event.
    ///
    /// Empty if the personal data of the event belongs to a different person.
    public func owned(by person: Tag, among tags: [Tag]) -> [Tag] {
        guard subject(of: tags) == person else { return [] }
        return tags.filter { owners[String($0.noun)].map { $0 == person.noun } ?? false }
    }

    /// Returns every tag that names the same person as `tag`; only `tag` if `tag` names no person.
    public func tags(naming tag: Tag) -> [Tag] {
        guard let person = mainTag(tag) else { return [tag] }
        return nouns.keys.sorted().filter { nouns[$0].map { $0 == person.noun } ?? false }
            .compactMap { Tag("\($0):\(person.id)") }
    }
}
