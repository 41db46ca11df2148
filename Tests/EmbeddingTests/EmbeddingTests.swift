import Daybook
import DaybookLog
import Foundation
import Testing

@Suite struct EmbeddingTests {
    @Test("A log is written and read as the document says")
    func aLogIsWrittenAndReadAsTheDocumentSays() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("embedding-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("log.daybook").path

        let (first, second) = try startStopwatch(inLogAt: path)
        guard case .appended(let receipt) = first else {
            Issue.record("the first start gave \(first)")
            return
        }
        #expect(receipt.first == Position(1))
        #expect(
            second
                == .refused(
                    Daybook.Refusal("running", "the stopwatch is running already")))
        #expect(try isRunning(inLogAt: path))
        #expect(try !isRunning(inLogAt: path, at: .origin))
        #expect(try newestStarts(inLogAt: path).map(\.position) == [Position(1)])
        #expect(try numberOfEvents(inLogAt: path, after: .origin) == 1)
        #expect(try numberOfEvents(inLogAt: path, after: Position(1)) == 0)
        let headPath = path + ".head"
        #expect(try openWatched(logAt: path, headFileAt: headPath).head() == Position(1))
        try FileManager.default.removeItem(atPath: path)
        #expect(throws: LogError.self) { try openWatched(logAt: path, headFileAt: headPath) }
    }

    @Test(arguments: ["define", "use", "read", "reader", "watch"])
    func theDocumentShowsTheCodeThatWasCompiled(_ part: String) throws {
        let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let code = try String(
            contentsOf: here.appendingPathComponent("Embedding.swift"), encoding: .utf8)
        let document = try String(
            contentsOf: here.appendingPathComponent("../../docs/embedding.md").standardized,
            encoding: .utf8)
        let start = try #require(code.range(of: "// [\(part)]\n"))
        let end = try #require(code.range(of: "// [end]", range: start.upperBound..<code.endIndex))
        #expect(document.contains("```swift\n\(code[start.upperBound..<end.lowerBound])```"))
    }
}
