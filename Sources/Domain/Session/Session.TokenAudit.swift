public import EventSourcing

extension Session {
    static let auditDescription = AuditDescription(
        "session",
        [
            AuditRule("T1", "A refresh was started while another was under way"),
            AuditRule("T2", "Something was said of a refresh that was not under way"),
            AuditRule("T3", "A request was retried after the tokens were cleared"),
            AuditRule("T4", "A refresh did not raise the generation by one"),
            AuditRule("T5", "A request met an expired token and was neither retried nor failed"),
            AuditRule("T6", "A refresh was started without a stored token"),
            AuditRule("T7", "A refresh token was reused outside the grace and nothing was revoked"),
            AuditRule("T8", "Tokens were cleared because the network or the server failed"),
        ]
    ) { TokenAudit($0) }

    /// Finds what is wrong in the histories of devices' sessions.
    public struct TokenAudit: Audit {
        private struct Device {
            var state = State()
            /// When a request met an expired token.
            var expiries: [String: Int64] = [:]
            /// A reuse that has to be followed by a revocation.
            var reuse: Int64?
        }

        private let context: AuditContext
        private var devices: [String: Device] = [:]
        private var findings: [(device: String, finding: Finding)] = []
        private let reader = KindReader<Event>()

        public init(_ context: AuditContext) {
            self.context = context
        }

        public mutating func take(_ event: RecordedEvent) throws(FoldError) {
            guard let known = try reader.read(event),
                let id = event.tags.first(where: { $0.noun == "device" })?.id
            else { return }
            let position = Int64(event.position.rawValue)
            let name = String(id)
            var device = devices.removeValue(forKey: name) ?? Device()
            check(known, position, name, &device)
            Session.evolve(&device.state, with: known, event.envelope)
            follow(known, position, &device)
            devices[name] = device
        }

        private mutating func find(
            _ rule: String, _ position: Int64, _ device: String, _ expected: String,
            _ found: String
        ) {
            findings.append(
                (
                    device,
                    Finding(
                        rule: rule, position: position, entity: "device:\(device)",
                        expected: expected, found: found)
                ))
        }

        private mutating func check(
            _ event: Event, _ position: Int64, _ name: String, _ device: inout Device
        ) {
            // What the projection counts as unexpected has its rule in front.
            if let text = Session.finding(event, after: device.state),
                let colon = text.firstIndex(of: ":"), text[..<colon].utf8.count == 2
            {
                let sentence = text[text.index(after: colon)...].drop { $0 == " " }
                let expected = device.state.refresh.map { "refresh '\($0.refreshId)' under way" }
                find(
                    text.hasPrefix("T5") ? "T3" : String(text[..<colon]), position, name,
                    expected ?? "\(device.state.status.name), no refresh under way",
                    String(sentence))
            }
            if case .tokenRefreshFailed(let failed) = event, failed.tokensCleared,
                failed.rules == .standard,
                failed.kind == .network || failed.kind == .timeout || failed.kind == .server
            {
                find("T8", position, name, "tokens kept", "cleared on \(failed.kind.name)")
            }
        }

        /// Remembers what has to come to an end.
        private func follow(_ event: Event, _ position: Int64, _ device: inout Device) {
            switch event {
            case .tokenExpiryObserved(let observed):
                if observed.status == 419 { device.expiries[observed.requestId] = position }
            case .requestRetried(let retried): device.expiries[retried.requestId] = nil
            case .tokenRefreshFailed, .tokensCleared, .signedOut, .signedIn:
                device.expiries = [:]
            case .refreshTokenReuseDetected(let reuse):
                if !reuse.withinGrace { device.reuse = position }
            default: break
            }
            if device.state.status != .signedIn { device.reuse = nil }
        }

        public mutating func finish() -> AuditResult {
            for (name, device) in devices.sorted(by: { $0.key < $1.key }) {
                for (request, position) in device.expiries.sorted(by: { $0.value < $1.value }) {
                    // A refresh under way may still bring it on.
                    guard device.state.refresh == nil else { continue }
                    find("T5", position, name, "a retry or a failure of '\(request)'", "neither")
                }
                if let position = device.reuse {
                    find("T7", position, name, "the family revoked", device.state.status.name)
                }
            }
            let only = context.only
            return AuditResult(
                findings: findings.filter {
                    only == nil || only == Tag("device", $0.device)
                }.map(\.finding))
        }
    }
}
