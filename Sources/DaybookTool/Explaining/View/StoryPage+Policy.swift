import DaybookCryptography
import DaybookLog
import DaybookView

extension StoryPage {
    /// The page with the policy of its script and style.
    static let shared = StoryPage { Base64.text(SHA256.hash($0)) }
}
