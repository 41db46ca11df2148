package import Daybook

extension Household {
    /// The kinds of entities that get a local id from a device if they are created offline.
    package enum EntityKind: UInt8, StoredEnum { case baby, household, album, careEntry }

    /// Replaces the local id of an entity created offline by the server's id.
    package struct IdReplaced: EventPayload, HouseholdCommand {
        package static let kind: EventKind = "household.id-replaced.v1"
        package static let name = "household.replace-id"
        package var kind = EntityKind.baby
        /// Id that a device gave the entity.
        var localId = ""
        /// Id that the server gave the entity.
        var remoteId = ""
        package var tags: [Tag] { [Self.tag(kind, localId), Self.tag(kind, remoteId)] }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("kind", &kind, "localId", &localId, "remoteId", &remoteId)
        }

        package func sentence(_ wording: Wording) -> String {
            "\(wording.words(kind)) got its id from the server"
        }

        /// Returns the tag by which a query finds the replacements of an entity's id.
        static func tag(_ kind: EntityKind, _ id: String) -> Tag {
            switch kind {
            case .baby: profileTag(id)
            case .household: Household.tag(id)
            case .album: Tag("album", id)
            case .careEntry: Tag("entry", id)
            }
        }

        /// Tag prefixes of entities, each with the tag prefix of the events that replace their ids.
        /// Care events, for example, have the tag `baby:…`; the replacement of a baby's id has the
        /// tag `profile:…`.
        package static let renames = [
            "profile": "profile", "baby": "profile", "household": "household", "album": "album",
            "entry": "entry",
        ]

        /// The replacement of the old id by the new one, for each tag prefix of the entity.
        package var renamings: [Renaming] {
            let nouns =
                switch kind {
                case .baby: ["profile", "baby"]
                case .household: ["household"]
                case .album: ["album"]
                case .careEntry: ["entry"]
                }
            return nouns.map { Renaming(noun: $0, from: localId, to: remoteId) }
        }

        package var query: Query { .any(of: [Self.kind], Self.tag(kind, localId)) }

        /// Returns a query for the replacements of the old id, the new id and all still newer ids.
        /// The new id may have been replaced itself, even by the old id through other ids.
        package func query(knowing state: State) -> Query {
            var tags = [Self.tag(kind, localId)]
            var id = remoteId
            for _ in 0...state.newerIds.count {
                tags.append(Self.tag(kind, id))
                guard let newer = state.newerIds[id] else { break }
                id = newer
            }
            return .any(of: [Self.kind], tags)
        }

        package func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            guard localId != remoteId else {
                throw Refusal(
                    "sameId",
                    "the id '\(localId)' cannot replace itself; expected two different ids")
            }
            if let other = state.newerIds[localId] {
                guard other == remoteId else { throw Self.replacedBefore(localId, by: other) }
                return []
            }
            guard state.newerIds.newest(remoteId) != localId else {
                throw Self.replacedBefore(remoteId, by: localId)
            }
            return [.idReplaced(self)]
        }

        private static func replacedBefore(_ id: String, by other: String) -> Refusal {
            Refusal("idReplacedBefore", "the id '\(id)' was already replaced by '\(other)'")
        }
    }
}
