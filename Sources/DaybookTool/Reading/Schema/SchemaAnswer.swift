import Daybook

/// Answer of `schema`: an event, command, projection or other named part of the program.
struct SchemaAnswer: Answer {
    static let name = "schema"
    static let summary = "An entry: its fields, and further members that depend on its kind."

    /// Kind of the entry, such as `event` or `report`.
    var kind = ""
    /// Name of the entry, such as `launch.app-launched.v1`.
    var name = ""
    /// Sentence about an answer, rule or file format; `nil`, and left out, for other entries.
    var summary: String?
    /// Name of the audit that a rule belongs to; `nil`, and left out, for other entries.
    var audit: String?
    /// Arguments of a report; `nil`, and left out, for other entries.
    var arguments: [Field]?
    /// Field whose values are the states of a life cycle; `nil`, and left out, for other entries.
    var stateField: String?
    /// Declared transitions of a life cycle; `nil`, and left out, for other entries.
    var transitions: [StateMachine.Transition]?
    /// Rules of an audit; `nil`, and left out, for other entries.
    var rules: [AuditRule]?
    /// True if the local times of a file need a zone; `nil`, and left out, for other entries.
    var needsZone: Bool?
    /// Options of a file format; `nil`, and left out, for other entries.
    var options: [Option]?
    /// Fields of the entry; `nil`, and left out, for life cycles, audits and file formats.
    var fields: [Field]?

    /// A field of a record, with the limits of its input.
    struct Field: Record {
        /// Name of the field in JSON.
        var name = ""
        /// Form of the value, such as `integer`, `text?` or `[object]`.
        var form = ""
        /// True if the value is a point in time; otherwise `nil`, and left out.
        var isMoment: Bool?
        /// Value of the field if it is omitted; `nil`, and left out, without a default.
        var `default`: JSONText?
        /// Field that identifies the elements of a list; `nil`, and left out, if none does.
        var elementKey: String?
        /// Smallest value of an integer; `nil`, and left out, for other forms.
        var minimum: Int64?
        /// Largest value of an integer; `nil`, and left out, for other forms.
        var maximum: Int64?
        /// Largest number of bytes of a text; `nil`, and left out, for other forms.
        var mostBytes: Int64?
        /// Largest number of elements of a list or map; `nil`, and left out, for other forms.
        var mostElements: Int64?
        /// Fields of an object; `nil`, and left out, for other forms.
        var fields: [Field]?

        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("name", &name, "form", &form)
            try field.optionalField("moment", &isMoment)
            try field.optionalField("default", &`default`)
            try field.optionalField("elementKey", &elementKey)
            try field.optionalField("from", &minimum)
            try field.optionalField("to", &maximum)
            try field.optionalField("mostBytes", &mostBytes)
            try field.optionalField("mostElements", &mostElements)
            try field.optionalField("fields", &fields)
        }
    }

    /// An option of a file format.
    struct Option: Record {
        /// Name of the option, without dashes.
        var name = ""
        /// Placeholder for the option's value in help; `nil` for an option without a value.
        var placeholder: String?
        /// Sentence that describes the option.
        var help = ""
        /// Allowed words; `nil`, and left out, if other values are allowed.
        var oneOf: [String]?

        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("name", &name, "value", &placeholder, "help", &help)
            try field.optionalField("oneOf", &oneOf)
        }
    }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("kind", &kind, "name", &name)
        try field.optionalField("summary", &summary)
        try field.optionalField("audit", &audit)
        try field.optionalField("arguments", &arguments)
        try field.optionalField("field", &stateField)
        try field.optionalField("transitions", &transitions)
        try field.optionalField("rules", &rules)
        try field.optionalField("needsZone", &needsZone)
        try field.optionalField("options", &options)
        try field.optionalField("fields", &fields)
    }
}

extension SchemaAnswer {
    init(_ entry: SchemaCommand.Entry) {
        self.init(
            kind: entry.kind, name: entry.name, summary: entry.about ?? entry.file?.summary,
            audit: entry.audit, arguments: entry.arguments?.map { Field($0) })
        if let machine = entry.machine {
            stateField = machine.field
            transitions = machine.legalTransitions.sorted()
        } else if let rules = entry.rules {
            self.rules = rules
        } else if let file = entry.file {
            needsZone = file.needsZone
            options = file.options.map { Option($0) }
        } else {
            fields = entry.fields.map { Field($0) }
        }
    }
}

extension SchemaAnswer.Field {
    init(_ field: FieldDescription) {
        let (form, limit) = (field.form, field.limit)
        self.init(name: field.name, form: form)
        if field.isMoment { isMoment = true }
        `default` = field.defaultValue.map { JSONText($0) }
        if form.hasPrefix("[") { elementKey = field.elementKey }
        if form.contains("integer") {
            minimum = limit.values.lowerBound
            maximum = limit.values.upperBound
        }
        if form.contains("text") || field.isPersonal { mostBytes = Int64(limit.mostBytes) }
        if form.contains("[") || form.contains("{") { mostElements = Int64(limit.mostElements) }
        if !field.fields.isEmpty { fields = field.fields.map { Self($0) } }
    }
}

extension SchemaAnswer.Option {
    init(_ option: FileOption) {
        self.init(
            name: option.name, placeholder: option.form == .flag ? nil : option.placeholder,
            help: option.help)
        if case .choice(let words) = option.form { oneOf = words }
    }
}

extension FieldDescription {
    /// The field as answers print it: a point in time is an RFC 3339 text instead of an integer.
    var inAnswer: FieldDescription {
        var field = self
        if isMoment { field.form = form.replacing("integer", with: "time") }
        field.isMoment = false
        field.fields = fields.map(\.inAnswer)
        return field
    }
}
