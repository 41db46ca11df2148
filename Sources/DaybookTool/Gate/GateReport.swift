import Daybook
import DaybookInvestigation
import DaybookScenarios

/// The findings of a command that checks something, for reports that build servers read.
struct GateReport {
    /// Name of the command, such as `audit`.
    let command: String
    var rules: [Rule]
    var findings: [Finding] = []
    /// Sentence about what was checked, shown if there are no findings.
    let summary: String

    /// A rule that was checked: of an audit, or that two sides are equal.
    struct Rule {
        /// Code of the rule, such as `B7`.
        let id: String
        /// Sentence that says what is wrong if the rule is violated.
        let sentence: String
        /// Place where the rule is declared, relative to the working folder; `nil` if unknown.
        var place: FilePlace?
    }

    struct Finding {
        let rule: String
        /// Entity that shows the violation, such as `entry:7`; empty if there is none.
        let entity: String
        let message: String
        /// Text that is the same for the same violation in a later run.
        let identity: String
        /// Place at which to show the violation; `nil` means the place of the rule.
        var place: FilePlace?
    }

    /// A line of a file.
    struct FilePlace: Equatable {
        /// Path of the file, relative to the working folder unless the user named it.
        let path: String
        /// Number of the line, from 1.
        let line: Int

        init(path: String, line: Int) {
            self.path = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
            self.line = line
        }
    }

    private func rule(of finding: Finding) -> Rule? { rules.first { $0.id == finding.rule } }

    private func place(of finding: Finding) -> FilePlace? {
        finding.place ?? rule(of: finding)?.place
    }

    /// Returns the place of a result in SARIF whose place is not known, because code scanning
    /// requires one: the file that declares the package, or else the file that was asked.
    private static func place(asked path: String) -> FilePlace {
        let isPackage = Folders.isFolder("Package.swift") == false
        return FilePlace(path: isPackage ? "Package.swift" : path == "-" ? "stdin" : path, line: 1)
    }

    /// Prints the report in a form for build servers, and nothing in any other form.
    ///
    /// - Parameter tests: tests of the JUnit report; `nil` means one for each rule.
    func print(
        as form: GateForm, of path: String, tests: @autoclosure () -> [JUnitReport.Test]? = nil
    ) {
        switch form {
        case .text, .json: break
        case .junit:
            Output.text(JUnitReport.xml(tests() ?? ruleTests, suite: "\(Program.name) \(command)"))
        case .sarif: Output.json(sarif(asked: Self.place(asked: path)))
        case .annotations: Output.text(annotations)
        }
    }
}

// JUnit.
extension GateReport {
    /// A test for each rule, named by the code of the rule. The sentence of a rule says what is
    /// wrong, so that only failures have it.
    private var ruleTests: [JUnitReport.Test] {
        rules.map { rule in
            let found = findings.filter { $0.rule == rule.id }
            return JUnitReport.Test(
                group: command, name: rule.id, file: rule.place?.path, line: rule.place?.line,
                failures: found.map { .init(message: "\(rule.sentence): \($0.title)") })
        }
    }
}

extension GateReport.Finding {
    fileprivate var title: String { entity.isEmpty ? message : "\(entity): \(message)" }
}

// Workflow commands.
extension GateReport {
    /// The report as workflow commands of GitHub, one line for each finding.
    ///
    /// Source: "Workflow commands for GitHub Actions", GitHub's documentation.
    private var annotations: String {
        guard !findings.isEmpty else {
            return Self.annotation("notice", nil, "\(Program.name) \(command)", summary)
        }
        return findings.map { finding in
            let sentence = rule(of: finding).map { "\($0.id) \($0.sentence)" } ?? finding.rule
            return Self.annotation("error", place(of: finding), sentence, finding.title)
        }.joined()
    }

