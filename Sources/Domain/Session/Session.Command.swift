public import EventSourcing

extension Session {
    /// What can be asked of a session.
    public enum Command: Sendable {
        case signIn(SignIn)
        case checkLogin(CheckLogin)
        case observeExpiry(ObserveExpiry)
        case startRefresh(StartRefresh)
        case recordRefresh(RecordRefresh)
        case recordRefreshFailure(RecordRefreshFailure)
        case presentRefreshToken(PresentRefreshToken)
        case recordRetry(RecordRetry)
        case clearTokens(ClearTokens)
        case signOut(SignOut)
    }

    public enum Refusal: RefusalReason {
        case alreadySignedIn(family: String)
        case familyAlreadyUsed(String)
        case alreadyChecked(launchId: String)
        case notSignedIn
        case familyRevoked(String)
        case unknownGeneration(Int64, current: Int64)
        case noSuchRefresh(String)
        case newTokensMissing
        case noRetryDue(requestId: String)

        public var code: String {
            switch self {
            case .alreadySignedIn: "alreadySignedIn"
            case .familyAlreadyUsed: "familyAlreadyUsed"
            case .alreadyChecked: "alreadyChecked"
            case .notSignedIn: "notSignedIn"
            case .familyRevoked: "familyRevoked"
            case .unknownGeneration: "unknownGeneration"
            case .noSuchRefresh: "noSuchRefresh"
            case .newTokensMissing: "newTokensMissing"
            case .noRetryDue: "noRetryDue"
            }
        }

        public var message: String {
            switch self {
            case .alreadySignedIn(let family):
                "someone is signed in here already, with the family \(family)"
            case .familyAlreadyUsed(let family):
                "the family \(family) belongs to an earlier sign-in; each one needs a new family"
            case .alreadyChecked(let launchId):
                "the login was checked in the launch \(launchId) already"
            case .notSignedIn:
                "there is no stored token; sign in first"
            case .familyRevoked(let family):
                "the family \(family) is revoked; sign in with a new one"
            case .unknownGeneration(let generation, let current):
                "there is no generation \(generation) yet; the current one is \(current)"
            case .noSuchRefresh(let refreshId):
                "the refresh \(refreshId) is not under way, so its answer is dropped"
            case .newTokensMissing:
                "presenting the current refresh token rotates it: accessHash, refreshHash and "
                    + "expiresInS are needed"
            case .noRetryDue(let requestId):
                "the request \(requestId) has no retry due: it met no 419, was retried, or failed"
            }
        }
    }

    public static func query(for command: Command) -> Query {
        switch command {
        case .signIn(let body): query(deviceTag(body.device), familyTag(body.family))
        case .checkLogin(let body): query(deviceTag(body.device))
        case .observeExpiry(let body): query(deviceTag(body.device))
        case .startRefresh(let body): query(deviceTag(body.device))
        case .recordRefresh(let body): query(deviceTag(body.device))
        case .recordRefreshFailure(let body): query(deviceTag(body.device))
        case .presentRefreshToken(let body): query(familyTag(body.family))
        case .recordRetry(let body): query(deviceTag(body.device))
        case .clearTokens(let body): query(deviceTag(body.device))
        case .signOut(let body): query(deviceTag(body.device))
        }
    }

    private static func query(_ tag: Tag) -> Query {
        Query(Query.Item(kinds: kinds, tags: [tag]))
    }

    /// Also the events of a family, wherever it was used before.
    private static func query(_ device: Tag, _ family: Tag) -> Query {
        Query(Query.Item(kinds: kinds, tags: [device]), Query.Item(kinds: kinds, tags: [family]))
    }
}
