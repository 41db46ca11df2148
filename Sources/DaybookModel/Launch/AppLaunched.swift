package import Daybook

extension Launch {
    /// The operating system of a device.
    package enum Platform: UInt8, StoredEnum { case ios, android, linux }

    /// The app was launched on a device.
    ///
    /// The command that records it also ends the device's previous app process, its splash and its
    /// pending token refresh.
    package struct AppLaunched: EventPayload, PlainRecord {
        package static let kind: EventKind = "launch.app-launched.v1"
        var launchId = ""
        /// Version in the app's bundle; empty if the bundle has none.
        package var appVersion = ""
        var build: String?
        package var platform = Platform.ios
        package var osVersion: String?
        /// True for the first launch after the app was installed.
        var firstLaunch = false
        package var device = ""
        package var tags: [Tag] { [tag(launchId), deviceTag(device)] }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId, "appVersion", &appVersion, "build", &build)
            try field("platform", &platform, "osVersion", &osVersion, "firstLaunch", &firstLaunch)
            try field("device", &device)
        }

        package func sentence(_ wording: Wording) -> String {
            let version = appVersion.isEmpty ? "without a version" : appVersion
            let system = [platform.words, osVersion].compactMap(\.self).joined(separator: " ")
            return wording.list(
                "app \(version) launched on \(system)", firstLaunch ? "for the first time" : nil)
        }
    }
}
