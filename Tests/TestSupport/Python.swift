/// Python, where a test needs another language or another process.
public enum Python {
    public static let hasLMDB = (try? run("import lmdb", []).code) == 0

    /// Runs a script.
    public static func run(_ script: String, _ arguments: [String]) throws -> Program.Answer {
        try Program.run(["python3", "-c", script] + arguments)
    }
}
