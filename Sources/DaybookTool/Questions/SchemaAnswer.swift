import Daybook

struct SchemaAnswer: Answer {
    static let name = "schema"
    static let summary = "An entry: its fields, and further members that depend on its kind."

    var kind = ""
    var name = ""
    var summary: String?
    /// Name of the audit that a rule belongs to.
    var audit: String?
    /// Fields of the arguments of a report.
    var arguments: [Field]?
    /// Field whose values are the states of a life cycle.
    var field: String?
    var transitions: [StateMachine.Transition]?
    var rules: [AuditRule]?
    var needsZone: Bool?
    var options: [Option]?
    var fields: [Field]?

    /// A field of a record.
    struct Field: Record {
        var name = ""
        var form = ""
        /// True for a moment; otherwise `nil`, and left out.
        var moment: Bool?
        var `default`: JSONText?
        var elementKey: String?
        var from: Int64?
        var to: Int64?
        var mostBytes: Int64?
        var mostElements: Int64?
        var fields: [Field]?

        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("name", &name, "form", &form)
            try field.optionalField("moment", &moment)
            try field.optionalField("default", &`default`)
            try field.optionalField("elementKey", &elementKey)
            try field.optionalField("from", &from)
            try field.optionalField("to", &to)
            try field.optionalField("mostBytes", &mostBytes)
            try field.optionalField("mostElements", &mostElements)
            try field.optionalField("fields", &fields)
        }
    }

    /// An option of a file format.
    struct Option: Record {
        var name = ""
        /// Placeholder of the value; `nil` for an option without a value.
        var value: String?
        var help = ""
        /// Allowed words; `nil`, and left out, if other values are allowed.
        var oneOf: [String]?

        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("name", &name, "value", &value, "help", &help)
            try field.optionalField("oneOf", &oneOf)
        }
    }

    static var blank: Self { Self() }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("kind", &kind, "name", &name)
        try field.optionalField("summary", &summary)
        try field.optionalField("audit", &audit)
        try field.optionalField("arguments", &arguments)
        try field.optionalField("field", &self.field)
        try field.optionalField("transitions", &transitions)
        try field.optionalField("rules", &rules)
        try field.optionalField("needsZone", &needsZone)
        try field.optionalField("options", &options)
        try field.optionalField("fields", &fields)
    }
}

extension SchemaAnswer {
    init(_ entry: Schema.Entry) {
        self.init(
            kind: entry.kind, name: entry.name, summary: entry.about ?? entry.file?.summary,
            audit: entry.audit, arguments: entry.arguments?.map { Field($0) })
        if let machine = entry.machine {
            field = machine.field
            transitions = machine.legal.sorted()
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
        if field.isMoment { moment = true }
        `default` = field.defaultValue.map { JSONText($0) }
        if form.hasPrefix("[") { elementKey = field.elementKey }
        if form.contains("integer") {
            from = limit.values.lowerBound
            to = limit.values.upperBound
        }
        if form.contains("text") || field.isPersonal { mostBytes = Int64(limit.mostBytes) }
        if form.contains("[") || form.contains("{") { mostElements = Int64(limit.mostElements) }
        if !field.fields.isEmpty { fields = field.fields.map { Self($0) } }
    }
}

extension SchemaAnswer.Option {
    init(_ option: FileOption) {
        self.init(
            name: option.name, value: option.form == .flag ? nil : option.value,
            help: option.help)
        if case .choice(let words) = option.form { oneOf = words }
    }
}
