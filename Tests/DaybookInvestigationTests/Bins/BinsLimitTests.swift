import Daybook
import DaybookLog
import Foundation
import TestSupport
import Testing

@testable import DaybookInvestigation

/// Bins of small and extreme logs, and questions without an answer.
@Suite struct BinsLimitTests {
    private static func event(
        _ kind: String = "care.noted.v1", actor: String = "", device: String = "",
        noun: String = "", at occurredUs: Int64 = 0, recorded: Int64 = 0
    ) -> BinsLog.Event {
        BinsLog.Event(
            kind: kind, actor: actor, device: device, noun: noun, occurredUs: occurredUs,
            recordedUs: recorded)
    }

    private static func text(_ bins: LogBins, _ parameters: [String: String]) throws -> String {
        let all = BinsReply.defaults.merging(parameters) { $1 }
        return String(decoding: try bins.json(try BinsRequest(parameters: all)), as: UTF8.self)
    }

    @Test("The bins of an empty log are empty")
    func empty() throws {
        let log = try BinsLog()
        let bins = try log.bins()
        let expected = """
            {"clock":"recorded","lanes":"kind","from":0,"to":1,"width":1,"whole":null,"read":0,\
            "events":0,"count":0,"positions":null,"kinds":[],"names":[],"cells":[]}
            """
        try expect(Self.text(bins, [:]), equals: expected)
        let near = try NearRequest(parameters: ["clock": "order", "at": "7"])
        #expect(try bins.near(near) == nil)
        bins.stop()
    }

    @Test("The bins of a small log are the JSON that the page reads")
    func small() throws {
        let log = try BinsLog()
        try log.append([
            [
                Self.event(noun: "entry", at: 100, recorded: 1_000),
                Self.event(noun: "entry", at: 101, recorded: 1_000),
                Self.event("care.ended.v2", noun: "entry", at: 129, recorded: 1_000),
            ],
            [Self.event(noun: "run", at: 139, recorded: 1_000)],
            [Self.event(at: 117, recorded: 1_000)],
        ])
        let bins = try log.bins()
        let expected = """
            {"clock":"occurred","lanes":"entity","from":100,"to":140,"width":4,"whole":[100,139],\
            "read":5,"events":5,"count":5,"positions":[1,5],\
            "kinds":["care.noted.v1","care.ended.v2"],\
            "names":[{"name":"entry","count":3},{"name":"2 others","count":2,"rest":true}],\
            "cells":[[0,2,0,2,1,1],[1,1,0,2,1,0]]}
            """
        let parameters = ["clock": "occurred", "lanes": "entity", "width": "4", "most": "2"]
        try expect(Self.text(bins, parameters), equals: expected)
        bins.stop()
    }

