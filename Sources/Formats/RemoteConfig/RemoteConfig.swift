public import Domain
public import EventSourcing

/// Remote Config as JSON: S0's object, S2's flat keys with texts as values, or both in one.
public enum RemoteConfig {
    /// The config in UTF-8 `bytes`, with or without a byte order mark, and what is odd about it.
    public static func read(
        _ bytes: some Sequence<UInt8>, rules: InputRules
    ) throws(InputError) -> (config: Launch.Config, warnings: [Launch.Config.Warning]) {
        let parsed = try parse(bytes, rules: rules)
        return (parsed.config, parsed.warnings)
    }

    /// The config with its digest.
    public static func parse(
        _ bytes: some Sequence<UInt8>, rules: InputRules
    ) throws(InputError) -> Launch.Config.Parsed {
        var text = Array(bytes)
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { text.removeFirst(3) }
        return try Launch.Config.parse(try JSONParser.parse(text), rules: rules)
    }
}
