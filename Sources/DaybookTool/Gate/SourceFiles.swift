import Daybook

/// The source files below the working folder, found by their module and name.
///
/// A program knows only the module and the name of a file in which a rule is declared. A build
/// server runs the program in the checkout, where the files of a module are in a folder of its name.
struct SourceFiles {
    /// Paths of Swift files relative to the working folder, by the name of the file.
    private let pathsByName: [String: [String]]

    /// Finds the files in the folder `Sources` of the working folder.
    init() {
        // Without the folder, findings have no places.
        let paths = (try? Folders.subpaths(of: "Sources")) ?? []
        let files = paths.filter { $0.hasSuffix(".swift") }.map { "Sources/\($0)" }
        pathsByName = Dictionary(grouping: files) { path in
            path.split(separator: "/").last.map(String.init) ?? path
        }
    }

    /// Returns the file and line of a place; `nil` unless exactly one file fits.
    func place(of place: SourcePlace) -> GateReport.FilePlace? {
        let parts = place.fileID.split(separator: "/")
        guard parts.count == 2, let module = parts.first, let name = parts.last else { return nil }
        let found = (pathsByName[String(name)] ?? []).filter { path in
            path.split(separator: "/").dropLast().contains(module)
        }
        guard found.count == 1, let path = found.first else { return nil }
        return GateReport.FilePlace(path: path, line: place.line)
    }
}
