import Daybook

/// The area of photos in a household's albums: storage addresses for uploads, and uploaded photos.
///
/// Members whose role allows writing create albums and add photos; photos need a plan that includes
/// them. A photo is registered once, at the address that was assigned to its upload. The storage
/// makes two smaller versions of the photo from this address.
///
/// Source: S4 (photos), its server's code of 2026-02-21 for the addresses.
enum Photo: Area, Projection {
    static let name = "photo"
    static let rules: [RuleSet] = [.source]

    enum Event: DecidedEvents {
        case albumCreated(AlbumCreated), uploadStarted(UploadStarted), uploaded(Uploaded)
        case idReplaced(Household.IdReplaced), memberRoleChanged(Household.MemberRoleChanged)
        case subscriptionChanged(Account.SubscriptionChanged)

        static let kinds = [
            StoredKind(albumCreated), StoredKind(uploadStarted), StoredKind(uploaded),
            StoredKind(idReplaced), StoredKind(memberRoleChanged), StoredKind(subscriptionChanged),
        ]
    }

    static let lifecycle = Lifecycle<Status>(
        "upload", field: "status",
        [
            .begins(UploadStarted.self, .started),
            .step(Uploaded.self, from: .started, to: .uploaded),
            // The source registers photos at addresses that it never assigned.
            .begins(Uploaded.self, .uploaded),
        ])

    static let commands = [
        CommandDescription(AlbumCreated.self), CommandDescription(StartUpload.self),
        CommandDescription(CompleteUpload.self),
    ]

    static let projections = [
        ProjectionDescription(
            "album", noun: "album", following: ["household"],
            "The photos of an album, and its unfinished uploads", Album.self),
        ProjectionDescription(
            "upload", noun: "upload", "One photo: its upload and the addresses of its versions",
            Upload.self),
    ]
    static let machines = [lifecycle.machine]
    /// HTTP endpoints; from the router of 2026-02-21 (S4) and what its document lists besides.
    static let routes: [RouteDescription] = [
        .v1(.post, "photos/upload-url", .command(StartUpload.name)),
        .v1(.post, "photos/complete", .command(CompleteUpload.name)),
        RouteDescription(
            .post, "/api/v1/photos/upload", in: "S4", serves: .command(StartUpload.name),
            .command(CompleteUpload.name), drift: .notRouted,
            remark: "the server has two steps in its place"),
        .v1(.get, "photos/recent", .projection("album"), drift: .notRouted),
    ]
    static let audits = [PhotoAudit.description]
    static let people: PersonNouns = ["user": "user"]

    /// The status of an upload.
    enum Status: UInt8, StoredEnum {
        /// No upload is recorded.
        case none
        /// A storage address was assigned.
        case started
        case uploaded
    }

    static func tag(_ albumId: String) -> Tag { Tag("album", albumId) }

    /// Returns the tag of an upload, by its storage address.
    static func uploadTag(_ objectKey: String) -> Tag { Tag("upload", objectKey) }

    /// Kinds of the events that determine a household's members, their roles, and its plan.
    static let householdKinds = Household.memberKinds.union([Account.SubscriptionChanged.kind])

    static let albumKinds: Set<EventKind> = [
        AlbumCreated.kind, UploadStarted.kind, Uploaded.kind, Household.IdReplaced.kind,
    ]
}

/// A command on one album.
protocol PhotoCommand: Command, PlainRecord where Model == Photo {
    var albumId: String { get }
}

extension PhotoCommand {
    var query: Query { query(knowing: .blank) }

    /// Returns a query for the events of the album and of its household's members and plan.
    func query(knowing state: Photo.State) -> Query {
        let newest = state.newerIds.newest(albumId)
        let former = state.newerIds.keys.filter { state.newerIds.newest($0) == newest }
        var items = Set([albumId, newest] + former).sorted().map {
            Query.Item(kinds: Photo.albumKinds, tags: [Photo.tag($0)])
        }
        if let household = state.album(albumId)?.householdId {
            let former = state.newerIds.keys.filter { state.newerIds.newest($0) == household }
            items += Set([household] + former).sorted().map {
                Query.Item(kinds: Photo.householdKinds, tags: [Household.tag($0)])
            }
        }
        return Query(items: items) ?? .all
    }
}
