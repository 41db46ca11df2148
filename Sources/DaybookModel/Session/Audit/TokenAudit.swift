import Daybook

extension Session {
    /// Finds errors in the recorded histories of devices' sessions.
    struct TokenAudit: Audit {
        static let description = AuditDescription(
            "session",
            [
                AuditRule("T1", "A refresh was started while another was under way"),
                AuditRule("T2", "An event names a refresh that was not under way"),
                AuditRule("T3", "A request was retried after the tokens were cleared"),
                AuditRule("T4", "A refresh did not raise the generation by one"),
                AuditRule(
                    "T5", "A request met an expired token and was neither retried nor failed"),
                AuditRule("T6", "A refresh was started without a stored token"),
                AuditRule(
                    "T7",
                    "A refresh token was reused outside the grace period and nothing was revoked"),
                AuditRule("T8", "Tokens were cleared because the network or the server failed"),
                AuditRule(
                    "T9", "A user signed in twice, or tokens were cleared that were not stored"),
            ]
        ) { TokenAudit($0) }

        /// The session of a device, and the events that must still follow.
        fileprivate struct Device {
            var state = State()
            /// Log positions at which requests were answered with 419 (expired token), by request
            /// id.
            var expiryPositions: [String: Int64] = [:]
            /// Log position of a refresh token's reuse that a revocation must follow; `nil` for
            /// none.
            var reusePosition: Int64?
        }

        private var devices: [String: Device] = [:]
        private var findings: EntityFindings
        private let reader = KindReader<Event>()
        private let launchReader = KindReader<LaunchEvents>()

        /// The launches of devices, each of which ends the requests of the device's earlier
        /// process.
        private enum LaunchEvents: EventSet {
            case appLaunched(Launch.AppLaunched)
            static let kinds = [StoredKind(appLaunched)]
        }

        init(_ context: AuditContext) { findings = EntityFindings("device", context) }

        func ignores(_ kind: EventKind) -> Bool {
            reader.ignores(kind) && launchReader.ignores(kind)
        }

        mutating func check(_ event: RecordedEvent) throws(FoldError) {
            guard let id = event.tags.first(where: { $0.noun == "device" })?.id else { return }
            let name = String(id)
            if try launchReader.read(event) != nil { devices[name]?.expiryPositions = [:] }
            guard let known = try reader.read(event) else { return }
            let position = Int64(event.position.rawValue)
            var device = devices.removeValue(forKey: name) ?? Device()
            check(known, position, name, device.state)
            Session.evolve(&device.state, with: known, event.envelope)
            device.expect(known, position)
            devices[name] = device
        }

        /// Checks an event by the rules that compare it with the state of the session before it.
        private mutating func check(
            _ event: Event, _ position: Int64, _ device: String, _ state: State
        ) {
            if let unexpected = UnexpectedEvent(event, after: state) {
                let expected =
                    state.refresh.map { "refresh '\($0.refreshId)' under way" }
                    ?? "\(state.status.name), no refresh under way"
                findings.add(
                    unexpected.rule, position, device, expected: expected,
                    found: unexpected.sentence)
            }
            if case .tokenRefreshFailed(let failed) = event, failed.clearsTokens,
                failed.rules == .standard, [.network, .timeout, .server].contains(failed.kind),
                RefreshFailure.clearReason(forStatus: failed.httpStatus) == nil
            {
                findings.add(
                    "T8", position, device, expected: "tokens kept",
                    found: "cleared on \(failed.kind.name)")
            }
        }

        mutating func finish() -> AuditResult {
            for (name, device) in devices.sorted(by: { $0.key < $1.key }) {
                let expiries = device.expiryPositions.sorted { $0.value < $1.value }
                for (request, position) in expiries {
                    // A refresh under way may still lead to a retry or a failure.
                    guard device.state.refresh == nil else { continue }
                    findings.add(
                        "T5", position, name, expected: "a retry or a failure of '\(request)'",
                        found: "neither")
                }
                if let position = device.reusePosition {
                    findings.add(
                        "T7", position, name, expected: "the family revoked",
                        found: device.state.status.name)
                }
            }
            return AuditResult(findings: findings.found)
        }
    }
}

extension Session.TokenAudit.Device {
    /// Records the events that must follow this event, and removes those that it fulfils.
    fileprivate mutating func expect(_ event: Session.Event, _ position: Int64) {
        switch event {
        case .tokenExpiryObserved(let observed):
            if observed.status == 419 { expiryPositions[observed.requestId] = position }
        case .requestRetried(let retried): expiryPositions[retried.requestId] = nil
        case .tokenRefreshFailed:
            // A late answer to another refresh does not affect the requests that wait for this
            // refresh.
            if state.refresh == nil { expiryPositions = [:] }
        case .tokensCleared, .signedOut, .signedIn: expiryPositions = [:]
        case .refreshTokenReuseDetected(let detected):
            if !detected.isWithinGrace { reusePosition = position }
        default: break
        }
        if state.status != .signedIn { reusePosition = nil }
    }
}
