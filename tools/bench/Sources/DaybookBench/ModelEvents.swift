import Daybook
import DaybookModel

/// Events of the example model, made as by a program that knows only the catalogue of its areas.
enum ModelEvents {
    /// The events, commands and projections of the model.
    static let catalogue: Catalogue = {
        do throws(InvalidCatalogue) {
            return try Catalogue(Catalog.areas)
        } catch {
            preconditionFailure("\(error)")
        }
    }()

    /// Texts are stored as they are, and each digest is given as one.
    private static let rules = InputRules(digest: { _ in 0 }, normalise: { $0 })

    /// Returns an event of a kind of the model, which occurred at a time.
    static func event(
        _ kind: EventKind, at time: Instant,
        _ fields: KeyValuePairs<String, Tree.Content>
    ) throws -> NewEvent {
        guard let description = catalogue.events[kind] else {
            throw Failed(description: "the model has no kind \(kind)")
        }
        var event = try description.read(tree(fields), "data", rules)
        event.occurredAt = time
        return event
    }

    /// Returns an object with the fields.
    static func tree(_ fields: KeyValuePairs<String, Tree.Content>) -> Tree {
        Tree(
            .map(fields.map { Tree.Member(key: $0.key, value: Tree($0.value, line: 1)) }),
            line: 1)
    }
}
