import Daybook
import TestSupport
import Testing

@testable import DaybookModel

// Holds: s0-version-order, s0-version-examples, s0-version-empty-part, s0-version-overflow,
// s0-version-full-width, s0-version-part-count, s0-strict-order, s0-to-int-or-zero
@Suite struct AppVersionTests {
    /// Spec 1A: whether the first is lower, by the source's rules and by ours.
    @Test(arguments: [
        ("1.0.0", "1.0.0", false, false),
        ("1.0.0", "1.0.1", true, true),
        ("1.1.0", "1.0.1", false, false),
        ("2.0", "1.9.9", false, false),
        ("1.0", "1.0.0", false, false),
        ("1.10.0", "1.9.0", false, false),
        ("", "1.0.0", true, nil),
        ("v1.2.3", "1.2.3", true, false),
        ("1.0.0-beta", "1.0.0", false, false),
        ("1..5", "1.0.5", false, nil),
        ("2147483648.0", "1.0", true, nil),
        ("2147483647.0", "1.0", false, false),
        ("１.0.0", "1.0.0", false, nil),
        ("+1.0", "1.0", false, nil),
    ])
    func isLower(_ a: String, _ b: String, source: Bool, standard: Bool?) throws {
        #expect((AppVersion(lenient: a) < AppVersion(lenient: b)) == source)
        let strict = AppVersion(a).flatMap { a in AppVersion(b).map { a < $0 } }
        #expect(strict == standard)
    }

    @Test(arguments: [
        "", " ", "v", "1.", ".1", "1..0", "1.2.3.4.5.6.7.8.9", "1.0 beta", "vv1", "1.0.0-",
        "1.0.0+", "1,0", "2147483648", "-1", "４.0", "1.0.0-b e",
    ])
    func refusesUnreadable(_ text: String) {
        #expect(AppVersion(text) == nil)
    }

    @Test(arguments: ["1", " V1.0 ", "1.0.0-rc.1+7", "1.2.3.4.5.6.7.8", "00001.0", "2147483647"])
    func readsReadable(_ text: String) {
        #expect(AppVersion(text) != nil)
    }

    @Test("Every decimal digit of the basic plane counts in the source rules")
    func readsDigitsOfEveryScript() {
        for zero: UInt32 in [0x660, 0x6F0, 0x966, 0xE50, 0x1090, 0x19D0, 0x1A80, 0xFF10] {
            for digit in 0..<UInt32(10) {
                guard let scalar = Unicode.Scalar(zero + digit) else { continue }
                #expect(AppVersion(lenient: String(scalar)) == AppVersion(lenient: "\(digit)"))
            }
        }
        // Kotlin sees a digit beyond the basic plane as two halves, and neither is one.
        #expect(AppVersion(lenient: "\u{1D7D8}1") == AppVersion(lenient: "0"))
    }

    /// I-S0-4.
    @Test(arguments: Rules.allCases)
    func ordersStrictly(_ rules: Rules) throws {
        var random = SeededGenerator(seed: 4)
        let versions = (0..<60).compactMap { _ in
            let parts = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                String(Int.random(in: 0...3, using: &random))
            }
            return AppVersion.read(parts.joined(separator: "."), rules: rules)
        }
        #expect(versions.count == 60)
        for a in versions {
            #expect(!(a < a))
            for b in versions {
                #expect([a < b, a == b, b < a].filter(\.self).count == 1)
                for c in versions where a < b && b < c { #expect(a < c) }
            }
        }
    }
}
