import Daybook

/// Moves config keys that are nested in the value of another key to the top level.
///
/// Some apps keep their whole config in one parameter of Remote Config, whose value is an object or
/// a text that contains a JSON object.
enum NestedConfigKeys {
    /// Returns the object with nested config keys moved to the top level.
    ///
    /// A member whose value is an object with a known key is replaced by the members of that
    /// object.
    ///
    /// - Parameter keys: the known keys of a config.
    /// - Throws: an error if a known key occurs twice in the result.
    static func flattened(_ tree: Tree, keys: Set<String>) throws(InputError) -> Tree {
        guard case .map(let members) = tree.content else { return tree }
        var flattened: [Tree.Member] = []
        var parentsByKey: [String: String] = [:]
        for member in members {
            let inside = keys.contains(member.key) ? nil : nestedSettings(member.value, keys)
            for setting in inside ?? [member] {
                if keys.contains(setting.key) {
                    let other = parentsByKey.updateValue(member.key, forKey: setting.key)
                    if let other, other != member.key {
                        throw InputError(
                            "the config sets this key twice: as '\(other)' and as '\(member.key)'",
                            line: member.value.line, field: setting.key)
                    }
                }
                flattened.append(setting)
            }
        }
        return Tree(.map(flattened), line: tree.line)
    }

    /// Returns the members of an object, or of the JSON object in a text; `nil` for any other
    /// value, and if no member has a known key.
    private static func nestedSettings(_ value: Tree, _ keys: Set<String>) -> [Tree.Member]? {
        switch value.content {
        case .map(let members):
            guard members.contains(where: { keys.contains($0.key) }) else { return nil }
            return members.map { Tree.Member(key: $0.key, value: asText($0.value)) }
        case .text(let text):
            guard text.trimmed.hasPrefix("{") else { return nil }
            do throws(InputError) {
                var inside = try JSONParser.parse(text.utf8)
                inside.line = value.line
                return nestedSettings(inside, keys)?.map { member in
                    var member = member
                    // Line numbers within a text are not those of the file.
                    member.value.line = value.line
                    return member
                }
            } catch {
                return nil
            }
        default: return nil
        }
    }

    /// Returns a number as a text with its original digits, and any other value unchanged. Version
    /// 1.10 must differ from 1.1, and Remote Config delivers every value as text.
    static func asText(_ value: Tree) -> Tree {
        switch value.content {
        case .integer(let integer): Tree(.text("\(integer)"), line: value.line)
        case .number(let text): Tree(.text(text), line: value.line)
        default: value
        }
    }
}
