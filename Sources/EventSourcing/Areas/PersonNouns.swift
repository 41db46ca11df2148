/// The nouns of tags that name people, and the noun that a person goes by.
///
/// `["baby": "baby", "profile": "baby"]`: the tags `baby:b` and `profile:b` are about one person,
/// `baby:b`, whose texts are erased together.
public struct PersonNouns: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    public private(set) var nouns: [String: String]

    public init(_ nouns: [String: String] = [:]) {
        self.nouns = nouns
    }

    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(Dictionary(elements) { first, _ in first })
    }

    /// The person that a tag names; `nil` for one that names none.
    public func person(_ tag: Tag) -> Tag? {
        guard let noun = nouns[String(tag.noun)] else { return nil }
        return noun == tag.noun ? tag : Tag("\(noun):\(tag.id)")
    }

    /// The person whose personal texts an event with these tags holds: the first one named.
    public func subject(of tags: [Tag]) -> Tag? { tags.lazy.compactMap(person).first }

    /// Every tag that names a person; the tag itself where it names none.
    public func tags(naming tag: Tag) -> [Tag] {
        guard let person = person(tag) else { return [tag] }
        return nouns.keys.sorted().filter { nouns[$0].map { $0 == person.noun } ?? false }
            .compactMap { Tag("\($0):\(person.id)") }
    }
}
