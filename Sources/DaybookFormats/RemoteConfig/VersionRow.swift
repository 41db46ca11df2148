import Daybook
import DaybookModel

/// The answer about one app version: its devices and launches, and its launch decisions.
struct VersionRow: Record {
    /// Version of the app, such as `1.2.0`.
    var appVersion = ""
    /// Number of devices whose last launch was of this version.
    var devices: Int64 = 0
    /// Number of launches of the version in the log.
    var launches: Int64 = 0
    /// Decision for a device that skips no version.
    var status = Launch.LaunchStatus.valid
    /// Reason for the status, such as a block of the version; `nil` if there is none.
    var reason: Launch.VersionReason?
    /// Rule set that the decisions follow.
    var rules = Rules.standard
    /// Distinct decisions for devices of the version, by number of devices, descending.
    var shown: [Shown] = []
    static var blank: Self { Self() }
    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("appVersion", &appVersion, "devices", &devices, "launches", &launches)
        try field("status", &status, "reason", &reason, "rules", &rules, "shown", &shown)
    }
}

extension VersionRow {
    /// One launch decision, with the devices that get it.
    struct Shown: Record {
        /// Result of the launch, such as `forced` for a required update.
        var status = Launch.LaunchStatus.valid
        /// Reason for the status; `nil` if there is none.
        var reason: Launch.VersionReason?
        /// Prompts that the app shows, in order.
        var pending: [Launch.PendingStep] = []
        /// Number of devices with this decision.
        var devices: Int64 = 0
        /// The devices with this decision; `nil` unless requested.
        var whom: [ShownDevice]?
        static var blank: Self { Self() }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("status", &status, "reason", &reason, "pending", &pending)
            try field("devices", &devices, "whom", &whom)
        }
    }

    /// A device in a listing of the devices with one decision.
    struct ShownDevice: Record {
        /// Id of the device.
        var device = ""
        /// Platform of the device's last launch.
        var platform = Launch.Platform.ios
        /// Version of the operating system; `nil` if unknown.
        var osVersion: String?
        static var blank: Self { Self() }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "platform", &platform, "osVersion", &osVersion)
        }
    }

    /// Creates the row of a version without devices, from the decision for a new device.
    init(_ decision: LaunchDecision, _ version: String) {
        self.init(
            appVersion: version, status: decision.status, reason: decision.reason,
            rules: decision.rules)
    }

    /// Counts a device that runs the version under its decision.
    ///
    /// - Parameter isNamed: true to list the device by its id as well.
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
    /// Line of text for a device: `device-7  ios 17.2`.
    fileprivate var line: String {
        "\(device)  \(platform.name)" + (osVersion.map { " \($0)" } ?? "")
    }
}
