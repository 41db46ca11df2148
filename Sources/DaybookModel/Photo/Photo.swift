public import Daybook

/// Photos in a household's albums: an address to upload to, and the photo stored there.
///
/// Albums belong to households whose plan includes photos; members who may write add photos. A
/// photo is registered once, for the address that was assigned to its upload. The storage makes two
/// smaller versions of the photo from this address.
///
/// Source: S4 (photos), its server's code of 2026-02-21 for the addresses.
public enum Photo: Area, Projection {
    public static let name = "photo"
    public static let rules: [RuleSet] = [.source]

    public enum Event: DecidedEvents {
        case albumCreated(AlbumCreated)
        case uploadStarted(UploadStarted)
        case uploaded(Uploaded)
        case idReplaced(Household.IdReplaced)
        case memberRoleChanged(Household.MemberRoleChanged)
        case subscriptionChanged(Account.SubscriptionChanged)

        public static let kinds = [
            StoredKind(albumCreated), StoredKind(uploadStarted), StoredKind(uploaded),
            StoredKind(idReplaced), StoredKind(memberRoleChanged), StoredKind(subscriptionChanged),
        ]
    }

    public static let commands = [
        CommandDescription(AlbumCreated.self), CommandDescription(StartUpload.self),
        CommandDescription(CompleteUpload.self),
    ]

    public static let projections = [
        ProjectionDescription(
            "album", noun: "album", following: ["household"],
            "The photos of an album, and the uploads under way",
            Album.self),
        ProjectionDescription(
            "upload", noun: "upload", "One photo, from the place to upload it to its addresses",
            Upload.self),
    ]

    public static let people: PersonNouns = ["user": "user"]
    public static let machines = [lifecycle.machine]
    public static let audits = [PhotoAudit.description]

    /// The progress of an upload.
    public enum Status: UInt8, StoredEnum {
        case none
        /// An address for the upload was assigned.
        case started
        case uploaded
    }

    static let lifecycle = Lifecycle<Status>(
        "upload", field: "status",
        [
            .begins(UploadStarted.self, .started),
            .step(Uploaded.self, from: .started, to: .uploaded),
            // The source registers photos at addresses that it never assigned.
            .begins(Uploaded.self, .uploaded),
        ])

    static func tag(_ albumId: String) -> Tag { Tag("album", albumId) }
    static func uploadTag(_ objectKey: String) -> Tag { Tag("upload", objectKey) }

    /// Kinds of the events that determine a household's members, their roles, and its plan.
    static let householdKinds = Household.memberKinds.union([Account.SubscriptionChanged.kind])

    /// Kinds of the events of an album.
    static let albumKinds: Set<EventKind> = [
        AlbumCreated.kind, UploadStarted.kind, Uploaded.kind, Household.IdReplaced.kind,
    ]
}

/// A command about one album.
protocol PhotoCommand: Command where Model == Photo {
    var albumId: String { get }
}

extension PhotoCommand {
    public var query: Query { query(knowing: .blank) }

    /// Returns the query for the album under all its ids, and for its household's members and plan.
    public func query(knowing state: Photo.State) -> Query {
        let newest = state.replaced.newest(albumId)
        let former = state.replaced.keys.filter { state.replaced.newest($0) == newest }
        var items = Set([albumId, newest] + former).sorted().map {
            Query.Item(kinds: Photo.albumKinds, tags: [Photo.tag($0)])
        }
        if let household = state.album(albumId)?.householdId {
            let former = state.replaced.keys.filter { state.replaced.newest($0) == household }
            items += Set([household] + former).sorted().map {
                Query.Item(kinds: Photo.householdKinds, tags: [Household.tag($0)])
            }
        }
        return Query(items: items) ?? .all
    }
}
