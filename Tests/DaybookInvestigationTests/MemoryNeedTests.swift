import DaybookInvestigation
import Testing

/// The sentence about memory that a command shows before it starts.
@Suite struct MemoryNeedTests {
    private static let need = "this keeps 600,000 entities in memory, about "

    @Test(
        "A need is said if it is much of the memory, and a moderate one only to people",
        arguments: [
            // Bytes an entity, memory in GB, watched, sentence.
            (300, 16, true, nil), (333, 16, false, nil),
            (1_000, 16, true, "0.6 GB"), (1_000, 16, false, nil),
            (2_500, 4, false, nil),
            (4_000, 4, false, "2.4 GB; the machine has 4.0 GB"),
            (40_000, 16, true, "24.0 GB; the machine has 16.0 GB"),
        ] as [(Int, Int, Bool, String?)])
    func sentence(_ byteCount: Int, _ gigabytes: Int, _ isWatched: Bool, _ expected: String?) {
        let need = MemoryNeed("600,000 entities", count: 600_000, byteCount: byteCount)
        #expect(
            need.sentence(available: gigabytes * 1_000_000_000, isWatched: isWatched)
                == expected.map { Self.need + $0 })
    }

    @Test("A need beyond all numbers is the largest number")
    func overflow() {
        let need = MemoryNeed("all", count: .max, byteCount: 2)
        #expect(need.byteCount == .max)
        #expect(need.sentence(available: 1 << 40, isWatched: false) != nil)
    }
}
