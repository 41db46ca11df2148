package import Daybook
package import DaybookLog

extension ProjectionReading {
    /// Returns the publication of a report that an event records.
    ///
    /// Returns `nil` if events of this kind record no publication, or if the published answer
    /// cannot be computed again.
    ///
    /// - Parameter position: the position of the event, for errors.
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
            return try unsafe description.readPublication(payload.contents.bytes) { noun, id in
                renamings[noun]?.all(noun, id) ?? [id]
            }
        } catch { throw .fold(.corrupt(position, kind, error)) }
    }

    /// Returns the bytes that identify a published copy of a report.
    ///
    /// Returns `nil` if the report can be published only once. The bytes contain the position of
    /// the last event that the answer depends on, not the last position that was read. So later
    /// events that do not affect the answer do not make another copy.
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
