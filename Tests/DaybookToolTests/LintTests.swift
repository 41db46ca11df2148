import Foundation
import TestSupport
import Testing

/// `tools/lint`, run over a repository that holds one file.
@Suite("The linter") struct LintTests {
    private static let root = Checkout.root

    private static let folders =
        ["", "Log", "LMDB", "Model", "Formats", "Scenarios", "Investigation", "Tool", "LibC"]
        .map { "Sources/Daybook\($0)" } + ["Tests/DaybookModelTests", "Tests/DaybookLogTests"]

    /// The exit code and messages of the linter for one file.
    private static func lint(
        _ path: String, _ text: String, folders: [String] = folders
    ) throws -> (code: Int32, messages: String) {
        let folder = try TemporaryFolder()
        let files = FileManager.default
        let lint = try Data(contentsOf: root.appending(path: "tools/lint"))
        // A stub in each folder that a rule is about.
        let stubs = folders.map { ("\($0)/Stub.swift", Data()) }
        for (path, bytes) in stubs + [(path, Data(text.utf8)), ("tools/lint", lint)] {
            let url = folder.url.appendingPathComponent(path)
            try files.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try bytes.write(to: url)
        }
        let answer = try ReplayProcess.run(
            ["-c", "git init -q . && git add -A && exec bash tools/lint"],
            program: URL(fileURLWithPath: "/bin/sh"), in: folder.url)
        return (answer.code, answer.err)
    }

    @Test("A file without a fault passes")
    func accepts() throws {
        let (code, messages) = try Self.lint("Sources/Some/File.swift", "import DaybookLibC\n")
        #expect(code == 0 && messages.isEmpty, "\(messages)")
    }

    @Test(
        "A C library imported by the name it has on one system is refused",
        arguments: [
            "import Glibc", "internal import Darwin", "@preconcurrency import Musl",
            "#if canImport(Glibc)\n    import Glibc\n#else\n    import Darwin\n#endif",
            "import func Darwin.exit", "import Android",
        ])
    func refusesNamedLibraries(_ text: String) throws {
        for folder in ["Sources/Some", "Tests/SomeTests"] {
            let (code, messages) = try Self.lint("\(folder)/File.swift", text + "\n")
            #expect(code == 1 && messages.contains("\(folder)/File.swift:"), "\(messages)")
        }
        #expect(try Self.lint("Sources/DaybookLibC/LibC.swift", text + "\n").code == 0)
    }

    @Test(
        "A public type of the model that its list lacks is refused",
        arguments: [
            "public struct Extra {}", "public final class Extra {}",
            "enum Area {\n    public indirect enum Extra {}\n}",
        ])
    func refusesPublicTypes(_ text: String) throws {
        for folder in ["Sources/DaybookModel/Area", "Sources/DaybookFormats"] {
            let (code, messages) = try Self.lint("\(folder)/File.swift", text + "\n")
            #expect(code == 1 && messages.contains("< Extra"), "\(messages)")
        }
        #expect(try Self.lint("Sources/Some/File.swift", text + "\n").code == 0)
    }

    @Test("An area whose audits come before its commands is refused")
    func refusesDisorder() throws {
        let lines = ["static let commands = [1]", "static let audits = [2]"]
        for (order, code) in [(lines, 0), (lines.reversed(), 1)] {
            let text = "enum Area {\n    \(order[0])\n    \(order[1])\n}\n"
            let answer = try Self.lint("Sources/DaybookModel/Area/Area.swift", text)
            #expect(answer.code == code, "\(answer.messages)")
            #expect(code == 0 || answer.messages.contains("commands after audits"))
        }
    }

    @Test("A folder that a rule names and that holds no file is refused")
    func refusesMissingFolders() throws {
        for missing in Self.folders {
            let (code, messages) = try Self.lint(
                "Sources/Some/File.swift", "", folders: Self.folders.filter { $0 != missing })
            #expect(code == 1 && messages.contains("\(missing): no Swift file"), "\(messages)")
        }
    }
}
