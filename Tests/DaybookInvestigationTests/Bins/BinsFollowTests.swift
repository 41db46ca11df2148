import Daybook
import DaybookLog
import Foundation
import TestSupport
import Testing

@testable import DaybookInvestigation

/// Bins of a log that changes: new events, erased people, another file.
@Suite struct BinsFollowTests {
    private static func event(_ actor: String = "", _ device: String = "") -> BinsLog.Event {
        BinsLog.Event(
            kind: "care.noted.v1", actor: actor, device: device, noun: "entry", occurredUs: 0,
            recordedUs: 0)
    }

    private static func names(_ bins: LogBins, _ lanes: BinsLanes) throws -> [String] {
        try BinsReply(bins, ["lanes": lanes.rawValue]).names.map(\.name)
    }

    @Test("New events are counted, and no more after the end")
    func follows() async throws {
        let log = try BinsLog()
        try log.append([[Self.event("mum")]])
        let bins = try log.bins()
        for _ in 0..<20 {
            try log.append([[Self.event("dad")]])
            try log.wait(for: bins)
        }
        try expect(Self.names(bins, .actor), equals: ["dad", "mum"])
        bins.stop()
        // It ends soon, and not at once.
        let hasEnded = try await Wait.suspendedUntil {
            let before = try BinsReply(bins, [:]).read
            try log.append([[Self.event("ann")]])
            try await Task.sleep(for: .milliseconds(300))
            return try BinsReply(bins, [:]).read == before
        }
        #expect(hasEnded)
        let read = try BinsReply(bins, [:]).read
        try log.append([[Self.event("ann")]])
        try await Task.sleep(for: .seconds(1))
        try expect(BinsReply(bins, [:]).read, equals: read)
    }

    @Test(
        "Names are shown as in stories",
        arguments: [
            (ExportPrivacy.texts, ["mum", "dad", "no actor"]),
            (.ids, ["redacted", "no actor"]),
        ])
    func redaction(privacy: ExportPrivacy, actors: [String]) throws {
        let log = try BinsLog(privacy)
        try log.append([
            [Self.event("mum", "phone"), Self.event()], [Self.event("dad", "phone")],
            [Self.event("mum")], [Self.event()], [Self.event("dad")], [Self.event("mum")],
        ])
        let bins = try log.bins()
        try expect(Self.names(bins, .actor), equals: actors)
        try expect(Self.names(bins, .device), equals: ["no device", "phone"])
        try expect(Self.names(bins, .entity), equals: ["entry"])
        bins.stop()
    }

    @Test("Pseudonyms stand for actors and devices")
    func pseudonyms() throws {
        let log = try BinsLog(.pseudonyms)
        try log.append([
            [Self.event("mum", "phone")], [Self.event("dad", "phone")], [Self.event("mum")],
        ])
        let bins = try log.bins()
        let commit = try #require(try log.log.commits.at(Position(1)))
        try expect(
            Self.names(bins, .actor).first, equals: log.values.actor(commit))
        try expect(Self.names(bins, .device), equals: [log.values.id("phone"), "no device"])
        let all = try BinsLanes.allCases.flatMap { try Self.names(bins, $0) }
        #expect(!all.contains { $0.contains("mum") || $0.contains("phone") })
        bins.stop()
    }

    @Test("An erased name is no longer shown, and a person of the same name has another lane")
    func erasure() throws {
        let log = try BinsLog()
        try log.append([
            [Self.event("mum")], [Self.event("mum")], [Self.event("mum")], [Self.event("dad")],
            [Self.event("dad")], [Self.event("ann")],
        ])
        let bins = try log.bins()
        try expect(Self.names(bins, .actor), equals: ["mum", "dad", "ann"])
        for actor in ["mum", "ann"] {
            _ = try log.log.erase(.actor(actor))
            try log.noteNewest()
        }
        try log.wait(for: bins)
        var reply = try BinsReply(bins, ["lanes": "actor"])
        expect(
            reply.names,
            equals: [
                BinsReply.Lane(name: "erased", count: 4), BinsReply.Lane(name: "dad", count: 2),
                BinsReply.Lane(name: "no actor", count: 2),
            ])
        try log.append([[Self.event("mum")]])
        try log.wait(for: bins)
        reply = try BinsReply(bins, ["lanes": "actor"])
        expect(reply.names.map(\.name), equals: ["erased", "dad", "no actor", "mum"])
        // A name that was erased before the first read was never known.
        let later = try log.bins()
        try expect(BinsReply(later, ["lanes": "actor"]).names, equals: reply.names)
        later.stop()
        bins.stop()
    }

    @Test("A log whose file is replaced is an error")
    func replaced() throws {
        let log = try BinsLog()
        try log.append([[Self.event()]])
        let bins = try log.bins()
        let copy = log.folder.path("copy")
        try FileManager.default.copyItem(atPath: log.log.path, toPath: copy)
        expect(rename(copy, log.log.path), equals: 0)
        var message = ""
        _ = Wait.until {
            do { _ = try BinsReply(bins, [:]) } catch { message = "\(error)" }
            return !message.isEmpty
        }
        #expect(message.hasSuffix("the log was removed or replaced while it was followed"))
        #expect(throws: QuestionError.self) {
            try bins.near(try NearRequest(parameters: ["clock": "order", "at": "1"]))
        }
        bins.stop()
    }
}
