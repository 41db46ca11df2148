import ArgumentParser
import Testing

@testable import DaybookTool

/// Facts that each command states of itself.
@Suite struct CommandTests {
    /// The commands for any app, one by one.
    private static let commands = ReplayTool.groups().flatMap(\.commands)

    @Test("Each command has examples, and each example begins with its name")
    func examples() {
        for command in Self.commands {
            let name = command._commandName
            let words = command.examples.map { $0.split(separator: " ").first.map(String.init) }
            #expect(!words.isEmpty && words.allSatisfy { $0 == name }, "\(name): \(words)")
        }
    }

    @Test("Each answer has the name of the command that lists it, and no two answers share one")
    func answers() {
        var names: Set<String> = []
        for command in Self.commands {
            for answer in command.answers {
                #expect(answer.name.split(separator: ".").first == command._commandName[...])
                #expect(names.insert(answer.name).inserted, "\(answer.name)")
            }
        }
        #expect(names.count > 40)
    }

    @Test("The commands of a group are sorted, and no two commands share a name")
    func names() {
        for group in ReplayTool.groups() {
            let names = group.commands.map { $0._commandName }
            #expect(names == names.sorted(), "\(group.name)")
        }
        let all = Self.commands.map { $0._commandName }
        #expect(Set(all).count == all.count)
    }
}
