import Daybook

extension Photo {
    /// One photo: the storage address for its upload, and the addresses of its versions.
    struct UploadState: PlainRecord {
        var objectKey = ""
        var albumId = ""
        var status = Status.none
        /// Id of the registered photo; empty before the registration.
        var photoId = ""
        var thumb: String?
        var preview: String?
        var origin: String?
        var downloadable = false
        /// Time at which the photo was registered; `nil` before the registration.
        var uploaded: Instant?
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("objectKey", &objectKey, "albumId", &albumId, "status", &status)
            try field.unlessBlank("photoId", &photoId)
            try field("thumb", &thumb, "preview", &preview)
            try field("origin", &origin, "downloadable", &downloadable, "uploadedUs", &uploaded)
        }

        mutating func apply(_ started: UploadStarted) {
            (albumId, objectKey) = (started.albumId, started.objectKey)
            if status == .none { status = .started }
        }

        mutating func apply(_ photo: Uploaded, _ envelope: Envelope) {
            (albumId, objectKey, photoId) = (photo.albumId, photo.objectKey, photo.photoId)
            (thumb, preview, origin) = (photo.thumb, photo.preview, photo.origin)
            downloadable = photo.downloadable
            uploaded = envelope.occurredAt
            status = .uploaded
        }
    }

    /// The projection of one upload.
    enum Upload: Projection {
        enum Event: EventSet {
            case uploadStarted(UploadStarted), uploaded(Uploaded)
            static let kinds = [StoredKind(uploadStarted), StoredKind(uploaded)]
        }

        static func evolve(_ state: inout UploadState, with event: Event, _ envelope: Envelope) {
            switch event {
            case .uploadStarted(let started): state.apply(started)
            case .uploaded(let photo): state.apply(photo, envelope)
            }
        }
    }

    /// The projection of one album and its photos.
    enum Album: Projection {
        enum Event: EventSet {
            case albumCreated(AlbumCreated), uploadStarted(UploadStarted), uploaded(Uploaded)
            case idReplaced(Household.IdReplaced)

            static let kinds = [
                StoredKind(albumCreated), StoredKind(uploadStarted), StoredKind(uploaded),
                StoredKind(idReplaced),
            ]
        }

        struct State: PlainRecord {
            var albumId = ""
            var householdId = ""
            /// Photos and unfinished uploads, by storage address.
            var uploads: Keyed<UploadState> = [:]
            mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field.unlessBlank("albumId", &albumId)
                try field.unlessBlank("householdId", &householdId)
                try field("uploads", &uploads)
            }

            mutating func apply(_ ids: Household.IdReplaced) {
                if ids.kind == .album, albumId == ids.localId { albumId = ids.remoteId }
                if ids.kind == .household, householdId == ids.localId { householdId = ids.remoteId }
            }
        }

        static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
            switch event {
            case .albumCreated(let album):
                (state.albumId, state.householdId) = (album.albumId, album.householdId)
            case .uploadStarted(let started):
                state.uploads[started.objectKey, default: .blank].apply(started)
            case .uploaded(let photo):
                state.uploads[photo.objectKey, default: .blank].apply(photo, envelope)
            case .idReplaced(let ids): state.apply(ids)
            }
        }
    }

    /// Albums, and the members and plans of their households, from which commands decide.
    struct State: PlainRecord {
        /// Albums by newest id.
        var albums: [String: Album.State] = [:]
        /// Members and plans, by newest household id.
        var members: [String: Members] = [:]
        /// Newer ids of albums and households, by the ids that they replaced.
        var newerIds: [String: String] = [:]
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("albums", &albums, "members", &members, "replaced", &newerIds)
        }

        /// Returns an album by any of its ids; `nil` for an unknown album.
        func album(_ albumId: String) -> Album.State? { albums[newerIds.newest(albumId)] }

        /// Throws a refusal if the household's plan does not include photos.
        func checkPlan(of householdId: String) throws(Refusal) {
            let subscription = members[newerIds.newest(householdId)]?.subscription ?? .blank
            guard subscription.opensPhotos else {
                throw Refusal("subscriptionRequired", Account.Feature.photos.messageIfClosed)
            }
        }

        /// Throws a refusal unless the author is a member of the household whose role allows
        /// writing.
        func checkMayWrite(_ author: Author?, in householdId: String) throws(Refusal) {
            let roles = members[newerIds.newest(householdId)]?.roles ?? [:]
            let userId = author?.name ?? ""
            guard let role = roles[userId] else {
                throw userId.isEmpty ? .noUser : .noMember(userId)
            }
            guard role.mayWrite else { throw .insufficientRole(userId, role) }
        }
    }

    /// The members of one household, and its plan.
    struct Members: PlainRecord {
        /// Roles by user id.
        var roles: [String: Household.Role] = [:]
        /// Subscription of the household, which determines its plan.
        var subscription = Account.Subscription.State()
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("roles", &roles, "subscription", &subscription)
        }
    }

    static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
        switch event {
        case .albumCreated(let album):
            let id = state.newerIds.newest(album.albumId)
            state.albums[id, default: .blank].albumId = id
            state.albums[id]?.householdId = state.newerIds.newest(album.householdId)
        case .uploadStarted(let started):
            let id = state.newerIds.newest(started.albumId)
            state.albums[id, default: .blank].uploads[started.objectKey, default: .blank]
                .apply(started)
        case .uploaded(let photo):
            let id = state.newerIds.newest(photo.albumId)
            state.albums[id, default: .blank].uploads[photo.objectKey, default: .blank]
                .apply(photo, envelope)
        case .idReplaced(let ids):
            guard ids.kind == .album || ids.kind == .household,
                state.newerIds.replace(ids.localId, by: ids.remoteId)
            else { break }
            if ids.kind == .household {
                let household = state.newerIds.newest(ids.remoteId)
                let former = state.members.removeValue(forKey: ids.localId) ?? .blank
                var members = state.members[household] ?? .blank
                members.roles.add(former.roles)
                if members.subscription.plan == nil { members.subscription = former.subscription }
                state.members[household] = members
                for (id, album) in state.albums {
                    state.albums[id]?.householdId = state.newerIds.newest(album.householdId)
                }
            } else if var album = state.albums.removeValue(forKey: ids.localId) {
                album.albumId = state.newerIds.newest(ids.remoteId)
                state.albums[album.albumId] = album
            }
        case .memberRoleChanged(let changed):
            let household = state.newerIds.newest(changed.householdId)
            state.members[household, default: .blank].roles.apply(changed)
        case .subscriptionChanged(let changed):
            let household = state.newerIds.newest(changed.householdId)
            state.members[household, default: .blank].subscription.apply(changed)
        }
    }
}
