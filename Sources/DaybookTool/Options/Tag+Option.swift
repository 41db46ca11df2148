import ArgumentParser
import Daybook

extension Daybook.Tag {
    /// Creates the tag that an option gives; throws a usage error with what is expected.
    init(of option: String, _ text: String, expected: String) throws {
        guard let tag = Daybook.Tag(identifier(text)) else {
            throw ValidationError("\(option): expected \(expected), found '\(text)'.")
        }
        self = tag
    }
}
