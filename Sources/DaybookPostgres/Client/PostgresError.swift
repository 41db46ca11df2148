#if PostgreSQL
    import Daybook

    /// A missing, late or unexpected answer of the server.
    enum PostgresError: Error, Equatable, Sendable {
        /// The server cannot be reached, or refuses the connection.
        case notConnected(String)
        /// The connection was lost, or the answer came too late, after something was sent.
        case lost(String)
        /// The server refused a statement, with an SQLSTATE and a message.
        case refused(state: String, String)
        /// The server's answer does not have the form that the statement asks for.
        case malformed(String)

        /// True if the server ended the session; the statement may have been carried out before.
        var endsSession: Bool {
            switch self {
            case .notConnected, .lost: true
            case .refused(let state, _): state.hasPrefix("57P") || state.hasPrefix("08")
            case .malformed: false
            }
        }

        var reason: String {
            switch self {
            case .notConnected(let reason), .lost(let reason), .malformed(let reason): reason
            case .refused(_, let reason): reason
            }
        }
    }
#endif
