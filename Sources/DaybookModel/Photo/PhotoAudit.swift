import Daybook

extension Photo {
    /// Finds errors in albums and photos that were recorded without a command's checks.
    struct PhotoAudit: Audit {
        static let description = AuditDescription(
            "photo",
            [
                AuditRule(
                    "P4", "A photo is at an address that was not assigned to an upload of its album"
                ),
                AuditRule("P5", "Two photos are at one address"),
                AuditRule("P6", "A user uploaded a photo without a role that allows it"),
            ]
        ) { PhotoAudit($0) }

        private let reader = KindReader<Photo.Event>()
        private var state = State()
        private var findings: EntityFindings
        init(_ context: AuditContext) { findings = EntityFindings("upload", context) }
        func ignores(_ kind: EventKind) -> Bool { reader.ignores(kind) }

        mutating func check(_ event: RecordedEvent) throws(FoldError) {
            guard let known = try reader.read(event) else { return }
            let position = Int64(clamping: event.position.rawValue)
            switch known {
            case .uploadStarted(let started):
                checkAuthor(started.by, started.albumId, started.objectKey, position)
            case .uploaded(let photo):
                checkAuthor(photo.by, photo.albumId, photo.objectKey, position)
                let upload = state.album(photo.albumId)?.uploads[photo.objectKey]
                if let upload, upload.status == .uploaded, upload.photoId != photo.photoId {
                    findings.add(
                        "P5", position, photo.objectKey, expected: "photo \(upload.photoId)",
                        found: "photo \(photo.photoId)")
                } else if upload == nil {
                    findings.add(
                        "P4", position, photo.objectKey,
                        expected: "an upload of album \(photo.albumId)", found: "none")
                }
            default: break
            }
            Photo.evolve(&state, with: known, event.envelope)
        }

        /// Checks rule P6: the author's role allows writing for the album's household. Skips an
        /// event without an author or with an erased author, and an unknown album.
        private mutating func checkAuthor(
            _ author: Author?, _ albumId: String, _ objectKey: String, _ position: Int64
        ) {
            guard let author, author.name != nil, let album = state.album(albumId) else { return }
            do throws(Refusal) {
                try state.checkMayWrite(author, in: album.householdId)
            } catch {
                findings.add(
                    "P6", position, objectKey, expected: "a member who may write",
                    found: error.message)
            }
        }

        mutating func finish() -> AuditResult { AuditResult(findings: findings.found) }
    }
}
