import Daybook
import DaybookInvestigation
import DaybookModel
import TestSupport
import Testing

@testable import DaybookTool

/// The lines that `append` has read, which a second attempt gets again.
@Suite struct AppendLinesTests {
    private static let count = 2_050

    private static func text(_ number: Int) -> String {
        number.isMultiple(of: 3)
            ? """
            {"event": "launch.app-terminated.v1", "key": "k\(number)", \
            "data": {"launchId": "l\(number)", "cause": "user"}}
            """
            : """
            {"command": "baby-care.record", "actor": "kim", "data": {"entryId": "e\(number)", \
            "babyId": "mia", "kind": "formula", "startedUs": \(number)}}
            """
    }

    /// A text that is equal for equal lines.
    private static func described(_ line: AppendLine) -> String {
        "\(line.number) \(line.name) \(line.time) \(line.metadata) \(line.texts) "
            + "\(line.idempotency.map { "\($0)" } ?? "no key")"
    }

    @Test("A second attempt decides the same lines as the first, which has freed them")
    func parseAgain() throws {
        var lines = AppendLines(
            AppendLineReader(try Catalogue(Catalog.areas), zones: { nil }))
        for number in 1...Self.count {
            try lines.add(
                Array(Self.text(number * 2).utf8), number: number * 2,
                now: Instant(microseconds: Int64(number)))
        }
        var parsed: [String] = []
        lines.forEachParsed { parsed.append(Self.described($0)) }
        expect(parsed.count, equals: Self.count)
        for _ in 1...2 {
            var attempt: [String] = []
            let last = try lines.first { line in
                attempt.append(Self.described(line))
                return attempt.count == Self.count ? line.number : nil
            }
            expect(last, equals: Self.count * 2)
            #expect(attempt == parsed)
            lines.forEachParsed { _ in Issue.record("A line was not freed.") }
        }
        expect(lines.numbers, equals: (1...Self.count).map { $0 * 2 })
    }
}
