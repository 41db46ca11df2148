/// A request of HTTP/1.1, with the parts that the server and its handler use.
package struct Request: Equatable, Sendable {
    /// The method as written: `GET`.
    package var method: String
    /// The path as written, without the query: `/log`.
    package var path: String
    /// The decoded parameters of the query, by name.
    package var query: [String: String] = [:]
    /// The body; empty without one.
    package var body: [UInt8] = []
    /// The fields of the head that decide something, by name in lower case.
    var fields: [String: String] = [:]
    /// True if the client wants the connection to be closed after the response.
    var closesConnection: Bool {
        fields["connection"]?.lowercased().split { " \t,".contains($0) }.contains("close") ?? false
    }
}

/// The reason why bytes are not accepted as a request.
package struct RequestError: Error, Equatable {
    /// The status of the response that refuses the bytes: 400, 413 or 431.
    package var status = 400
    /// A sentence, without characters that JSON escapes.
    package var reason: String
}
