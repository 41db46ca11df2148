package import Daybook
package import DaybookLog

extension ProjectionReading {
    /// The publication that a note of this kind tells of; `nil` where it cannot be made again.
    ///
    /// - Parameter position: of the note, for errors.
    func publication(
        _ kind: EventKind, _ tags: [Tag], _ payload: [UInt8], at position: Position
    ) throws(LogError) -> Publication? {
        guard let description = catalogue.publications[kind] else { return nil }
        var renamings: [String: Identities] = [:]
        for tag in tags {
            let noun = String(tag.noun)
            renamings[noun] = try entities.identities(noun, String(tag.id))
        }
        do throws(CorruptPayload) {
            return try unsafe description.publication(payload.contents.bytes) { noun, id in
                renamings[noun]?.all(noun, id) ?? [id]
            }
        } catch {
            throw .fold(.corrupt(position, kind, error))
        }
    }

    /// The bytes that identify a copy of a report; `nil` where its note is written once anyway.
    ///
    /// They hold the last event that the answer depends on, and not the one it was read up to, so
    /// that events which it does not depend on make no other copy of it.
    package func identity(of note: PendingPublication) throws(LogError) -> [UInt8]? {
        guard let identity = note.identity else { return nil }
        let publication = try publication(
            identity.kind, identity.tags, identity.payload, at: through)
        var last = Position.origin
        if let publication {
            let events = try events(publication.query)
            last =
                events.lazy.filter { self.catalogue.publications[$0.kind] == nil }
                .map(\.position).max() ?? .origin
        }
        return identity.bytes(dependingOn: last)
    }
}
