import Daybook

extension Session {
    /// Checks whether a user is signed in, once per launch, when the splash waits for it.
    struct CheckLogin: DeviceCommand {
        static let name = "session.check-login"
        var launchId = ""
        var device = ""
        var refreshIfExpiresWithinS: Int64?
        var rules = Rules.standard
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId, "device", &device)
            try field("refreshIfExpiresWithinS", &refreshIfExpiresWithinS, .lifetimeS)
            try field("rules", &rules)
        }

        var query: Query { events(of: deviceTag(device), Launch.tag(launchId)) }

        func decide(_ device: Device.State, now: Instant) throws(Refusal) -> [Device.Event] {
            try requireLogin(in: device)
            return try decideOnSession(of: device, now: now)
        }

        /// Throws a refusal if the launch does not wait for the login check.
        private func requireLogin(in device: Device.State) throws(Refusal) {
            guard let process = device.launches[launchId], let launch = process.launch else {
                throw .notLaunched(launchId)
            }
            guard launch.device == self.device else { throw .otherDevice(launchId) }
            let isWaiting = device.session.refresh?.waitingLaunchIds.contains(launchId) ?? false
            switch process.splash.state {
            case .loading where process.splash.stage == .login && !isWaiting: return
            case .navigateToLogin, .navigateToHome,
                .loading where isWaiting:
                throw Refusal(
                    "alreadyChecked", "the login check of launch '\(launchId)' has already begun")
            case .terminated: throw .terminated(launchId)
            case .loading: throw notAtLogin("the version is not checked yet")
            case let screen: throw notAtLogin("the splash shows \(screen.name)")
            }
        }

        /// Returns the error for a launch that has not reached the login check.
        private func notAtLogin(_ reason: String) -> Refusal {
            Refusal("notAtLogin", "launch '\(launchId)' has not reached the login check: \(reason)")
        }

        func decide(_ session: State, now: Instant) throws(Refusal) -> [Event] {
            guard session.status == .signedIn else { return [checked(.notLoggedIn)] }
            if let marginS = refreshIfExpiresWithinS,
                session.accessExpires > now.advanced(bySeconds: marginS)
            {
                return [checked(.loggedIn)]
            }
            return session.refreshing(.launch, launchId: launchId, now, rules)
        }

        private func checked(_ result: Launch.LoginResult) -> Event {
            .loginStatusChecked(
                Launch.LoginStatusChecked(launchId: launchId, result: result, device: device))
        }
    }
}

extension Session.State {
    /// Returns the events that give each launch waiting for the token refresh this login result.
    func finishingLoginChecks(with result: Launch.LoginResult) -> [Session.Event] {
        guard let refresh else { return [] }
        return refresh.waitingLaunchIds.map { launchId in
            .loginStatusChecked(
                Launch.LoginStatusChecked(
                    launchId: launchId, result: result, refreshId: refresh.refreshId,
                    device: device))
        }
    }
}
