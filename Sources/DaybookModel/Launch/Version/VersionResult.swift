public import Daybook

extension Launch {
    public enum VersionResult: UInt8, StoredEnum { case upToDate, needsUpdate, maintenance, error }

    /// The reason why a version may not run, or could not be checked. Names after `fetchFailed` are S2's.
    public enum VersionReason: UInt8, StoredEnum {
        case minVersion, forceVersion, blacklist, invalidVersion, fetchFailed
        case invalidLinkURLValue, notFoundLinkURLKey
        case notFoundForceUpdateAppVersionKey, notFoundOptionalUpdateAppVersionKey
        case invalidMainBundleReleaseVersionNumber, unknown
    }

    public enum LaunchStatus: UInt8, StoredEnum {
        case forced, optional, notice, valid, maintenance, error
    }

    /// A step of the splash that does not keep the user out.
    public enum PendingStep: UInt8, StoredEnum { case optional, notice }
}
