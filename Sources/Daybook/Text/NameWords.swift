extension StringProtocol {
    /// The words of a stored name: `tokenRefreshFailed` and `token-refresh-failed` both give
    /// `token refresh failed`; abbreviations in capitals stay whole.
    package var inWords: String {
        var words = ""
        let characters = Array(self)
        for (index, character) in characters.enumerated() {
            guard character != "-" && character != "_" && character != " " else {
                words += " "
                continue
            }
            let before = index > 0 ? characters[index - 1] : " "
            let after = index + 1 < characters.count ? characters[index + 1] : " "
            let beginsWord =
                character.isUppercase && (before.isLowercase || before.isNumber)
                || character.isUppercase && before.isUppercase && after.isLowercase
                || character.isNumber && before.isLetter
            if beginsWord { words += " " }
            let isAbbreviation = before.isUppercase && !beginsWord || after.isUppercase
            words += isAbbreviation ? String(character) : character.lowercased()
        }
        return words
    }
}

extension String {
    /// The text on one line: white space becomes single spaces, hidden characters become escapes.
    package var onOneLine: String {
        split { $0.isWhitespace }.joined(separator: " ").visible
    }
}
