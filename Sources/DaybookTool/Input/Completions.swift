package import ArgumentParser
import Daybook
import DaybookLibC
import DaybookLog

/// Words that a shell offers to complete a command line.
///
/// These are names that the areas declare, and ids in a log. A completion prints no message: if an
/// error occurs, it offers no words.
package enum Completions {
    /// Largest number of ids that a completion offers.
    private static let maxIDs = 200

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

    /// Names of projections, and of reports with the prefix that `bisect` accepts: `report.daily`.
    static let projectionsAndReports = CompletionKind.custom { _, _, prefix in
        names(prefix) {
            $0.projections.keys.sorted() + $0.reports.keys.sorted().map { "report.\($0)" }
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

    /// Names of file formats that can be imported.
    static let importFormats = CompletionKind.custom { _, _, prefix in
        names(prefix) { $0.imports.map(\.name) + [ImportCommand.cloudEvents] }
    }

    /// Names of file formats that can be exported.
    static let exportFormats = CompletionKind.custom { _, _, prefix in
        names(prefix) { $0.exports.map(\.name) + LogFormat.allCases.map(\.rawValue) }
    }

    /// Names that the command `schema` accepts.
    static let schemaNames = CompletionKind.custom { _, _, prefix in
        names(prefix) { catalogue in
            let names =
                catalogue.events.keys.map(\.name) + Array(catalogue.commands.keys)
                + Array(catalogue.projections.keys) + Array(catalogue.reports.keys)
            let areas = catalogue.events.keys.map { String($0.area) }
            let ruleCodes = catalogue.audits.values.flatMap { $0.rules.map(\.code) }
            return Set(names + areas + ruleCodes).sorted()
        }
    }

    /// Nouns of tags in the log that the command line names, such as `baby` of `baby:7`.
    static let nouns = CompletionKind.custom { words, _, prefix in
        guard let log = log(words), let nouns = try? log.contents.nouns() else { return [] }
        return matching(nouns.sorted(), prefix)
    }

    /// Ids of the entities of the projection that the command line names.
    static let entityKeys = CompletionKind.custom { words, _, prefix in
        guard let catalogue = try? catalogue(), let log = log(words) else { return [] }
        let index = words.firstIndex(of: "--projection").map { $0 + 1 }
        let optionValue = index.flatMap {
            $0 < words.count ? catalogue.projections[words[$0]] : nil
        }
        let projection = optionValue ?? words.lazy.compactMap { catalogue.projections[$0] }.first
        guard let noun = projection?.noun else { return [] }
        return (try? log.contents.ids(of: noun, startingWith: prefix, limit: maxIDs)) ?? []
    }

    /// Words after `report`: the report's name, its options and their known values.
    static let reportArguments = CompletionKind.custom { words, index, prefix in
        guard let catalogue = try? catalogue() else { return [] }
        // The words include the program's name and the command only in some shells.
        let nameIndex = words.firstIndex(of: "report").map { $0 + 1 } ?? 0
        let reportWords = words.dropFirst(nameIndex)
        guard let name = reportWords.first, index > nameIndex, let report = catalogue.reports[name]
        else {
            return matching(catalogue.reports.keys.sorted() + ["--help"], prefix)
        }
        let previousWord = words.indices.contains(index - 1) ? words[index - 1] : ""
        if let values = values(of: previousWord, report, words, prefix) {
            return matching(values, prefix)
        }
        let options =
            report.arguments.map { "--\($0.option)" }
            + ReportArguments.reservedNames.map { "--\($0)" }
        return matching(options.sorted(), prefix)
    }

    /// Returns the words to offer as the value of an option of `report`; `nil` if `report` has no
    /// such option, or if the option takes no value.
    private static func values(
        of option: String, _ report: ReportDescription, _ words: [String], _ prefix: String
    ) -> [String]? {
        switch option {
        case "--rules": return (try? catalogue().rules.map(\.name)) ?? []
        case "--format": return report.formNames
        case "--shape":
            return report.renderers.filter { $0.value.rules != nil }.keys.map(\.name).sorted()
        case "--log", "--head-file", "--key-file", "--tzdata": return files(prefix)
        default: break
        }
        guard let field = report.arguments.first(where: { "--\($0.option)" == option }) else {
            return nil
        }
        if let subject = report.subject, subject.argument == field.name, let log = log(words) {
            return (try? log.contents.ids(of: subject.noun, startingWith: prefix, limit: maxIDs))
                ?? []
        }
        if field.form.hasPrefix("one of ") {
            return field.form.dropFirst(7).split(separator: ", ").map(String.init)
        }
        return field.form.hasPrefix("boolean") ? nil : []
    }

    /// Returns the files and folders that a path may continue with; the paths of folders end with a
    /// slash.
    private static func files(_ prefix: String) -> [String] {
        let folder = prefix.lastIndex(of: "/").map { String(prefix[...$0]) } ?? ""
        guard let entries = unsafe opendir(folder.isEmpty ? "." : folder) else { return [] }
        defer { unsafe closedir(entries) }
        var found: [String] = []
        while let entry = unsafe readdir(entries) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { name in
                    unsafe String(cString: name)
                }
            }
            guard !name.hasPrefix(".") else { continue }
            var status = stat()
            let path = folder + name
            let isFolder =
                unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
            found.append(isFolder ? path + "/" : path)
        }
        return found.sorted()
    }

    /// Returns the names that `known` selects from the catalogue and that begin with a prefix.
    private static func names(
        _ prefix: String, _ known: (Catalogue) -> [String]
    ) -> [String] {
        guard let catalogue = try? catalogue() else { return [] }
        return matching(known(catalogue), prefix)
    }

    /// Returns the names that begin with a prefix.
    private static func matching(_ names: [String], _ prefix: String) -> [String] {
        names.filter { $0.hasPrefix(prefix) }
    }

    /// Opens the log that the words of the command line or the environment name; `nil` if the log
    /// cannot be read.
    private static func log(_ words: [String]) -> EventLog? {
        let option = words.firstIndex(of: "--log").map { $0 + 1 }
        let named = option.flatMap { $0 < words.count ? words[$0] : nil }
        guard let path = named ?? Terminal.variable("DAYBOOK_LOG") else { return nil }
        return try? EventLog(path: path, access: .read)
    }
}
