import Daybook
import DaybookModel

/// The answer of `launch-decision` about one app version in a log.
///
/// The answer has the launch decisions for the version, and the numbers of devices and launches.
struct VersionRow: Record {
    /// Version of the app, such as `1.2.0`.
    var appVersion = ""
    /// Number of devices whose last launch was of this version.
    var deviceCount: Int64 = 0
    var launchCount: Int64 = 0
    /// Result of a launch on a device that has skipped only the versions of `--skipped`.
    var status = Launch.LaunchStatus.valid
    /// Reason for `status`, such as a block of the version; `nil` if there is none.
    var reason: Launch.VersionReason?
    /// Rule set under which the decisions are made.
    var rules = Rules.standard
    /// Distinct decisions for devices with this version, the most frequent first.
    var decisions: [CountedDecision] = []
    static var blank: Self { Self() }
    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("appVersion", &appVersion, "devices", &deviceCount, "launches", &launchCount)
        try field("status", &status, "reason", &reason, "rules", &rules, "shown", &decisions)
    }
}

extension VersionRow {
    /// One launch decision, with the number of devices that get it.
    struct CountedDecision: Record {
        /// Result of the launch, such as `forced` for a required update.
        var status = Launch.LaunchStatus.valid
        /// Reason for the status; `nil` if there is none.
        var reason: Launch.VersionReason?
        /// Prompts that the app shows at the launch, in order.
        var prompts: [Launch.PendingStep] = []
        var deviceCount: Int64 = 0
        var listedDevices: [ListedDevice]?
        static var blank: Self { Self() }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("status", &status, "reason", &reason, "pending", &prompts)
            try field("devices", &deviceCount, "whom", &listedDevices)
        }
    }

    /// A device with a launch decision, as listed for the option `--devices`.
    struct ListedDevice: Record {
        var deviceId = ""
        var platform = Launch.Platform.ios
        /// Version of the operating system; `nil` if unknown.
        var osVersion: String?
        static var blank: Self { Self() }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &deviceId, "platform", &platform, "osVersion", &osVersion)
        }
    }

    /// Creates the row of a version without devices.
    ///
    /// - Parameter decision: the launch decision for a device that has skipped only the versions of
    ///   `--skipped`.
    init(_ decision: LaunchDecision, _ version: String) {
        self.init(
            appVersion: version, status: decision.status, reason: decision.reason,
            rules: decision.rules)
    }

    mutating func add(
        _ id: String, _ device: Launch.CountedDevice, _ decision: LaunchDecision, isNamed: Bool
    ) {
        deviceCount += 1
        let outcome = CountedDecision(
            status: decision.status, reason: decision.reason, prompts: decision.pending)
        let known = decisions.firstIndex {
            $0.status == outcome.status && $0.reason == outcome.reason
                && $0.prompts == outcome.prompts
        }
        let index = known ?? decisions.count
        if known == nil { decisions.append(outcome) }
        decisions[index].deviceCount += 1
        if isNamed {
            decisions[index].listedDevices =
                (decisions[index].listedDevices ?? []) + [
                    ListedDevice(
                        deviceId: id, platform: device.platform, osVersion: device.osVersion)
                ]
        }
        // Outcomes with equal numbers keep the order of their first devices.
        var position = index
        while position > 0, decisions[position - 1].deviceCount < decisions[position].deviceCount {
            decisions.swapAt(position - 1, position)
            position -= 1
        }
    }

    /// The row as lines of text: `1.0.0  3 devices, 9 launches: 2 optional then notice, 1 notice`.
    var lines: [String] {
        let start =
            "\(appVersion)  \(deviceCount.counted("device")), "
            + "\(launchCount.counted("launch", "launches")): "
        guard decisions.count > 1 || decisions.first?.listedDevices != nil else {
            return [
                start
                    + (decisions.first?.shortText
                        ?? CountedDecision(status: status, reason: reason).shortText)
            ]
        }
        let counts = decisions.map { "\($0.deviceCount) \($0.shortText)" }
        return [start + counts.joined(separator: ", ")]
            + decisions.flatMap { outcome in
                (outcome.listedDevices ?? []).map { "  \(outcome.shortText)  \($0.line)" }
            }
    }
}

extension VersionRow.CountedDecision {
    /// The decision as a short text: `forced (blacklist)`, `optional then notice`.
    fileprivate var shortText: String {
        guard prompts.count > 1 else { return status.name + (reason.map { " (\($0.name))" } ?? "") }
        return prompts.map(\.name).joined(separator: " then ")
    }
}

extension VersionRow.ListedDevice {
    /// The device as a line of text: `device-7  ios 17.2`.
    fileprivate var line: String {
        "\(deviceId)  \(platform.name)" + (osVersion.map { " \($0)" } ?? "")
    }
}
