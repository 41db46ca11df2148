import Foundation
import TestSupport
import Testing

// Holds: s4-refusals
/// The sentences that the app's server answers with 4xx, word for word.
@Suite struct SourceRefusalTests {
    private typealias Row = (status: Int, detail: String, command: String, data: String)

    /// The history before each refused command.
    private static let story = """
        {"command": "household.onboard", "at": "2026-02-20T08:00:00Z", "data": {"babyId": "b", "householdId": "h", "zone": "Asia/Seoul", "by": "ana"}}
        {"command": "household.change-role", "at": "2026-02-20T08:00:00Z", "data": {"householdId": "h", "userId": "eve", "role": "familyViewer", "by": "ana"}}
        {"command": "baby-care.start", "at": "2026-02-20T08:00:00Z", "data": {"entryId": "open", "babyId": "b", "kind": "sleep", "by": "ana"}}
        {"command": "baby-care.record", "at": "2026-02-20T08:00:00Z", "data": {"entryId": "closed", "babyId": "b", "kind": "pee", "startedUs": "2026-02-20T07:00:00Z", "by": "ana"}}
        {"command": "baby-care.record", "at": "2026-02-20T08:00:00Z", "data": {"entryId": "gone", "babyId": "b", "kind": "poo", "startedUs": "2026-02-20T07:00:00Z", "by": "ana"}}
        {"command": "baby-care.cancel", "at": "2026-02-20T08:00:00Z", "data": {"entryId": "gone", "by": "ana"}}
        {"command": "chat.open-session", "at": "2026-02-20T08:00:00Z", "data": {"sessionId": "s", "userId": "ana", "householdId": "h"}}
        {"command": "photo.create-album", "at": "2026-02-20T08:00:00Z", "data": {"albumId": "a", "householdId": "h", "by": "ana"}}

        """

    /// A plan with AI, and a balance that is used up with the day's graces.
    private static let used = """
        {"command": "account.check-out", "at": "2026-02-20T08:10:00Z", "data": {"householdId": "h", "plan": "aiOnly", "by": "ana"}}
        {"command": "account.reserve-credits", "at": "2026-02-20T08:10:00Z", "data": {"userId": "ana", "householdId": "h", "requestId": "q0"}}
        {"command": "account.charge-credits", "at": "2026-02-20T08:10:00Z", "data": {"userId": "ana", "householdId": "h", "requestId": "q0", "totalTokens": 600000}}
        {"command": "account.reserve-credits", "at": "2026-02-20T08:10:00Z", "data": {"userId": "ana", "householdId": "h", "requestId": "q1"}}
        {"command": "account.reserve-credits", "at": "2026-02-20T08:10:00Z", "data": {"userId": "ana", "householdId": "h", "requestId": "q2"}}
        {"command": "account.reserve-credits", "at": "2026-02-20T08:10:00Z", "data": {"userId": "ana", "householdId": "h", "requestId": "q3"}}

        """

