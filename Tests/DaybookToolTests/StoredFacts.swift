import Daybook
import DaybookInput
import DaybookLog
import Testing

@testable import DaybookModel

extension ScratchLog {
    /// Appends lines of facts without a look at their limits, as a release without them did.
    func store(_ lines: [String]) throws {
        let catalogue = try Catalogue(Catalog.areas)
        let log = try EventLog(path: path, access: .create)
        let events = try lines.map { line in
            let tree = try JSONParser.parse(line.utf8)
            guard case .text(let name)? = tree["event"]?.content, let data = tree["data"] else {
                throw InputError("is no fact: \(line)")
            }
            let kind = try #require(EventKind(name).flatMap { catalogue.events[$0] })
            var event = try kind.read(data, "data", InputRules.standard.ofHistory)
            if case .text(let at)? = tree["at"]?.content {
                event.occurredAt = try #require(Timestamp.parse(at)).instant
            }
            return event
        }
        for event in events { _ = try log.append(AppendRequest([event])) }
    }
}
