public import EventSourcing

extension Session {
    /// Who vouches for the person.
    public enum Provider: UInt8, StoredEnum {
        case kakao
        case apple
        case google
        case test
        case local
    }

    /// What a launch found out about the login.
    public enum LoginResult: UInt8, StoredEnum {
        case notLoggedIn
        case loggedIn
        case tokenRefreshFailed
    }

    /// Why a refresh was started.
    public enum RefreshTrigger: UInt8, StoredEnum {
        case launch
        case http419
        case proactive
    }

    /// Why a refresh gave no tokens.
    public enum RefreshFailure: UInt8, StoredEnum {
        /// The refresh token itself is too old.
        case expired
        /// The server does not take the token.
        case invalidGrant
        /// The token had been rotated away.
        case reuse
        case network
        case timeout
        /// Any other answer.
        case server
    }

    /// Why the tokens were forgotten.
    public enum ClearReason: UInt8, StoredEnum {
        case expired
        case unauthorized
        case forbidden
        /// 418: the refresh token itself is too old.
        case refresh418
        /// A rotated token was presented again: the whole family is revoked.
        case reuse
        case signOut
        /// Only the source documents clear here.
        case seedCompat
    }
}
