import Daybook

extension Launch.AppVersionChecked {
    /// The result of the check in words: `forced to update: 1.0.0 < 2.0.0`.
    func outcome(_ wording: Wording) -> String {
        let version = currentVersion.isEmpty ? "no version" : currentVersion
        switch result {
        case .upToDate:
            return pending.contains(.optional)
                ? "version \(version) may run" : "version \(version) is up to date"
        case .needsUpdate:
            let isTooLow = reason == .minVersion || reason == .forceVersion
            guard isTooLow, let needed = minVersion ?? targetVersion else {
                return wording.list(
                    after: "forced to update", version, reason.map { words(of: $0, wording) })
            }
            return "forced to update: \(version) < \(needed)"
        case .maintenance: return wording.list(after: "maintenance", wording.quoted(message))
        case .error:
            return wording.list(
                after: "version \(version) not checked", reason.map { words(of: $0, wording) },
                wording.quoted(message))
        }
    }

    private func words(of reason: Launch.VersionReason, _ wording: Wording) -> String {
        switch reason {
        case .minVersion, .forceVersion: "too old"
        case .blacklist: "may not run"
        default: wording.words(reason)
        }
    }
}

extension Launch.Platform {
    /// The name of the system, as its makers write it.
    var words: String {
        switch self {
        case .ios: "iOS"
        case .android: "Android"
        case .linux: "Linux"
        }
    }
}
