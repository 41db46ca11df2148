/// Rules for values that a file made from a log must not show: personal values and, if chosen, ids.
///
/// A class, so that a JSON writer without such rules carries one empty reference.
@usableFromInline package final class Redaction: Sendable {
    /// Text that a file shows in place of a personal text or of a user's name.
    @usableFromInline package static let word = "redacted"

    /// Returns the pseudonym of a text; `nil` if ids and other texts are shown unchanged.
    private let pseudonym: (@Sendable (String) -> String)?
    /// Returns the pseudonym of an id or of a user's name; `nil` like `pseudonym`.
    private let idPseudonym: (@Sendable (String) -> String)?

    /// Creates rules that hide personal texts, personal integers, locations and users' names.
    ///
    /// Without `pseudonym`, ids are shown and names hidden. `pseudonym` may return a text unchanged
    /// that identifies nobody, `idPseudonym` (by default the same) may not.
    public init(
        pseudonym: (@Sendable (String) -> String)? = nil,
        ofID idPseudonym: (@Sendable (String) -> String)? = nil
    ) {
        self.pseudonym = pseudonym
        self.idPseudonym = idPseudonym ?? pseudonym
    }

    /// True if ids and other texts are replaced by pseudonyms.
    @usableFromInline package var replacesIDs: Bool { pseudonym != nil }

    /// Returns the text to show for a text in a field that is not personal.
    @usableFromInline package func shown(_ text: String) -> String { pseudonym?(text) ?? text }

    /// Returns the text to show for an id.
    package func shownID(_ id: String) -> String { idPseudonym?(id) ?? id }

    /// Returns the text for a user's name: its pseudonym, or `redacted`, also for an erased name.
    @usableFromInline package func shownName(_ name: String?) -> String {
        name.flatMap { name in idPseudonym.map { $0(name) } } ?? Self.word
    }
}

/// The fields of a record that hold a location, as a reference that a JSON writer can carry.
@usableFromInline final class HiddenPlaces: Sendable {
    private let names: Set<String>

    @usableFromInline init(_ places: PlaceFields) { names = places.names }

    /// True if a field with this name holds a part of a location.
    @usableFromInline func contains(_ name: String) -> Bool { names.contains(name) }
}

extension PlaceFields {
    var names: Set<String> { Set([latitude, longitude, elevation].compactMap(\.self)) }
}
