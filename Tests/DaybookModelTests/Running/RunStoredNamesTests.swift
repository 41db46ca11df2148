import Daybook
import TestSupport
import Testing

@testable import DaybookModel

/// The stored kinds and fields: a change here needs a new version of the kind, and an upcaster.
@Suite struct RunStoredNamesTests {
    @Test("Kinds and fields stay as they are")
    func kindsAndFieldsStayAsTheyAre() {
        let schema = Running.events.map { event in
            ([event.kind.name] + Self.lines(event.fields, "  ")).joined(separator: "\n")
        }
        expect(schema.joined(separator: "\n"), equals: Self.expected)
    }

    private static func lines(_ fields: [FieldDescription], _ margin: String) -> [String] {
        fields.flatMap { field in
            ["\(margin)\(field.name): \(field.form)"] + lines(field.fields, margin + "  ")
        }
    }

    @Test("Every kind is decided")
    func everyKindIsDecided() {
        let decided =
            Running.Event.kinds.map(\.kind) + [Running.RankingWeekClosed.kind]
        expect(Running.events.map(\.kind), equals: decided)
    }

    @Test("Commands keep their names")
    func commandsKeepTheirNames() {
        expect(
            Running.commands.map(\.name),
            equals: [
                "running.change-profile", "running.start", "running.record-locations",
                "running.pause", "running.resume", "running.stop", "running.save",
                "running.fail-save", "running.discard", "running.cancel", "running.restore",
                "running.import-track", "running.enter", "running.crop", "running.record-copy",
                "running.close-week",
            ])
    }

    @Test("A batch of locations is stored in these bytes, with these tags")
    func bytesOfABatch() {
        var batch = Running.LocationsRecorded()
        batch.runId = "r"
        batch.segment = 1
        batch.batch = 2
        batch.points = [
            Running.RunPoint(
                time: Instant(microseconds: 1), latE9: -1, lonE9: 64, eleMm: nil, accMm: 3,
                stepMm: 300)
        ]
        batch.addedMm = 300
        batch.bridgeMm = 1
        batch.forwardUs = 0
        batch.movingUs = 0
        batch.stoodSince = nil
        batch.rejected = [
            Running.RejectedPoint(index: 5, reason: .jump, time: Instant(microseconds: 2), lonE9: 3)
        ]
        let event = NewEvent(batch, occurredAt: Instant(microseconds: 0))
        let bytes: [UInt8] = [
            1, 0x72,  // runId
            2, 4,  // segment 1, batch 2
            1,  // one point
            1, 2,  // there is a time, 1
            1,  // -1
            0x80, 1,  // 64
            0,  // no elevation
            1, 6,  // within 3 mm
            0xD8, 4,  // 300 mm on
            0xD8, 4, 2, 0, 0,  // 300 mm added, 1 bridged, no time
            0,  // not standing
            1, 10, 3, 1, 4, 0, 1, 6, 0,  // the fifth one: a jump, at 2, of 3 east
            0,  // standard
        ]
        expect(event.payload, equals: bytes)
        expect(event.tags.map(\.text), equals: ["run:r"])
    }

    @Test("Runs and closings are found by these tags")
    func tags() {
        let started = Instant(microseconds: 1_771_772_399_999_999)  // 2026-02-22, a Sunday in UTC
        expect(
            Running.RunStarted(
                runId: "r", userId: "u", started: started
            ).tags.map(\.text), equals: ["run:r", "user:u", "slot:run/u"])
        var completed = Running.RunCompleted()
        completed.runId = "r"
        completed.userId = "u"
        expect(completed.tags.map(\.text), equals: ["run:r", "user:u", "slot:run/u"])
        completed.started = started
        expect(
            completed.tags.map(\.text), equals: ["run:r", "user:u", "slot:run/u", "week:2026-W08"])
        #expect(
            Running.RunCancelled(runId: "r", userId: "u", started: started).tags.map(\.text)
                == ["run:r", "user:u", "week:2026-W08"])
        var closed = Running.RankingWeekClosed()
        closed.week = "2026-W08"
        expect(closed.tags.map(\.text), equals: ["ranking:2026-W08"])
    }

    private static let expected = """
        running.runner-profile-changed.v1
          userId: text
          name: personal text?
          imageUrl: personal text?
          weightG: integer?
          zone: text?
        running.run-started.v1
          runId: text
          userId: text
          mode: one of solo, matching, imported, manual
          startedUs: integer?
          autoPauseS: integer?
          maxSpeedMmPerS: integer?
          maxAccuracyMm: integer?
          title: personal text?
          rules: one of standard, source
        running.locations-recorded.v1
          runId: text
          segment: integer
          batch: integer
          points: [object]
            tUs: integer?
            latE9: personal integer
            lonE9: personal integer
            eleMm: personal integer?
            accMm: integer?
            stepMm: integer
          addedMm: integer
          bridgeMm: integer
          forwardUs: integer
          movingUs: integer
          stoodSinceUs: integer?
          rejected: [object]
            index: integer
            reason: one of latLon, accuracy, time, jump, notRunning, future
            tUs: integer?
            latE9: personal integer?
            lonE9: personal integer?
            accMm: integer?
          rules: one of standard, source
          correction: object?
            withdrawn: integer
            takenBackMm: integer
            takenBackBridgeMm: integer
            takenBackForwardUs: integer
            takenBackMovingUs: integer
            readmitted: integer
          waiting: object?
            indices: [integer]
        running.run-paused.v1
          runId: text
          cause: one of manual, auto
          pausedUs: integer
        running.run-resumed.v1
          runId: text
          cause: one of manual, auto
          resumedUs: integer
          segment: integer
        running.run-completed.v1
          runId: text
          userId: text
          startedUs: integer?
          endedUs: integer?
          wallMs: integer
          activeMs: integer
          movingMs: integer?
          distanceMm: integer
          avgPaceMsPerKm: integer?
          kcal: integer
          kcalMet: integer?
          rules: one of standard, source
        running.run-saved.v1
          runId: text
          userId: text
          remoteId: text?
        running.run-save-failed.v1
          runId: text
          userId: text
          attempt: integer
          kind: one of network, timeout, server, storage
          detail: sealable text
        running.run-discarded.v1
          runId: text
          userId: text
          startedUs: integer?
          reason: one of reset, user, tooShort
        running.run-cancelled.v1
          runId: text
          userId: text
          startedUs: integer?
          reason: sealable text?
        running.run-restored.v1
          runId: text
          userId: text
          startedUs: integer?
          reason: sealable text?
        running.run-cropped.v1
          runId: text
          userId: text
          isPart: boolean
          formerStartedUs: integer?
          startedUs: integer?
          endedUs: integer?
          wallMs: integer
          activeMs: integer
          movingMs: integer?
          distanceMm: integer
          avgPaceMsPerKm: integer?
          kcal: integer
          kcalMet: integer?
          segments: integer
          points: integer
          splits: [object]
            timeMs: integer?
          rules: one of standard, source
        running.copy-recorded.v1
          runId: text
          userId: text
          copyId: text?
          firstPosition: integer
          shiftMs: integer
          points: integer
          track: digest
        running.ranking-week-closed.v1
          week: text
          zone: text
          tzdata: text
          startUs: integer
          endUs: integer
          position: integer
          rows: [object]
            userId: text
            rank: integer
            scoreM: integer
            achievedUs: integer
          rules: one of standard, source
        """
}
