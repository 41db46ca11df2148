import Daybook
import TestSupport
import Testing

@testable import DaybookModel

// Holds: s4-roles, s4-audit-log
/// Recorded changes of roles, judged by who was allowed to.
@Suite struct RoleAuditTests {
    private typealias Change = Household.MemberRoleChanged

    private struct Fact {
        var payload: any EventPayload
        var actor = ""
    }

    private static func change(
        _ user: String, _ role: Household.Role, by author: Author? = nil, actor: String = "",
        in household: String = "h"
    ) -> Fact {
        Fact(
            payload: Change(householdId: household, userId: user, role: role, by: author),
            actor: actor)
    }

    private static let owner = change("ana", .owner, by: "ana")

    private static func findings(
        _ facts: [Fact], only: Daybook.Tag? = nil
    ) throws -> [Finding] {
        let context = AuditContext(only: only, digest: { _ in 0 })
        let audits = try Catalogue(Catalog.areas).audits
        var run = AuditRun(
            ["household", "facts"].compactMap { audits[$0] }, context)
        for (index, fact) in facts.enumerated() {
            let new = NewEvent(fact.payload, occurredAt: Instant(microseconds: 0))
            let envelope = Envelope(
                position: Position(UInt64(index) + 1), occurredAt: new.occurredAt,
                recordedAt: new.occurredAt)
            try run.check(
                RecordedEvent(
                    envelope: envelope, kind: new.kind, tags: new.tags, zone: "",
                    payload: new.payload),
                actor: fact.actor)
        }
        return run.finish().findings
    }

    @Test(
        "Changes that a command would make are no findings",
        arguments: [
            [owner],
            [owner, change("ben", .parent, by: "ana"), change("cy", .caregiver, by: "ben")],
            [owner, change("ben", .caregiver, by: "ana"), change("ben", .none, by: "ben")],
            [change("ana", .owner), change("ben", .parent, by: "ana")],
            [owner, change("ben", .owner, by: "ana"), change("ana", .none, by: "ben")],
            [owner, change("ben", .parent, actor: "ana"), change("cy", .parent, actor: "system")],
        ] as [[Fact]])
    private func allowed(facts: [Fact]) throws {
        #expect(try Self.findings(facts).isEmpty)
    }

    @Test(
        "A change by a user without the right is found, and by whom",
        arguments: [
            (change("ben", .owner, by: "ben"), "a member", "ben, not a member"),
            (change("dee", .owner, by: "cy"), "a role that allows it", "cy, caregiver"),
            (change("dee", .caregiver, by: "cy"), "a role that allows it", "cy, caregiver"),
            (change("dee", .caregiver, actor: "cy"), "a role that allows it", "cy, caregiver"),
            (change("ana", .none, by: "eve"), "a role that allows it", "eve, parent"),
        ] as [(Fact, String, String)])
    private func notAllowed(fact: Fact, expected: String, found: String) throws {
        let before = [
            Self.owner, Self.change("cy", .caregiver, by: "ana"),
            Self.change("eve", .parent, by: "ana"), Self.change("fay", .owner, by: "ana"),
        ]
        let findings = try Self.findings(before + [fact])
        expect(findings.map(\.rule), equals: ["H1"])
        expect(findings.first?.position, equals: 5)
        expect(findings.first?.entity, equals: "household:h")
        expect(findings.first?.expected, equals: expected)
        expect(findings.first?.found, equals: found)
    }

    @Test("A second founder of a household is found")
    func secondFounder() throws {
        let findings = try Self.findings([Self.owner, Self.change("ben", .owner, by: "ben")])
        expect(findings.map(\.rule), equals: ["H1"])
    }

    @Test("The last owner's leaving is found, whoever says so")
    func lastOwner() throws {
        let findings = try Self.findings([Self.owner, Self.change("ana", .none, actor: "system")])
        expect(findings.map(\.rule), equals: ["H2"])
        expect(findings.first?.found, equals: "ana, none")
    }

    @Test("A change that names nobody is found once a household has members")
    func nobody() throws {
        let findings = try Self.findings([Self.owner, Self.change("ben", .parent)])
        expect(findings.map(\.rule), equals: ["H1"])
        expect(findings.first?.found, equals: "no user, not a member")
        #expect(try Self.findings([Self.change("ben", .parent)]).isEmpty)
    }

    @Test("Roles follow a household to its new id")
    func renamed() throws {
        let renaming = Fact(
            payload: Household.IdReplaced(kind: .household, localId: "h", remoteId: "s"))
        let allowed = Self.change("ben", .parent, by: "ana", in: "s")
        #expect(try Self.findings([Self.owner, renaming, allowed]).isEmpty)
        let stray = Self.change("cy", .parent, by: "cy", in: "h")
        try expect(
            Self.findings([Self.owner, renaming, allowed, stray]).map(\.rule), equals: ["H1"])
    }

    @Test("An actor who is not the author is found; the system may act for others")
    func otherActor() throws {
        let findings = try Self.findings([
            Self.owner, Self.change("ben", .parent, by: "ana", actor: "ben"),
            Self.change("cy", .parent, by: "ana", actor: "system"),
            Self.change("dee", .parent, by: "ana", actor: "ana"),
        ])
        expect(findings.map(\.rule), equals: ["F2"])
        expect(findings.first?.expected, equals: "by: ben")
        expect(findings.first?.found, equals: "ana")
    }

    @Test("An author who is erased is not judged, whoever gave the command")
    func erasedAuthor() throws {
        let changes = [
            Self.owner, Self.change("ben", .caregiver, by: "ana"),
            Self.change("cy", .parent, by: .erased, actor: "ben"),
        ]
        #expect(try Self.findings(changes).isEmpty)
        let named = changes.dropLast() + [Self.change("cy", .parent, by: "ben", actor: "ben")]
        try expect(Self.findings(Array(named)).map(\.rule), equals: ["H1"])
    }

    @Test("A value outside its limit is found in what is stored")
    func outOfLimit() throws {
        let profile = Household.BabyProfileChanged(babyId: "b", dayStartMin: .max - 1, by: "ana")
        let findings = try Self.findings([Fact(payload: profile)])
        expect(findings.map(\.rule), equals: ["F1"])
        expect(findings.first?.entity, equals: "profile:b")
        expect(findings.first?.expected, equals: "dayStartMin: expected 0 to 1439")
        expect(findings.first?.found, equals: "9223372036854775806")
        let other = Daybook.Tag("baby", "c")
        #expect(try Self.findings([Fact(payload: profile)], only: other).isEmpty)
    }
}
