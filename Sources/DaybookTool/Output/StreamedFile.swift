import DaybookLog

/// A file that a command writes part by part, and that appears only when it is complete.
enum StreamedFile {
    /// Calls `body` with a function that appends a part to a file; without a path, to standard
    /// output.
    ///
    /// - Parameter isPrivate: true to let only the owner read the file.
    static func write(
        to path: String?, over existing: OutputFile.Existing, isPrivate: Bool,
        _ body: (_ append: ([UInt8]) throws -> Void) throws -> Void
    ) throws {
        guard let path else { return try body { Output.bytes($0) } }
        try OutputFile.check(path, over: existing)
        let isFolder = Folders.isFolder(path)
        guard isFolder != true else {
            throw Failure(.usage, "\(path): the path is a folder; give the path of a file")
        }
        do {
            if isFolder == nil {
                let file = try StagedFile(for: path, isPrivate: isPrivate)
                try fill(file.descriptor, path, body)
                try file.publish()
            } else {
                let file = try StagedFile(replacing: path)
                try fill(file.descriptor, path, body)
                if !isPrivate { try file.copyPermissions(of: path) }
                try file.replace()
            }
        } catch LogError.file(let error) {
            throw Failure(.usage, error)
        }
    }

    private static func fill(
        _ descriptor: Int32, _ path: String,
        _ body: (_ append: ([UInt8]) throws -> Void) throws -> Void
    ) throws {
        try body { bytes in
            do throws(SystemError) { try FileWriting.write(bytes, to: descriptor) } catch {
                throw Failure(.usage, "\(path): the file cannot be written: \(error)")
            }
        }
    }
}
