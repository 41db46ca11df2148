import Daybook
import DaybookTesting
import TestSupport
import Testing

@testable import DaybookModel

// Holds: s3-history-pages, s3-message-identity, s3-badge-total, s3-badge-active-room
/// Rooms: what is refused, what a page may hold, and what any order of arrivals keeps true.
@Suite("Rooms of a chat") struct RoomTests {
    private typealias Sentence = CommandExample<Chat.Rooms>

    private static func at(_ second: Int64) -> Instant {
        Instant(microseconds: 1_772_400_000_000_000 + second * 1_000_000)
    }

    private static func message(_ number: Int64, by author: String = "lee") -> Chat.Message {
        Chat.Message(messageId: "m\(number)", author: author, sent: at(number))
    }

    private static func appended(_ number: Int64, _ via: Chat.Channel) -> Chat.MessageAppended {
        Chat.MessageAppended(
            device: "d", roomId: "r", messageId: "m\(number)", author: "lee", userId: "kim",
            via: via, sent: at(number))
    }

    private static let entered = Chat.Rooms.Event.roomEntered(
        Chat.RoomEntered(device: "d", roomId: "r", userId: "kim"))
    private static let left = Chat.Rooms.Event.roomLeft(Chat.RoomLeft(device: "d", roomId: "r"))

    private static func page(_ count: Int64) -> Chat.LoadPage {
        Chat.LoadPage(
            device: "d", roomId: "r", userId: "kim", messages: (0..<count).map { message($0) })
    }

    @Test(arguments: [
        Sentence(
            "A page of thirty messages is taken whole, each as a message of its own",
            given: [entered], when: page(30),
            then: .events(
                (0..<30).map { .messageAppended(appended($0, .rest)) } + [
                    .pageLoaded(
                        Chat.PageLoaded(
                            device: "d", roomId: "r", messageIds: (0..<30).map { "m\($0)" }))
                ])),
        Sentence(
            "A page of more than thirty messages is refused", given: [entered], when: page(31),
            then: .refused("pageTooLarge", "the page has 31 messages; expected at most 30")),
        Sentence(
            "A message that stands twice in a page is there once", given: [entered],
            when: Chat.LoadPage(
                device: "d", roomId: "r", userId: "kim", messages: [message(1), message(1)]),
            then: .events([
                .messageAppended(appended(1, .rest)),
                .messageRepeated(
                    Chat.MessageRepeated(
                        device: "d", roomId: "r", messageId: "m1", author: "lee",
                        userId: "kim", via: .rest, sent: at(1))),
                .pageLoaded(
                    Chat.PageLoaded(device: "d", roomId: "r", messageIds: ["m1", "m1"])),
            ])),
        Sentence(
            "A room that is open is entered once", given: [entered],
            when: Chat.EnterRoom(device: "d", roomId: "r", userId: "kim"), then: .events([])),
        Sentence(
            "A room that was left is entered again", given: [entered, left],
            when: Chat.EnterRoom(device: "d", roomId: "r", userId: "kim"),
            then: .events([entered])),
        Sentence(
            "A room that is not open is not left", given: [entered, left],
            when: Chat.LeaveRoom(device: "d", roomId: "r"), then: .events([])),
    ])
    private func decides(_ example: Sentence) { example.check() }

    @Test("No layout of a chat's events changes without a new version of its kind")
    func layouts() throws {
        let path = #filePath.split(separator: "/", omittingEmptySubsequences: false)
            .dropLast().joined(separator: "/")
        try LayoutPins(of: Chat.self).check(heldIn: "\(path)/layouts.txt")
    }

    /// Arrivals, visits and restarts by chance, beside a list of what a person must see.
    private struct Story {
        var log = DecidedLog()
        var random: SeededGenerator
        var now: Int64 = 0
        var active: String?
        /// Messages of others by room, in the order of sending, that nobody has read.
        var unread: [String: Set<Int64>] = ["a": [], "b": []]
        var lastRead: [String: Int64] = [:]
        var came: [String: Set<Int64>] = ["a": [], "b": []]

        init(seed: UInt64) { random = SeededGenerator(seed: seed) }

