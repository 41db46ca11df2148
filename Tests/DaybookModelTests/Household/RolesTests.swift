import Daybook
import TestSupport
import Testing

@testable import DaybookModel

// Holds: s4-two-id-spaces, s4-household, s4-roles, s4-baby
/// Who may write, and about which baby.
@Suite struct RolesTests {
    private static let now = Instant(microseconds: 1_771_500_000_000_000)

    /// A log in memory that every decider reads by its queries.
    struct House {
        var events: [RecordedEvent] = []

        mutating func give(_ command: some Command) throws {
            try give(PendingCommand(command, context: CommandContext(now: RolesTests.now)))
        }

        private mutating func give(_ pending: some PendingDecision) throws {
            var decision = pending
            _ = try decision.gather { (query, decision) throws(FoldError) in
                for event in events where query.matches(kind: event.kind, tags: event.tags) {
                    try decision.fold(event)
                }
            }
            switch decision.outcome() {
            case .refused(let refused): throw refused
            case .events(let new):
                for event in new {
                    let position = Position(UInt64(events.count) + 1)
                    events.append(
                        RecordedEvent(
                            envelope: Envelope(
                                position: position, occurredAt: event.occurredAt,
                                recordedAt: event.occurredAt),
                            kind: event.kind, tags: event.tags, zone: "", payload: event.payload))
                }
            }
        }

        mutating func onboard(_ baby: String, _ household: String, by: String?) throws {
            try give(
                Household.Onboarded(
                    babyId: baby, householdId: household, zone: "UTC",
                    by: by.map { Author($0) }))
        }

        mutating func role(_ user: String, _ role: Household.Role, by: String? = "ana") throws {
            try give(
                Household.MemberRoleChanged(
                    householdId: "h", userId: user, role: role,
                    by: by.map { Author($0) }))
        }

        mutating func pee(_ id: String, by: String?, baby: String = "b") throws {
            try give(
                BabyCare.RecordEntry(
                    entryId: id, babyId: baby, kind: "pee",
                    started: RolesTests.now,
                    by: by.map { Author($0) }))
        }

        func code(_ body: (inout House) throws -> Void) -> String {
            var copy = self
            do {
                try body(&copy)
                return "done"
            } catch let refused as Daybook.Refusal {
                return refused.code
            } catch {
                return "\(error)"
            }
        }
    }

    private func house() throws -> House {
        var house = House()
        try house.onboard("b", "h", by: "ana")
        try house.role("ben", .parent)
        try house.role("cleo", .caregiver)
        try house.role("dora", .familyViewer)
        return house
    }

    @Test(
        "Owners, parents and caregivers write; viewers and strangers do not",
        arguments: [
            ("ana", "done"), ("ben", "done"), ("cleo", "done"), ("dora", "insufficientRole"),
            ("eve", "accessDenied"), (nil, "accessDenied"),
        ] as [(String?, String)])
    func writing(_ user: String?, _ expected: String) throws {
        try expect(house().code { try $0.pee("p", by: user) }, equals: expected)
    }

    @Test("A user who lost the role can write no more, not even entries begun before")
    func afterwards() throws {
        var house = try house()
        try house.give(
            BabyCare.Start(entryId: "s", babyId: "b", kind: "sleep", by: "cleo"))
        try house.role("cleo", .none)
        expect(
            house.code {
                try $0.give(
                    BabyCare.Complete(entryId: "s", by: "cleo"))
            }, equals: "accessDenied")
        expect(
            house.code {
                try $0.give(
                    BabyCare.Complete(entryId: "s", by: "ben"))
            }, equals: "done")
    }

    @Test("A baby without a household may be written by anyone")
    func noHousehold() throws {
        var house = House()
        try house.give(Household.BabyProfileChanged(babyId: "b", zone: "UTC"))
        try house.pee("p", by: nil)
        try house.onboard("b", "h", by: "ana")
        expect(house.code { try $0.pee("q", by: nil) }, equals: "accessDenied")
    }