    /// The status of the answer, its sentence, and the command with its fields.
    private static let table: [Row] = [
        (
            409, "open event already exists for this type", "baby-care.start",
            #"{"entryId": "x", "babyId": "b", "kind": "sleep", "by": "ana"}"#
        ),
        (
            400, "type does not support start/complete flow", "baby-care.start",
            #"{"entryId": "x", "babyId": "b", "kind": "growth", "by": "ana"}"#
        ),
        (409, "event is not open", "baby-care.complete", #"{"entryId": "closed", "by": "ana"}"#),
        (
            409, "only closed events can be updated", "baby-care.edit",
            #"{"entryId": "open", "value": {"memo": "x"}, "by": "ana"}"#
        ),
        (
            400, "at least one field must be provided for update", "baby-care.edit",
            #"{"entryId": "closed", "by": "ana"}"#
        ),
        (
            400, "end_time must be after start_time", "baby-care.edit",
            #"{"entryId": "closed", "endedUs": "2026-02-20T06:00:00Z", "by": "ana"}"#
        ),
        (
            400, "end_time must be after start_time", "baby-care.complete",
            #"{"entryId": "open", "endedUs": "2026-02-20T06:00:00Z", "by": "ana"}"#
        ),
        (
            400, "end_time must be after start_time", "baby-care.record",
            #"{"entryId": "x", "babyId": "b", "kind": "sleep", "startedUs": "2026-02-20T07:00:00Z", "endedUs": "2026-02-20T06:00:00Z", "by": "ana"}"#
        ),
        (
            400, "end_time is required for closed events", "baby-care.edit",
            #"{"entryId": "closed", "value": {"memo": "x"}, "by": "ana", "rules": "source"}"#
        ),
        (
            409, "event is already canceled", "baby-care.cancel",
            #"{"entryId": "gone", "by": "ana"}"#
        ),
        (404, "Event not found", "baby-care.complete", #"{"entryId": "nothing", "by": "ana"}"#),
        (
            404, "Baby not found", "baby-care.start",
            #"{"entryId": "x", "babyId": "nobody", "kind": "sleep", "by": "ana"}"#
        ),
        (
            403, "Household access denied", "baby-care.start",
            #"{"entryId": "x", "babyId": "b", "kind": "poo", "by": "tom"}"#
        ),
        (
            403, "Insufficient role for this action", "baby-care.start",
            #"{"entryId": "x", "babyId": "b", "kind": "poo", "by": "eve"}"#
        ),
        (
            402, "AI subscription required. Choose AI_ONLY or AI_PHOTO.", "account.reserve-credits",
            #"{"userId": "ana", "householdId": "h", "requestId": "q"}"#
        ),
        (
            402, "Photo sharing is included in AI plan. Choose AI_ONLY or AI_PHOTO.",
            "photo.start-upload", #"{"albumId": "a", "objectId": "one", "by": "ana"}"#
        ),
        (
            403, "Insufficient role for this action", "photo.start-upload",
            #"{"albumId": "a", "objectId": "one", "by": "eve"}"#
        ),
        (
            404, "Album not found", "photo.start-upload",
            #"{"albumId": "nothing", "objectId": "one", "by": "ana"}"#
        ),
        (404, "Chat session not found", "chat.close-session", #"{"sessionId": "nothing"}"#),
        (
            400, "query is required", "chat.record-answer",
            #"{"sessionId": "s", "requestId": "q", "questionId": "m", "question": " ", "answerId": "n", "promptTokens": 1, "completionTokens": 1}"#
        ),
        (
            400, "child_id is required when use_personal_data is true", "chat.record-answer",
            #"{"sessionId": "s", "requestId": "q", "questionId": "m", "question": "hi", "answerId": "n", "promptTokens": 1, "completionTokens": 1, "usePersonalData": true}"#
        ),
        (
            400, "content is required", "chat.add-session-message",
            #"{"sessionId": "s", "messageId": "m", "role": "user", "text": " "}"#
        ),
        (
            404, "Household not found", "account.check-out",
            #"{"householdId": "nothing", "plan": "aiOnly", "by": "ana"}"#
        ),
        (
            403, "Insufficient role for this action", "account.check-out",
            #"{"householdId": "h", "plan": "aiOnly", "by": "eve"}"#
        ),
        (
            400, "Invalid subscription plan", "account.check-out",
            #"{"householdId": "h", "plan": "photoShare", "by": "ana", "rules": "source"}"#
        ),
        (
            400, "home_tile_columns must be 1, 2, or 3", "account.change-settings",
            #"{"userId": "ana", "homeTileColumns": 4}"#
        ),
        (
            400, "home_tile_order must include known tile ids only and cannot be empty",
            "account.change-settings", #"{"userId": "ana", "homeTileOrder": []}"#
        ),
        (
            400, "theme_mode must be one of: system, dark, light", "account.change-settings",
            #"{"userId": "ana", "themeMode": "blue"}"#
        ),
        (
            400, "language must be one of: ko, en, es", "account.change-settings",
            #"{"userId": "ana", "language": "fr"}"#
        ),
        (
            400, "main_font must be one of: notoSans, systemSans", "account.change-settings",
            #"{"userId": "ana", "mainFont": "notosans"}"#
        ),
        (
            400, "highlight_font must be one of: ibmPlexSans, notoSans", "account.change-settings",
            #"{"userId": "ana", "highlightFont": "x"}"#
        ),
        (
            400, "accent_tone must be one of: gold, teal, coral, indigo", "account.change-settings",
            #"{"userId": "ana", "accentTone": "red"}"#
        ),
        (
            400, "report_color_tone must be one of: classic, ocean, sage, sunset",
            "account.change-settings", #"{"userId": "ana", "reportColorTone": "ultraviolet"}"#
        ),
        (
            400, "child_care_profile must be one of: breastfeeding, formula, weaning",
            "account.change-settings", #"{"userId": "ana", "childCareProfile": "x"}"#
        ),
    ]

    /// Commands that are refused once there is a plan and its credits are used.
    private static let tableWithPlan: [Row] = [
        (
            402, "Insufficient AI credits", "account.reserve-credits",
            #"{"userId": "ana", "householdId": "h", "requestId": "q4"}"#
        ),
        (
            400, "album_id and object_key are required", "photo.complete-upload",
            #"{"albumId": "a", "objectKey": "", "photoId": "p", "by": "ana", "rules": "source"}"#
        ),
    ]

    /// The refusals of the last commands, in order.
    private func refusals(
        of table: [Row], after story: String
    ) throws -> [String] {
        let log = try ScratchLog()
        let commands = table.map {
            #"{"command": "\#($0.command)", "at": "2026-02-20T08:20:00Z", "data": \#($0.data)}"#
        }
        let input = story + commands.joined(separator: "\n")
        let answer = try log.replay("append", "--each", "--json", input: input)
        #expect(answer.code == 1, "\(answer.err)")
        return try answer.objects().compactMap { line in
            (line["refused"] as? [String: Any])?["message"] as? String
        }
    }

    @Test("A refusal says what the app's server says, in the same words")
    func words() throws {
        for (table, story) in [
            (Self.table, Self.story), (Self.tableWithPlan, Self.story + Self.used),
        ] {
            let refusals = try refusals(of: table, after: story)
            #expect(refusals.count == table.count, "\(refusals)")
            for (row, said) in zip(table, refusals) {
                #expect(
                    said.hasPrefix(row.detail),
                    "\(row.command): \(row.status) \(row.detail), not \(said)")
            }
        }
    }

    @Test(
        "The sentences are those of the recorded answers of the server",
        .enabled(if: FileManager.default.fileExists(atPath: shapes.path)))
    func recorded() throws {
        let known = try String(contentsOf: Self.shapes, encoding: .utf8)
        for row in Self.table + Self.tableWithPlan {
            // Those of the settings are told as a pattern, and of one the answers were not recorded.
            let isPattern =
                row.detail.contains(" must be one of: ") || row.detail == "content is required"
            #expect(isPattern || known.contains(row.detail), "\(row.detail)")
        }
    }

    private static let shapes = Checkout.sharedData.appending(path: "babyai/shapes.json")
}
