public import Daybook

extension Household {
    /// The kinds of entities that get a local id if they are created offline.
    public enum Replaced: UInt8, StoredEnum { case baby, household, album, careEntry }

    /// Replaces the local id of an entity created offline by the server's id.
    public struct IdReplaced: EventPayload, HouseholdCommand {
        public static let kind: EventKind = "household.id-replaced.v1"
        public static let name = "household.replace-id"
        /// Kind of entity whose id is replaced.
        public var kind = Replaced.baby
        /// Id that a device gave the entity.
        public var localId = ""
        /// Id that the server gave the entity.
        public var remoteId = ""
        public static var blank: Self { Self() }
        public var tags: [Tag] { [Self.tag(kind, localId), Self.tag(kind, remoteId)] }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("kind", &kind, "localId", &localId, "remoteId", &remoteId)
        }

        /// Returns the tag of an entity, by which events find the replacements of its id.
        static func tag(_ kind: Replaced, _ id: String) -> Tag {
            switch kind {
            case .baby: profileTag(id)
            case .household: Household.tag(id)
            case .album: Tag("album", id)
            case .careEntry: Tag("entry", id)
            }
        }

        /// Tag prefixes of renamed entities, each with the prefix of the tag on the renaming event.
        ///
        /// Care events carry the tag of a baby; a renaming of the baby carries the tag of the
        /// profile.
        public static let renames = [
            "profile": "profile", "baby": "profile", "household": "household", "album": "album",
            "entry": "entry",
        ]

        /// Renamings of the entities with the old id, one for each tag prefix that they have.
        public var renamings: [Renaming] {
            let nouns =
                switch kind {
                case .baby: ["profile", "baby"]
                case .household: ["household"]
                case .album: ["album"]
                case .careEntry: ["entry"]
                }
            return nouns.map { Renaming(noun: $0, from: localId, to: remoteId) }
        }

        public var query: Query { .any(of: [Self.kind], Self.tag(kind, localId)) }

        /// Returns a query for the replacements of the new id, of that id's newer id, and so on.
        ///
        /// The new id may have been replaced itself, and the chain may lead back to the old id.
        public func query(knowing state: State) -> Query {
            var tags = [Self.tag(kind, localId)]
            var id = remoteId
            for _ in 0...state.replaced.count {
                tags.append(Self.tag(kind, id))
                guard let newer = state.replaced[id] else { break }
                id = newer
            }
            return .any(of: [Self.kind], tags)
        }

        public func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            guard localId != remoteId else {
                throw Refusal("sameId", "the id '\(localId)' cannot replace itself")
            }
            if let other = state.replaced[localId] {
                guard other == remoteId else { throw Self.replacedBefore(localId, by: other) }
                return []
            }
            guard state.replaced.newest(remoteId) != localId else {
                throw Self.replacedBefore(remoteId, by: localId)
            }
            return [.idReplaced(self)]
        }

        /// Returns the refusal of a second replacement of an id.
        private static func replacedBefore(_ id: String, by other: String) -> Refusal {
            Refusal("idReplacedBefore", "the id '\(id)' was already replaced by '\(other)'")
        }
    }
}
