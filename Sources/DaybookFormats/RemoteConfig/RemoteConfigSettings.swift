import Daybook

/// Settings that lie inside the value of one parameter, as an object or as the text of one.
enum RemoteConfigSettings {
    /// The object with its settings at the top: members that are objects with known keys are
    /// replaced by what they hold.
    ///
    /// - Parameter keys: the keys that a config is read from.
    /// - Throws: where a key is set twice.
    static func opened(_ tree: Tree, keys: Set<String>) throws(InputError) -> Tree {
        guard case .map(let members) = tree.content else { return tree }
        var opened: [Tree.Member] = []
        var places: [String: String] = [:]
        for member in members {
            let inside = keys.contains(member.key) ? nil : settings(member.value, keys)
            for setting in inside ?? [member] {
                if keys.contains(setting.key) {
                    let other = places.updateValue(member.key, forKey: setting.key)
                    if let other, other != member.key {
                        throw InputError(
                            "is set twice, by '\(other)' and by '\(member.key)'",
                            line: member.value.line, field: setting.key)
                    }
                }
                opened.append(setting)
            }
        }
        return Tree(.map(opened), line: tree.line)
    }

    /// The members of an object, or of the text of one, that has a known key; `nil` for any other
    /// value.
    private static func settings(_ value: Tree, _ keys: Set<String>) -> [Tree.Member]? {
        switch value.content {
        case .map(let members):
            guard members.contains(where: { keys.contains($0.key) }) else { return nil }
            return members.map { Tree.Member(key: $0.key, value: asText($0.value)) }
        case .text(let text):
            guard text.trimmed.hasPrefix("{") else { return nil }
            do throws(InputError) {
                var inside = try JSONParser.parse(text.utf8)
                inside.line = value.line
                return settings(inside, keys)?.map { member in
                    var member = member
                    // Lines inside a text are none of the file.
                    member.value.line = value.line
                    return member
                }
            } catch {
                return nil
            }
        default: return nil
        }
    }

    /// A number as the text it is written as, which is how Remote Config gives every value: 1.10 is
    /// another version than 1.1.
    static func asText(_ value: Tree) -> Tree {
        switch value.content {
        case .integer(let integer): Tree(.text("\(integer)"), line: value.line)
        case .number(let text): Tree(.text(text), line: value.line)
        default: value
        }
    }
}
