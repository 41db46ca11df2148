/// The names of one sort of lanes, such as devices, by lane number.
///
/// Lane 0 is that of events without a name. The first 65,534 names have lanes of their own, up to
/// 8 MiB of names; events with other names are on lane `others`, which has no name.
struct LaneNames: Sendable {
    /// The lane of all names beyond the first ones.
    static let others = UInt16.max
    /// Largest number of lanes with names, and largest size of all names in bytes.
    private static let limit = (count: Int(UInt16.max), byteCount: 8 << 20)

    private(set) var shown: [String]
    /// For each lane, the first lane with the same shown name.
    private(set) var groups: [UInt16] = [0]
    private var lanes: [String: UInt16]
    private var byteCount = 0

    /// - Parameter none: the name of the lane of events without a name.
    init(none: String) {
        shown = [none]
        lanes = [none: 0]
    }

    /// Adds a lane and returns its number; `others` if there are too many.
    mutating func add(_ name: String) -> UInt16 {
        guard shown.count < Self.limit.count, byteCount < Self.limit.byteCount else {
            return Self.others
        }
        let lane = UInt16(truncatingIfNeeded: shown.count)
        byteCount += name.utf8.count
        shown.append(name)
        groups.append(lane)
        join(lane)
        return lane
    }

    /// Replaces the names of all lanes by a name for each, in order.
    mutating func replaceNames(_ names: [String]) {
        shown = names
        lanes = [:]
        for lane in shown.indices { join(UInt16(truncatingIfNeeded: lane)) }
    }

    /// Puts a lane in the group of its shown name.
    private mutating func join(_ lane: UInt16) {
        let name = shown[Int(lane)]
        groups[Int(lane)] = lanes[name] ?? lane
        if lanes[name] == nil { lanes[name] = lane }
    }

    /// Returns the first lane with a shown name.
    func lane(named name: String) -> UInt16? { lanes[name] }
}