        mutating func step() throws {
            now += 1
            let room = Bool.random(using: &random) ? "a" : "b"
            switch Int.random(in: 0..<12, using: &random) {
            case 0...6: try arrive(room)
            case 7:
                try log.give(Chat.EnterRoom(device: "d", roomId: room, userId: "kim"), at: at(now))
                active = room
                read(room)
            case 8:
                try log.give(Chat.LeaveRoom(device: "d", roomId: room), at: at(now))
                if active == room { active = nil }
            case 9:
                log.keep(Launch.AppLaunched(launchId: "l\(now)", device: "d"), at: at(now))
                active = nil
            case 10:
                try log.give(Chat.ClearUnread(device: "d", roomId: room), at: at(now))
                read(room)
            default:
                guard let number = came[room]?.randomElement(using: &random) else { return }
                try log.give(
                    Chat.ClearUnread(device: "d", roomId: room, uptoMessageId: "m\(number)"),
                    at: at(now))
                lastRead[room] = max(lastRead[room] ?? -1, number)
                unread[room] = unread[room]?.filter { $0 > number }
            }
        }

        /// A message that may have come before, was sent at any time, and is Kim's own where its
        /// number is a multiple of five.
        mutating func arrive(_ room: String) throws {
            let number = Int64.random(in: 0..<60, using: &random)
            let via = Chat.Channel.allCases.randomElement(using: &random) ?? .push
            try log.give(
                Chat.AppendMessage(
                    device: "d", roomId: room, userId: "kim", via: via,
                    message: message(number, by: number % 5 == 0 ? "kim" : "lee")), at: at(now))
            guard came[room]?.insert(number).inserted == true, number > lastRead[room] ?? -1 else {
                return
            }
            if number % 5 != 0 { unread[room]?.insert(number) }
            if active == room { read(room) }
        }

        mutating func read(_ room: String) {
            lastRead[room] = max(lastRead[room] ?? -1, came[room]?.max() ?? -1)
            unread[room] = []
        }
    }

    @Test(
        "Each unread message of others is counted once, whatever comes when and however often",
        arguments: Cases.sample(0..<100 as Range<UInt64>))
    func counts(_ seed: UInt64) throws {
        var story = Story(seed: seed)
        for _ in 0..<150 {
            try story.step()
            let badge = try story.log.state(of: Chat.Badge.self, Tag("device", "d"))
            let expected = story.unread.mapValues { Int64($0.count) }
            for room in ["a", "b"] {
                expect(badge.rooms[room, default: 0], equals: expected[room], "seed \(seed)")
            }
            expect(badge.total, equals: badge.rooms.values.reduce(0, +), "seed \(seed)")
            if let active = badge.activeRoom {
                expect(badge.rooms[active], equals: 0, "seed \(seed)")
            }
            expect(badge.activeRoom, equals: story.active, "seed \(seed)")
        }
        for room in ["a", "b"] {
            let state = try story.log.state(of: Chat.Room.self, Tag("device-room", "d/\(room)"))
            let ids = (state.messages + state.pending).map(\.messageId)
            expect(Set(ids).count, equals: ids.count, "seed \(seed)")
            expect(Set(ids), equals: Set(story.came[room]?.map { "m\($0)" } ?? []), "seed \(seed)")
            expect(
                state.messages.map(\.sent), equals: state.messages.map(\.sent).sorted(), "\(seed)")
        }
        #expect(try story.log.findings(of: Chat.self).isEmpty, "seed \(seed)")
    }

    @Test(
        "The source's total is that of its rooms, and never below 0",
        arguments: 0..<50 as Range<UInt64>)
    func countsBySource(_ seed: UInt64) throws {
        var story = Story(seed: seed)
        for _ in 0..<100 { try story.step() }
        let badge = try story.log.state(of: Chat.SourceBadge.self, Tag("device", "d"))
        #expect(badge.rooms.values.allSatisfy { $0 >= 0 }, "seed \(seed)")
        expect(badge.total, equals: badge.rooms.values.reduce(0, +), "seed \(seed)")
    }
}
