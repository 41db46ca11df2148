public import Daybook

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
    ) throws(LogError) -> Target.State {
        let first = try catalogue.description(of: projection)
        let reader = try EntityReader(self, through: position)
        let fold = try reader.fold(first.description, of: id, first.rules)
        return fold.state(of: projection) ?? .blank
    }

    /// Returns the state of one entity for a named projection; blank if the entity has no events.
    ///
    /// - Parameters:
    ///   - projection: the name of a projection of the log's catalogue.
    ///   - id: any of the entity's ids.
    ///   - rules: the rule set to fold with; the standard one if the projection does not have it.
    ///   - position: the last position to fold; the newest by default.
    public func state(
        _ projection: String, of id: String, under rules: RuleSet = .standard,
        at position: Position? = nil
    ) throws(LogError) -> Fold {
        guard let description = catalogue.projections[projection] else {
            throw .unknownProjection(projection)
        }
        return try EntityReader(self, through: position).fold(description, of: id, rules)
    }

    /// Deletes all snapshots, and the checkpoints that record up to where snapshots were taken.
    public func dropSnapshots() throws(LogError) {
        try file.writing { (transaction) throws(LogError) in
            try transaction.clear(file.tables.snapshots)
            try transaction.clear(file.tables.checkpoints)
        }
    }
}

extension EntityReader {
    /// Returns the state of the entity with an id, folded from the newest valid snapshot on.
    fileprivate func fold(
        _ projection: ProjectionDescription, of id: String, _ rules: RuleSet
    ) throws(LogError) -> Fold {
        try state(along: try walk(of: projection, id), rules).fold
    }
}

extension Catalogue {
    /// Returns the only projection that folds with a type, and its rules.
    func description<Target: Projection>(
        of projection: Target.Type
    ) throws(LogError) -> (description: ProjectionDescription, rules: RuleSet) {
        let found = projections.values.compactMap { description in
            description.rules(of: projection).map { (description: description, rules: $0) }
        }
        guard let first = found.first else { throw .unknownProjection("\(projection)") }
        guard found.count == 1 else {
            let names = found.map(\.description.name).sorted()
            throw .severalProjections("\(projection)", names: names)
        }
        return first
    }
}
