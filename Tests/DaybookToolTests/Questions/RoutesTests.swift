import Foundation
import TestSupport
import Testing

// Holds: s0-four-endpoints, s0-refresh-address, s3-refresh-address, s4-router-is-truth,
// s4-test-login, s4-unrouted-photos, s4-unrouted-quick, s4-unlisted-routes
/// The contract between the apps and their servers, as a list.
@Suite struct RoutesTests {
    struct Route: Hashable, Decodable {
        var method: String
        var path: String
    }

    /// The router of the baby-care app's server. It lies beside the repository and is no part of it.
    private static let shapes = Checkout.sharedData.appending(path: "babyai/shapes.json")

    private func routes(_ arguments: String...) throws -> [[String: Any]] {
        try ReplayProcess.run(["routes"] + arguments + ["--json"]).objects()
    }

    private func lines(_ routes: [[String: Any]]) -> [String] {
        routes.compactMap { route in
            guard let method = route["method"] as? String, let path = route["path"] as? String
            else { return nil }
            return "\(method) \(path)"
        }
    }

    @Test("Each route says what serves it, or why nothing does")
    func services() throws {
        let all = try routes()
        #expect(all.count >= 50)
        for route in all {
            let serves = try #require(route["serves"] as? [String])
            #expect(!serves.isEmpty || route["remark"] is String, "\(route)")
            #expect(["S0", "S3", "S4"].contains(route["source"] as? String))
        }
        let edit = try #require(
            all.first { $0["path"] as? String == "/api/v1/events/:event_id" })
        expect(
            edit["serves"] as? [String],
            equals: ["command baby-care.edit", "command baby-care.restore"])
    }

    @Test("Clients name seven endpoints that the server lacks, and its description misses others")
    func drift() throws {
        let drifting = try routes("--drift")
        func with(_ drift: String) -> [String] {
            lines(drifting.filter { $0["drift"] as? String == drift })
        }
        expect(
            with("notRouted"),
            equals: [
                "GET /api/v1/photos/recent", "POST /api/v1/photos/upload",
                "GET /api/v1/quick/last-diaper", "GET /api/v1/quick/last-feeding",
                "GET /api/v1/quick/last-medication", "GET /api/v1/quick/recent-sleep",
                "GET /api/v1/reports/monthly",
            ])
        expect(
            with("notDescribed"),
            equals: [
                "POST /api/v1/assistants/siri/GetLastPooTime",
                "POST /api/v1/assistants/siri/GetNextFeedingEta",
                "POST /api/v1/assistants/siri/GetTodaySummary", "POST /api/v1/chat/query",
                "GET /api/v1/chat/sessions", "POST /api/v1/chat/sessions",
                "GET /api/v1/chat/sessions/:session_id/messages",
                "POST /api/v1/chat/sessions/:session_id/messages",
                "PATCH /api/v1/events/:event_id",
            ])
        let others = lines(try routes()).filter { $0.contains("/api/v1/") }
        #expect(Set(others).isSuperset(of: with("notRouted") + with("notDescribed")))
    }

    @Test("The endpoints of the splash and store documents are among them")
    func otherDocuments() throws {
        let all = try routes()
        expect(
            lines(all.filter { $0["source"] as? String == "S0" }),
            equals: [
                "POST /api/auth/refresh", "GET /api/config", "GET /api/ranking/weekly",
                "GET /api/users/{id}",
            ])
        expect(
            lines(all.filter { $0["source"] as? String == "S3" }),
            equals: [
                "POST /auth/refresh", "POST /orders", "POST /payments/validation",
            ])
    }

    @Test(
        "Every route of the router is listed, and nothing else counts as routed",
        .enabled(if: FileManager.default.fileExists(atPath: shapes.path)))
    func router() throws {
        struct Shapes: Decodable { var routes: [Route] }
        let router = try JSONDecoder().decode(Shapes.self, from: Data(contentsOf: Self.shapes))
        let routed = try routes().filter {
            $0["source"] as? String == "S4" && $0["drift"] as? String != "notRouted"
        }
        expect(Set(lines(routed)), equals: Set(router.routes.map { "\($0.method) \($0.path)" }))
    }

    @Test("A table has the beginning of a path, and says where there is none")
    func table() throws {
        let events = try ReplayProcess.run(["routes", "/api/v1/events/open"])
        expect(
            events.out,
            equals: """
                  method  path                 source  drift  served by
                  GET     /api/v1/events/open  S4             state open-entries

                1 route, 0 served by nothing (– and the reason), no drift
                  source: the app's document that has it, as in docs/sources.md

                """)
        let drifts = try ReplayProcess.run(["routes", "--drift"])
        expect(drifts.code, equals: 0, "a list of what drifts is an answer")
        #expect(drifts.out.contains("\n16 routes, "), "\(drifts.out)")
        #expect(drifts.out.contains(", 7 notRouted, 9 notDescribed\n  notRouted: clients or "))
        let none = try ReplayProcess.run(["routes", "/nowhere"])
        #expect(none.code == 0 && none.out.isEmpty)
        #expect(none.err.contains("no route begins with '/nowhere'"))
    }
}
