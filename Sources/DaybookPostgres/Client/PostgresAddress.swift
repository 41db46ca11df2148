#if PostgreSQL
    import CDaybookPQ
    import DaybookLibC

    /// The place of a log in a database, as a URL of libpq with the name of the log.
    ///
    ///     postgres://kim@db.example/diary?log=home
    ///     postgres:///diary?host=/run/postgresql&log=home
    ///
    /// Any parameter of libpq may follow after `?`, such as `sslmode`, except a password, which
    /// lists of processes and messages would show.
    package struct PostgresAddress: Equatable, Sendable, CustomStringConvertible {
        /// The reason why a text is not an address.
        package struct Invalid: Error, Equatable, Sendable, CustomStringConvertible {
            /// The reason in a sentence, without the parts of the text that may be a password.
            package var description: String
        }

        /// The URL with the name of the log, as it was given.
        package let description: String
        /// The name of the log; `nil` for the database as a whole.
        package let log: String?
        /// The parameters of libpq, by name.
        let parameters: [Parameter]

        /// A parameter of libpq, such as `host`.
        struct Parameter: Equatable, Sendable {
            var name: String
            var value: String
        }

        /// True if a text begins as an address does, so that it is no path of a file.
        package static func isAddress(_ text: String) -> Bool {
            ["postgres://", "postgresql://"].contains { text.hasPrefix($0) }
        }

        package init(_ text: String) throws(Invalid) {
            guard Self.isAddress(text) else {
                throw Invalid(
                    description: "the address of a log in PostgreSQL begins with postgres://")
            }
            try Self.checkHasNoPassword(text)
            let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
            var options = parts.count > 1 ? parts[1].split(separator: "&") : []
            let logs = options.filter { $0.hasPrefix("log=") }
            options.removeAll { $0.hasPrefix("log=") }
            guard logs.count <= 1 else { throw Invalid(description: "the address names two logs") }
            if let option = logs.first {
                let name = Self.decoded(option.dropFirst(4))
                guard let name, (1...255).contains(name.unicodeScalars.count),
                    !name.utf8.contains(0)
                else {
                    throw Invalid(
                        description: "the name of a log has 1 to 255 characters, in UTF-8 and with "
                            + "% and two digits in place of special ones")
                }
                log = name
            } else {
                log = nil
            }
            var url = String(parts[0])
            if !options.isEmpty { url += "?" + options.joined(separator: "&") }
            parameters = try Self.parameters(of: url)
            description = text
        }

        /// Throws an error for an address with a password; the message repeats no part of it.
        private static func checkHasNoPassword(_ text: String) throws(Invalid) {
            let rest = text.drop { $0 != ":" }.dropFirst(3)
            let authority = rest.prefix { $0 != "/" && $0 != "?" }
            let user = authority.lastIndex(of: "@").map { authority[..<$0] } ?? ""
            let options = rest.drop { $0 != "?" }.dropFirst().split(separator: "&")
            let names = options.map { decoded($0.prefix { $0 != "=" }) ?? "" }
            // A password with a slash or question mark ends after what libpq takes for the host.
            let isCut = authority.contains(":") && rest.dropFirst(authority.count).contains("@")
            guard !user.contains(":"), !isCut,
                !names.contains(where: { ["password", "sslpassword"].contains($0) })
            else {
                throw Invalid(
                    description:
                        "an address with a password is not taken, because others would see "
                        + "it; put the password into a file with mode 0600 and name that in "
                        + "PGPASSFILE, or use PGSERVICE")
            }
        }

        /// Parses the parameters of a URL like libpq.
        private static func parameters(of url: String) throws(Invalid) -> [Parameter] {
            var message: UnsafeMutablePointer<CChar>?
            let first = unsafe PQconninfoParse(url, &message)
            defer {
                unsafe PQconninfoFree(first)
                unsafe PQfreemem(message)
            }
            guard let first = unsafe first else {
                let reason = unsafe message.map { unsafe String(cString: $0) } ?? "no memory"
                throw Invalid(description: reason.trimmedLine)
            }
            var parameters: [Parameter] = []
            var option = unsafe first
            while let keyword = unsafe option.pointee.keyword {
                if let value = unsafe option.pointee.val {
                    parameters.append(
                        Parameter(
                            name: unsafe String(cString: keyword),
                            value: unsafe String(cString: value)))
                }
                unsafe option += 1
            }
            return parameters
        }

        /// Decodes `%` with two hexadecimal digits; `nil` if the text is malformed or not UTF-8.
        private static func decoded(_ text: Substring) -> String? {
            var bytes: [UInt8] = []
            var rest = text.utf8[...]
            while let byte = rest.popFirst() {
                guard byte == UInt8(ascii: "%") else {
                    bytes.append(byte)
                    continue
                }
                guard let digits = String(rest.prefix(2)), digits.utf8.count == 2,
                    digits.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }),
                    let value = UInt8(digits, radix: 16)
                else { return nil }
                bytes.append(value)
                rest = rest.dropFirst(2)
            }
            return String(validating: bytes, as: UTF8.self)
        }
    }

    extension String {
        /// The text in one line, without spaces at its ends; for messages of libpq.
        var trimmedLine: String {
            split(whereSeparator: \.isNewline).map { line in
                let start = line.drop(while: \.isWhitespace)
                return String(start)
            }.joined(separator: "; ")
        }
    }
#endif
