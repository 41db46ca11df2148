public import Daybook

/// Why the state of an entity was not found.
public enum StateError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The log's catalogue has no such projection.
    case unknownProjection(String)
    /// Several projections of the catalogue fold with the same type; name one of them.
    case severalProjections(String, names: [String])
    case log(LogError)

    public var description: String {
        switch self {
        case .unknownProjection(let name):
            "the catalogue that the log was opened with has no projection '\(name)'"
        case .severalProjections(let type, let names):
            "\(names.joined(separator: ", ")) all fold with \(type); ask for one by name"
        case .log(let error): "\(error)"
        }
    }
}

extension EventLog {
    /// The state of one entity, typed, under any of its ids; blank where no event is about it.
    ///
    ///     let shelf = try log.state(Shelf.self, of: "c1")
    ///
    /// - Parameters:
    ///   - projection: of one projection of the log's catalogue.
    ///   - position: folds events up to this position; to the newest by default.
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

    /// The state of one entity by the name of a projection; empty where no event is about it.
    ///
    /// - Parameters:
    ///   - rules: the standard fold where the projection has none of these rules.
    ///   - position: folds events up to this position; to the newest by default.
    public func state(
        _ projection: String, of id: String, under rules: RuleSet = .standard,
        at position: Position? = nil
    ) throws(StateError) -> EntityState {
        guard let description = catalogue.projections[projection] else {
            throw .unknownProjection(projection)
        }
        return try state(description, of: id, rules, at: position)
    }

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
