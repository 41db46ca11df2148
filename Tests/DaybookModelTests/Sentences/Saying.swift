import Daybook

@testable import DaybookModel

/// A payload, and what it says at 14:00 on 2026-03-03 in Seoul.
struct Saying: Sendable, CustomStringConvertible {
    let payload: any EventPayload
    let sentence: String

    init(_ payload: some EventPayload, _ sentence: String) {
        self.payload = payload
        self.sentence = sentence
    }

    var description: String { sentence }

    /// What the payload says.
    var said: String {
        payload.sentence(Wording(occurredAt: Self.seoul("14:00"), offsetS: 32_400))
    }

    /// A time in Seoul, on 2026-03-03 unless a day of March is given.
    static func seoul(_ clock: String, day: Int = 3) -> Instant {
        Timestamp.parse("2026-03-\(day < 10 ? "0" : "")\(day)T\(clock):00+09:00")?.instant ?? .epoch
    }

    static let all = [
        BabyCare.sayings, Household.sayings, Session.sayings, Launch.sayings, Chat.sayings,
        OfflineQueue.sayings, Running.sayings, Shop.sayings, Account.sayings, Assistant.sayings,
        Permission.sayings, Photo.sayings,
    ].flatMap(\.self)
}
