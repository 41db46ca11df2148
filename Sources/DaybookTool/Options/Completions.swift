package import ArgumentParser
import Daybook
import DaybookLog

/// Words that a shell offers to complete a command line.
///
/// These are names that the areas declare, and ids in a log. A completion prints no message: if an
/// error occurs, it offers no words.
package enum Completions {
    /// Largest number of ids that a completion offers.
    static let maxIDs = 200

    /// Names of projections.
    static let projections = CompletionKind.custom { _, _, prefix in
        names(prefix) { $0.projections.keys.sorted() }
    }

    /// Names of state machines.
    static let machines = CompletionKind.custom { _, _, prefix in
        names(prefix) { $0.machines.keys.sorted() }
    }

    /// Names of reports.
    static let reports = CompletionKind.custom { _, _, prefix in
        names(prefix) { $0.reports.keys.sorted() }
    }

    /// Names of projections, their nouns, and reports with the prefix that `bisect` accepts:
    /// `report.daily`.
    static let projectionsAndReports = CompletionKind.custom { _, _, prefix in
        names(prefix) {
            Set($0.projections.keys).union($0.projections.values.map(\.noun)).sorted()
                + $0.reports.keys.sorted().map { "report.\($0)" }
        }
    }

    /// Names of event kinds, with and without their version.
    static let eventKinds = CompletionKind.custom { _, _, prefix in
        names(prefix) { catalogue in
            let kinds = Set(catalogue.events.keys).union(catalogue.upcasters.keys)
            return Set(kinds.map { String($0.stem) } + kinds.map(\.name)).sorted()
        }
    }

    /// Names of rule sets.
    package static let rules = CompletionKind.custom { _, _, prefix in
        names(prefix) { $0.rules.map(\.name) }
    }

    /// Codes of the rules that `audit` checks.
    static let auditRules = CompletionKind.custom { _, _, prefix in
        names(prefix) { $0.audits.values.flatMap { $0.rules.map(\.code) }.sorted() }
    }

    /// Nouns of tags in the log that the command line names, such as `baby` of `baby:7`.
    static let nouns = CompletionKind.custom { words, _, prefix in
        guard let log = log(words), let nouns = try? log.contents.nouns() else { return [] }
        return matching(nouns.sorted(), prefix)
    }

    /// Ids of the entities of the projection that the command line names.
    static let entityKeys = CompletionKind.custom { words, _, prefix in
        guard let log = log(words) else { return [] }
        let catalogue = catalogue()
        let index = words.firstIndex(of: "--projection").map { $0 + 1 }
        let optionValue = index.flatMap {
            $0 < words.count ? catalogue.projections[words[$0]] : nil
        }
        let nouns = Set(catalogue.projections.values.map(\.noun))
        let named = words.lazy.compactMap { word in
            catalogue.projections[word]?.noun ?? (nouns.contains(word) ? word : nil)
        }.first
        guard let noun = optionValue?.noun ?? named else { return [] }
        return (try? log.contents.ids(of: noun, startingWith: prefix, limit: maxIDs)) ?? []
    }

    /// Returns the names that `known` selects from the catalogue and that begin with a prefix.
    static func names(
        _ prefix: String, _ known: (Catalogue) -> [String]
    ) -> [String] {
        matching(known(catalogue()), prefix)
    }

    /// Returns the names that begin with a prefix.
    static func matching(_ names: [String], _ prefix: String) -> [String] {
        names.filter { $0.hasPrefix(prefix) }
    }

    /// Opens the log that the words of the command line or the environment name; `nil` if the log
    /// cannot be read.
    static func log(_ words: [String]) -> EventLog? {
        let option = words.firstIndex(of: "--log").map { $0 + 1 }
        let named = option.flatMap { $0 < words.count ? words[$0] : nil }
        guard let path = named ?? Terminal.variable("DAYBOOK_LOG") else { return nil }
        return try? EventLog(path: path, access: .read)
    }
}
