import Daybook
import DaybookModel

/// A row about an app version: its devices, launches, and the decisions under a config.
struct VersionRow: Record {
    var appVersion = ""
    var devices: Int64 = 0
    var launches: Int64 = 0
    /// Decision for a device that skips no version.
    var status = Launch.LaunchStatus.valid
    var reason: Launch.VersionReason?
    var rules = Rules.standard
    /// Outcomes by number of devices, descending.
    var shown: [Shown] = []
    static var blank: Self { Self() }
    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("appVersion", &appVersion, "devices", &devices, "launches", &launches)
        try field("status", &status, "reason", &reason, "rules", &rules, "shown", &shown)
    }
}

extension VersionRow {
    /// One outcome with the devices that get it.
    struct Shown: Record {
        var status = Launch.LaunchStatus.valid
        var reason: Launch.VersionReason?
        /// Prompts in display order.
        var pending: [Launch.PendingStep] = []
        var devices: Int64 = 0
        /// Devices with this outcome; `nil` unless requested.
        var whom: [ShownDevice]?
        static var blank: Self { Self() }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("status", &status, "reason", &reason, "pending", &pending)
            try field("devices", &devices, "whom", &whom)
        }
    }

    struct ShownDevice: Record {
        var device = ""
        var platform = Launch.Platform.ios
        var osVersion: String?
        static var blank: Self { Self() }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "platform", &platform, "osVersion", &osVersion)
        }
    }

    init(_ decision: LaunchDecision, _ version: String) {
        self.init(
            appVersion: version, status: decision.status, reason: decision.reason,
            rules: decision.rules)
    }

    /// Adds a device that runs the version.
    mutating func add(
        _ id: String, _ device: Launch.CountedDevice, _ decision: LaunchDecision, isNamed: Bool
    ) {
        devices += 1
        let outcome = Shown(
            status: decision.status, reason: decision.reason, pending: decision.pending)
        let known = shown.firstIndex {
            $0.status == outcome.status && $0.reason == outcome.reason
                && $0.pending == outcome.pending
        }
        let index = known ?? shown.count
        if known == nil { shown.append(outcome) }
        shown[index].devices += 1
        if isNamed {
            shown[index].whom =
                (shown[index].whom ?? []) + [
                    ShownDevice(device: id, platform: device.platform, osVersion: device.osVersion)
                ]
        }
        // Outcomes with equal numbers keep the order of their first devices.
        var position = index
        while position > 0, shown[position - 1].devices < shown[position].devices {
            shown.swapAt(position - 1, position)
            position -= 1
        }
    }

    /// Lines of text: `1.0.0  3 devices, 9 launches: 2 optional then notice, 1 notice`.
    var lines: [String] {
        let start =
            "\(appVersion)  \(devices.counted("device")), \(launches.counted("launch", "launches")): "
        guard shown.count > 1 || shown.first?.whom != nil else {
            return [start + (shown.first?.words ?? Shown(status: status, reason: reason).words)]
        }
        let counts = shown.map { "\($0.devices) \($0.words)" }
        return [start + counts.joined(separator: ", ")]
            + shown.flatMap { outcome in
                (outcome.whom ?? []).map { "  \(outcome.words)  \($0.line)" }
            }
    }
}

extension VersionRow.Shown {
    /// Short text: `forced (blacklist)`, `optional then notice`.
    fileprivate var words: String {
        guard pending.count > 1 else {
            return status.name + (reason.map { " (\($0.name))" } ?? "")
        }
        return pending.map(\.name).joined(separator: " then ")
    }
}

extension VersionRow.ShownDevice {
    fileprivate var line: String {
        "\(device)  \(platform.name)" + (osVersion.map { " \($0)" } ?? "")
    }
}
