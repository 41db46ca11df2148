public import Daybook

extension Launch {
    /// Result of a version check.
    public enum VersionResult: UInt8, StoredEnum { case upToDate, needsUpdate, maintenance, error }

    /// Reason why a version may not run or could not be checked.
    ///
    /// The names after `fetchFailed` are S2's.
    public enum VersionReason: UInt8, StoredEnum {
        case minVersion, forceVersion, blacklist, invalidVersion, fetchFailed
        case invalidLinkURLValue, notFoundLinkURLKey
        case notFoundForceUpdateAppVersionKey, notFoundOptionalUpdateAppVersionKey
        case invalidMainBundleReleaseVersionNumber, unknown
    }

    /// Status of a launch by the rules of the source document S2: the first rule that matched.
    public enum LaunchStatus: UInt8, StoredEnum {
        case forced, optional, notice, valid, maintenance, error
    }

    /// Step of the splash that does not block the user.
    public enum PendingStep: UInt8, StoredEnum { case optional, notice }
}
