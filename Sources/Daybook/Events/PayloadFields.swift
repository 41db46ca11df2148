/// A visitor that lists the values of a payload for people, for the sentence of its kind.
///
/// It leaves out what a person does not read: blank values, ids, digests, positions, and the user
/// who caused the event.
struct PayloadFields: FieldListVisitor {
    /// A value with the words of its field's name.
    private struct Item {
        var field: String
        var text: String
        /// The integer that the text is made of, if its unit needs another field, as money does.
        var minorUnits: Int64?
    }

    private let wording: Wording
    /// Ids in the event's tags.
    private let tagIds: Set<Substring>
    /// The name of the visited field.
    private var current = ""
    private var items: [Item] = []
    /// The code in the payload's field `currency`.
    private var currency = ""

    /// Returns the words of the kind's name, and the values: `copy borrowed: fee 4.50 EUR`.
    static func sentence(of payload: some EventPayload, _ wording: Wording) -> String {
        var fields = PayloadFields(wording: wording, tagIds: Set(payload.tags.map { $0.id[...] }))
        var payload = payload
        payload.fields(&fields)
        let kind = type(of: payload).kind
        let name = kind.stem.dropFirst(kind.area.utf8.count + 1).inWords
        let values = fields.items.map { item in
            let label = FieldUnit.split(item.field).name.inWords
            let text =
                item.minorUnits.map { FieldUnit.minorUnits.text($0, currency: fields.currency) }
                ?? item.text
            return text.isEmpty || label.isEmpty ? label + text : "\(label) \(text)"
        }
        return values.isEmpty ? name : "\(name): \(values.joined(separator: ", "))"
    }

    private init(wording: Wording, tagIds: Set<Substring>) {
        self.wording = wording
        self.tagIds = tagIds
    }

    private mutating func add(_ text: String) { items.append(Item(field: current, text: text)) }

    mutating func field<Value: FieldValue>(_ name: String, _ value: inout Value) {
        guard name != "by", !name.isId else { return }
        current = name
        Value.visit(&self, &value)
    }

    mutating func field<Value: FieldValue>(
        _ name: String, _ value: inout Value, limit: @autoclosure () -> Limit
    ) {
        guard limit() != .position else { return }
        field(name, &value)
    }

    mutating func integer(_ value: inout Int64) {
        let unit = FieldUnit.split(current).unit
        var item = Item(field: current, text: unit?.text(value) ?? "\(value)")
        if unit == .minorUnits { item.minorUnits = value }
        items.append(item)
    }

    mutating func position(_ value: inout Position) {}

    mutating func moment(_ value: inout Int64) {
        let instant = Instant(microseconds: value)
        if instant != .epoch { add(wording.time(instant)) }
    }

    mutating func tenths(_ value: inout Int64) { add(value.decimalText(places: 1)) }

    mutating func boolean(_ value: inout Bool) {
        guard value else { return }
        if current.hasPrefix("is"), current.dropFirst(2).first?.isUppercase == true {
            current.removeFirst(2)
        }
        add("")
    }

    mutating func text(_ value: inout String) {
        if current == "currency" {
            currency = value
        } else if !value.isEmpty, !tagIds.contains(value[...]) {
            add(value.onOneLine.clipped(to: 60))
        }
    }

    mutating func freeText(_ value: inout String) {
        if let quotation = wording.quoted(value) { add(quotation) }
    }

    mutating func json(_ value: inout String) {}

    mutating func personal(_ value: inout PersonalText) {
        if let quotation = wording.quoted(value) { add(quotation) }
    }

    mutating func author(_ value: inout Author) {
        if let name = wording.name(value), !name.isEmpty { add(name) }
    }

    mutating func storedEnum<Value: StoredEnum>(_ value: inout Value) {
        // Rules other than the standard ones are worth a word.
        guard current != "rules" || value != .blank else { return }
        add(wording.words(value))
    }

    mutating func optional<Value: FieldValue>(_ value: inout Value?) { value?.visit(with: &self) }

    mutating func list<Value: FieldValue>(_ value: inout [Value]) {
        guard !value.isEmpty else { return }
        guard Value.isScalar, value.count <= 3 else { return add("\(value.count)") }
        let outer = (items: items, field: current)
        items = []
        for index in value.indices { Value.visit(&self, &value[index]) }
        let texts = items.map(\.text).filter { !$0.isEmpty }
        (items, current) = outer
        if !texts.isEmpty { add(texts.joined(separator: " ")) }
    }

    mutating func map<Value: FieldValue>(_ value: inout [String: Value]) {
        if !value.isEmpty { add("\(value.count)") }
    }

    mutating func record<Value: Record>(_ value: inout Value) { value.fields(&self) }
}

extension String {
    /// True for the name of a field that holds ids: `id`, `entryId`, `dropIds`.
    fileprivate var isId: Bool {
        self == "id" || self == "ids" || hasSuffix("Id") || hasSuffix("Ids")
    }
}
