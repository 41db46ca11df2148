package import Daybook

extension BabyCare {
    /// Further details of an entry that have no field in `Value`, by key, as the app sent them.
    ///
    /// Names of people are stored encrypted and, like notes, left out of the state of an entry.
    package struct Meta: FieldValue, ExpressibleByDictionaryLiteral {
        /// Details stored in plain text, by key.
        private(set) var plainTexts: [String: String] = [:]
        /// Encrypted names of people, by key.
        package private(set) var personNames: [String: PersonalText] = [:]

        /// Keys whose values are names of people, in lower case and with letters only.
        private static let personalKeys: Set<String> = [
            "author", "authorname", "authoremail", "authorid", "caregiver", "caregivername",
            "givenby", "createdby", "updatedby", "editedby", "recordedby", "loggedby", "enteredby",
            "user", "username", "userid", "nickname", "displayname", "fullname", "email", "phone",
            "doctor", "nanny", "parent",
        ]

        /// True if the key's value is the name of a person, as for `author` or `created_by`.
        static func isPersonal(_ key: String) -> Bool {
            personalKeys.contains(key.lowercased().filter(\.isLetter))
        }

        /// Creates metadata from details by key; the values of personal keys go to `personNames`.
        package init(_ details: [String: String]) {
            for (key, text) in details { add(key, SealableText(text)) }
        }

        package init(dictionaryLiteral elements: (String, String)...) {
            self.init(Dictionary(elements) { _, last in last })
        }

        /// Adds a detail that was stored in plain text to `plainTexts`. Any other detail is added
        /// to `personNames` if it is encrypted or its key is personal, else to `plainTexts`.
        private mutating func add(_ key: String, _ value: SealableText) {
            switch value {
            case .plain(let text): plainTexts[key] = text
            case .sealed(let text):
                // A text that is stored encrypted stays encrypted, whatever its key.
                let isSealed = text.seal.contains { $0 != 0 }
                if isSealed || Self.isPersonal(key) {
                    personNames[key] = text
                } else {
                    plainTexts[key] = text.text ?? ""
                }
            }
        }

        package static var blank: Meta { [:] }
        package static var absent: Meta? { [:] }
        package static var isScalar: Bool { false }

        package static func visit<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout Meta
        ) throws(Visitor.Failure) {
            var all: [String: SealableText] = [:]
            for (key, text) in value.plainTexts { all[key] = .plain(text) }
            for (key, text) in value.personNames { all[key] = .sealed(text) }
            try visitor.map(&all)
            value.plainTexts = [:]
            value.personNames = [:]
            for (key, text) in all { value.add(key, text) }
        }
    }
}
