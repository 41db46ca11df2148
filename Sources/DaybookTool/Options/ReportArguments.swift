import ArgumentParser
import Daybook

/// Arguments of a report, given as options of a command line: `--baby b` for `baby`.
struct ReportArguments {
    /// Report whose arguments are read.
    private let report: ReportDescription
    /// Descriptions of the arguments, by the name of their option.
    private var fields: [String: FieldDescription] = [:]
    /// Arguments that were given, as the members of a JSON object.
    private(set) var members: [Tree.Member] = []

    /// Names of the options of `report` itself, which take precedence over a report's arguments.
    static let reservedNames: Set = [
        "all", "at", "by", "format", "from", "head-file", "help", "issue", "json",
        "key-command", "key-file", "log", "rules",
        "shape", "to", "tzdata", "valid-at", "wait", "with",
    ]

    init(of report: ReportDescription) {
        self.report = report
        for field in report.arguments where !Self.reservedNames.contains(field.option) {
            fields[field.option] = field
        }
    }

    /// Reads the arguments of the report from a command line, and returns the remaining words.
    mutating func consume(_ tokens: some Sequence<String>) throws -> [String] {
        var others: [String] = []
        var rest = Array(tokens)[...]
        while let token = rest.popFirst() {
            guard token != "--" else { return others + [token] + rest }
            let parts = token.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard token.hasPrefix("--"), let field = fields[String(parts[0].dropFirst(2))] else {
                others.append(token)
                continue
            }
            guard field.isFlag || !has(field.name) else {
                throw RepeatedOptions.repetitionFailure(
                    of: "--\(field.option)", "report \(report.name)")
            }
            if parts.count > 1 {
                set(field, String(parts[1]))
            } else if field.isFlag {
                set(field.name, Tree(.boolean(true), line: 1))
            } else if let value = rest.first, !value.hasPrefix("--") {
                set(field, value)
                rest.removeFirst()
            } else {
                throw ValidationError("Missing value for '\(field.usage)'.")
            }
        }
        return others
    }

    /// Throws a usage error, with the closest known name, for an option that neither the report nor
    /// the command has.
    func checkNames(_ tokens: [String]) throws {
        let known = Self.reservedNames.union(fields.keys).map { "--\($0)" }
        for token in tokens.prefix(while: { $0 != "--" }) where token.hasPrefix("--") {
            let name = String(token.prefix { $0 != "=" })
            guard !known.contains(name) else { continue }
            let hint = CommandLineCorrections.hint(
                forOption: name, "report", has: known.contains)
            throw ValidationError(
                "Unknown option '\(name)'"
                    + (hint.map { ". \($0)" } ?? NearestNames.hint(for: name, in: known)))
        }
    }

    /// Replaces times and periods in words, such as `yesterday`, by exact times and names of
    /// periods.
    mutating func resolve(_ times: ReportTimes) throws {
        try times.resolve(&members)
    }

    /// Sets the one argument of a report that may be given as a plain word, without its option.
    mutating func setPositional(_ value: String) throws {
        guard let name = report.positional,
            let field = report.arguments.first(where: { $0.name == name })
        else { throw ValidationError("Unexpected argument '\(value)'.\(hint(forStray: value))") }
        guard !has(field.name) else {
            throw ValidationError(
                "'\(value)' and --\(field.option) both set the \(field.option); give only one.")
        }
        set(field, value)
    }

    /// Returns a hint if an unexpected word looks like a period without its option: `2026-03-03`;
    /// else an empty text.
    private func hint(forStray value: String) -> String {
        guard let period = report.period, let field = fields[period.argument], !has(field.name),
            value.first?.isNumber == true
        else { return "" }
        return " Did you mean '--\(field.option) \(value)'?"
    }

    /// Sets an argument, and replaces an earlier value of the same name.
    mutating func set(_ name: String, _ value: Tree) {
        members.removeAll { $0.key == name }
        members.append(Tree.Member(key: name, value: value))
    }

    /// Removes an argument, and returns its value; `nil` if it is not set.
    mutating func remove(_ name: String) -> Tree? {
        defer { members.removeAll { $0.key == name } }
        return members.first { $0.key == name }?.value
    }

    /// Returns the value of an argument that is a text; otherwise `nil`.
    func text(_ name: String) -> String? {
        guard case .text(let text) = members.first(where: { $0.key == name })?.value.content
        else { return nil }
        return text
    }

    /// True if the argument is set.
    func has(_ name: String) -> Bool { members.contains { $0.key == name } }

    /// Throws a usage error for an argument that is unknown or missing.
    ///
    /// - Parameter given: names of arguments that need not be set, because the command supplies
    ///   them.
    func checkComplete(but given: Set<String>) throws {
        let names = report.arguments.map(\.name)
        if let stray = members.first(where: { !names.contains($0.key) }) {
            throw ValidationError(
                "--with: the report '\(report.name)' has no argument '\(stray.key)'; its arguments "
                    + "are \(names.joined(separator: ", ")).")
        }
        for field in report.arguments
        where !field.isOptional && !given.contains(field.name) && !has(field.name) {
            let isVowel = "aeio".contains(field.option.prefix(1))
            throw ValidationError(
                field.form == "text"
                    ? "Give \(isVowel ? "an" : "a") \(field.option) with --\(field.option)."
                    : "Missing expected argument '\(field.usage)'.")
        }
    }

    /// Sets an argument to a value of the command line: a text, or JSON for any other form.
    private mutating func set(_ field: FieldDescription, _ value: String) {
        // A text that looks like a number remains a text.
        let isText = ["text", "one of", "person", "digest"].contains { field.form.hasPrefix($0) }
        set(field.name, isText ? Tree(.text(value), line: 1) : value.asTree)
    }
}

extension FieldDescription {
    /// The name of the option: `include-open` for `includeOpen`, and `now` for the point in time
    /// `nowUs`.
    var option: String {
        let name = isMoment && name.hasSuffix("Us") ? name.dropLast(2) : name[...]
        var option = ""
        for character in name {
            if character.isUppercase { option += "-" }
            option += character.lowercased()
        }
        return option
    }

    /// True for a boolean argument, whose option needs no value.
    var isFlag: Bool { form.hasPrefix("boolean") }

    /// The option with its value, as in `--date <text>`.
    var usage: String {
        guard !isFlag else { return "--\(option)" }
        var value = form.hasSuffix("?") ? String(form.dropLast()) : form
        if isMoment { value = "time" }
        if value.hasPrefix("one of ") {
            value = value.dropFirst(7).split(separator: ", ").joined(separator: "|")
        }
        return "--\(option) <\(value)>"
    }
}
