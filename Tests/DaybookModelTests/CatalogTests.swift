import Daybook
import DaybookFormats
import Foundation
import TestSupport
import Testing

@testable import DaybookModel

@Suite struct CatalogTests {
    // The program does not check its catalogue when it starts.
    @Test("Areas and formats make a catalogue: no name stands twice, no upcaster is missing")
    func isValid() throws {
        let catalogue = try Catalogue(Catalog.areas, formats: FormatCatalog.formats)
        #expect(!catalogue.events.isEmpty)
        for area in Catalog.areas {
            #expect(area.events.allSatisfy { $0.kind.area == area.name })
            #expect(area.commands.allSatisfy { $0.name.hasPrefix("\(area.name).") })
        }
    }

    @Test("Every folder of the domain is an area of the catalogue")
    func listsEveryFolder() throws {
        let sources = Checkout.root.appending(path: "Sources/DaybookModel")
        let folders = try FileManager.default
            .contentsOfDirectory(at: sources, includingPropertiesForKeys: [.isDirectoryKey])
            .filter { try $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory ?? false }
            .map(\.lastPathComponent)
        #expect(Catalog.areas.map { "\($0)" }.sorted() == folders.sorted())
    }

    @Test("No object has a field twice")
    func fieldsAreUnique() throws {
        let catalogue = try Catalogue(Catalog.areas)
        for (kind, event) in catalogue.events { expectUnique(event.fields, "\(kind)") }
        for (name, command) in catalogue.commands { expectUnique(command.fields, name) }
        for (name, projection) in catalogue.projections { expectUnique(projection.fields, name) }
    }

    @Test("Every integer that can come in has a declared limit")
    func integersAreLimited() throws {
        let catalogue = try Catalogue(Catalog.areas)
        var owners = catalogue.events.values.map { ($0.kind.name, $0.fields) }
        owners += catalogue.commands.values.map { ($0.name, $0.fields) }
        owners += catalogue.flows.values.flatMap(\.inputs).map { ($0.key, $0.value) }
        for (owner, fields) in owners { expectLimits(fields, owner) }
    }

    private func expectLimits(_ fields: [FieldDescription], _ owner: String) {
        for field in fields {
            if field.form.contains("integer") {
                #expect(field.declaredLimit != nil, "\(owner).\(field.name)")
            }
            expectLimits(field.fields, "\(owner).\(field.name)")
        }
    }

    private func expectUnique(_ fields: [FieldDescription], _ owner: String) {
        let names = fields.map(\.name)
        #expect(Set(names).count == names.count, "\(owner): \(names)")
        for field in fields { expectUnique(field.fields, "\(owner).\(field.name)") }
    }
}
