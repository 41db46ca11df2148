import Foundation
import TestSupport
import Testing

/// Help pages and the overview of the schema.
@Suite struct HelpTests {
    private static let shared = [
        "--log", "--wait", "--head-file", "--key-file", "--key-command", "--version",
    ]

    @Test(
        "Options of the log stand once in help, on the page of the program, and other pages name them",
        arguments: [["state", "--help"], ["verify", "--help"], ["report", "daily", "--help"]])
    func sharedOptions(_ words: [String]) throws {
        let page = try ReplayProcess.run(words).out
        let whole = try ReplayProcess.run(["--help"]).out
        let line = try #require(
            page.split(separator: "\n").first { $0.hasPrefix("Further options") })
        #expect(line.hasPrefix("Further options, which 'replay --help' describes: --log, "))
        for name in Self.shared {
            #expect(!page.contains("\n  \(name) "), "\(name)")
            #expect(whole.components(separatedBy: "\n  \(name) ").count == 2, "\(name)")
        }
        #expect(!page.contains("\nLOG:"))
    }

    @Test(
        "The schema without a name is an overview of at most 40 lines that names every area, noun, projection and report"
    )
    func overview() throws {
        let answer = try ReplayProcess.run(["schema"], environment: ["COLUMNS": "80"])
        answer.ends(0)
        let lines = answer.out.split(separator: "\n")
        #expect(lines.count <= 40 && lines.allSatisfy { $0.count <= 80 }, "\(answer.out)")
        let words = Set(answer.out.split { " ,()\n".contains($0) })
        for entry in try ReplayProcess.run(["schema", "--json"]).objects() {
            let kind = try #require(entry["kind"] as? String)
            let name = try #require(entry["name"] as? String)
            guard ["projection", "report"].contains(kind) else { continue }
            #expect(words.contains(Substring(name)), "\(kind) \(name)")
        }
        #expect(words.isSuperset(of: ["launch", "device", "baby", "baby-care"]))
        let all = try ReplayProcess.run(["schema", "--all"])
        all.ends(0)
        #expect(all.out.contains("event  launch.app-launched.v1\n    launchId "))
        try ReplayProcess.run(["schema", "--all", "launch"]).ends(2)
    }
}
