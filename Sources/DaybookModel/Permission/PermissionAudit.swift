import Daybook

extension Permission {
    /// Finds errors in permissions and speech input that were recorded without a command's checks.
    struct PermissionAudit: Audit {
        static let description = AuditDescription(
            "permission",
            [
                AuditRule("P1", "The system asked for a permission without its key in Info.plist"),
                AuditRule("P2", "An answer to a question that was never asked"),
                AuditRule("P3", "Speech input without microphone and speech granted"),
            ]
        ) { PermissionAudit($0) }

        private let reader = KindReader<Permission.Event>()
        private var devices: [String: State] = [:]
        private var findings: EntityFindings
        init(_ context: AuditContext) { findings = EntityFindings("device", context) }
        func ignores(_ kind: EventKind) -> Bool { reader.ignores(kind) }

        mutating func check(_ event: RecordedEvent) throws(FoldError) {
            guard let known = try reader.read(event) else { return }
            let deviceId = known.deviceId
            let before = devices[deviceId] ?? .blank
            let position = Int64(clamping: event.position.rawValue)
            switch known {
            case .asked(let asked) where asked.usageKey != asked.capability.usageKey:
                findings.add(
                    "P1", position, deviceId, expected: asked.capability.usageKey,
                    found: asked.usageKey ?? "no key")
            case .answered(let answered)
            where !before[answered.capability].wasAsked && !answered.needsNoQuestion(before):
                findings.add(
                    "P2", position, deviceId,
                    expected: "a question for \(answered.capability.name)",
                    found: answered.answer.name)
            case .speechInputStarted where !before.missingForSpeechInput.isEmpty:
                let missing = before.missingForSpeechInput.map(\.name)
                findings.add(
                    "P3", position, deviceId, expected: "microphone and speech",
                    found: "no \(missing.joined(separator: ", no "))")
            default: break
            }
            Permission.evolve(&devices[deviceId, default: .blank], with: known, event.envelope)
        }

        mutating func finish() -> AuditResult { AuditResult(findings: findings.found) }
    }
}

extension Permission.Event {
    fileprivate var deviceId: String {
        switch self {
        case .asked(let event): event.deviceId
        case .answered(let event): event.deviceId
        case .speechInputStarted(let event): event.deviceId
        case .speechInputEnded(let event): event.deviceId
        }
    }
}
