import DaybookLibC

/// The words with which the process was started, the program's own name first.
///
/// Where Swift's runtime is linked statically, it looks for them beside the environment, and finds
/// none after another library has moved that. The system still knows them then.
enum ProgramArguments {
    /// The words; empty if nobody knows them.
    static let all: [String] = CommandLine.arguments.isEmpty ? ofSystem() : CommandLine.arguments

    /// The words after the program's name.
    static var words: [String] { Array(all.dropFirst()) }

    /// Throws a failure if there is not even a name of the program: what was asked is unknown then.
    static func check() throws(Failure) {
        guard all.allSatisfy(\.isEmpty) else { return }
        throw Failure(
            .usage, "the arguments of this process cannot be read, so that nothing was done")
    }

    /// Returns the words from Linux's file of them; empty on other systems.
    private static func ofSystem() -> [String] {
        guard let bytes = try? InputFile.bytes(of: "/proc/self/cmdline") else { return [] }
        return bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast()
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// Replaces this process by another program, which gets all words and the environment.
    ///
    /// - Returns: the error of the system.
    static func handOver(to program: String) -> SystemError {
        let copies = unsafe all.map { unsafe strdup($0) }
        defer { unsafe copies.forEach { unsafe free($0) } }
        _ = unsafe execv(program, copies + [nil])
        return SystemError()
    }
}
