import Daybook
import DaybookGeodesy

/// Replaces ids, texts and places with meaningless values; equal values get equal replacements.
///
/// The description of a field decides what its value means. Values that rules may read are kept:
/// words that a field offers as a choice, versions, dates, weeks and time zones. Numbers and times
/// are kept too, except for coordinates and elevations.
struct Pseudonyms {
    /// Replacement of each id, such as `baby-1`.
    private var idReplacements: [String: String] = [:]
    /// Replacement of each text that is neither an id nor kept.
    private var textReplacements: [String: String] = [:]
    /// Number of replacements made so far, by their prefix.
    private var counts: [String: Int] = [:]
    private let kept: KeptTexts
    /// The first place, which moves to 0° north and 0° east; `nil` before the first place is met.
    private var origin: Coordinate?
    /// The first elevation in millimetres, which becomes 0; `nil` before an elevation is met.
    private var originElevationMm: Int64?

    init(_ catalogue: Catalogue, isZone: @escaping @Sendable (String) -> Bool) {
        kept = KeptTexts(catalogue, isZone: isZone)
    }

    /// Assigns a replacement such as `baby-1` to the id of a tag with a noun.
    mutating func add(_ id: String, noun: String) {
        guard !id.isEmpty, idReplacements[id] == nil else { return }
        idReplacements[id] = newPseudonym(noun)
    }

    /// Assigns replacements to ids without a tag: texts in fields named like `childId` or
    /// `childIds`.
    mutating func addIDs(of tree: Tree) {
        switch tree.content {
        case .list(let elements): for element in elements { addIDs(of: element) }
        case .map(let members):
            for member in members {
                let field = ["Ids", "Id"].first { member.key.hasSuffix($0) && member.key != $0 }
                let noun = field.map { String(member.key.dropLast($0.count)) }
                switch (noun, member.value.content) {
                case (let noun?, .text(let id)): add(id, noun: noun)
                case (let noun?, .list(let ids)):
                    for case .text(let id) in ids.map(\.content) { add(id, noun: noun) }
                default: addIDs(of: member.value)
                }
            }
        default: break
        }
    }

    /// Returns the replacement of an id; the id itself if it has none.
    ///
    /// The replacement of a composite id such as `phone-1/cafe` consists of the replacements of its
    /// parts, because the renamed events contain the parts.
    func replacement(of id: String) -> String {
        let parts = id.split(separator: "/", omittingEmptySubsequences: false)
        let named = parts.compactMap { idReplacements[String($0)] }
        return parts.count > 1 && named.count == parts.count
            ? named.joined(separator: "/") : idReplacements[id] ?? id
    }

    /// Replaces the values of a payload or of a command's input, according to its fields.
    mutating func rename(_ tree: inout Tree, _ fields: [FieldDescription]) {
        rename(record: &tree, fields, nil)
    }

    /// Returns an unused replacement for a noun, such as `baby-2` for `baby`.
    private mutating func newPseudonym(_ noun: String) -> String {
        counts[noun, default: 0] += 1
        return "\(noun)-\(counts[noun] ?? 0)"
    }

    /// Replaces the values of an object; `places` names the fields that give a place, if any do.
    private mutating func rename(
        record tree: inout Tree, _ fields: [FieldDescription], _ places: PlaceFields?
    ) {
        guard case .map(var members) = tree.content else { return }
        let moved = places.map { relocated(tree, $0) } ?? [:]
        for index in members.indices {
            if let value = moved[members[index].key] {
                members[index].value.content = value
            } else if let field = fields.first(where: { $0.name == members[index].key }) {
                rename(&members[index].value, field)
            }
        }
        tree.content = .map(members)
    }

