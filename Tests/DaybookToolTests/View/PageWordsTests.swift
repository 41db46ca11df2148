import ArgumentParser
import Foundation
import Testing

@testable import DaybookTool

/// The commands and options that a live page may run.
@Suite struct PageWordsTests {
    /// The commands of the table, with the type that declares their options.
    static let declarations: [String: any ParsableArguments.Type] = [
        "audit": AuditCommand.self, "bisect": BisectCommand.self, "blame": BlameCommand.self,
        "capture": CaptureCommand.self, "compare": CompareCommand.self,
        "history": HistoryCommand.self, "late": LateCommand.self, "list": ListCommand.self,
        "log": LogCommand.self, "order-safety": OrderSafetyCommand.self,
        "report": ReportCall.self, "routes": RoutesCommand.self, "schema": SchemaCommand.self,
        "stat": StatCommand.self, "state": StateCommand.self, "trace": TraceCommand.self,
        "transitions": TransitionsCommand.self, "what-if": WhatIfCommand.self,
        "view": ViewCommand.self,
    ]

    /// The options of a command, as the parser describes them: names, and whether they take a value.
    private static func options(
        of declarations: any ParsableArguments.Type
    ) throws -> (values: Set<String>, flags: Set<String>) {
        let json = try JSONSerialization.jsonObject(with: Data(declarations._dumpHelp().utf8))
        let command = try #require((json as? [String: Any])?["command"] as? [String: Any])
        var options: (values: Set<String>, flags: Set<String>) = ([], [])
        for argument in try #require(command["arguments"] as? [[String: Any]]) {
            for name in argument["names"] as? [[String: String]] ?? [] {
                let dashed = (name["kind"] == "long" ? "--" : "-") + (name["name"] ?? "")
                if argument["kind"] as? String == "flag" {
                    options.flags.insert(dashed)
                } else {
                    options.values.insert(dashed)
                }
            }
        }
        return options
    }

    @Test("Each option of each command is allowed or refused, and no other option is named")
    func complete() throws {
        let table = PageWords.questions.merging(["view": PageWords.story]) { $1 }
        #expect(Set(table.keys) == Set(Self.declarations.keys))
        for (name, declarations) in Self.declarations {
            let words = try #require(table[name])
            var declared = try Self.options(of: declarations)
            // The program adds these; a report declares none.
            declared.flags.formUnion(["--version", "--help", "-h"])
            let all = declared.values.union(declared.flags)
            let listed = words.values.union(words.flags).union(words.refused)
            #expect(all.subtracting(listed) == [], "\(name): decide about these in PageWords")
            #expect(listed.subtracting(all) == [], "\(name) has no such option")
            #expect(words.values.isSubset(of: declared.values), "\(name): a value")
            #expect(words.flags.isSubset(of: declared.flags), "\(name): no value")
            #expect(words.values.union(words.flags).isDisjoint(with: words.refused), "\(name)")
        }
    }

    /// Options that name files or write, as their descriptions say.
    @Test("No allowed option is completed with the name of a file")
    func files() throws {
        let table = PageWords.questions.merging(["view": PageWords.story]) { $1 }
        for (name, words) in table {
            let help = try #require(Self.declarations[name])._dumpHelp()
            let json = try JSONSerialization.jsonObject(with: Data(help.utf8))
            let command = try #require((json as? [String: Any])?["command"] as? [String: Any])
            for argument in try #require(command["arguments"] as? [[String: Any]]) {
                let completion = argument["completionKind"] as? [String: Any] ?? [:]
                guard completion["file"] != nil || completion["directory"] != nil else { continue }
                let names = argument["names"] as? [[String: String]] ?? []
                #expect(
                    names.allSatisfy { words.refused.contains("--\($0["name"] ?? "")") },
                    "\(name) \(names)")
                if names.isEmpty { #expect(words.argumentCount == 0, "\(name)") }
            }
        }
    }

    @Test("Words are allowed only as the parser would read them")
    func check() {
        for (words, reason) in [
            (["state", "entry", "e1", "--at", "17"], nil),
            (["state", "entry", "e1", "--at=17", "--json"], nil),
            (["state", "-n", "5", "entry"], nil),
            (["state", "entry", "--", "--log"], nil),
            (["state", "entry", "-"], nil),
            (["log", "--from", "-2h", "--kind", "a", "--kind", "b", "--reverse"], nil),
            (["log", "--from=--log=/etc/passwd"], nil),
            (["compare", "--projection", "entry", "--other-rules", "source"], nil),
            (["schema", "--help"], nil),
            ([], "does not run ''"),
            (["append"], "does not run 'append'"),
            (["State", "entry"], "does not run"),
            (["--log", "x", "state"], "does not run"),
            (["state", "entry", "--log", "x"], "--log"),
            (["state", "entry", "--log=x"], "--log"),
            (["state", "entry", "e1", "e2"], "at most 2"),
            (["state", "entry", "--", "e1", "e2"], "at most 2"),
            (["state", "entry", "--json=1"], "--json"),
            (["state", "entry", "--at"], "needs a value"),
            (["state", "entry", "--at", "--log"], "needs a value"),
            (["state", "entry", "--at", "-"], "needs a value"),
            (["state", "entry", "--at\0", "1"], "NUL"),
            (["state", "entry", "--at", "1\0"], "NUL"),
            (["state", "-n5"], "-n5"),
            (["state", "—at", "1", "2"], "at most 2"),
            (["state", "-\u{301}"], "does not run commands with"),
            (["log", "--follow"], "--follow"),
            (["log", "--query", "f"], "--query"),
            (["compare", "a.trace"], "at most 0"),
            (["compare", "--expect", "f"], "--expect"),
            (["what-if", "entry", "--insert", "-"], "--insert"),
            (["what-if", "entry", "--again", "f"], "--again"),
            (["capture", "entry", "--output", "f"], "--output"),
            (["capture", "entry", "--tzdata", "f"], "--tzdata"),
            (["stat", "--sign", "key"], "--sign"),
            (["report", "daily", "--issue"], "--issue"),
            (["report", "daily", "--by", "u"], "--by"),
        ] as [([String], String?)] {
            #expect(Self.reason(words) == nil || reason != nil, "\(words)")
            if let reason { #expect(Self.reason(words)?.contains(reason) == true, "\(words)") }
        }
        let refused = Self.reason(["state", "entry"], needsPseudonyms: true)
        #expect(refused?.contains("pseudonyms") == true)
        #expect(Self.reason(["capture", "entry"], needsPseudonyms: true) != nil)
        #expect(Self.reason(["capture", "entry", "--pseudonymise"], needsPseudonyms: true) == nil)
    }

    /// The reason why words are refused; `nil` if they are allowed.
    private static func reason(_ words: [String], needsPseudonyms: Bool = false) -> String? {
        do throws(PageWordsError) {
            try PageWords.check(question: words, needsPseudonyms: needsPseudonyms)
            return nil
        } catch {
            guard case .refused(let reason) = error else { return nil }
            return reason
        }
    }
}
