extension Session.ClearReason {
    /// The reason in words.
    var sentence: String {
        switch self {
        case .expired: "the refresh token has expired"
        case .unauthorized: "401, not accepted"
        case .forbidden: "403, access denied"
        case .refresh418: "418, the refresh token has expired"
        case .reuse: "an old refresh token was presented again"
        case .signOut: "signed out"
        case .seedCompat: "the network or the server failed"
        }
    }
}
