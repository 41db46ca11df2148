import Daybook

extension Launch {
    /// The result of a version check.
    package enum VersionResult: UInt8, StoredEnum { case upToDate, needsUpdate, maintenance, error }

    /// The reason why a version may not run or could not be checked.
    ///
    /// The names after `fetchFailed` are those of the source document S2.
    package enum VersionReason: UInt8, StoredEnum {
        case minVersion, forceVersion, blacklist, invalidVersion, fetchFailed
        case invalidLinkURLValue, notFoundLinkURLKey
        case notFoundForceUpdateAppVersionKey, notFoundOptionalUpdateAppVersionKey
        case invalidMainBundleReleaseVersionNumber, unknown
    }

    /// The status of a launch in the terms of source S2: the first rule that matched.
    package enum LaunchStatus: UInt8, StoredEnum {
        case forced, optional, notice, valid, maintenance, error
    }

    /// A screen that the splash shows before it continues: an optional update or a notice.
    package enum PendingStep: UInt8, StoredEnum { case optional, notice }
}
