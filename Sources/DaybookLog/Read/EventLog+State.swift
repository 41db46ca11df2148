public import Daybook

/// A reason why the state of an entity could not be computed.
public enum StateError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The log's catalogue has no projection with this name or type.
    case unknownProjection(String)
    /// Several projections of the catalogue fold with this type; call `state` with one of the names
    /// instead.
    case severalProjections(String, names: [String])
    /// The log could not be read.
    case log(LogError)

    public var description: String {
        switch self {
        case .unknownProjection(let name):
            "the catalogue that the log was opened with has no projection '\(name)'"
        case .severalProjections(let type, let names):
            "several projections fold with the type \(type); pass one of their names: "
                + names.joined(separator: ", ")
        case .log(let error): "\(error)"
        }
    }
}

extension EventLog {
    /// Returns the typed state of one entity; blank if the entity has no events.
    ///
    ///     let shelf = try log.state(Shelf.self, of: "c1")
    ///
    /// - Parameters:
    ///   - projection: a type with which exactly one projection of the log's catalogue folds.
    ///   - id: any of the entity's ids.
    ///   - position: the last position to fold; the newest by default.
    public func state<Target: Projection>(
        _ projection: Target.Type, of id: String, at position: Position? = nil
    ) throws(StateError) -> Target.State {
        let found = catalogue.projections.values.compactMap { description in
            description.rules(of: projection).map { (description: description, rules: $0) }
        }
        guard let first = found.first else { throw .unknownProjection("\(projection)") }
        guard found.count == 1 else {
            let names = found.map(\.description.name).sorted()
            throw .severalProjections("\(projection)", names: names)
        }
        let state = try state(first.description, of: id, first.rules, at: position)
        return state.fold.state(of: projection) ?? .blank
    }

    /// Returns the state of one entity for a named projection; empty if the entity has no events.
    ///
    /// - Parameters:
    ///   - projection: the name of a projection of the log's catalogue.
    ///   - id: any of the entity's ids.
    ///   - rules: the rule set to fold with; the standard one if the projection does not have it.
    ///   - position: the last position to fold; the newest by default.
    package func state(
        _ projection: String, of id: String, under rules: RuleSet = .standard,
        at position: Position? = nil
    ) throws(StateError) -> EntityState {
        guard let description = catalogue.projections[projection] else {
            throw .unknownProjection(projection)
        }
        return try state(description, of: id, rules, at: position)
    }

    /// Returns the state of the entity with an id, folded from the newest valid snapshot on.
    private func state(
        _ projection: ProjectionDescription, of id: String, _ rules: RuleSet,
        at position: Position?
    ) throws(StateError) -> EntityState {
        do throws(LogError) {
            let reader = try EntityReader(self, through: position)
            return try reader.state(along: try reader.walk(of: projection, id), rules)
        } catch {
            throw .log(error)
        }
    }
}
