import Foundation
import TestSupport
import Testing

/// The texts of each area: sealed from the start, and gone with the person that they are about.
@Suite struct AreaErasureTests {
    struct Story: CustomTestStringConvertible {
        var name: String
        var lines: String
        /// Texts that go.
        var needles: [String]
        /// The person who is erased, and the number of texts that go.
        var person: String
        var texts: Int
        var testDescription: String { name }
    }

    private static let onboarded = """
        {"command": "session.sign-in", "data": {"userId": "ana", "provider": "google", "family": "f1", "device": "d", "accessHash": "a0", "refreshHash": "r0", "expiresInS": 86400}}
        {"command": "household.onboard", "data": {"babyId": "b", "householdId": "h", "zone": "UTC", "by": "ana", "device": "d"}}

        """

    static let stories = [
        Story(
            name: "the body of a queued write and the server's words on it",
            lines: onboarded + """
                {"command": "offline-queue.queue", "data": {"mutationId": "m1", "device": "d", "kind": "event_create_closed", "entryId": "local-1", "babyId": "b", "payloadDigest": "x", "body": "needlebody", "failure": "network"}}
                {"command": "offline-queue.start-sync", "data": {"device": "d"}}
                {"command": "offline-queue.dispatch", "data": {"device": "d"}}
                {"command": "offline-queue.record-answer", "data": {"device": "d", "mutationId": "m1", "httpStatus": 422, "detail": "needledetail"}}
                """,
            needles: ["needlebody", "needledetail"], person: "baby:b", texts: 2),
        Story(
            name: "a write of a baby that got the server's id later",
            lines: """
                {"command": "household.onboard", "data": {"babyId": "offline_b", "householdId": "offline_h", "zone": "UTC", "by": "ana", "device": "d"}}
                {"command": "offline-queue.queue", "data": {"mutationId": "m1", "device": "d", "kind": "event_start", "entryId": "local-1", "babyId": "offline_b", "body": "needlebody"}}
                {"command": "household.replace-id", "data": {"kind": "baby", "localId": "offline_b", "remoteId": "b"}}
                """,
            needles: ["needlebody"], person: "baby:b", texts: 2),
        Story(
            name: "the texts of a link",
            lines: onboarded + """
                {"command": "assistant.open-link", "data": {"actionId": "a1", "device": "d", "babyId": "b", "link": "babyai://assistant/open?feature=needlefeature&query=needlequery&memo=needlememo&diaper_type=needletype", "by": "ana"}}
                """,
            needles: ["needlefeature", "needlequery", "needlememo", "needletype"],
            person: "baby:b", texts: 4),
        Story(
            name: "the texts of an action that waited for its baby",
            lines: onboarded + """
                {"command": "assistant.open-link", "data": {"actionId": "a1", "device": "d", "link": "babyai://assistant/open?query=needlequery"}}
                {"command": "assistant.take-action", "data": {"device": "d", "babyId": "b", "entryId": "e1", "by": "ana"}}
                """,
            needles: ["needlequery"], person: "baby:b", texts: 1),
        Story(
            name: "a message that was sent to a room",
            lines: """
                {"command": "chat.enter-room", "data": {"device": "d", "roomId": "r", "userId": "ana"}}
                {"command": "chat.send-message", "data": {"device": "d", "roomId": "r", "userId": "ana", "messageId": "m1", "text": "needlesent"}}
                """,
            needles: ["needlesent"], person: "user:ana", texts: 1),
        Story(
            name: "a message to the AI",
            lines: """
                {"command": "chat.open-session", "data": {"sessionId": "s", "userId": "ana", "householdId": "h"}}
                {"command": "chat.add-session-message", "data": {"sessionId": "s", "messageId": "m1", "role": "user", "text": "needleasked"}}
                """,
            needles: ["needleasked"], person: "user:ana", texts: 1),
        Story(
            name: "the words of a payment's provider",
            lines: """
                {"command": "shop.add-cart-item", "data": {"device": "d", "menuId": "soup", "size": "m", "color": "red", "qty": 1, "unitPriceMinor": 9000, "currency": "KRW"}}
                {"command": "shop.place-order", "data": {"orderId": "o1", "userId": "ana", "device": "d", "storeId": "s"}}
                {"command": "shop.fail-payment", "data": {"orderId": "o1", "message": "needlecard"}}
                """,
            needles: ["needlecard"], person: "user:ana", texts: 1),
        Story(
            name: "the words of a voice clip",
            lines: onboarded + """
                {"command": "baby-care.parse-voice-clip", "data": {"clipId": "c1", "babyId": "b", "text": "needlewords", "language": "en", "candidates": [], "by": "ana"}}
                """,
            needles: ["needlewords"], person: "baby:b", texts: 1),
    ]

    @Test(
        "Texts lie sealed in the file, are shown until they are erased, and then nowhere",
        arguments: stories)
    func erased(_ story: Story) throws {
        let log = try ScratchLog()
        let given = try log.replay("append", "--each", input: story.lines)
        #expect(given.code == 0, "\(given.err)")
        let before = try log.replay("log", "--payload").out
        let file = URL(fileURLWithPath: log.path)
        for needle in story.needles {
            #expect(before.contains(needle), "\(needle)")
            #expect(try Data(contentsOf: file).range(of: Data(needle.utf8)) == nil, "\(needle)")
        }
        let erased = try log.replay("erase", "--tag", story.person, "--json")
        #expect(erased.code == 0, "\(erased.err)")
        #expect(try erased.objects().first?["texts"] as? Int == story.texts, "\(erased.out)")
        let after = try log.replay("log", "--payload").out + log.replay("log", "--json").out
        for needle in story.needles { #expect(!after.contains(needle), "\(needle)") }
        let verified = try log.replay("verify", "--json")
        #expect(verified.code == 0, "\(verified.out)")
        #expect(try verified.objects().first?["erasedTexts"] as? Int == story.texts)
    }
}
