import Daybook

struct SchemaAnswer: Answer {
    static let name = "schema"
    static let summary = "An entry: its fields, and further members that depend on its kind."

    /// Kind of the entry, such as `event` or `report`.
    var kind = ""
    /// Name of the entry, such as `launch.app-launched.v1`.
    var name = ""
    /// Sentence about an answer, rule or file format; `nil`, and left out, for other entries.
    var summary: String?
    var audit: String?
    var arguments: [Field]?
    /// Field whose values are the states of a life cycle; `nil`, and left out, for other entries.
    var stateField: String?
    var transitions: [StateMachine.Transition]?
    var rules: [AuditRule]?
    /// True if the local times of a file need a zone; `nil`, and left out, for other entries.
    var needsZone: Bool?
    var options: [Option]?
    var fields: [Field]?

    /// A field of a record, with the limits of its input.
    struct Field: AnswerPart {
        var name = ""
        /// Form of the value, such as `integer`, `text?` or `[object]`.
        var form = ""
        var isMoment: Bool?
        /// Value of the field if it is omitted; `nil`, and left out, without a default.
        var `default`: JSONText?
        /// Field that identifies the elements of a list; `nil`, and left out, if none does.
        var elementKey: String?
        var minimum: Int64?
        var maximum: Int64?
        var mostBytes: Int64?
        var mostElements: Int64?
        var fields: [Field]?

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
    struct Option: AnswerPart {
        /// Name of the option, without dashes.
        var name = ""
        /// Placeholder for the option's value in help; `nil` for an option without a value.
        var placeholder: String?
        var help = ""
        var oneOf: [String]?

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
