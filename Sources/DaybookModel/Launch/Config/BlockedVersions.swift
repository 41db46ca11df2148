import Daybook

extension Launch {
    /// An entry of a blacklist: a version, or a range that includes both its ends.
    enum BlockedVersions: Hashable, Sendable {
        case one(AppVersion)
        case range(ClosedRange<AppVersion>)

        /// `nil` for an entry that is neither.
        ///
        /// A version after a dash makes a range, `1.0.0-1.2.0`: a pre-release is never meant by it.
        /// `1.0.0-2` and `1.0.0-1.2.0-1.3.0` could be either, and are neither.
        init?(_ text: String) {
            let text = text.trimmed
            guard let dash = text.firstIndex(of: "-") else {
                guard let version = AppVersion(text) else { return nil }
                self = .one(version)
                return
            }
            let end = String(text[text.index(after: dash)...]).trimmed
            guard
                end.unicodeScalars.allSatisfy({
                    ("0"..."9").contains($0) || "vV.-".unicodeScalars.contains($0)
                })
            else {
                guard let version = AppVersion(text) else { return nil }
                self = .one(version)
                return
            }
            guard end.contains("."), !end.contains("-"),
                let first = AppVersion(String(text[..<dash])), let last = AppVersion(end),
                first <= last
            else { return nil }
            self = .range(first...last)
        }

        func contains(_ version: AppVersion) -> Bool {
            switch self {
            case .one(let one): one == version
            case .range(let range): range.contains(version)
            }
        }
    }
}
