import Daybook
import DaybookFoundation
import DaybookLog
import Foundation
import Synchronization
import TestSupport
import Testing

// Holds: s3-one-direction
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

    /// A log in a folder of its own, which is removed with the result.
    private final class Scratch {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("embedding-\(UUID().uuidString)")
        let log: EventLog

        init() throws {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            log = try EventLog(
                path: folder.appendingPathComponent("log.daybook").path, access: .create,
                catalogue: try Catalogue([Timers.self]))
        }

        deinit { try? FileManager.default.removeItem(at: folder) }
    }

    private struct Enough: Error {}

    @Test("A log is followed from the head that was kept, as the document says")
    func follows() async throws {
        let scratch = try Scratch()
        let log = scratch.log
        for id in ["s1", "s2", "s3"] { _ = try await startStopwatch(id, in: log) }
        var kept = Head.origin
        for round in 1...3 {
            await #expect(throws: Enough.self) {
                try await follow(log, after: kept) { events, head in
                    #expect(events.map(\.position) == [Position(UInt64(round))])
                    kept = head
                    throw Enough()
                }
            }
        }
        #expect(try kept == log.chainHead())
        withExtendedLifetime(scratch) {}
    }

    @Test("Events that are appended as facts are decoded as the document says")
    func decodes() async throws {
        let scratch = try Scratch()
        let log = scratch.log
        try await record(startsOf: ["s1", "s2"], in: log)
        let date = Date(timeIntervalSince1970: 1.5)
        let event = try #require(start(of: "s3", at: date))
        _ = try await log.append(AppendRequest([event]))
        expect(
            try starts(among: log.reader().collect(), of: log).map(\.id),
            equals: ["s1", "s2", "s3"])
        expect(try log.reader().collect().last?.envelope.occurredAt, equals: Instant(date))
        let shown = Mutex<[String]>([])
        let following = Task {
            try await followStarts(in: log, after: Position(1)) { started, envelope in
                shown.withLock { $0.append("\(envelope.position) \(started.id)") }
            }
        }
        while shown.withLock({ $0.count < 2 }) { try await Task.sleep(for: .milliseconds(1)) }
        expect(shown.withLock(\.self), equals: ["2 s2", "3 s3"])
        following.cancel()
        try await following.value
        withExtendedLifetime(scratch) {}
    }

    @Test("A model that a view observes keeps up with the log", .timeLimit(.minutes(5)))
    @MainActor func observes() async throws {
        let scratch = try Scratch()
        let model = StopwatchModel()
        let following = Task { await model.follow("s1", in: scratch.log) }
        await model.start("s1", in: scratch.log)
        while !model.isRunning { try await Task.sleep(for: .milliseconds(1)) }
        #expect(model.problem == nil)
        await model.start("s1", in: scratch.log)
        #expect(model.problem == "the stopwatch is running already")
        following.cancel()
        await following.value
        withExtendedLifetime(scratch) {}
    }

    @Test(arguments: [
        "define", "use", "tasks", "facts", "dates", "read", "reader", "decode", "events", "follow",
        "observe", "view", "watch", "operations",
    ])
    func theDocumentShowsTheCodeThatWasCompiled(_ part: String) throws {
        let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let code = try [
            "Embedding.swift", "Dates.swift", "Observing.swift", "Viewing.swift",
        ].map { name in
            try String(contentsOf: here.appendingPathComponent(name), encoding: .utf8)
        }.joined()
        let document = try String(
            contentsOf: here.appendingPathComponent("../../docs/embedding.md").standardized,
            encoding: .utf8)
        let start = try #require(code.range(of: "// [\(part)]\n"))
        let end = try #require(code.range(of: "// [end]", range: start.upperBound..<code.endIndex))
        let lines = code[start.upperBound..<end.lowerBound]
            .split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        // Code in a condition is indented.
        let indentation = try #require(lines.first).prefix { $0 == " " }
        let shown = lines.map { $0.hasPrefix(indentation) ? $0.dropFirst(indentation.count) : $0 }
        #expect(document.contains("```swift\n\(shown.joined(separator: "\n"))\n```"))
    }
}
