/// The conditions under which a request is answered.
package struct Access: Sendable {
    /// The secret of 128 bits that a page must know, as 32 hexadecimal digits.
    package let token: String
    /// The names by which a browser may reach the server, with the port.
    private let hosts: [String]
    /// Creates the conditions with a secret from the system's random source.
    init(port: UInt16) {
        token = (0..<32).map { _ in String(UInt8.random(in: 0..<16), radix: 16) }.joined()
        hosts = ["127.0.0.1:\(port)", "localhost:\(port)"]
    }

    /// Returns the response that refuses a request; `nil` if the request is to be answered.
    ///
    /// Another site in the same browser comes with a name or an origin of its own.
    func refusal(of request: Request) -> Response? {
        let origin = request.fields["origin"]
        guard hosts.contains(request.fields["host"] ?? ""),
            origin == nil || hosts.contains(where: { origin == "http://\($0)" })
        else { return Response(403, error: "The request comes from another site.") }
        guard ["GET", "POST"].contains(request.method) else {
            var response = Response(405, error: "Only GET and POST are answered.")
            response.fields = [("Allow", "GET, POST")]
            return response
        }
        guard (request.method, request.path) == ("GET", "/") || isKnown(request) else {
            return Response(403, error: "The token is missing or wrong.")
        }
        return nil
    }

    /// True if a request has the token; takes as long for any other text of the same length.
    func isKnown(_ request: Request) -> Bool {
        let found = request.fields["daybook-token"] ?? ""
        return found.utf8.count == token.utf8.count
            && zip(found.utf8, token.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
