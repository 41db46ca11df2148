import Daybook
import Foundation
import TestSupport
import Testing

/// `docs/sources.md`: each part of the source documents, and what of Daybook holds it.
@Suite("The map of the source documents") struct SourceMapTests {
    private static let root = Checkout.root

    /// A row of a table `in the document | what holds it`.
    private struct Row {
        var section: String
        var text: String
        var references: [String]
        var rest: String
    }

    /// The names that a reference may have, each in the form in which the page writes it.
    private static func known() throws -> Set<String> {
        var names: Set<String> = []
        for entry in try ReplayProcess.run(["schema", "--json"]).objects() {
            guard let kind = entry["kind"] as? String, let name = entry["name"] as? String
            else { continue }
            switch kind {
            case "event", "command": names.insert(name)
            case "projection": names.insert("state \(name)")
            case "report", "import", "export": names.insert("\(kind) \(name)")
            case "flow input": names.insert("flow \(name)")
            case "audit":
                for rule in entry["rules"] as? [[String: Any]] ?? [] {
                    if let code = rule["code"] as? String { names.insert("audit \(code)") }
                }
            default: break
            }
        }
        for route in try ReplayProcess.run(["routes", "--json"]).objects() {
            guard let method = route["method"], let path = route["path"] else { continue }
            names.insert("route \(method) \(path)")
        }
        let files = FileManager.default
        for folder in ["Scenarios", "docs", "tools"] {
            let paths = try files.subpathsOfDirectory(atPath: root.appending(path: folder).path)
            names.formUnion(paths.map { "\(folder)/\($0)" })
        }
        let suite = /(?:struct|class|enum) ([A-Z][A-Za-z0-9]*Tests)\b/
        for path in try files.subpathsOfDirectory(atPath: root.appending(path: "Tests").path)
        where path.hasSuffix(".swift") {
            let text = try String(
                contentsOf: root.appending(path: "Tests/\(path)"), encoding: .utf8)
            for match in text.matches(of: suite) { names.insert(String(match.output.1)) }
        }
        return names
    }

    /// The rows of the page's tables whose second column names what holds the first.
    private static func rows() throws -> [Row] {
        let page = try String(contentsOf: root.appending(path: "docs/sources.md"), encoding: .utf8)
        var rows: [Row] = []
        var section = ""
        var isMap = false
        for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("#") { section = String(line.drop { $0 == "#" || $0 == " " }) }
            guard line.hasPrefix("|") else {
                isMap = false
                continue
            }
            if line == "| in the document | what holds it |" { isMap = true }
            let cells = line.dropFirst().dropLast().split(separator: " | ", maxSplits: 1)
            guard isMap, cells.count == 2, !line.hasPrefix("|---"), !line.hasPrefix("| in the ")
            else { continue }
            let code = /`([^`]+)`/
            rows.append(
                Row(
                    section: section, text: String(cells[0]),
                    references: cells[1].matches(of: code).map { String($0.output.1) },
                    rest: cells[1].replacing(code, with: "").filter { !", ".contains($0) }))
        }
        return rows
    }

    @Test("Every row names what holds it, and no row points at nothing")
    func pointsAtSomething() throws {
        let known = try Self.known()
        let rows = try Self.rows()
        #expect(rows.count > 150)
        for row in rows {
            #expect(!row.references.isEmpty, "\(row.section): \(row.text)")
            #expect(row.rest.isEmpty, "\(row.section): \(row.text): '\(row.rest)'")
            for reference in row.references {
                #expect(known.contains(reference), "\(row.section): \(row.text): \(reference)")
            }
        }
    }

    @Test("Every endpoint of the contract, and every area, has its place on the page")
    func isWhole() throws {
        let references = Set(try Self.rows().flatMap(\.references))
        for route in try ReplayProcess.run(["routes", "--json"]).objects() {
            guard let method = route["method"], let path = route["path"] else { continue }
            let serves = route["serves"] as? [String] ?? []
            // What nothing serves is told in the list of what is out.
            guard !serves.isEmpty else { continue }
            #expect(references.contains("route \(method) \(path)"), "\(method) \(path)")
        }
        for name in try Self.known() where name.hasPrefix("state ") || name.hasPrefix("report ") {
            #expect(references.contains(name), "\(name)")
        }
    }

    @Test("A place that is left out has a reason")
    func reasons() throws {
        let page = try String(
            contentsOf: Self.root.appending(path: "docs/sources.md"), encoding: .utf8)
        let out = page.split(separator: "### Out").dropFirst()
        #expect(out.count >= 4)
        for part in out {
            #expect(part.contains("| in the document | why |"))
        }
    }
}
