import ArgumentParser
import Daybook

/// Source of options that file formats or trials add to a command.
protocol OptionProviding {
    /// Options of the command, in the order of its help.
    static var options: [FileOption] { get }
    /// Names of the options that must be given; options of the form `.time` must be given as well.
    static var requiredNames: Set<String> { get }
    /// Names of options whose value is the path of a file.
    static var fileOptionNames: Set<String> { get }
}

extension OptionProviding {
    /// Empty by default.
    static var fileOptionNames: Set<String> { [] }
}

/// Options that file formats or trials declare, as options of one command.
///
/// The parser reads the arguments from the type's mirror and decodes them by key. Both are built
/// here from the declarations, so help, completions and errors are the same as for options in code.
struct DeclaredOptions<Owner: OptionProviding>: ParsableArguments, CustomReflectable {
    /// Values of the options on the command line.
    private(set) var values = FileOptions()

    init() {}

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        for option in Owner.options {
            let key = Key(option.name)
            switch option.form {
            case .flag:
                guard try container.decode(Flag<Bool>.self, forKey: key).wrappedValue else {
                    continue
                }
                values[option] = ""
            case .texts:
                values[all: option] = try container.decode(
                    Option<[String]>.self, forKey: key
                ).wrappedValue
            case _ where Self.isRequired(option):
                values[option] = try container.decode(
                    Option<String>.self, forKey: key
                ).wrappedValue
            default:
                values[option] = try container.decode(
                    Option<String?>.self, forKey: key
                ).wrappedValue
            }
        }
    }

    /// Mirror whose children are the arguments, as the parser expects.
    var customMirror: Mirror {
        Mirror(
            self,
            children: Owner.options.map { (label: $0.name, value: Self.argument($0)) })
    }

    /// True if the command line must have the option.
    private static func isRequired(_ option: FileOption) -> Bool {
        option.form == .time || Owner.requiredNames.contains(option.name)
    }

    /// Returns the declaration of an option in the parser's types.
    private static func argument(_ option: FileOption) -> Any {
        let name = NameSpecification.customLong(option.name)
        let help = ArgumentHelp(stringLiteral: option.help)
        let valued = ArgumentHelp(option.help, valueName: option.placeholder)
        switch option.form {
        case .flag: return Flag(wrappedValue: false, name: name, help: help)
        case .texts: return Option<[String]>(wrappedValue: [], name: name, help: valued)
        case _ where isRequired(option):
            return Option<String>(
                name: name, help: valued,
                completion: Owner.fileOptionNames.contains(option.name) ? .file() : nil)
        case .id:
            return Option<String?>(name: name, help: valued, transform: identifier)
        case .choice(let words):
            let values = "(values: \(words.joined(separator: ", ")); default: \(words[0]))"
            return Option<String?>(
                name: name,
                help: ArgumentHelp("\(option.help) \(values)", valueName: option.placeholder),
                completion: .list(words))
        case .file:
            return Option<String?>(name: name, help: valued, completion: .file())
        default: return Option<String?>(name: name, help: valued)
        }
    }

    /// Name of an option, as the key with which the parser stores its value.
    private struct Key: CodingKey {
        /// Name of the option.
        let stringValue: String
        /// Always `nil`, because options are identified by names only.
        var intValue: Int? { nil }

        init(_ name: String) {
            stringValue = name
        }

        init?(stringValue: String) {
            self.stringValue = stringValue
        }

        init?(intValue: Int) {
            nil
        }
    }
}

extension FileOptions {
    /// Returns a copy of the values, in which each value of a time option is an exact RFC 3339
    /// text.
    func readingTimes(_ options: [FileOption]) throws -> FileOptions {
        var read = self
        for option in options where option.form == .time {
            guard let text = self[option] else { continue }
            read[option] = Timestamp.text(try CommandTime.instant(text, "--\(option.name)"))
        }
        return read
    }

    /// Throws the parser's usual error if an option has a value that is not among its choices.
    func checkChoices(_ options: [FileOption]) throws {
        for option in options {
            guard case .choice(let words) = option.form, let text = self[option],
                !words.contains(text)
            else { continue }
            let list = words.map { "'\($0)'" }
            let all =
                list.count < 2
                ? list.joined()
                : list.dropLast().joined(separator: ", ") + " and \(list[list.count - 1])"
            throw ValidationError(
                "The value '\(text)' is invalid for '--\(option.name) <\(option.placeholder)>'. "
                    + "Please provide one of \(all).")
        }
    }

    /// Throws a usage error if a value does not fit the form of its option.
    func check(_ options: [FileOption]) throws {
        for option in options {
            guard let text = self[option], let fault = option.fault(of: text) else { continue }
            throw ValidationError("--\(option.name): \(fault).")
        }
    }
}