    /// Replaces a value of a field, or all values within it.
    private mutating func rename(_ tree: inout Tree, _ field: FieldDescription) {
        switch tree.content {
        case .text(let text): tree.content = .text(renamed(text, field))
        case .list(var elements):
            for index in elements.indices { rename(&elements[index], field) }
            tree.content = .list(elements)
        case .map(var members):
            guard field.fields.isEmpty else {
                // An object, or a map of objects by their ids.
                guard field.form.hasPrefix("{") else {
                    return rename(record: &tree, field.fields, field.places)
                }
                for index in members.indices {
                    rename(record: &members[index].value, field.fields, field.places)
                    members[index].key = key(members[index].key, field)
                }
                tree.content = .map(members)
                return
            }
            for index in members.indices {
                rename(&members[index].value, field)
                members[index].key = key(members[index].key, field)
            }
            tree.content = .map(members)
        default: break
        }
    }

    /// Returns the replacement for a key of a map.
    ///
    /// Keys of a map of numbers, such as the details of a command, are kept if they look like
    /// names, because rules read them. Keys of other maps are replaced like texts.
    private mutating func key(_ key: String, _ field: FieldDescription) -> String {
        if let name = idReplacements[key] { return name }
        let isRead =
            field.form.contains("number") && key.wholeMatch(of: /[a-z][A-Za-z0-9_]*/) != nil
        return isRead || kept.contains(key) ? key : pseudonym(for: key, "key")
    }

    /// Returns the replacement for a text of a field; the text itself if it is kept.
    private mutating func renamed(_ text: String, _ field: FieldDescription) -> String {
        if field.form.contains("one of ") { return text }
        // A command may write a time as text.
        if field.isMoment, Timestamp.parse(text) != nil { return text }
        if let name = idReplacements[text] { return name }
        let noun = field.isPersonal ? "text" : field.form.contains("digest") ? "digest" : field.name
        if !field.isPersonal, noun != "digest" {
            guard !text.isEmpty, !kept.contains(text) else { return text }
        }
        return pseudonym(for: text, noun)
    }

    private mutating func pseudonym(for text: String, _ noun: String) -> String {
        if let word = textReplacements[text] { return word }
        let word = newPseudonym(noun)
        textReplacements[text] = word
        return word
    }
}

extension Pseudonyms {
    /// Returns the new values of the fields that give a place. All places are moved together, so
    /// that the first one lies at 0° N, 0° E.
    private mutating func relocated(_ tree: Tree, _ fields: PlaceFields) -> [String: Tree.Content] {
        let missing = fields.power
        let scaled = { (name: String, power: Int) in tree[name].flatMap { $0.scaled(power) } }
        var moved: [String: Tree.Content] = [:]
        let latitude = scaled(fields.latitude, 9 - missing)
        let longitude = scaled(fields.longitude, 9 - missing)
        let place = Coordinate(latE9: latitude ?? .max, lonE9: longitude ?? .max)
        if place.isPossible, origin == nil { origin = place }
        // Before the first valid place, the origin is 0, 0, which reveals nothing.
        let other = place.relocated(from: origin ?? Coordinate(latE9: 0, lonE9: 0))
        for (name, value) in [(fields.latitude, other.latE9), (fields.longitude, other.lonE9)] {
            guard let stood = tree[name]?.content, stood != .null else { continue }
            moved[name] =
                missing == 0
                ? .text(value.decimalText(places: 9, keepsZeros: true)) : .integer(value)
        }
        guard let name = fields.elevation, let stood = tree[name]?.content, stood != .null else {
            return moved
        }
        let millimetres = scaled(name, 3 - fields.elevationPower) ?? 0
        if originElevationMm == nil { originElevationMm = millimetres }
        let above = millimetres.saturatingDifference(originElevationMm ?? 0)
        moved[name] =
            fields.elevationPower == 0
            ? .text(above.decimalText(places: 3, keepsZeros: true)) : .integer(above)
        return moved
    }
}

extension Tree {
    /// Returns the number times ten to the given power; `nil` if the value is not a number.
    fileprivate func scaled(_ power: Int) -> Int64? {
        switch content {
        case .integer(let value): Scalar("\(value)").scaled(toPowerOfTen: power)
        case .number(let text), .text(let text): Scalar(text).scaled(toPowerOfTen: power)
        default: nil
        }
    }
}
