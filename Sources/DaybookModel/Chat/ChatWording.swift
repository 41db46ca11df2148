import Daybook

extension Chat {
    /// Returns the number of images in words; `nil` for none.
    static func images(_ count: Int64) -> String? { count == 0 ? nil : count.counted("image") }
}

extension Chat.Channel {
    /// The way in which a message came: `message by push`.
    func sentence(isOwn: Bool) -> String {
        let message = isOwn ? "own message" : "message"
        return switch self {
        case .socket: message
        case .rest: "\(message) loaded"
        case .push: "\(message) by push"
        case .local: "\(message) from the device"
        }
    }
}

extension Chat.Scope {
    /// The period in words: `the last 72 h`, `week from 2026-02-16`.
    func sentence(_ wording: Wording) -> String? {
        guard let firstDay else { return kind == .last72h ? "the last 72 h" : kind.name }
        return kind == .day ? firstDay : "\(kind.name) from \(firstDay)"
    }
}
