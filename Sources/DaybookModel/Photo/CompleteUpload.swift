public import Daybook

extension Photo {
    /// A photo lies at its place, with the addresses of its forms.
    public struct Uploaded: EventPayload {
        public static let kind: EventKind = "photo.uploaded.v1"
        public var albumId = ""
        public var photoId = ""
        public var objectKey = ""
        /// 320 pixels wide.
        public var thumb = ""
        /// 1080 pixels wide.
        public var preview = ""
        public var origin = ""
        public var downloadable = false
        public var by: Author?
        public static var blank: Self { Self() }
        public var tags: [Tag] { [tag(albumId), uploadTag(objectKey), Tag("photo", photoId)] }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("albumId", &albumId, "photoId", &photoId, "objectKey", &objectKey)
            try field("thumb", &thumb, "preview", &preview, "origin", &origin)
            try field("downloadable", &downloadable, "by", &by)
        }
    }

    /// Register a photo that was uploaded.
    public struct CompleteUpload: PhotoCommand {
        public static let name = "photo.complete-upload"
        public var albumId = ""
        public var objectKey = ""
        /// A new id for the photo.
        public var photoId = ""
        /// Others may save the photo on their phones.
        public var downloadable: Bool?
        public var by: Author?
        /// The source takes any address.
        public var rules = Rules.standard
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("albumId", &albumId, "objectKey", &objectKey, "photoId", &photoId)
            try field("downloadable", &downloadable, "by", &by, "rules", &rules)
        }

        public func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
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
                        "objectKeyUnknown", "nothing is uploaded to '\(objectKey)'")
                case .some(let known) where known.status == .uploaded:
                    guard known.photoId == photoId else {
                        throw Refusal(
                            "uploadCompleted",
                            "'\(objectKey)' is the photo '\(known.photoId)' already")
                    }
                    return []
                case .some: break
                }
            }
            return [
                .uploaded(
                    Uploaded(
                        albumId: album.albumId, photoId: photoId, objectKey: objectKey,
                        thumb: "\(objectKey)?w=320", preview: "\(objectKey)?w=1080",
                        origin: objectKey, downloadable: downloadable ?? false, by: by))
            ]
        }
    }
}
