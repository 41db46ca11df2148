public import Daybook

extension BabyCare {
    /// Details that have no field of their own, as they were written.
    ///
    /// Names of people among them are sealed when they are recorded. Like notes they are no part of
    /// an entry's state.
    public struct Meta: FieldValue, ExpressibleByDictionaryLiteral {
        /// Everything in clear.
        public private(set) var words: [String: String] = [:]
        /// Sealed names of people, by what they are.
        public private(set) var names: [String: PersonalText] = [:]

        /// Keys whose values name people, in small letters and without anything between them.
        private static let personalKeys: Set<String> = [
            "author", "authorname", "authoremail", "authorid", "caregiver", "caregivername",
            "givenby", "createdby", "updatedby", "editedby", "recordedby", "loggedby", "enteredby",
            "user", "username", "userid", "nickname", "displayname", "fullname", "email", "phone",
            "doctor", "nanny", "parent",
        ]

        /// True for a key whose value names somebody: `author`, `created_by`, `User name`.
        static func isPersonal(_ key: String) -> Bool {
            personalKeys.contains(key.lowercased().filter(\.isLetter))
        }

        /// Details to be recorded: the names in them are sealed.
        public init(_ details: [String: String]) {
            for (key, text) in details { add(key, SealableText(text)) }
        }

        public init(dictionaryLiteral elements: (String, String)...) {
            self.init(Dictionary(elements) { _, last in last })
        }

        private mutating func add(_ key: String, _ value: SealableText) {
            switch value {
            case .plain(let text): words[key] = text
            case .sealed(let text):
                // A text that is stored under a seal stays under it, whatever its key.
                let isSealed = text.seal.contains { $0 != 0 }
                if isSealed || Self.isPersonal(key) {
                    names[key] = text
                } else {
                    words[key] = text.text ?? ""
                }
            }
        }

        public static var blank: Meta { [:] }
        public static var absent: Meta? { [:] }
        public static var isScalar: Bool { false }

        public static func visit<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout Meta
        ) throws(Visitor.Failure) {
            var all = value.words.mapValues(SealableText.plain)
            for (key, text) in value.names { all[key] = .sealed(text) }
            try visitor.map(&all)
            value = Meta([:])
            for (key, text) in all { value.add(key, text) }
        }
    }
}
