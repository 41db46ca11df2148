import Daybook

/// Functions for the names under which a log stores people.
///
/// The name of an actor is like `actor:ada`, that of another person is a tag such as `reader:ada`.
enum PersonName {
    /// The owner of the personal texts of an event that names no person, if its commit has no
    /// actor.
    static let log = "log"

    /// Shown in place of a name or text that a replica without encryption keys cannot read.
    static let notHere = "not here"

    /// Shown in place of a text that was lost through damage before the log was salvaged.
    static let lost = "lost"

    /// Returns the name under which an actor is stored, such as `actor:ada`.
    static func actor(_ actor: String) -> String { "actor:\(actor)" }

    /// Returns the actor in a stored name, such as `ada` for `actor:ada`; `nil` for a tag.
    static func actor(of name: String) -> String? {
        name.hasPrefix("actor:") ? String(name.dropFirst(6)) : nil
    }
}

extension PersonNouns {
    /// Returns the stored name of the person to whom an event's personal texts belong.
    ///
    /// This is the first person whom the tags identify, else the first owned entity among the tags,
    /// else the actor, else the log itself.
    func textOwner(of tags: [Tag], actor: String) -> String {
        if let person = subject(of: tags) { return person.text }
        return actor.isEmpty ? PersonName.log : PersonName.actor(actor)
    }
}