    private static func annotation(
        _ level: String, _ place: FilePlace?, _ title: String, _ message: String
    ) -> String {
        var properties = place.map { ["file=\(escape($0.path))", "line=\($0.line)"] } ?? []
        properties.append("title=\(escape(title))")
        return "::\(level) \(properties.joined(separator: ","))::\(escapeMessage(message))\n"
    }

    /// Returns a message with invisible characters made visible, and line breaks escaped.
    private static func escapeMessage(_ text: String) -> String {
        text.visible.replacing("%", with: "%25").replacing("\r", with: "%0D")
            .replacing("\n", with: "%0A")
    }

    /// Returns the value of a property, in which colons and commas are escaped too.
    private static func escape(_ text: String) -> String {
        escapeMessage(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
    }
}

// SARIF.
extension GateReport {
    /// Returns the report in SARIF 2.1.0 (OASIS); `asked` is the place of results without one.
    private func sarif(asked: FilePlace) -> String {
        var writer = JSONWriter()
        writer.object { log in
            log.member("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
            log.member("version", "2.1.0")
            log.array("runs") { runs in
                runs.object { run in
                    run.object("tool") { tool in tool.object("driver") { writeDriver(to: &$0) } }
                    run.member("columnKind", "utf16CodeUnits")
                    run.array("results") { results in
                        var counts: [String: Int] = [:]
                        for finding in findings {
                            let count = counts[finding.identity, default: 0] + 1
                            counts[finding.identity] = count
                            results.object { write(finding, count, asked, to: &$0) }
                        }
                    }
                }
            }
        }
        return writer.text
    }

    private func writeDriver(to driver: inout JSONWriter) {
        driver.member("name", "\(Program.name) \(command)")
        driver.member("version", Program.toolVersion)
        driver.array("rules") { list in
            for rule in rules {
                list.object { object in
                    object.member("id", rule.id)
                    object.object("shortDescription") { $0.member("text", rule.sentence) }
                }
            }
        }
    }

    /// Writes the `number`th result with an identity: code scanning shows one for a fingerprint.
    private func write(
        _ finding: Finding, _ number: Int, _ asked: FilePlace, to result: inout JSONWriter
    ) {
        result.member("ruleId", finding.rule)
        if let index = rules.firstIndex(where: { $0.id == finding.rule }) {
            result.member("ruleIndex", Int64(index))
        }
        result.member("level", "error")
        result.object("message") { $0.member("text", finding.title) }
        result.array("locations") { locations in
            locations.object { location in
                location.object("physicalLocation") {
                    Self.write(place(of: finding) ?? asked, to: &$0)
                }
                location.array("logicalLocations") { list in
                    list.object { object in
                        let name = finding.entity.isEmpty ? finding.rule : finding.entity
                        object.member("fullyQualifiedName", name)
                    }
                }
            }
        }
        result.name("partialFingerprints")
        let identity = finding.identity + (number > 1 ? "/\(number)" : "")
        result.object { $0.member("daybook/v1", identity) }
    }

    private static func write(_ place: FilePlace, to location: inout JSONWriter) {
        location.object("artifactLocation") { artifact in
            artifact.member("uri", uri(of: place.path))
            if !place.path.hasPrefix("/"), !StoreAddress.isAddress(place.path) {
                artifact.member("uriBaseId", "%SRCROOT%")
            }
        }
        location.object("region") { $0.member("startLine", Int64(place.line)) }
    }

    /// Returns a path as a URI reference (RFC 3986); an address of a log is one.
    private static func uri(of path: String) -> String {
        if StoreAddress.isAddress(path) { return path }
        var uri = path.hasPrefix("/") ? "file://" : ""
        for byte in path.utf8 {
            let scalar = Unicode.Scalar(byte)
            let isPlain =
                (97...122).contains(byte) || (65...90).contains(byte) || (48...57).contains(byte)
                || "-._~/".unicodeScalars.contains(scalar)
            if isPlain {
                uri.unicodeScalars.append(scalar)
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                uri += "%" + (digits.count < 2 ? "0" : "") + digits
            }
        }
        return uri
    }
}
