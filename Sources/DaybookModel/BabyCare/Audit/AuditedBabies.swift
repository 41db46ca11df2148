import Daybook

extension BabyCare {
    /// Audited babies by newest id, numbered, so that an event changes its baby in place.
    struct AuditedBabies: Sendable {
        private var numbers: [String: Int] = [:]
        /// The babies by number; a blank one for each that was removed.
        private var babies: [AuditedBaby] = []

        subscript(_ id: String) -> AuditedBaby? { numbers[id].map { babies[$0] } }

        /// The babies in the order of their ids.
        var sorted: [(id: String, baby: AuditedBaby)] {
            numbers.sorted { $0.key < $1.key }.map { ($0.key, babies[$0.value]) }
        }

        /// Returns the ids of a baby's households; `nil` for a baby that is unknown or has none.
        func recordedHouseholdIds(of id: String) -> [String]? {
            guard let number = numbers[id], babies[number].state.profile.householdId != nil
            else { return nil }
            return babies[number].state.profile.recordedHouseholdIds
        }

        /// Changes a baby; creates it if it is unknown, with its first event at `position`.
        mutating func change(
            _ id: String, since position: Position, _ body: (inout AuditedBaby) -> Void
        ) {
            if let number = numbers[id] { return body(&babies[number]) }
            numbers[id] = babies.count
            babies.append(AuditedBaby(id, since: position))
            body(&babies[babies.count - 1])
        }

        mutating func changeAll(_ body: (inout AuditedBaby) -> Void) {
            for number in numbers.values { body(&babies[number]) }
        }

        /// Removes a baby and returns it; `nil` if it is unknown.
        mutating func remove(_ id: String) -> AuditedBaby? {
            guard let number = numbers.removeValue(forKey: id) else { return nil }
            defer { babies[number] = AuditedBaby("", since: .origin) }
            return babies[number]
        }
    }
}
