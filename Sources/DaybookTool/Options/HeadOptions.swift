import ArgumentParser
import Daybook
import DaybookLibC
import DaybookLog

/// Options that name heads: the position and chain value of a commit that the log must contain.
struct HeadOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Head that the log must contain, as printed by 'stat'; may be repeated.",
            valueName: "position:chain"))
    var since: [String] = []

    /// Path of a file with one head per line; `nil` without a file.
    @Option(
        help: ArgumentHelp(
            "File of heads that the log must contain, one per line; # begins a comment.",
            valueName: "file"), completion: .file())
    var heads: String?

    /// Paths of public keys; one of them must have signed each line of the file.
    @Option(
        help: ArgumentHelp(
            "Public key (PEM) that must have signed each line of --heads; if repeated, one of the "
                + "keys must have signed it.",
            valueName: "key"))
    var signedBy: [String] = []

    func validate() throws {
        if heads == nil, !signedBy.isEmpty {
            throw ValidationError(
                "--signed-by checks the signatures in the file of --heads; give --heads too.")
        }
        for text in since where Head(text) == nil {
            throw ValidationError(
                "--since: expected a head as '\(Program.name) stat' prints it: a position, a colon and 64 "
                    + "hexadecimal digits, found '\(text)'.")
        }
    }

    /// Returns the heads of `--since` and `--heads`.
    ///
    /// - Throws: `Failure` for the last wrong line of the file; the other wrong lines are printed
    ///   before.
    func expectedHeads() throws -> [ExpectedHead] {
        var expected = since.compactMap { text in
            Head(text).map { ExpectedHead(source: "--since", head: $0) }
        }
        let keys = try signedBy.map(KeyFile.verifyingKey)
        guard let heads else { return expected }
        let lines = try ExpectedHead.readAll(from: heads, signedBy: keys)
        guard !lines.isEmpty else {
            throw Failure(
                .usage, "\(heads): the file contains no head; write one POSITION:CHAIN per line")
        }
        expected.append(contentsOf: lines)
        return expected
    }
}

/// A head that a log must contain, with the place where it was given.
struct ExpectedHead {
    /// Option, or file and line number, that gave the head.
    var source: String
    /// Position and chain value of the expected commit.
    var head: Head
    /// The signed head from which `head` was read; `nil` for an unsigned head.
    var signed: SignedHead?
    /// True if one of the given keys signed the head; always true for an unsigned head.
    var isAuthentic = true

    /// Reads the heads of logs from a file with one head per line.
    ///
    /// - Throws: `Failure` for the last invalid line, after printing the errors of the other
    ///   invalid lines.
    static func readAll(
        from path: String, signedBy keys: [HeadVerifyingKey]
    ) throws -> [ExpectedHead] {
        var expected: [ExpectedHead] = []
        var wrong: [String] = []
        let lines = try InputFile.bytes(of: path).split(
            separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, bytes) in lines.enumerated() {
            let text = content(of: bytes)
            guard !text.isEmpty else { continue }
            let source = "\(path):\(index + 1)"
            if let signed = SignedHead(text) {
                guard !keys.isEmpty else {
                    wrong.append(
                        "\(source): the head is signed; give its public key with --signed-by")
                    continue
                }
                expected.append(
                    ExpectedHead(
                        source: source, head: signed.head, signed: signed,
                        isAuthentic: keys.contains(where: signed.isSigned)))
            } else if let head = Head(text) {
                guard keys.isEmpty else {
                    wrong.append(
                        "\(source): the head is not signed, but --signed-by requires signed heads")
                    continue
                }
                expected.append(ExpectedHead(source: source, head: head))
            } else {
                wrong.append(
                    "\(source): the line is not a head as '\(Program.name) stat' or "
                        + "'\(Program.name) stat --sign' prints it")
            }
        }
        guard let last = wrong.last else { return expected }
        for message in wrong.dropLast() { StandardError.message("\(message)") }
        throw Failure(.usage, last)
    }

    /// Returns a line without its comment and the spaces around its content.
    private static func content(of line: some Sequence<UInt8>) -> String {
        let isSpace = { (byte: UInt8) in [0x20, 0x09, 0x0D].contains(byte) }
        let content = line.prefix { $0 != UInt8(ascii: "#") }.drop(while: isSpace)
        let end = content.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? content.startIndex
        return String(decoding: content[..<end], as: UTF8.self)
    }

    /// Returns a finding with the reason why the log does not contain the head, or why the head's
    /// signature is invalid.
    ///
    /// - Returns: `nil` if the log contains the head and the signature is valid.
    func finding(in log: EventLog) -> Verification.Finding? {
        guard isAuthentic else {
            return Verification.Finding(
                at: head.position, rule: "signature",
                message: "\(source): the signature of \(head) matches none of the given keys")
        }
        guard let reason = reason(in: log) else { return nil }
        return Verification.Finding(
            at: head.position, rule: "head",
            message: "\(source): the log does not contain \(head): \(reason)")
    }

    /// Returns the reason why the log does not contain the head; `nil` if the log contains it.
    private func reason(in log: EventLog) -> String? {
        if let signed, signed.log != log.id { return "\(HeadMismatch.otherLog(id: signed.log))" }
        do throws(LogError) {
            return try log.mismatch(with: head).map { "\($0)" }
        } catch {
            return "\(error)"
        }
    }
}

/// Reader of files that hold a key for signed heads; messages never show a byte of the file.
enum KeyFile {
    /// Largest size in bytes of a key file; a private or public key is much shorter.
    private static let byteLimit = 4_096

    /// Reads the private key in a file; warns if other users can read the file.
    static func signingKey(_ path: String) throws -> HeadSigningKey {
        if isReadableByOthers(path) {
            StandardError.message(
                "warning: \(path): other users can read this private key; restrict "
                    + "it with 'chmod 600'")
        }
        let bytes = try bytes(of: path)
        do throws(HeadKeyError) {
            return try HeadSigningKey(pem: bytes)
        } catch {
            throw Failure(.usage, "\(path): \(error)")
        }
    }

    /// Reads the public key in a file.
    static func verifyingKey(_ path: String) throws -> HeadVerifyingKey {
        let bytes = try bytes(of: path)
        do throws(HeadKeyError) {
            return try HeadVerifyingKey(pem: bytes)
        } catch {
            throw Failure(.usage, "\(path): \(error)")
        }
    }

    /// True if the path is a regular file that the group or all users may read.
    private static func isReadableByOthers(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
            && status.st_mode & (S_IRGRP | S_IROTH) != 0
    }

    /// Returns the bytes of a file that is short enough to be a key file.
    private static func bytes(of path: String) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try InputFile.forEachChunk(of: path) { chunk in
            bytes.append(contentsOf: chunk)
            guard bytes.count <= byteLimit else {
                throw Failure(
                    .usage,
                    "\(path): the file is too long to be a key file; expected at most "
                        + "\(byteLimit) bytes")
            }
        }
        return bytes
    }
}
