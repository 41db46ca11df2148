import Foundation
import TestSupport
import Testing

extension LiveViewTests {
    /// A running server of a log.
    final class Live {
        let log: ScratchLog
        let process: Program
        let port: UInt16
        let token: String

        /// - Parameters:
        ///   - words: words after `view`.
        ///   - path: folders in which the program finds others.
        init(_ log: ScratchLog, _ words: String..., path: String? = nil) throws {
            self.log = log
            let process = try ReplayProcess.start(
                ["view"] + words + ["--log", log.path],
                environment: path.map { ["PATH": $0] } ?? [:])
            self.process = process
            _ = Wait.until { process.out.contains("\n") || !process.isRunning }
            let address = process.out
            let parts = address.split(separator: "/#token=")
            let (start, secret) = ("http://127.0.0.1:", parts.last?.dropLast() ?? "")
            guard parts.count == 2, address.hasPrefix(start), secret.utf8.count == 32 else {
                throw NoAddress(found: address)
            }
            port = try #require(UInt16(parts[0].dropFirst(start.count)))
            token = String(secret)
        }

        struct NoAddress: Error { var found: String }

        /// Asks, and returns the status and the answer.
        func ask(
            _ path: String, _ words: [String]? = nil, body: String? = nil
        ) throws -> (status: Int, object: [String: Any], text: String) {
            let client = TestClient(port: port)
            client.send(try request(path, words, body: body))
            let response = try #require(client.response(), "\(path)")
            #expect(response.isComplete)
            let object = try? JSONSerialization.jsonObject(with: Data(response.body.utf8))
            return (response.status, object as? [String: Any] ?? [:], response.body)
        }

        /// Returns the bytes of a request; one with words or a body is a POST.
        func request(
            _ path: String, _ words: [String]? = nil, body: String? = nil
        ) throws -> String {
            let body =
                try body
                ?? words.map { words in
                    String(
                        decoding: try JSONSerialization.data(withJSONObject: ["words": words]),
                        as: UTF8.self)
                }
            return "\(body == nil ? "GET" : "POST") \(path) HTTP/1.1\r\nHost: localhost:\(port)\r\n"
                + "Daybook-Token: \(token)\r\n"
                + (body.map { "Content-Length: \($0.utf8.count)\r\n\r\n\($0)" } ?? "\r\n")
        }
    }
}
