import Daybook
import DaybookTesting
import Testing

@testable import DaybookModel

// Holds: s4-onboarding-sync
/// How a device's baby gets the server's ids.
@Suite("Onboarding of a device") struct OnboardingTests {
    private typealias Sentence = CommandExample<Household.Linking>
    private static let device = "d1"

    private static let onboarded = Household.Linking.Event.onboarding(
        .onboarded(
            Household.Onboarded(babyId: "offline_b", householdId: "offline_h", device: device)))

    private static func signedIn(_ provider: Session.Provider) -> Household.Linking.Event {
        .signedIn(
            Session.SignedIn(userId: "ana", provider: provider, family: "f1", device: device))
    }

    private static let started = Household.Linking.Event.onboarding(
        .syncStarted(
            Household.SyncStarted(
                device: device, babyId: "offline_b", householdId: "offline_h", userId: "ana")))

    private static let failed = Household.Linking.Event.onboarding(
        .syncFailed(Household.SyncFailed(device: device, failure: .timeout)))

    private static func replaced(
        _ kind: Household.EntityKind, _ localId: String, _ remoteId: String
    ) -> Household.Linking.Event {
        .idReplaced(
            Household.IdReplaced(kind: kind, localId: localId, remoteId: remoteId))
    }

    private static func synced(_ albums: [String: String] = [:]) -> Household.Linking.Event {
        .onboarding(
            .onboardingSynced(
                Household.OnboardingSynced(
                    device: device, localBabyId: "offline_b", babyId: "b",
                    localHouseholdId: "offline_h", householdId: "h", albumIds: albums)))
    }

    private static let syncing = [onboarded, signedIn(.google), started]
    private static let start = Household.StartSync(device: device)
    private static let record = Household.RecordSync(
        device: device, babyId: "b", householdId: "h")

    @Test(arguments: [
        Sentence(
            "A device without a baby has nothing to sync", given: [signedIn(.google)],
            when: start, then: .events([])),
        Sentence(
            "A baby that a device made alone is synced after a sign-in with Google",
            given: [onboarded, signedIn(.google)], when: start, then: .events([started])),
        Sentence(
            "Another sign-in syncs nothing", given: [onboarded, signedIn(.kakao)], when: start,
            then: .refused("notLinked")),
        Sentence(
            "A synchronisation under way is joined by none", given: syncing, when: start,
            then: .events([])),
        Sentence(
            "A synchronisation that failed is tried again", given: syncing + [failed],
            when: start, then: .events([started])),
        Sentence(
            "A baby with the server's id is not synced again",
            given: syncing + [synced()], when: start, then: .events([])),
    ])
    private func starts(_ example: Sentence) { example.check() }

    @Test(arguments: [
        Sentence(
            "The server's ids replace the device's in one commit", given: syncing,
            when: Household.RecordSync(
                device: device, babyId: "b", householdId: "h", albumIds: ["offline_a": "a"]),
            then: .events([
                synced(["offline_a": "a"]), replaced(.baby, "offline_b", "b"),
                replaced(.household, "offline_h", "h"), replaced(.album, "offline_a", "a"),
            ])),
        Sentence(
            "An id that was replaced by the same before is not replaced again",
            given: syncing + [replaced(.household, "offline_h", "h")], when: record,
            then: .events([synced(), replaced(.baby, "offline_b", "b")])),
        Sentence(
            "An id that was replaced by another before is refused",
            given: syncing + [replaced(.baby, "offline_b", "c")], when: record,
            then: .refused("idReplacedBefore")),
        Sentence(
            "An answer to no question is dropped", given: [onboarded], when: record,
            then: .refused("noSync")),
        Sentence(
            "An answer that comes after the failure was recorded is dropped",
            given: syncing + [failed], when: record, then: .refused("noSync")),
        Sentence(
            "An answer without a baby is none", given: syncing,
            when: Household.RecordSync(device: device, householdId: "h"),
            then: .refused("idMissing")),
        Sentence(
            "A failure is recorded once", given: syncing + [failed],
            when: Household.RecordSyncFailure(device: device), then: .events([])),
    ])
    private func records(_ example: Sentence) { example.check() }
}