    @Test("A second baby of the household keeps its own profile")
    func siblings() throws {
        var house = try house()
        try house.onboard("c", "h", by: "ana")
        expect(house.code { try $0.onboard("c", "h", by: "ana") }, equals: "babyExists")
        expect(house.code { try $0.onboard("d", "h", by: "dora") }, equals: "insufficientRole")
        try house.pee("p", by: "ben", baby: "c")
        try house.give(
            BabyCare.Start(entryId: "s1", babyId: "b", kind: "sleep", by: "ana"))
        try house.give(
            BabyCare.Start(entryId: "s2", babyId: "c", kind: "sleep", by: "ana"))
        expect(house.code { try $0.pee("q", by: "ben", baby: "x") }, equals: "babyNotFound")
    }

    @Test(
        "Members are managed by owners and parents, owners by owners, and one stays",
        arguments: [
            ("ben", "eve", Household.Role.caregiver, "done"),
            ("cleo", "eve", .caregiver, "insufficientRole"),
            ("eve", "eve", .parent, "accessDenied"),
            ("ben", "eve", .owner, "insufficientRole"), ("ben", "ana", .none, "insufficientRole"),
            ("ana", "ana", .none, "lastOwner"), ("ana", "ana", .parent, "lastOwner"),
            ("cleo", "cleo", .none, "done"), ("ana", "ben", .parent, "done"),
            (nil, "eve", .owner, "accessDenied"), (nil, "cleo", .none, "accessDenied"),
        ] as [(String?, String, Household.Role, String)])
    func managing(_ by: String?, _ user: String, _ role: Household.Role, _ expected: String) throws
    {
        try expect(house().code { try $0.role(user, role, by: by) }, equals: expected)
    }

    @Test("Entries written under an offline id follow the baby, its slots and its household")
    func replacedIds() throws {
        var house = House()
        try house.onboard("offline_b", "offline_h", by: "ana")
        try house.give(
            BabyCare.Start(entryId: "s", babyId: "offline_b", kind: "sleep", by: "ana"))
        for (kind, local, remote) in [
            (Household.EntityKind.baby, "offline_b", "b"), (.household, "offline_h", "h"),
            (.careEntry, "s", "e9"),
        ] {
            try house.give(Household.IdReplaced(kind: kind, localId: local, remoteId: remote))
        }
        expect(
            house.code {
                try $0.give(
                    BabyCare.Start(entryId: "t", babyId: "b", kind: "sleep", by: "ana"))
            }, equals: "openEntryExists")
        for id in ["s", "e9"] {
            expect(
                house.code {
                    try $0.give(
                        BabyCare.Complete(entryId: id, by: "ana"))
                }, equals: "done", "\(id)")
        }
        try house.role("ben", .parent)
        expect(house.code { try $0.pee("p", by: "ben") }, equals: "done")
        expect(
            house.code {
                try $0.give(Household.IdReplaced(kind: .baby, localId: "offline_b", remoteId: "x"))
            }, equals: "idReplacedBefore")
    }

    @Test(
        "A profile holds what can be",
        arguments: [
            (
                Household.BabyProfileChanged(babyId: "b", birthDate: "2026-02-30", by: "ana"),
                "unreadableDate"
            ),
            (
                Household.BabyProfileChanged(babyId: "b", dayStartMin: 1_440, by: "ana"),
                "outOfRange"
            ),
            (Household.BabyProfileChanged(babyId: "b", weightG: 0, by: "ana"), "outOfRange"),
            (Household.BabyProfileChanged(babyId: "b", by: "ana"), "nothingToUpdate"),
            (
                Household.BabyProfileChanged(babyId: "b", weightG: 5_000, by: "dora"),
                "insufficientRole"
            ),
            (Household.BabyProfileChanged(babyId: "b", weightG: 5_000, by: "cleo"), "done"),
        ] as [(Household.BabyProfileChanged, String)])
    func profiles(_ change: Household.BabyProfileChanged, _ expected: String) throws {
        try expect(house().code { try $0.give(change) }, equals: expected)
    }

    @Test("A consent that stands already is not given again")
    func consents() throws {
        var house = House()
        let consent = Household.ConsentChanged(
            userId: "ana", kind: .privacy, isGranted: true, version: "1")
        try house.give(consent)
        try house.give(consent)
        expect(house.events.count, equals: 1)
    }
}
