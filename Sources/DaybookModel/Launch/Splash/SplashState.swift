public import Daybook

extension Launch.Splash {
    /// State of the splash: its screen and its texts.
    public struct State: Record {
        /// Id of the launch; empty before the launch.
        public var launchId = ""
        public var state = Screen.loading
        public var stage = Stage.version
        public var currentVersion = ""
        public var minVersion: String?
        public var reason: Launch.VersionReason?
        /// Title of the update's alert.
        public var title: String?
        public var message: String?
        public var cause: Launch.SplashCause?
        /// The version the update leads to.
        public var target: String?
        public var noticeDigest: Digest?
        /// Steps still to be shown, including the step on the screen.
        public var pending: [Launch.PendingStep] = []
        public var storeOpened = false
        /// Number of events that did not fit the state.
        public var unexpectedTransitions: Int64 = 0
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId, "state", &state, "stage", &stage)
            try field("currentVersion", &currentVersion, "minVersion", &minVersion)
            try field("reason", &reason, "message", &message, "cause", &cause, "target", &target)
            try field("noticeDigest", &noticeDigest, "pending", &pending)
            try field("storeOpened", &storeOpened, "unexpectedTransitions", &unexpectedTransitions)
            try field("title", &title)
        }
    }
}

extension Launch.Splash.State {
    /// True if only the end of the app can follow the screen.
    var hasEnded: Bool {
        switch state {
        case .loading, .optionalUpdate, .notice: false
        case .forceUpdate, .navigateToLogin, .navigateToHome, .error, .terminated: true
        }
    }
}

/// Transitions; each method returns true if the event fits the state.
extension Launch.Splash.State {
    mutating func launch(_ launch: Launch.AppLaunched) -> Bool {
        guard launchId.isEmpty, state == .loading else { return false }
        launchId = launch.launchId
        currentVersion = launch.appVersion
        return true
    }

    mutating func check(_ check: Launch.AppVersionChecked) -> Bool {
        guard !launchId.isEmpty, state == .loading, stage == .version else { return false }
        currentVersion = check.currentVersion
        minVersion = check.minVersion
        switch check.result {
        case .needsUpdate:
            state = .forceUpdate
            reason = check.reason
            title = check.title
            message = check.message
            target = check.targetVersion
        case .maintenance, .error:
            state = .error
            cause = check.result == .maintenance ? .maintenance : .failure
            reason = check.reason
            message = check.message ?? ""
        case .upToDate:
            pending = check.pending
            title = pending.contains(.optional) ? check.title : nil
            target = check.targetVersion
            noticeDigest = check.noticeDigest
            showNext()
        }
        return true
    }

    /// True if the prompt for this update is on the screen.
    func shows(_ kind: Launch.UpdateKind) -> Bool {
        switch kind {
        case .force: state == .forceUpdate
        case .optional: state == .optionalUpdate
        }
    }

    /// True if the notice with this digest is on the screen.
    func shows(_ digest: Digest) -> Bool { state == .notice && noticeDigest == digest }

    /// Records that the user accepted an update; returns `false` if its prompt is not shown.
    mutating func accept(_ kind: Launch.UpdateKind) -> Bool {
        guard shows(kind) else { return false }
        storeOpened = true
        return true
    }

    mutating func skip() -> Bool {
        guard state == .optionalUpdate else { return false }
        pending.removeAll { $0 == .optional }
        title = nil
        showNext()
        return true
    }

    mutating func dismiss(_ dismissed: Launch.NoticeDismissed) -> Bool {
        guard shows(dismissed.noticeDigest) else { return false }
        pending.removeAll { $0 == .notice }
        if dismissed.terminate { return terminate(.notice) }
        showNext()
        return true
    }

    mutating func terminate(_ cause: Launch.SplashCause) -> Bool {
        // A notice that ends the app has already set the cause.
        if state != .terminated { self.cause = cause }
        state = .terminated
        stage = .ended
        return true
    }

    mutating func checkLogin(_ result: Session.LoginResult) -> Bool {
        guard state == .loading, stage == .login else { return false }
        switch result {
        case .loggedIn: state = .navigateToHome
        case .notLoggedIn:
            state = .navigateToLogin
            cause = .notLoggedIn
        case .tokenRefreshFailed:
            state = .navigateToLogin
            cause = .tokenRefreshFailed
        }
        return true
    }

    /// Moves on to the next pending step, or to the login check.
    private mutating func showNext() {
        switch pending.first {
        case .optional:
            state = .optionalUpdate
            stage = .version
        case .notice:
            state = .notice
            stage = .version
        case nil:
            state = .loading
            stage = .login
        }
    }
}
