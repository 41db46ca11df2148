#if PostgreSQL
    import Daybook

    /// A reason why the server gave no answer, or another one than expected.
    enum PostgresError: Error, Equatable, Sendable {
        /// There is no connection: the server cannot be reached, or refuses it.
        case notConnected(String)
        /// The connection was lost, or the answer came too late, after something was sent.
        case lost(String)
        /// The server refused a statement, with five letters (SQLSTATE) and a sentence.
        case refused(state: String, String)
        /// The server's answer has another form than that of the statement.
        case malformed(String)

        /// True if the server ended the session, perhaps after it had done what was asked.
        var endsSession: Bool {
            switch self {
            case .notConnected, .lost: true
            case .refused(let state, _): state.hasPrefix("57P") || state.hasPrefix("08")
            case .malformed: false
            }
        }

        /// The reason in a sentence.
        var reason: String {
            switch self {
            case .notConnected(let reason), .lost(let reason), .malformed(let reason): reason
            case .refused(_, let reason): reason
            }
        }
    }
#endif
