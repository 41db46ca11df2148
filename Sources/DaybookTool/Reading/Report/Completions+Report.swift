import ArgumentParser
import Daybook
import DaybookLibC
import DaybookLog

extension Completions {
    /// Words after `report`: the report's name, its options and their known values.
    static let reportArguments = CompletionKind.custom { words, index, prefix in
        let catalogue = catalogue()
        // The words include the program's name and the command only in some shells.
        let nameIndex = words.firstIndex(of: "report").map { $0 + 1 } ?? 0
        let reportWords = words.dropFirst(nameIndex)
        guard let name = reportWords.first, index > nameIndex, let report = catalogue.reports[name]
        else { return matching(catalogue.reports.keys.sorted() + ["--help"], prefix) }
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
        case "--rules": return catalogue().rules.map(\.name)
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

    /// Returns the files and folders that a path may continue with; a slash ends a folder's.
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
            let isFolder = unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
            found.append(isFolder ? path + "/" : path)
        }
        return found.sorted()
    }
}
