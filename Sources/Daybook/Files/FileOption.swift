/// An option that a format adds to a command: `--baby ID`, `--max-speed M/S`.
public struct FileOption: Hashable, Sendable {
    /// The name without its dashes.
    public var name: String
    /// The placeholder of the value in help texts.
    public var value: String
    /// The help text of the option.
    public var help: String
    /// The form of the value.
    public var form: Form

    /// The form of an option's value.
    public enum Form: Hashable, Sendable {
        /// Any text.
        case text
        /// An id, read in Unicode normalisation form C.
        case id
        /// One of the listed words; the first word is the default.
        case choice([String])
        /// A decimal number above 0, read as an integer in units of 10⁻ᵖᵒʷᵉʳ.
        ///
        /// With power 3, `12.5` is read as 12,500. Error messages show the example.
        case positive(power: Int, example: String)
        /// An RFC 3339 time; the option is required.
        case time
        /// A list of texts; the option may be repeated.
        case texts
        /// The path of an additional file, whose content `FileOptions` holds.
        case file
        /// An option without a value.
        case flag
    }

    /// Declares an option.
    ///
    /// - Parameters:
    ///   - name: without its dashes.
    ///   - value: the placeholder of the value in help texts; by default the name.
    ///   - help: a sentence for help texts.
    public init(_ name: String, value: String? = nil, _ form: Form, _ help: String) {
        self.name = name
        self.value = value ?? name
        self.help = help
        self.form = form
    }

    /// Declares an option whose value is the id of an entity.
    public static func id(_ name: String, _ help: String) -> FileOption {
        FileOption(name, value: "id", .id, help)
    }

    /// Option names that the commands use themselves, so that no format may declare them.
    static let reserved: Set<String> = [
        "format", "zone", "tzdata", "by", "dry-run", "json", "log", "wait", "head-file", "output",
        "record", "at", "valid-at", "rules", "help", "version",
    ]

    /// Returns the reason why a text is not a valid value of the option; `nil` if it is valid.
    public func fault(of text: String) -> String? {
        switch form {
        case .text, .id, .texts, .file, .flag: return nil
        case .choice(let words):
            guard !words.contains(text) else { return nil }
            return "expected one of \(words.joined(separator: ", ")), found '\(text)'"
        case .positive(let power, let example):
            let number = Scalar(text).scaled(toPowerOfTen: power) ?? 0
            return number > 0 ? nil : "expected a number like \(example), found '\(text)'"
        case .time:
            guard Timestamp.parse(text) == nil else { return nil }
            return "expected an RFC 3339 time like 2026-07-12T12:00:00Z, found '\(text)'"
        }
    }
}

/// The values of a format's options.
public struct FileOptions: Hashable, Sendable {
    /// The values of each option, by its name.
    private var values: [String: [String]] = [:]
    /// The contents of the files that options name, by the option's name.
    private var contents: [String: [UInt8]] = [:]

    /// Creates options without values.
    public init() {}

    /// The text of an option; if absent, the first word of a choice, else `nil`.
    public subscript(option: FileOption) -> String? {
        get {
            if let text = values[option.name]?.first { return text }
            if case .choice(let words) = option.form { return words.first }
            return nil
        }
        set { values[option.name] = newValue.map { [$0] } }
    }

    /// All values of a repeatable option, in the order given.
    public subscript(all option: FileOption) -> [String] {
        get { values[option.name] ?? [] }
        set { values[option.name] = newValue.isEmpty ? nil : newValue }
    }

    /// The content of the file that an option names; `nil` if there is none.
    public subscript(content option: FileOption) -> [UInt8]? {
        get { contents[option.name] }
        set { contents[option.name] = newValue }
    }

    /// Returns the values of this and `other`; for an option in both, the value of `other`.
    public func merging(_ other: FileOptions) -> FileOptions {
        var merged = self
        merged.values.merge(other.values) { _, new in new }
        merged.contents.merge(other.contents) { _, new in new }
        return merged
    }

    /// True if the option or flag was given.
    public func has(_ option: FileOption) -> Bool { values[option.name] != nil }

    /// Returns the value of a `positive` option, in units of 10⁻ᵖᵒʷᵉʳ; `nil` if absent or invalid.
    public func number(_ option: FileOption) -> Int64? {
        guard case .positive(let power, _) = option.form, let text = self[option] else {
            return nil
        }
        return Scalar(text).scaled(toPowerOfTen: power)
    }

    /// Returns the value of a `time` option; `nil` if absent or invalid.
    public func time(_ option: FileOption) -> Instant? {
        self[option].flatMap { Timestamp.parse($0)?.instant }
    }

    /// Returns the value as an argument of a report; `nil` if absent.
    ///
    /// An absent list is empty, and an absent flag is `false`.
    func tree(_ option: FileOption) -> Tree? {
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
