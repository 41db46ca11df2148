import Domain
import EventSourcing
import EventStorage
import Formats
import ReplayCommands

extension CareReading {
    /// The newest personal texts of each entry that were not erased, by its newest id.
    func texts(
        _ profile: Household.Profile, _ state: BabyCare.State
    ) throws -> [String: CareFile.EntryTexts] {
        var texts: [String: CareFile.EntryTexts] = [:]
        for event in try log.events(BabyCare.query(profile), through: through) {
            guard let id = event.tags.first(where: { $0.noun == "entry" })?.id else { continue }
            let entryId = state.newest(String(id))
            for (number, field) in try BabyCare.textFields(of: event, catalogue).enumerated() {
                guard field != .former,
                    let text = try log.personalText(at: event.position, field: UInt32(number))
                else { continue }
                switch field {
                case .note: texts[entryId, default: .init()].note = text
                case .name(let key): texts[entryId, default: .init()].names[key] = text
                case .former: break
                }
            }
        }
        return texts
    }
}

extension BabyCare {
    /// A personal text of an event about an entry.
    fileprivate enum TextField: Hashable {
        case note
        /// A name in the details, by its key there.
        case name(String)
        /// The text that an edit replaced.
        case former
    }

    /// The sealed texts of an event up to the note, in the order of the payload's fields.
    fileprivate static func textFields(
        of event: RecordedEvent, _ catalogue: Catalogue
    ) throws(FoldError) -> [TextField] {
        let newest = try catalogue.upcast(event)
        return switch try KindReader<Event>().read(newest) {
        case .entryOpened(let payload): fields(payload.meta, payload.text)
        case .entryClosed(let payload): fields(payload.meta, payload.text)
        case .entryRecorded(let payload): fields(payload.meta, payload.text)
        case .entryEdited(let payload):
            fields(payload.set.meta, nil)
                + (payload.prior.meta?.names.map { _ in .former } ?? [])
                + fields(nil, payload.text)
        default: []
        }
    }

    private static func fields(_ meta: Meta?, _ note: PersonalText?) -> [TextField] {
        (meta?.keysOfNames.map { .name($0) } ?? []) + (note == nil ? [] : [.note])
    }
}
