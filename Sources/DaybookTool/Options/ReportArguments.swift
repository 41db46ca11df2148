import ArgumentParser
import Daybook

/// The arguments of a report as options of a command line: `--baby b` for the field `baby`.
struct ReportArguments {
    private let report: ReportDescription
    private var fields: [String: FieldDescription] = [:]
    private(set) var members: [Tree.Member] = []

    /// Options of the command itself, which an argument of the same name does not hide.
    static let reserved: Set = [
        "all", "at", "by", "format", "from", "head-file", "help", "issue", "json", "log", "rules",
        "shape", "to", "tzdata", "valid-at", "wait", "with",
    ]

    init(of report: ReportDescription) {
        self.report = report
        for field in report.arguments where !Self.reserved.contains(field.option) {
            fields[field.option] = field
        }
    }

    /// Takes the report's own options out of a command line, and returns the others.
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
                throw RepeatedOptions.refusal(of: "--\(field.option)", "report \(report.name)")
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

    /// Refuses an option that neither the report nor the command has, naming the closest.
    func checkNames(_ tokens: [String]) throws {
        let known = Self.reserved.union(fields.keys).map { "--\($0)" }
        for token in tokens.prefix(while: { $0 != "--" }) where token.hasPrefix("--") {
            let name = String(token.prefix { $0 != "=" })
            guard !known.contains(name) else { continue }
            throw ValidationError(
                "Unknown option '\(name)'\(NearestNames.hint(for: name, in: known))")
        }
    }

    /// Reads the arguments that are times.
    mutating func resolve(_ times: ReportTimes) throws {
        try times.resolve(&members)
    }

    /// Sets the argument that has no name on the command line.
    mutating func setPositional(_ value: String) throws {
        guard let name = report.positional,
            let field = report.arguments.first(where: { $0.name == name })
        else { throw ValidationError("Unexpected argument '\(value)'.\(hint(forStray: value))") }
        guard !has(field.name) else {
            throw ValidationError(
                "'\(value)' and --\(field.option) both name the \(field.option).")
        }
        set(field, value)
    }

    /// A sentence about a period without its option: `2026-03-03`.
    private func hint(forStray value: String) -> String {
        guard let period = report.period, let field = fields[period.argument], !has(field.name),
            value.first?.isNumber == true
        else { return "" }
        return " Did you mean '--\(field.option) \(value)'?"
    }

    mutating func set(_ name: String, _ value: Tree) {
        members.removeAll { $0.key == name }
        members.append(Tree.Member(key: name, value: value))
    }

    mutating func remove(_ name: String) -> Tree? {
        defer { members.removeAll { $0.key == name } }
        return members.first { $0.key == name }?.value
    }

    func text(_ name: String) -> String? {
        guard case .text(let text) = members.first(where: { $0.key == name })?.value.content
        else { return nil }
        return text
    }

    func has(_ name: String) -> Bool { members.contains { $0.key == name } }

    /// Refuses a command line without an argument that the report needs.
    func checkComplete(but given: Set<String>) throws {
        let names = report.arguments.map(\.name)
        if let stray = members.first(where: { !names.contains($0.key) }) {
            throw ValidationError(
                "--with: the report '\(report.name)' has no argument '\(stray.key)'; it has "
                    + "\(names.joined(separator: ", ")).")
        }
        for field in report.arguments
        where !field.isOptional && !given.contains(field.name) && !has(field.name) {
            let isVowel = "aeio".contains(field.option.prefix(1))
            throw ValidationError(
                field.form == "text"
                    ? "Name \(isVowel ? "an" : "a") \(field.option) with --\(field.option)."
                    : "Missing expected argument '\(field.usage)'.")
        }
    }

    private mutating func set(_ field: FieldDescription, _ value: String) {
        // A text that looks like a number stays a text.
        let isText = ["text", "one of", "person", "digest"].contains { field.form.hasPrefix($0) }
        set(field.name, isText ? Tree(.text(value), line: 1) : value.asTree)
    }
}

extension FieldDescription {
    /// The name of the option: `include-open` for `includeOpen`, `now` for the moment `nowUs`.
    var option: String {
        let name = isMoment && name.hasSuffix("Us") ? name.dropLast(2) : name[...]
        var option = ""
        for character in name {
            if character.isUppercase { option += "-" }
            option += character.lowercased()
        }
        return option
    }

    fileprivate var isFlag: Bool { form.hasPrefix("boolean") }

    /// `--date <text>`.
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
