import Foundation
import TestSupport
import Testing

/// Messages and help texts in the sources of the tool, which name options.
@Suite("Options in messages") struct OptionNamesTests {
    /// Files whose texts name what is no option of the tool, or what others than the command have.
    private static let exempt: Set = [
        // Wrong options with the right ones, and options of every command in turn.
        "CommandLineCorrections.swift", "SchemaCommand.swift", "PageWords.swift",
    ]
    /// Options that are no command's: of the parser, and of 'swift build'.
    private static let foreign: Set = [
        "--help", "--help-hidden", "--version", "--generate-completion-script", "--traits",
        "--product",
    ]

    /// Returns the options of each command, by its name.
    private static func options() throws -> [String: Set<String>] {
        let dump = try ReplayProcess.run(["--experimental-dump-help"]).out
        let root = try JSONSerialization.jsonObject(with: Data(dump.utf8)) as? [String: Any]
        var options: [String: Set<String>] = [:]
        func collect(_ command: [String: Any]) {
            let arguments = command["arguments"] as? [[String: Any]] ?? []
            let names = arguments.flatMap { $0["names"] as? [[String: String]] ?? [] }
            options[command["commandName"] as? String ?? ""] = Set(
                names.filter { $0["kind"] == "long" }.compactMap { $0["name"].map { "--\($0)" } })
            (command["subcommands"] as? [[String: Any]] ?? []).forEach(collect)
        }
        collect(try #require(root?["command"] as? [String: Any]))
        // It parses its own.
        let report = try ReplayProcess.run(["report", "daily", "--help"]).out
        options["report"]?.formUnion(report.matches(of: /--[a-z][a-z0-9-]*/).map { String($0.0) })
        return options
    }

    @Test("An option that a command's message names is its own, or is named with its command")
    func ownOptions() throws {
        let options = try Self.options()
        let all = options.values.reduce(into: Self.foreign) { $0.formUnion($1) }
        var checked = 0
        for folder in ["DaybookTool", "DaybookReplayProgram"] {
            let root = Checkout.root.appending(path: "Sources/\(folder)")
            let files = try FileManager.default.subpathsOfDirectory(atPath: root.path)
            for file in files where file.hasSuffix(".swift") {
                let name = file.split(separator: "/").last.map(String.init) ?? file
                guard !Self.exempt.contains(name) else { continue }
                let text = try String(contentsOf: root.appending(path: file), encoding: .utf8)
                let own = text.matches(of: /commandName: "([a-z-]+)"/).map { String($0.1) }
                let known = own.reduce(into: Self.foreign) { $0.formUnion(options[$1] ?? []) }
                for line in text.split(separator: "\n") {
                    guard !line.trimmingPrefix(while: \.isWhitespace).hasPrefix("//") else {
                        continue
                    }
                    for match in line.matches(of: /--[a-z][a-z0-9-]*/) {
                        let before = line[..<match.range.lowerBound]
                        let words = before.split { !$0.isLowercase && $0 != "-" }.suffix(4)
                        let others = words.flatMap { options[String($0)] ?? [] }
                        let isRight =
                            (own.isEmpty ? all : known).contains(String(match.0))
                            || others.contains(String(match.0))
                        #expect(isRight, "\(file): \(line)")
                        checked += 1
                    }
                }
            }
        }
        #expect(checked > 200)
    }
}
