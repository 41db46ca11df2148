package import Daybook
package import DaybookLog

/// The personal values that a file made from a log shows.
package enum ExportPrivacy: Equatable, Sendable {
    /// All values: also personal texts, users' names and locations.
    case texts
    /// Ids, but no personal texts, users' names and locations.
    case ids
    /// Pseudonyms in place of ids and users' names; no personal texts and locations.
    case pseudonyms
}

/// The values of one log as an exported file shows them.
///
/// A pseudonym is `id-` and 16 hexadecimal digits of a digest under the log's secret. So the same id
/// has the same pseudonym in every file made from the log, and nobody without the log can compute
/// it. Each part of a compound id such as `user/household` has its own pseudonym.
package struct ShownValues: Sendable {
    /// Rules for payloads and states; `nil` to show all values.
    package let redaction: Redaction?
    /// True if personal texts are shown.
    package var showsTexts: Bool { redaction == nil }

    /// Prepares to show the values of a log; names of time zones are always shown.
    package init(
        _ privacy: ExportPrivacy, of log: EventLog, _ catalogue: Catalogue,
        isZone: @escaping @Sendable (String) -> Bool
    ) {
        switch privacy {
        case .texts: redaction = nil
        case .ids: redaction = Redaction()
        case .pseudonyms:
            let kept = KeptTexts(catalogue, isZone: isZone)
            redaction = Redaction(
                pseudonym: { Self.pseudonym(for: $0, keeping: kept.containsWord, log) },
                ofID: { Self.pseudonym(for: $0, keeping: { _ in false }, log) })
        }
    }

    /// Returns the pseudonym of a text; the text itself if it is kept.
    private static func pseudonym(
        for text: String, keeping isKept: (String) -> Bool, _ log: EventLog
    ) -> String {
        if text.isEmpty || isKept(text) { return text }
        guard !text.utf8.contains(UInt8(ascii: "/")) else {
            return text.split(separator: "/", omittingEmptySubsequences: false)
                .map { pseudonym(for: String($0), keeping: isKept, log) }.joined(separator: "/")
        }
        let digest = log.keyedDigest("pseudonym", of: Array(text.utf8))
        return "id-" + Hexadecimal.text(Array(digest.prefix(8)))
    }

    package func id(_ text: String) -> String { redaction?.shownID(text) ?? text }

    package func tag(_ tag: Tag) -> String {
        guard let redaction, redaction.replacesIDs else { return tag.text }
        return "\(tag.noun):\(redaction.shownID(String(tag.id)))"
    }

    /// Returns the text to show for the actor of a commit; `nil` if the commit has none, or if the
    /// name is to be shown but erased.
    package func actor(_ commit: RecordedCommit) -> String? {
        let name = commit.metadata.actor
        guard !name.isEmpty else {
            return commit.isActorErased && redaction != nil ? Redaction.word : nil
        }
        return redaction?.shownName(name) ?? name
    }

    /// Returns an event's payload as JSON; `nil` if the program does not know the event kind.
    ///
    /// - Parameter personalText: returns a personal text by its index; `nil` if it is erased.
    func write(
        _ event: RecordedEvent, in catalogue: Catalogue, to writer: inout JSONWriter,
        _ personalText: (UInt32) throws(LogError) -> String?
    ) throws(LogError) -> Bool {
        guard let known = catalogue.events[event.kind] else { return false }
        var failure: LogError?
        let showsTexts = showsTexts
        do throws(CorruptPayload) {
            try unsafe known.write(
                event.payload.contents.bytes,
                { field in
                    guard showsTexts else { return nil }
                    do throws(LogError) { return try personalText(field) } catch {
                        failure = error
                        return nil
                    }
                }, to: &writer)
        } catch { throw .fold(.corrupt(event.position, event.kind, error)) }
        if let failure { throw failure }
        return true
    }
}
