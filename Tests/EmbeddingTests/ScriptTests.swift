import Foundation
import TestSupport
import Testing

/// Programs in a `main.swift`, which the compiler reads beside the code of the document.
@Suite("Top-level code") struct ScriptTests {
    private static let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    private static let root = here.appendingPathComponent("../..").standardized

    /// The lines before the call that a program is about.
    private static let start = """
        import Daybook
        import DaybookLog
        let log = try EventLog(path: "log", access: .create, catalogue: .empty)
        let start = Stopwatch.Start(id: "s1")
        let facts = AppendRequest([NewEvent(Stopwatch.Started(), occurredAt: .now)])

        """

    /// Returns what the compiler says about a `main.swift`; nothing if it has no complaint.
    private func complaints(about program: String) throws -> String {
        let folder = try TemporaryFolder()
        let main = folder.url.appendingPathComponent("main.swift")
        try program.write(to: main, atomically: true, encoding: .utf8)
        let modules = Program.replay.deletingLastPathComponent().appendingPathComponent("Modules")
        let headers = ["CDaybookLMDB", "CDaybookOpenSSL"].flatMap {
            ["-I", Self.root.appendingPathComponent("Sources/\($0)").path]
        }
        let answer = try Program.run(
            [
                "swiftc", "-typecheck", "-swift-version", "6", "-module-cache-path",
                folder.path("cache"), "-I", modules.path,
            ] + headers + [main.path, Self.here.appendingPathComponent("Embedding.swift").path])
        return answer.code == 0 ? answer.err : "refused: " + answer.err
    }

    @Test("The program of the document awaits a decision in top-level code")
    func document() throws {
        let document = try String(
            contentsOf: Self.root.appendingPathComponent("docs/embedding.md"), encoding: .utf8)
        let start = try #require(document.range(of: "```swift\n// main.swift\n"))
        let end = try #require(
            document.range(of: "```\n", range: start.upperBound..<document.endIndex))
        let program = String(document[start.upperBound..<end.lowerBound])
        expect(try complaints(about: program), equals: "")
    }

    @Test("A program without 'await' blocks", arguments: ["decide(start)", "append(facts)"])
    func blocks(_ call: String) throws {
        expect(try complaints(about: Self.start + "_ = try log.\(call)"), equals: "")
    }

    @Test(
        "A program that awaits does not get a form that blocks",
        arguments: ["decide(start)", "append(facts)", "append([facts])"])
    func refused(_ call: String) throws {
        let found = try complaints(about: Self.start + "_ = try await log.\(call)")
        #expect(
            found.contains("is unavailable from asynchronous contexts; call it in an 'async'"),
            "\(found)")
    }
}
