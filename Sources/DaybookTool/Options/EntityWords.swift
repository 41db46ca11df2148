import ArgumentParser
import Daybook
import DaybookInvestigation
import DaybookLog

/// The words with which a command line names a projection and one of its entities.
///
/// `session phone-1`, `session/phone-1` and `session:phone-1` mean the same. In place of the
/// projection, its noun may be given, as in `baby:mia`, if only one projection has that noun.
struct EntityWords {
    /// Name of a projection; a noun, or an unknown word, if it names no projection.
    var name: String?
    var key: String?
    /// The word after the key; `nil` if there is none.
    var rest: String?

    /// Finds the projection and the key in the first words of a command.
    ///
    /// - Throws: `ValidationError` for a word too many.
    init(_ name: String?, _ key: String?, _ rest: String? = nil) throws {
        (self.name, self.key, self.rest) = (name, key, rest)
        let catalogue = catalogue()
        guard let name, catalogue.projections[name] == nil else { return }
        if let colon = name.firstIndex(where: { $0 == ":" || $0 == "/" }) {
            let own = identifier(String(name[name.index(after: colon)...]))
            guard rest == nil else {
                throw ValidationError("'\(name)' gives the key already; omit '\(rest ?? "")'.")
            }
            (self.name, self.key, self.rest) = (String(name[..<colon]), own, key)
        }
        let asked = self.name ?? ""
        guard catalogue.projections[asked] == nil else { return }
        let projections = Self.projections(of: asked)
        if projections.count == 1 { self.name = projections.first?.name }
    }

    /// Finds the projection and the key in the words of a command that has no further arguments.
    static func pair(_ name: String?, _ key: String?) throws -> (name: String?, key: String?) {
        let words = try EntityWords(name, key)
        guard words.rest == nil else {
            throw ValidationError(
                "'\(name ?? "")' gives the key already; omit '\(words.rest ?? "")'.")
        }
        return (words.name, words.key)
    }

    /// Returns the projections of the entities with a noun, by name.
    private static func projections(of noun: String) -> [ProjectionDescription] {
        catalogue().projections.values.filter { $0.noun == noun }.sorted { $0.name < $1.name }
    }

    /// Throws a failure that lists the projections of a noun, with what the log has of them, if the
    /// name is a noun and not a projection.
    ///
    /// - Parameter openLog: opens the log, which is done for nouns only.
    static func refuse(
        noun name: String, _ key: String?, _ moment: MomentOptions,
        _ openLog: () throws -> EventLog
    ) throws {
        let catalogue = catalogue()
        guard catalogue.projections[name] == nil else { return }
        let projections = projections(of: name)
        if projections.isEmpty {
            // Without a log, the word is only unknown.
            guard let log = try? openLog(), try log.contents.nouns().contains(name) else { return }
            throw Failure(
                .usage,
                "no projection shows a '\(name)'; '\(Program.name) log --tag \(name):\(key ?? "ID")' "
                    + "lists its events")
        }
        let about = key.map { Tag(stored: "\(name):\($0)") }
        try moment.answer(try openLog(), catalogue, about: about) { reading in
            let counted = try projections.map {
                (projection: $0, count: try count(of: $0, key, reading))
            }
            .filter { $0.count > 0 }.sorted {
                ($1.count, $0.projection.name) < ($0.count, $1.projection.name)
            }
            guard !counted.isEmpty else {
                throw key.map {
                    QuestionError.unknownEntity(noun: name, key: $0, through: reading.through)
                } ?? QuestionError.unanswered("the log has no event of a \(name)")
            }
            var table = Table(.leading, .trailing, .leading)
            for (projection, count) in counted {
                table.add(
                    [projection.name, key].compactMap(\.self).joined(separator: " ").visible,
                    key == nil ? count.counted("entity", "entities") : count.counted("event"),
                    projection.summary)
            }
            throw ValidationError(
                "Several projections show a '\(name)'; give one of those with events up to position "
                    + "\(reading.through):\n" + table.lines.joined(separator: "\n"))
        }
    }

    /// Returns the number of an entity's events for a projection; without a key, of its entities.
    private static func count(
        of projection: ProjectionDescription, _ key: String?, _ reading: ProjectionReading
    ) throws -> Int {
        guard let key else {
            return try reading.log.contents.entities(
                of: projection.noun, kinds: projection.kinds, through: reading.through,
                validThrough: reading.entities.validThrough
            ).count
        }
        let walk = try reading.entities.walk(of: projection, key)
        return try reading.entities.events(along: walk).count
    }

    /// Returns the end of a message about an entity without events, which names the nearest keys in
    /// the log; empty if none is near.
    ///
    /// Keys are compared that share the longest beginning with the key, at most some hundred.
    static func hint(forKey key: String, of noun: String, in log: EventLog) throws(LogError)
        -> String
    {
        var near: Set<String> = []
        var start = key[...]
        while true {
            let ids = try log.contents.ids(
                of: noun, startingWith: String(start), limit: Completions.maxIDs)
            near.formUnion(ids)
            guard ids.count < Completions.maxIDs, start.popLast() != nil else { break }
        }
        let hint = NearestNames.hint(for: key, in: near)
        return hint == "." ? "" : hint
    }
}
