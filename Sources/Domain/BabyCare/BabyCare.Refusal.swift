public import EventSourcing

extension BabyCare {
    public enum Refusal: RefusalReason {
        case babyNotFound(String)
        case entryNotFound(String)
        case entryExists(String)
        case accessDenied(userId: String)
        case insufficientRole(userId: String, role: Household.Role)
        case unreadable(field: String, text: String, expected: String)
        case notStartable(Kind)
        case openEntryExists(String, Kind)
        case notOpen(String, EntryState)
        case onlyClosed(String)
        case entryCancelled(String)
        case alreadyCancelled(String)
        case notCancelled(String)
        case mergedAway(String, into: String)
        case nothingToUpdate
        case endRequired
        case endBeforeStart
        case tooLong
        case impossibleTime(Int64)
        case notTogether(String)
        case cannotMerge(String)
        case voiceDisabled
        case clipExists(String)
        case clipNotFound(String)
        case clipConfirmed(String)
        case noCandidate(Int64)

        public var code: String {
            switch self {
            case .babyNotFound: "babyNotFound"
            case .entryNotFound: "entryNotFound"
            case .entryExists: "entryExists"
            case .accessDenied: "accessDenied"
            case .insufficientRole: "insufficientRole"
            case .unreadable: "unreadable"
            case .notStartable: "notStartable"
            case .openEntryExists: "openEntryExists"
            case .notOpen: "notOpen"
            case .onlyClosed: "onlyClosed"
            case .entryCancelled: "entryCancelled"
            case .alreadyCancelled: "alreadyCancelled"
            case .notCancelled: "notCancelled"
            case .mergedAway: "mergedAway"
            case .nothingToUpdate: "nothingToUpdate"
            case .endRequired: "endRequired"
            case .endBeforeStart: "endBeforeStart"
            case .tooLong: "tooLong"
            case .impossibleTime: "impossibleTime"
            case .notTogether: "notTogether"
            case .cannotMerge: "cannotMerge"
            case .voiceDisabled: "voiceDisabled"
            case .clipExists: "clipExists"
            case .clipNotFound: "clipNotFound"
            case .clipConfirmed: "clipConfirmed"
            case .noCandidate: "noCandidate"
            }
        }

        public var message: String {
            switch self {
            case .babyNotFound(let id): "Baby not found: '\(id)'"
            case .entryNotFound(let id): "Event not found: '\(id)'"
            case .entryExists(let id): "there is an entry '\(id)' already"
            case .accessDenied(let userId):
                userId.isEmpty
                    ? "Household access denied: the command names no user"
                    : "Household access denied: '\(userId)' is no member"
            case .insufficientRole(let userId, let role):
                "Insufficient role for this action: '\(userId)' is \(role.name)"
            case .unreadable(let field, let text, let expected):
                "\(field): expected \(expected), found '\(text.prefix(60))'"
            case .notStartable(let kind):
                "\(kind.name) cannot be started; it is recorded as a whole"
            case .openEntryExists(let id, let kind):
                "open event already exists for this type: \(kind.name) '\(id)'"
            case .notOpen(let id, let state): "event is not open: '\(id)' is \(state.name)"
            case .onlyClosed(let id):
                "only closed events can be updated: '\(id)' is open; edit-open changes it"
            case .entryCancelled(let id):
                "'\(id)' is cancelled; only its restoration changes it"
            case .alreadyCancelled(let id): "event is already canceled: '\(id)'"
            case .notCancelled(let id): "'\(id)' is not cancelled"
            case .mergedAway(let id, let into): "'\(id)' has become part of '\(into)'"
            case .nothingToUpdate: "at least one field must be provided for update"
            case .endRequired: "end_time is required for closed events"
            case .endBeforeStart: "end_time must be after start_time"
            case .impossibleTime(let us):
                "\(us) µs since 1970 is in no year from 1900 to 2199"
            case .tooLong: "an entry lasts at most 28 days"
            case .notTogether(let id): "'\(id)' is of another baby or kind, or not closed"
            case .cannotMerge(let id): "'\(id)' overlaps none of the others"
            case .voiceDisabled: "voice is not part of the plan"
            case .clipExists(let id): "there is a clip '\(id)' already"
            case .clipNotFound(let id): "there is no clip '\(id)'"
            case .clipConfirmed(let id): "the clip '\(id)' was confirmed before"
            case .noCandidate(let index): "the clip has no candidate \(index)"
            }
        }
    }
}
