package import Daybook

extension Launch {
    /// The fold of one launch's splash screen.
    ///
    /// An event that does not fit the current screen is only counted, in `unexpectedTransitions`.
    package enum Splash: Projection {
        package enum Event: DecidedEvents {
            case appLaunched(AppLaunched), appVersionChecked(AppVersionChecked)
            case updatePromptShown(UpdatePromptShown), updateAccepted(UpdateAccepted)
            case optionalUpdateSkipped(OptionalUpdateSkipped), noticeShown(NoticeShown)
            case noticeDismissed(NoticeDismissed), appTerminated(AppTerminated)
            case loginStatusChecked(LoginStatusChecked)

            package static let kinds = [
                StoredKind(appLaunched), StoredKind(appVersionChecked),
                StoredKind(updatePromptShown), StoredKind(updateAccepted),
                StoredKind(optionalUpdateSkipped), StoredKind(noticeShown),
                StoredKind(noticeDismissed), StoredKind(appTerminated),
                StoredKind(loginStatusChecked),
            ]
        }

        package static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
            let fits =
                switch event {
                case .appLaunched(let launch): state.launch(launch)
                case .appVersionChecked(let check): state.check(check)
                case .updatePromptShown(let prompt): state.shows(prompt.kind)
                case .updateAccepted(let update): state.accept(update.kind)
                case .optionalUpdateSkipped: state.skip()
                case .noticeShown(let notice): state.shows(notice.noticeDigest)
                case .noticeDismissed(let dismissed): state.dismiss(dismissed)
                case .appTerminated(let end): state.terminate(SplashCause(end.cause))
                case .loginStatusChecked(let login): state.checkLogin(login.result)
                }
            if !fits { state.unexpectedTransitions += 1 }
        }
    }

    /// The fold of the splash screen as the original app (S0) shows it.
    ///
    /// The original app has no screens for optional updates, notices and the end of the app, and no
    /// causes of errors.
    enum SourceSplash: Projection {
        static func evolve(
            _ state: inout Splash.State, with event: Splash.Event, _ envelope: Envelope
        ) {
            guard state.stage != .ended else {
                state.unexpectedTransitions += 1
                return
            }
            let shown = state.state
            switch state.stage {
            case .optionalUpdate: state.state = .optionalUpdate
            case .notice: state.state = .notice
            case .version, .login, .ended: break
            }
            Splash.evolve(&state, with: event, envelope)
            switch state.state {
            case .optionalUpdate:
                state.state = .loading
                state.stage = .optionalUpdate
            case .notice:
                state.state = .loading
                state.stage = .notice
            case .terminated: state.state = shown
            default: break
            }
            state.cause = nil
            state.reason = nil
        }
    }
}

extension Launch.Splash {
    /// The screen that the splash shows, or to which it navigates.
    package enum Screen: UInt8, StoredEnum {
        case loading, forceUpdate, optionalUpdate, notice
        case navigateToLogin, navigateToHome, error, terminated
    }

    /// The step that a loading splash awaits, such as the version check or the login check.
    ///
    /// The stages `optionalUpdate` and `notice` occur only under the rule set `source`, because the
    /// original app's splash (S0) has no screens for them.
    package enum Stage: UInt8, StoredEnum { case version, login, optionalUpdate, notice, ended }

    static let lifecycle = Lifecycle<Screen>(
        "splash", field: "state",
        [
            .begins(Launch.AppLaunched.self, .loading),
            .step(
                Launch.AppVersionChecked.self, from: .loading, to: .loading, .forceUpdate,
                .optionalUpdate, .notice, .error),
            .step(
                Launch.LoginStatusChecked.self, from: .loading, to: .navigateToLogin,
                .navigateToHome),
            .stays(Launch.UpdatePromptShown.self, in: .forceUpdate, .optionalUpdate),
            .stays(Launch.UpdateAccepted.self, in: .forceUpdate, .optionalUpdate),
            .step(Launch.OptionalUpdateSkipped.self, from: .optionalUpdate, to: .notice, .loading),
            .stays(Launch.NoticeShown.self, in: .notice),
            .step(Launch.NoticeDismissed.self, from: .notice, to: .loading, .terminated),
            .step(
                Launch.AppTerminated.self, from: .loading, .forceUpdate, .optionalUpdate,
                .notice, .navigateToLogin, .navigateToHome, .error, .terminated, to: .terminated),
        ], unexpected: "unexpectedTransitions")
}

extension Launch {
    /// The reason why the splash ended with an error, the login screen or the end of the app.
    package enum SplashCause: UInt8, StoredEnum {
        case maintenance, failure, notLoggedIn, tokenRefreshFailed, notice, force, user, crash
        case replaced

        /// Creates the cause that corresponds to the cause of an app's end.
        init(_ cause: TerminationCause) {
            self =
                switch cause {
                case .notice: .notice
                case .force: .force
                case .user: .user
                case .crash: .crash
                case .replaced: .replaced
                }
        }
    }
}
