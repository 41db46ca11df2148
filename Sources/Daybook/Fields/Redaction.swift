/// Rules for values that a file made from a log must not show: personal values and, if chosen, ids.
///
/// A class, so that a JSON writer without such rules carries one empty reference.
@usableFromInline
package final class Redaction: Sendable {
    /// Text that a file shows in place of a personal text or of a user's name.
    @usableFromInline
    package static let word = "redacted"

    /// Returns the pseudonym of a text; `nil` if ids and other texts are shown unchanged.
    private let pseudonym: (@Sendable (String) -> String)?
    /// Returns the pseudonym of an id or of a user's name; `nil` like `pseudonym`.
    private let idPseudonym: (@Sendable (String) -> String)?

    /// Creates rules that hide personal texts, personal integers, locations and users' names.
    ///
    /// - Parameters:
    ///   - pseudonym: returns the pseudonym of a text in a field, or the text itself if it
    ///     identifies nobody; `nil` to show ids and to hide names.
    ///   - idPseudonym: returns the pseudonym of an id or of a user's name, never the text itself;
    ///     by default like `pseudonym`.
    public init(
        pseudonym: (@Sendable (String) -> String)? = nil,
        ofID idPseudonym: (@Sendable (String) -> String)? = nil
    ) {
        self.pseudonym = pseudonym
        self.idPseudonym = idPseudonym ?? pseudonym
    }

    /// True if ids and other texts are replaced by pseudonyms.
    @usableFromInline
    package var replacesIDs: Bool { pseudonym != nil }

    /// Returns the text to show for a text in a field that is not personal.
    @usableFromInline
    package func shown(_ text: String) -> String { pseudonym?(text) ?? text }

    /// Returns the text to show for an id.
    package func shownID(_ id: String) -> String { idPseudonym?(id) ?? id }

    /// Returns the text to show for a user's name: its pseudonym, or `redacted`.
    ///
    /// - Parameter name: the name; `nil` if erased, which shows as `redacted` too, so that a file
    ///   does not change when a name is erased.
    @usableFromInline
    package func shownName(_ name: String?) -> String {
        name.flatMap { name in idPseudonym.map { $0(name) } } ?? Self.word
    }
}

/// The fields of a record that hold a location, as a reference that a JSON writer can carry.
@usableFromInline
final class HiddenPlaces: Sendable {
    /// The names of the fields.
    private let names: Set<String>

    /// Collects the names of a record's location fields.
    @usableFromInline
    init(_ places: PlaceFields) { names = places.names }

    /// True if a field with this name holds a part of a location.
    @usableFromInline
    func contains(_ name: String) -> Bool { names.contains(name) }
}

extension PlaceFields {
    /// Names of the fields that hold a part of the location.
    var names: Set<String> { Set([latitude, longitude, elevation].compactMap(\.self)) }
}
