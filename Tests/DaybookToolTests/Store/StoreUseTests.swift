import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import DaybookTool

/// The generic commands with the way in which each takes a log in a database.
private let uses: [String: StoreUse] = Dictionary(
    uniqueKeysWithValues: ReplayTool.groups().flatMap(\.commands).map {
        ($0._commandName, $0.storeUse)
    })

@Suite struct StoreUseTests {
    @Test("Every command says how it takes a log in a database")
    func table() throws {
        let help = try ReplayProcess.run(["--experimental-dump-help"]).out
        let tree = try #require(
            try JSONSerialization.jsonObject(with: Data(help.utf8)) as? [String: Any])
        let root = try #require(tree["command"] as? [String: Any])
        let commands = try #require(root["subcommands"] as? [[String: Any]])
        let names = Set(commands.compactMap { $0["commandName"] as? String })
        // Commands of Daybook's own areas are not generic.
        let own: Set = ["help", "launch-decision", "ranking"]
        #expect(names.subtracting(own) == Set(uses.keys))
        for command in commands {
            let name = command["commandName"] as? String ?? ""
            guard !own.contains(name) else { continue }
            let arguments = command["arguments"] as? [[String: Any]] ?? []
            let options = arguments.flatMap { $0["names"] as? [[String: Any]] ?? [] }
                .compactMap { $0["name"] as? String }
            if uses[name] == .noLog {
                #expect(!options.contains("log"), "\(name) reads a log")
            }
        }
    }

    @Test("Copies of a file are the only commands that a log in a database has no use for")
    func refused() {
        let refused = uses.filter { if case .refused = $0.value { true } else { false } }
        #expect(refused.keys.sorted() == ["backup", "compact", "restore", "salvage"])
    }

    @Test(
        "A command that makes no sense on a log in a database says what to do instead",
        arguments: uses.keys.sorted())
    func refusals(_ command: String) throws {
        let address = "postgres:///diary?log=home"
        guard case .refused(let reason) = uses[command] else { return }
        let arguments: [String: [String]] = [
            "backup": ["copy"], "erase": ["--tag", "baby:b", "--reason", "r", "--by", "b"],
            "restore": ["copy"], "salvage": [address, "--output", "new"],
        ]
        let log = command == "salvage" ? [] : ["--log", address]
        let answer = try ReplayProcess.run([command] + (arguments[command] ?? []) + log)
        #expect(answer.code == 2 && answer.out.isEmpty)
        #expect(
            answer.err.contains("'\(command)' is for logs in files: \(reason)"),
            "\(answer.err)")
    }
}
