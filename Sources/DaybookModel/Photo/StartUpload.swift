import Daybook

extension Photo {
    /// A storage address was assigned for the upload of a photo.
    struct UploadStarted: EventPayload, PlainRecord {
        static let kind: EventKind = "photo.upload-started.v1"
        var albumId = ""
        /// Address in the storage, with the year and month in UTC: `photos/2026/02/9b2f.jpg`.
        var objectKey = ""
        var by: Author?
        var tags: [Tag] { [tag(albumId), uploadTag(objectKey)] }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("albumId", &albumId, "objectKey", &objectKey, "by", &by)
        }

        func sentence(_ wording: Wording) -> String {
            "photo upload started"
        }
    }

    /// Assigns a storage address for the upload of a photo.
    struct StartUpload: PhotoCommand {
        static let name = "photo.start-upload"
        var albumId = ""
        /// New random id, which becomes the file name, such as `9b2f`.
        var objectId = ""
        var by: Author?
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("albumId", &albumId, "objectId", &objectId, "by", &by)
        }

        func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            guard let album = state.album(albumId) else { throw .albumNotFound(albumId) }
            try state.checkMayWrite(by, in: album.householdId)
            try state.checkPlan(of: album.householdId)
            guard !objectId.isEmpty, objectId.utf8.allSatisfy(Self.isPlain) else {
                throw Refusal(
                    "objectIdInvalid",
                    "objectId '\(objectId)' is invalid; use letters, digits, '-' and '_'")
            }
            let day = CivilDate(utcDayOf: now)
            let month = "\(day.month)"
            let key = "photos/\(day.year)/\(month.count < 2 ? "0" : "")\(month)/\(objectId).jpg"
            guard album.uploads[key] == nil else {
                throw Refusal(
                    "objectExists", "an upload to the object key '\(key)' was already started")
            }
            return [.uploadStarted(UploadStarted(albumId: album.albumId, objectKey: key, by: by))]
        }

        /// True for a letter, a digit, `-` or `_`.
        private static func isPlain(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }
}

extension Refusal {
    /// Returns the error for an album id that is not recorded.
    static func albumNotFound(_ albumId: String) -> Refusal {
        Refusal("albumNotFound", "Album not found: '\(albumId)'")
    }
}
