import Daybook
import Foundation
import TestSupport
import Testing

@testable import DaybookModel

/// The real data beside the repository, which is not part of it.
private let data = Checkout.sharedData

private let isPresent = FileManager.default.fileExists(
    atPath: data.appending(path: "launching").path)

private func load<Value: Decodable>(_ path: String, as type: Value.Type = Value.self) throws
    -> Value
{
    try JSONDecoder().decode(Value.self, from: Data(contentsOf: data.appending(path: path)))
}

// Holds: s0-version-leading-v, s0-version-pairs, s2-package-cases
@Suite(.enabled(if: isPresent)) struct LaunchDataTests {
    struct Case: Decodable {
        var release, force, optional, expect: String
        var blacklist: [String]
        var notice: String?
    }

    struct Pair: Decodable {
        var a, b: String
        var proposed_strict: Int?
        var seed_kotlin_Int32_unicode: Int
    }

    @Test("Versions are decided as in the recorded cases")
    func decidesUpstreamsCases() throws {
        struct Cases: Decodable { var cases: [Case] }
        let windows = [
            "active": Sample.notice(),
            "future": Sample.notice("2026-07-13T00:00:00Z", "2026-07-14T00:00:00Z"),
            "past": Sample.notice("2026-07-10T00:00:00Z", "2026-07-11T00:00:00Z"),
        ]
        let cases = try load("launching/cases.json", as: Cases.self).cases
        #expect(cases.count > 20)
        for example in cases {
            let config = Sample.config(
                force: example.force, optional: example.optional, blacklist: example.blacklist,
                notice: example.notice.flatMap { windows[$0] })
            for rules in Rules.allCases {
                let decision = Sample.decide(config, example.release, rules)
                #expect(example.expect.hasPrefix(decision.status.name), "\(example)")
            }
        }
    }

    @Test("Versions are compared as recorded")
    func comparesAsRecorded() throws {
        func order(_ a: AppVersion?, _ b: AppVersion?) -> Int? {
            guard let a, let b else { return nil }
            return a < b ? -1 : a == b ? 0 : 1
        }
        let pairs = try load("versions/expected_compare.json", as: [Pair].self)
        #expect(pairs.count > 20)
        for pair in pairs {
            let standard = order(AppVersion(pair.a), AppVersion(pair.b))
            #expect(standard == pair.proposed_strict, "\(pair)")
            let source = order(AppVersion(lenient: pair.a), AppVersion(lenient: pair.b))
            #expect(source == pair.seed_kotlin_Int32_unicode, "\(pair)")
        }
    }

    /// Adjacent rows of another date; both ends of a decrease can be a tag that was made late.
    @Test("Decreasing versions of real histories are found")
    func findsTheDecreasesOfRealHistories() throws {
        let expected = try load(
            "versions/expected_histories.json", as: [String: [String: Int]].self)
        #expect(expected.count == 3)
        for (file, counts) in expected {
            let text = try String(
                contentsOf: data.appending(path: "versions/\(file)"), encoding: .utf8)
            let rows = text.split(separator: "\n").map {
                $0.split(separator: "\t").map(String.init)
            }
            let pairs = zip(rows, rows.dropFirst()).filter { $0[1] != $1[1] }
            #expect(rows.count == counts["tags"])
            #expect(pairs.count == counts["adjacent_pairs_with_different_date"])
            let stripped = pairs.count { before, after in
                guard let before = AppVersion(before[0]), let after = AppVersion(after[0]) else {
                    return false
                }
                return after < before
            }
            #expect(
                stripped == counts["version_decreases_chronologically(v stripped)"], "\(file)")
            let raw = pairs.count { AppVersion(lenient: $1[0]) < AppVersion(lenient: $0[0]) }
            #expect(raw == counts["same(raw tag, v not stripped)"], "\(file)")
        }
    }
}
