import Daybook
import Testing

/// A file of a zone and the text of its transitions.
struct TransitionExample: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var bytes: [UInt8]
    var text: String

    init(_ title: String, _ bytes: [UInt8], _ text: String) {
        (testDescription, self.bytes, self.text) = (title, bytes, text)
    }

    /// 2000-03-26 and 2000-10-29, 01:00 UTC: summer time in Europe.
    static let summer: (Int64, Int64) = (954_032_400, 972_781_200)

    static let all = [
        TransitionExample(
            "one offset", tzif(types: [32_400], footer: "KST-9"), "32400\n"),
        TransitionExample(
            "a change and no rule", tzif(transitions: [(1_000, 1)], types: [0, 3_600]),
            "0\n1000 3600\n"),
        TransitionExample(
            "transitions that keep the offset",
            tzif(
                transitions: [(-9_000_000_000, 0), (10, 1), (1_000, 2), (2_000, 2)],
                types: [0, 0, 3_600]),
            "0\n1000 3600\n"),
        TransitionExample(
            "a change in 2100 or later",
            tzif(
                transitions: [(1_000, 1), (4_102_444_800, 0)], types: [0, 3_600]),
            "0\n1000 3600\n"),
        TransitionExample(
            "a change before 1800",
            tzif(
                transitions: [(-5_364_662_401, 1), (1_000, 0)], types: [0, 3_600]),
            "3600\n1000 0\n"),
    ]
}

@Suite struct ZoneTransitionTests {
    @Test("The text lists each change of the offset", arguments: TransitionExample.all)
    func text(_ example: TransitionExample) throws {
        #expect(try Zone(name: "a", tzif: example.bytes).transitionText == example.text)
    }

    @Test("A file that lists the changes of a rule has the text of one that has the rule alone")
    func fatAndSlim() throws {
        let rule = "CET-1CEST,M3.5.0,M10.5.0/3"
        let slim = try Zone(
            name: "slim", tzif: tzif(transitions: [(0, 0)], types: [3_600, 7_200], footer: rule))
        var listed: [(at: Int64, type: UInt8)] = [(0, 0)]
        for line in slim.transitionText.split(separator: "\n").dropFirst().prefix(70) {
            let parts = line.split(separator: " ").compactMap { Int64($0) }
            listed.append((parts[0], parts[1] == 7_200 ? 1 : 0))
        }
        #expect(listed.contains { $0 == (TransitionExample.summer.0, 1) })
        #expect(listed.contains { $0 == (TransitionExample.summer.1, 0) })
        let fat = try Zone(
            name: "fat", tzif: tzif(transitions: listed, types: [3_600, 7_200], footer: rule))
        #expect(fat.transitionText == slim.transitionText)
        #expect(fat.transitionText.split(separator: "\n").count == 1 + 2 * 130)
    }

    @Test("Zones agree where their offsets are equal")
    func agreement() throws {
        let old = try Zone(name: "a", tzif: tzif(transitions: [(1_000, 1)], types: [0, 3_600]))
        let new = try Zone(name: "a", tzif: tzif(transitions: [(1_500, 1)], types: [0, 3_600]))
        let at = { Instant(microseconds: $0 * 1_000_000) }
        #expect(old.agrees(with: new, from: at(0), to: at(1_000)))
        #expect(!old.agrees(with: new, from: at(0), to: at(1_001)))
        #expect(!new.agrees(with: old, from: at(1_499), to: at(1_500)))
        #expect(new.agrees(with: old, from: at(1_500), to: at(9_000)))
        #expect(old.agrees(with: new, from: at(1_200), to: at(1_200)))
    }

    @Test("Every zone of the machine has a text, which names each change once", .needsZones)
    func everyZone() throws {
        for name in TestZones.all {
            let zone = try TestZones.zone(name)
            let lines = zone.transitionText.split(separator: "\n")
            var (offset, second) = (try #require(Int(lines[0])), Int64.min)
            for line in lines.dropFirst() {
                let parts = line.split(separator: " ").compactMap { Int64($0) }
                #expect(parts[0] > second && Int(parts[1]) != offset)
                (second, offset) = (parts[0], Int(parts[1]))
                #expect(zone.offsetS(at: Instant(microseconds: second * 1_000_000)) == offset)
            }
        }
    }
}