    @Test(
        "Times at the ends of what a log stores are in bins",
        arguments: [1, 2, 3, 1_000, 8_192])
    func extremes(width: Int) throws {
        let log = try BinsLog()
        let times: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]
        try log.append(times.map { [Self.event(at: $0, recorded: 5)] })
        let bins = try log.bins()
        let parameters = ["clock": "occurred", "width": "\(width)"]
        let reply = try BinsReply(bins, parameters)
        expect(reply.count, equals: 7)
        expect(reply.cells[0].map(\.count).reduce(0, +), equals: 7)
        let first = BinsReply.Cell(
            bin: 0, count: [1: 7, 2: 3][width] ?? 2, kind: "care.noted.v1")
        expect(reply.cells[0].first, equals: first)
        for (index, time) in times.enumerated() {
            let one = [
                "clock": "occurred", "from": "\(time)", "to": "\(Int128(time) + 1)",
            ]
            try expect(BinsReply(bins, one).count, equals: 1)
            let near = try NearRequest(parameters: ["clock": "occurred", "at": "\(time)"])
            try expect(bins.near(near), equals: UInt64(index + 1))
        }
        // A browser rounds the ends of the axis.
        let rounded = [
            "clock": "occurred", "from": "-9223372036854776000", "to": "9223372036854776000",
        ]
        try expect(BinsReply(bins, rounded).count, equals: 7)
        bins.stop()
    }

    @Test("An answer is at most 64 KiB, with thousands of long names and at any width")
    func size() throws {
        let log = try BinsLog()
        for part in 0..<5 {
            try log.append(
                (0..<1_000).map { index in
                    let number = part * 1_000 + index
                    let name = "\(number)-" + String(repeating: "\"", count: 200)
                    return [
                        Self.event(
                            "area.kind-\(number)-\(String(repeating: "k", count: 70)).v1",
                            actor: name, device: name, at: Int64(number), recorded: 0),
                        Self.event(
                            "area.kind-\(number).v1", actor: name, device: name,
                            at: Int64(number * 977 % 5_000), recorded: 0),
                    ]
                })
        }
        let bins = try log.bins()
        for lanes in BinsLanes.allCases {
            for most in [1, 2, 64] {
                for width in [1, 64, 8_192] {
                    let parameters = [
                        "clock": "occurred", "lanes": lanes.rawValue, "width": "\(width)",
                        "most": "\(most)",
                    ]
                    let reply = try BinsReply(bins, parameters)
                    #expect(reply.byteCount <= 65_536, "\(parameters)")
                    #expect(reply.names.count <= most)
                    expect(reply.names.map(\.count).reduce(0, +), equals: 10_000)
                    let cells = reply.cells.joined().map(\.count)
                    expect(cells.reduce(0, +), equals: 10_000)
                    // Shorter bins would not fit.
                    #expect(reply.byteCount > 8_192 || reply.width * 2 > min(width, 5_000))
                }
            }
        }
        bins.stop()
    }

    @Test("Events of more devices than there are lane numbers are with the rest")
    func manyLanes() throws {
        var names = LaneNames(none: "none")
        for number in 1..<65_535 { expect(names.add("name \(number)"), equals: UInt16(number)) }
        expect(names.add("one more"), equals: LaneNames.others)
        var long = LaneNames(none: "none")
        let name = String(repeating: "n", count: 1 << 20)
        for number in 1...8 { expect(long.add("\(number)\(name)"), equals: UInt16(number)) }
        expect(long.add("short"), equals: LaneNames.others)
    }

    @Test("Lanes with equal names are one, and any name is written as JSON")
    func names() throws {
        let log = try BinsLog()
        let hostile = "</script>\"\\\u{1F600}\u{2028}'"
        try log.append([
            [Self.event(device: "no device")], [Self.event()], [Self.event(device: hostile)],
            [Self.event(device: "1 other")],
        ])
        let bins = try log.bins()
        let reply = try BinsReply(bins, ["lanes": "device"])
        expect(
            reply.names,
            equals: [
                BinsReply.Lane(name: "no device", count: 2),
                BinsReply.Lane(name: "1 other", count: 1), BinsReply.Lane(name: hostile, count: 1),
            ])
        func near(_ name: String) throws -> UInt64? {
            try bins.near(
                try NearRequest(parameters: [
                    "clock": "order", "at": "4", "lanes": "device", "lane": name,
                ]))
        }
        try expect(near("no device"), equals: 2)
        try expect(near(hostile), equals: 3)
        #expect(try near("nothing") == nil)
        bins.stop()
    }

    private static let clocks = "expected one of: recorded, occurred, order"
    private static let sorts = "expected one of: kind, actor, device, entity"
    private static let widths = "expected a whole number from 1 to 8192"
    private static let mosts = "expected a whole number from 1 to 64"
    private static let times =
        "expected a whole number from -18446744073709551616 to 18446744073709551616"
    private static let nines = String(repeating: "9", count: 40)

    @Test(
        "A parameter without a possible value is named",
        arguments: [
            (["clock": nil], "'clock' is missing; \(clocks)"),
            (["clock": "Order"], "'clock' is 'Order'; \(clocks)"),
            (["lanes": "tag"], "'lanes' is 'tag'; \(sorts)"),
            (["width": nil], "'width' is missing; \(widths)"),
            (["width": "0"], "'width' is '0'; \(widths)"),
            (["width": "8193"], "'width' is '8193'; \(widths)"),
            (["width": "1e3"], "'width' is '1e3'; \(widths)"),
            (["width": ""], "'width' is ''; \(widths)"),
            (["most": "65"], "'most' is '65'; \(mosts)"),
            (["most": "-1"], "'most' is '-1'; \(mosts)"),
            (["from": "5", "to": "5"], "'from' is 5; expected less than 'to', which is 5"),
            (["from": "6", "to": "-5"], "'from' is 6; expected less than 'to', which is -5"),
            (["to": "1.5"], "'to' is '1.5'; \(times)"),
            (["from": nines + nines], "'from' is '\(nines)…'; \(times)"),
            (["token": "x"], "'token' is unknown; expected clock, lanes, from, to, width, most"),
        ] as [([String: String?], String)])
    func malformed(changes: [String: String?], message: String) {
        var parameters = BinsReply.defaults
        for (name, value) in changes { parameters[name] = value }
        #expect(throws: QuestionError.invalid("parameter " + message)) {
            try BinsRequest(parameters: parameters)
        }
    }

    @Test(
        "A parameter of a question for a near event is named",
        arguments: [
            (["at": "1"], "'clock' is missing; \(clocks)"),
            (["clock": "order"], "'at' is missing; \(times)"),
            (["clock": "order", "at": "1", "lane": "x"], "'lanes' is missing; \(sorts)"),
            (["clock": "order", "at": "1", "lanes": "x"], "'lanes' is 'x'; \(sorts)"),
        ] as [([String: String], String)])
    func malformedNear(parameters: [String: String], message: String) {
        #expect(throws: QuestionError.invalid("parameter " + message)) {
            try NearRequest(parameters: parameters)
        }
    }
}
