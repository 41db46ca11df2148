/// A command-line option that a file format adds to a command: `--baby ID`, `--max-speed M/S`.
public struct FileOption: Hashable, Sendable {
    /// The name of the option without its dashes: `max-speed`.
    public var name: String
    /// The placeholder for the option's value in help texts: `m/s`.
    public var placeholder: String
    /// The help text of the option.
    public var help: String
    /// The form that the option's value must have.
    public var form: Form

    /// A form that the value of an option can have.
    public enum Form: Hashable, Sendable {
        /// Any text.
        case text
        /// An id, read in Unicode normalisation form C.
        case id
        /// One of the listed words; the first word is the default.
        case choice([String])
        /// A decimal number above 0, read as an integer: the number times 10 to the power `power`.
        ///
        /// With a power of 3, `12.5` is read as 12,500. Error messages show `example`.
        case positive(power: Int, example: String)
        /// An RFC 3339 time; an option of this form is required.
        case time
        /// A list of texts, one for each use of the option, which may be repeated.
        case texts
        /// The path of an additional file, whose content the tool stores in `FileOptions`.
        case file
        /// An option without a value, which is either given or not.
        case flag
    }

    /// Declares an option, with a placeholder for its value (by default its name) and a help text.
    public init(_ name: String, value: String? = nil, _ form: Form, _ help: String) {
        self.name = name
        placeholder = value ?? name
        self.help = help
        self.form = form
    }

    /// Declares an option whose value is the id of an entity.
    public static func id(_ name: String, _ help: String) -> FileOption {
        FileOption(name, value: "id", .id, help)
    }

    /// The names of options that the commands use themselves, so that no format may declare them.
    static let reservedNames: Set<String> = [
        "format", "zone", "tzdata", "by", "dry-run", "json", "log", "wait", "head-file", "key-file",
        "key-command", "output", "force", "record", "projection", "history", "no-history", "texts",
        "pseudonymise", "at", "valid-at", "rules", "help", "version",
    ]

    /// Returns the reason why a text is not a valid value of the option; `nil` if valid.
    ///
    /// The reason is a clause such as `expected a number above 0, like 12.5, found 'x'`.
    public func fault(of text: String) -> String? {
        switch form {
        case .text, .id, .texts, .file, .flag: return nil
        case .choice(let words):
            guard !words.contains(text) else { return nil }
            return "expected one of \(words.joined(separator: ", ")), found '\(text)'"
        case .positive(let power, let example):
            let number = Scalar(text).scaled(toPowerOfTen: power) ?? 0
            return number > 0 ? nil : "expected a number above 0, like \(example), found '\(text)'"
        case .time:
            guard Timestamp.parse(text) == nil else { return nil }
            return "expected an RFC 3339 time like 2026-07-12T12:00:00Z, found '\(text)'"
        }
    }
}

/// The values that a user gave for the options of a file format.
public struct FileOptions: Hashable, Sendable {
    /// The values of each option that was given, by the option's name.
    private var values: [String: [String]] = [:]
    /// The content of the file that an option names, by the option's name.
    private var contents: [String: [UInt8]] = [:]

    /// Creates a collection without values, as if no option were given.
    public init() {}

    /// The text given for an option; else the first word of a choice, and `nil` for other forms.
    public subscript(option: FileOption) -> String? {
        get {
            if let text = values[option.name]?.first { return text }
            if case .choice(let words) = option.form { return words.first }
            return nil
        }
        set { values[option.name] = newValue.map { [$0] } }
    }

    /// All values of an option that may be repeated, in the order given.
    public subscript(all option: FileOption) -> [String] {
        get { values[option.name] ?? [] }
        set { values[option.name] = newValue.isEmpty ? nil : newValue }
    }

    /// The content of the file that an option names; `nil` if the option is not given.
    public subscript(content option: FileOption) -> [UInt8]? {
        get { contents[option.name] }
        set { contents[option.name] = newValue }
    }

    /// Returns the values of both collections; for an option in both, the value from `other`.
    public func merging(_ other: FileOptions) -> FileOptions {
        var merged = self
        merged.values.merge(other.values) { _, new in new }
        merged.contents.merge(other.contents) { _, new in new }
        return merged
    }

    /// True if the user gave the option or flag.
    public func has(_ option: FileOption) -> Bool { values[option.name] != nil }

    /// Returns a `positive` option's value, times 10 to its `power`; `nil` without a number.
    public func number(_ option: FileOption) -> Int64? {
        guard case .positive(let power, _) = option.form, let text = self[option] else {
            return nil
        }
        return Scalar(text).scaled(toPowerOfTen: power)
    }

    /// Returns the value of a `time` option; `nil` if the option is not given or its value invalid.
    public func time(_ option: FileOption) -> Instant? {
        self[option].flatMap { Timestamp.parse($0)?.instant }
    }

    /// Returns the option as a report's argument; without a value an empty list, `false` or `nil`.
    func argument(of option: FileOption) -> Tree? {
        let content: Tree.Content? =
            switch option.form {
            case .text, .id, .choice, .time, .file: self[option].map { .text($0) }
            case .positive: number(option).map { .integer($0) }
            case .texts: .list(self[all: option].map { Tree(.text($0), line: 1) })
            case .flag: .boolean(has(option))
            }
        return content.map { Tree($0, line: 1) }
    }
}
