import Daybook

extension Photo {
    /// An album was created in a household; the command records it.
    struct AlbumCreated: EventPayload, PhotoCommand {
        static let kind: EventKind = "photo.album-created.v1"
        static let name = "photo.create-album"
        /// Id of the album; an id like `offline_…`, made by a device, is replaced later.
        var albumId = ""
        var householdId = ""
        var by: Author?
        var tags: [Tag] { [tag(albumId), Household.tag(householdId)] }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("albumId", &albumId, "householdId", &householdId, "by", &by)
        }

        func sentence(_ wording: Wording) -> String {
            "album created"
        }

        /// Returns a query for the album, and for the members and plan of its household.
        func query(knowing state: State) -> Query {
            let known = state.album(albumId)?.householdId ?? state.newerIds.newest(householdId)
            let former = state.newerIds.keys.filter { state.newerIds.newest($0) == known }
            let members = Set([householdId, known] + former).sorted().map {
                Query.Item(kinds: householdKinds, tags: [Household.tag($0)])
            }
            let album = Query.Item(kinds: albumKinds, tags: [tag(albumId)])
            return Query(items: [album] + members) ?? .all
        }

        func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            if let album = state.album(albumId) {
                guard album.householdId == state.newerIds.newest(householdId) else {
                    throw Refusal(
                        "albumExists", "the album '\(albumId)' already exists in another household")
                }
                return []
            }
            try state.checkMayWrite(by, in: householdId)
            return [.albumCreated(self)]
        }
    }
}
