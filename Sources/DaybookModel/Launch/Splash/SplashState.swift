package import Daybook

extension Launch.Splash {
    /// The state of the splash: its screen and texts.
    package struct State: PlainRecord {
        /// Id of the launch; empty before the launch.
        var launchId = ""
        package var state = Screen.loading
        /// Step that a loading splash awaits, such as the version check or the login check.
        var stage = Stage.version
        var currentVersion = ""
        var minVersion: String?
        package var reason: Launch.VersionReason?
        package var title: String?
        /// Message of the forced update's prompt, or of maintenance or an error.
        package var message: String?
        /// Reason for an error, for the login screen or for the end of the app; otherwise `nil`.
        var cause: Launch.SplashCause?
        /// Version to update to; `nil` for no update, or if the config names no newer version.
        var target: String?
        var noticeDigest: Digest?
        /// Prompts and notices that are still to be shown, including the one on the screen.
        package var pending: [Launch.PendingStep] = []
        /// True once the user accepted an update, which opens the app store.
        var storeOpened = false
        /// Number of events that did not fit the current screen.
        var unexpectedTransitions: Int64 = 0
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field.unlessBlank("launchId", &launchId)
            // The launch itself sets the screen and the step to those of a blank state.
            try field("state", &state, isSet: !launchId.isEmpty)
            try field("stage", &stage, isSet: !launchId.isEmpty)
            try field.unlessBlank("currentVersion", &currentVersion)
            try field("minVersion", &minVersion, "reason", &reason, "message", &message)
            try field("cause", &cause, "target", &target, "noticeDigest", &noticeDigest)
            try field("pending", &pending, "storeOpened", &storeOpened)
            try field("unexpectedTransitions", &unexpectedTransitions, "title", &title)
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

    /// True if the app's process still waits on the splash, also for the user at a forced update.
    var isWaiting: Bool { !hasEnded || state == .forceUpdate }
}

/// Transitions; each method returns true if the event fits the state.
extension Launch.Splash.State {
    /// Starts the splash; returns false if it was started before.
    mutating func launch(_ launch: Launch.AppLaunched) -> Bool {
        guard launchId.isEmpty, state == .loading else { return false }
        launchId = launch.launchId
        currentVersion = launch.appVersion
        return true
    }

    /// Applies a version check; returns false if the splash did not wait for one.
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

    func shows(_ digest: Digest) -> Bool { state == .notice && noticeDigest == digest }

    /// Records that the user accepted an update; returns false if its prompt is not on the screen.
    mutating func accept(_ kind: Launch.UpdateKind) -> Bool {
        guard shows(kind) else { return false }
        storeOpened = true
        return true
    }

    /// Removes the optional update from `pending`; returns false if its prompt is not on the
    /// screen.
    mutating func skip() -> Bool {
        guard state == .optionalUpdate else { return false }
        pending.removeAll { $0 == .optional }
        title = nil
        showNext()
        return true
    }

    /// Removes the notice from `pending`, and ends the splash if the notice ends the app; returns
    /// false if the notice is not on the screen.
    mutating func dismiss(_ dismissed: Launch.NoticeDismissed) -> Bool {
        guard shows(dismissed.noticeDigest) else { return false }
        pending.removeAll { $0 == .notice }
        if dismissed.endsApp { return terminate(.notice) }
        showNext()
        return true
    }

    /// Ends the splash; always returns true.
    mutating func terminate(_ cause: Launch.SplashCause) -> Bool {
        // A notice that ends the app has already set the cause.
        if state != .terminated { self.cause = cause }
        state = .terminated
        stage = .ended
        return true
    }

    /// Navigates by the result of the login check; returns false if the splash did not wait for it.
    mutating func checkLogin(_ result: Launch.LoginResult) -> Bool {
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

    /// Shows the next pending prompt or notice, or else waits for the login check.
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
