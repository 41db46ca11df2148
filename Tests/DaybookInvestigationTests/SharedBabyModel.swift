import Daybook

@testable import DaybookModel

/// A plain model of one baby that several phones made offline: a list of facts, read anew for each
/// question.
struct SharedBabyModel {
    enum Fact {
        /// A baby added to a household, with the values that were stated.
        case added(baby: String, household: String, [String: String])
        case changed(baby: String, [String: String])
        case recorded(baby: String)
        case role(household: String, user: String, Household.Role)
        case replaced(Household.EntityKind, local: String, remote: String)
    }

    /// The facts by position, from 1, with the times of the devices' clocks.
    var facts: [(fact: Fact, occurred: Int64)] = []

    /// The facts up to a position, with their positions.
    private func known(_ through: Int) -> [(position: Int, fact: Fact, occurred: Int64)] {
        facts.prefix(through).enumerated().map { ($0 + 1, $1.fact, $1.occurred) }
    }

    /// The newer id of each replaced id of a kind, up to a position.
    func newerIds(_ kind: Household.EntityKind, _ through: Int) -> [String: String] {
        var newer: [String: String] = [:]
        for case (_, .replaced(kind, let local, let remote), _) in known(through) {
            newer[local] = remote
        }
        return newer
    }

    private func newest(_ id: String, _ newer: [String: String]) -> String {
        var id = id
        while let next = newer[id] { id = next }
        return id
    }

    /// True if a fact up to a position names an id.
    private func isKnown(_ kind: Household.EntityKind, _ id: String, _ through: Int) -> Bool {
        known(through).contains { _, fact, _ in
            switch fact {
            case .added(let baby, let household, _): id == (kind == .baby ? baby : household)
            case .changed(let baby, _): kind == .baby && id == baby
            case .recorded: false
            case .role(let household, _, _): kind == .household && id == household
            case .replaced(let other, let local, let remote):
                kind == other && (id == local || id == remote)
            }
        }
    }

    /// The ids that mean the same as an id at a position, and the newest of them.
    ///
    /// An id that nobody knew then means what it replaced later.
    func ids(
        _ kind: Household.EntityKind, _ id: String, _ through: Int
    ) -> (all: Set<String>, newest: String) {
        var newer = newerIds(kind, through)
        if !isKnown(kind, id, through) {
            for (local, remote) in newerIds(kind, facts.count)
            where leads(local, to: id, newerIds(kind, facts.count)) { newer[local] = remote }
        }
        let last = newest(id, newer)
        return (Set(newer.keys.filter { newest($0, newer) == last } + [id, last]), last)
    }

    private func leads(_ id: String, to other: String, _ newer: [String: String]) -> Bool {
        var id = id
        while let next = newer[id] {
            if next == other { return true }
            id = next
        }
        return false
    }

    /// The roles in the household that an id means, at a position.
    func roles(_ household: String, _ through: Int) -> [String: Household.Role] {
        var newer: [String: String] = [:]
        var roles: [String: [String: Household.Role]] = [:]
        for (_, fact, _) in known(through) {
            switch fact {
            case .role(let household, let user, let role):
                roles[newest(household, newer), default: [:]][user] = role == .none ? nil : role
            case .replaced(.household, let local, let remote):
                newer[local] = remote
                let former = roles.removeValue(forKey: local) ?? [:]
                roles[newest(remote, newer), default: [:]].merge(former) {
                    $0.rawValue < $1.rawValue ? $0 : $1
                }
            default: break
            }
        }
        return roles[newest(household, newer)] ?? [:]
    }

    /// The households to which a baby was added under any id that means it now.
    private func households(_ baby: String) -> [String] {
        let ids = ids(.baby, baby, facts.count).all
        return known(facts.count).compactMap { _, fact, _ in
            guard case .added(let baby, let household, _) = fact, ids.contains(baby) else {
                return nil
            }
            return household
        }
    }

    func isAdded(_ baby: String) -> Bool { !households(baby).isEmpty }

    /// True if a user may write about a baby now.
    func mayWrite(_ user: String, _ baby: String) -> Bool {
        households(baby).contains { roles($0, facts.count)[user]?.mayWrite ?? false }
    }

    /// The values that hold for a baby, stated or assumed; `nil` if nothing is known of it.
    ///
    /// - Parameter valid: the time after which facts by the devices' clocks do not count.
    func values(_ baby: String, _ through: Int, valid: Int64) -> [String: String]? {
        let ids = ids(.baby, baby, through).all
        var values: [String: String] = [:]
        var told: Set<String> = []
        var isKnown = false
        for (_, fact, occurred) in known(through) where occurred <= valid {
            switch fact {
            case .added(let baby, _, let stated) where ids.contains(baby):
                isKnown = true
                for (name, value) in ["birthDate": day(occurred), "feedingMethod": "mixed"]
                where stated[name] == nil && !told.contains(name) { values[name] = value }
                values.merge(stated) { $1 }
                told.formUnion(stated.keys)
            case .changed(let baby, let stated) where ids.contains(baby):
                isKnown = true
                values.merge(stated) { $1 }
                told.formUnion(stated.keys)
            default: break
            }
        }
        return isKnown ? values : nil
    }

    /// The date that the app assumes for a birth without one: the day of the command.
    private func day(_ occurred: Int64) -> String {
        CivilDate(utcDayOf: Instant(microseconds: occurred)).text
    }

    /// The positions of the entries of a baby that a question sees.
    func entries(_ baby: String, _ through: Int, valid: Int64 = .max) -> [Int] {
        // A question about earlier times knows the ids of today.
        let ids = ids(.baby, baby, through).all
        return known(through).compactMap { position, fact, occurred in
            guard case .recorded(let baby) = fact, ids.contains(baby), occurred <= valid else {
                return nil
            }
            return position
        }
    }

    /// True if a report knows the baby: its introduction counts whenever it occurred.
    func isReported(_ baby: String, _ through: Int) -> Bool {
        values(baby, through, valid: .max) != nil
    }
}
