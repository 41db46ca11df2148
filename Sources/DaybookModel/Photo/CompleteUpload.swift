import Daybook

extension Photo {
    /// A photo was uploaded, and registered with the addresses of its versions.
    struct Uploaded: EventPayload, PlainRecord {
        static let kind: EventKind = "photo.uploaded.v1"
        var albumId = ""
        var photoId = ""
        /// Address in the storage: `photos/2026/02/9b2f.jpg`.
        var objectKey = ""
        /// Address of the version that is 320 pixels wide.
        var thumb = ""
        /// Address of the version that is 1080 pixels wide.
        var preview = ""
        /// Address of the photo in its full size.
        var origin = ""
        /// True if others may save the photo on their phones.
        var downloadable = false
        var by: Author?
        var tags: [Tag] { [tag(albumId), uploadTag(objectKey), Tag("photo", photoId)] }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("albumId", &albumId, "photoId", &photoId, "objectKey", &objectKey)
            try field("thumb", &thumb, "preview", &preview, "origin", &origin)
            try field("downloadable", &downloadable, "by", &by)
        }

        func sentence(_ wording: Wording) -> String {
            "photo uploaded" + (downloadable ? ", others may save it" : "")
        }
    }

    /// Registers an uploaded photo; each storage address is registered once.
    struct CompleteUpload: PhotoCommand {
        static let name = "photo.complete-upload"
        var albumId = ""
        /// Address in the storage that was assigned to the upload.
        var objectKey = ""
        var photoId = ""
        /// True if others may save the photo on their phones; `nil` means false.
        var downloadable: Bool?
        var by: Author?
        /// Rule set that the decision follows; `source` accepts any storage address.
        var rules = Rules.standard
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("albumId", &albumId, "objectKey", &objectKey, "photoId", &photoId)
            try field("downloadable", &downloadable, "by", &by, "rules", &rules)
        }

        func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            guard let album = state.album(albumId) else { throw .albumNotFound(albumId) }
            try state.checkMayWrite(by, in: album.householdId)
            try state.checkPlan(of: album.householdId)
            guard !objectKey.isEmpty else {
                throw Refusal("objectKeyMissing", "album_id and object_key are required")
            }
            if rules == .standard {
                switch album.uploads[objectKey] {
                case nil:
                    throw Refusal(
                        "objectKeyUnknown", "no upload to the object key '\(objectKey)' was started"
                    )
                case .some(let known) where known.status == .uploaded:
                    guard known.photoId == photoId else {
                        throw Refusal(
                            "uploadCompleted",
                            "the upload to '\(objectKey)' already has the photo '\(known.photoId)'")
                    }
                    return []
                case .some: break
                }
            }
            let uploaded = Uploaded(
                albumId: album.albumId, photoId: photoId, objectKey: objectKey,
                thumb: "\(objectKey)?w=320", preview: "\(objectKey)?w=1080",
                origin: objectKey, downloadable: downloadable ?? false, by: by)
            return [.uploaded(uploaded)]
        }
    }
}
