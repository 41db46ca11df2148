/// A fault in an input, with the file, line and field where it was found.
public struct InputError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file as the user named it; `nil` until a caller adds it with `inFile(_:)`.
    public var file: String?
    /// Number of the line in the file, from 1; `nil` if not known.
    public var line: Int?
    /// Path of the faulty field: `data.launchId`, `when[2].network`; empty if no field is at fault.
    public var field: String
    /// A description of the fault for people, without file, line and field.
    public var message: String

    public init(_ message: String, file: String? = nil, line: Int? = nil, field: String = "") {
        self.message = message
        self.file = file
        self.line = line
        self.field = field
    }

    /// Returns a copy of the error that names the file.
    public func inFile(_ file: String) -> InputError {
        var error = self
        error.file = file
        return error
    }

    public var description: String {
        var parts: [String] = []
        if let file { parts.append(line.map { "\(file):\($0)" } ?? file) }
        if file == nil, let line { parts.append("line \(line)") }
        if !field.isEmpty { parts.append("field '\(field)'") }
        return (parts + [message]).joined(separator: ": ")
    }
}
