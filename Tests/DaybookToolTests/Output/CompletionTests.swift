import Foundation
import TestSupport
import Testing

/// The words that bash offers with the completion script, as a shell asks for them.
@Suite struct CompletionTests {
    private func complete(
        _ line: String..., log: ScratchLog, program: URL = ReplayProcess.binary
    ) throws -> [String] {
        let name = program.lastPathComponent
        let script = try ReplayProcess.run(
            ["--generate-completion-script", "bash"], program: program)
        let file = try log.file("completion-\(UUID().uuidString).bash", script.out)
        let words = ([name] + line).map { "'\($0)'" }.joined(separator: " ")
        let answer = try ReplayProcess.run(
            [
                "-c",
                """
                source \(file); COMP_WORDS=(\(words)); COMP_CWORD=\(line.count); \
                COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}; \
                "$(complete -p \(name) | sed -E 's/.*-F ([^ ]+).*/\\1/')" \(name) \
                "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"; \
                printf '%s\\n' "${COMPREPLY[@]}"
                """,
            ],
            environment: [
                "DAYBOOK_LOG": log.path,
                "PATH": program.deletingLastPathComponent().path + ":/usr/bin:/bin",
            ],
            program: URL(fileURLWithPath: "/bin/bash"), in: log.folder)
        return answer.out.split(separator: "\n")
            .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }.sorted()
    }

    @Test("Projections, keys, kinds, rules, reports and formats are offered")
    func namesAreOffered() throws {
        let log = try AnswerTests.log()
        try expect(complete("state", "spl", log: log), equals: ["splash"])
        #expect(try complete("state", "splash", "", log: log).contains("l1"))
        #expect(try complete("history", "splash", "l", log: log).contains("l1"))
        #expect(
            try complete("log", "--kind", "launch.app-l", log: log)
                == ["launch.app-launched", "launch.app-launched.v1"])
        #expect(try complete("state", "splash", "--rules", "so", log: log).contains("source"))
        #expect(try complete("import", "--format", "ba", log: log).contains("babyconnect"))
        #expect(try complete("export", "--format", "", log: log).contains("gpx"))
        try expect(complete("report", "dai", log: log), equals: ["daily"])
        try expect(complete("report", "daily", "--ba", log: log), equals: ["--baby"])
        try expect(complete("list", "la", log: log), equals: ["launch"])
        try expect(complete("transitions", "spl", log: log), equals: ["splash"])
        #expect(try complete("audit", "--rule", "B1", log: log).contains("B1"))
        try expect(complete("schema", "launch.app-l", log: log), equals: ["launch.app-launched.v1"])
    }

    @Test("Files are offered where files belong")
    func filesAreOffered() throws {
        let log = try AnswerTests.log()
        _ = try log.file("mine.yaml", "")
        try expect(complete("check", "mi", log: log), equals: ["mine.yaml"])
        try expect(complete("stat", "--log", "mi", log: log), equals: ["mine.yaml"])
        try expect(
            complete("capture", "splash", "l1", "--output", "mi", log: log), equals: ["mine.yaml"])
        try expect(complete("report", "daily", "--log", "mi", log: log), equals: ["mine.yaml"])
        try expect(complete("launch-decision", "--config", "mi", log: log), equals: ["mine.yaml"])
    }

    @Test("A team's own names are offered by its own program")
    func ownAreaIsOffered() throws {
        let log = try ScratchLog()
        let books = LogListingTests.books
        try expect(complete("state", "b", log: log, program: books), equals: ["book"])
        try expect(
            complete("import", "--format", "b", log: log, program: books), equals: ["books-csv"])
    }

    @Test("Without a log no ids are offered, and nothing is said")
    func silentWithoutALog() throws {
        let log = try ScratchLog()
        #expect(try complete("state", "splash", "l", log: log).isEmpty)
    }
}
