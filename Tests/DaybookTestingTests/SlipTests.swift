import Daybook
import DaybookModel
import DaybookTesting
import TestSupport
import Testing

/// Areas with one slip each, which the compiler lets pass.
@Suite("Slips in an area") struct SlipTests {
    @Test("The built-in areas have no fault", arguments: Cases.sample(Catalog.areas.indices))
    func builtIn(_ index: Int) {
        checkArea(Catalog.areas[index], with: Catalog.areas.filter { $0 != Catalog.areas[index] })
    }

    /// Routes of a program that no area lists.
    private enum Pointing: FileFormats {
        static let routes = [
            RouteDescription(.get, "/a", in: "one", serves: .command("shelf.nowhere"))
        ]
    }

    @Test("A fault of the formats that the program of an area lists is found")
    func formats() {
        let others = Array(Catalog.areas.dropFirst())
        expect(
            AreaCheck(Catalog.areas[0], with: others, formats: [Pointing.self]).faults,
            equals: ["\(InvalidCatalogue.routeToUnknownPart("GET /a", "command shelf.nowhere"))"])
    }

    @Test("A kind missing from an event set is found by trying the commands")
    func kindMissing() {
        #expect(
            AreaCheck(MissingKind.self).faults == [
                "the command 'shelf.remove' decides an event of the kind shelf.removed.v1, which "
                    + "is missing from the event set of the command's model"
            ])
    }

    @Test("A property missing from the list of fields is named")
    func fieldMissing() {
        #expect(
            AreaCheck(MissingField.self).faults == [
                "shelf.added.v1: Noted: the property 'note' is not listed in 'fields'",
                "shelf.added.v1: Noted: the property 'label.color' is not listed in 'fields'",
            ])
    }

    @Test("Two fields of one name are named")
    func repeatedName() {
        #expect(
            AreaCheck(RepeatedName.self).faults == [
                "shelf.moved.v1: Moved: two fields are called 'shelf'"
            ])
    }

    @Test("A sentence that is empty, of several lines, too long or tells a secret is found")
    func sentences() {
        expect(
            AreaCheck(BadSentences.self).faults,
            equals: [
                "shelf.added.v1: the sentence is empty",
                "shelf.broken.v1: the sentence has a line break or a hidden character",
                "shelf.long.v1: the sentence has more than 400 characters; quote texts with "
                    + "'wording'",
                "shelf.timed.v1: the sentence shows 'takenUs' in microseconds; write "
                    + "'wording.time'",
                "shelf.hashed.v1: the sentence shows the digest 'label'",
            ])
    }

    @Test("A text that is free in some values only, and so hidden by its type alone, is found")
    func partlyFree() {
        #expect(
            AreaCheck(PartlyFree.self).faults == [
                "shelf.labelled.v1: Labelled: the fields of a value differ from those of 'blank'"
            ])
    }

    @Test("A misspelt noun of a projection and of people is named")
    func noun() {
        #expect(
            AreaCheck(MisspeltNoun.self).faults == [
                "the projection 'shelf' has the noun 'shelve', but no event that it reads has a "
                    + "tag with this noun",
                "the area lists 'persn' as a noun of tags, but no event has a tag with this noun",
            ])
    }

    @Test("A life cycle of a misspelt field, kind, state or projection is refused")
    func machines() {
        #expect(throws: InvalidCatalogue.machineField("stat", of: "shelf")) {
            try Catalogue([MachineField.self])
        }
        #expect(throws: InvalidCatalogue.machineKind("shelf.adedd", of: "shelf")) {
            try Catalogue([MachineKind.self])
        }
        #expect(throws: InvalidCatalogue.machineState("ful", of: "shelf")) {
            try Catalogue([MachineState.self])
        }
        #expect(throws: InvalidCatalogue.machineWithoutProjection("shelff")) {
            try Catalogue([MachineProjection.self])
        }
    }

    @Test("An event or a command under another area's name is refused")
    func prefix() {
        #expect(throws: InvalidCatalogue.foreignName("shelf.added.v1", in: "shelves")) {
            try Catalogue([ForeignName.self])
        }
    }

    @Test("Fewer names than cases are refused, and so are two of the same name")
    func names() {
        #expect(
            throws: InvalidCatalogue.misnamedEnum(
                "Short has 1 names for 2 cases", in: "names.chosen.v1")
        ) {
            try Catalogue([TooFewNames.self])
        }
    }

    @Test("A projection that reads a kind nobody writes is refused")
    func unwritten() {
        #expect(
            throws: InvalidCatalogue.undeclaredKind("shelf.added.v1", readBy: "shelf")
        ) {
            try Catalogue([Unwritten.self])
        }
    }

    @Test("Ids that end in one of a noun that no event gives another id are refused")
    func neverRenamed() {
        #expect(throws: InvalidCatalogue.partNeverRenamed("room", of: "shelf")) {
            try Catalogue([NeverRenamed.self])
        }
    }

    @Test("A fold that loses a field in a round trip is found")
    func lostState() {
        #expect(
            AreaCheck(LostState.self).faults.contains {
                $0.hasPrefix("shelf: Counted: the property 'last' is not listed in 'fields'")
            })
    }

    @Test("A command whose event may go beyond its limits is found")
    func beyondLimits() {
        let faults = AreaCheck(BeyondLimits.self).faults
        #expect(faults.count == 1, "\(faults)")
        let fault = faults.first ?? ""
        #expect(
            fault.hasPrefix(
                "the command 'shelf.fill' is refused, because the event shelf.filled.v1 has a "
                    + "value outside its limits: field 'amount': expected 1 to 100, found "))
        #expect(fault.hasSuffix("; the command's fields do not declare that limit"))
    }

    @Test("A command that needs more than the newest event, which it says is enough, is found")
    func newest() {
        #expect(
            AreaCheck(TooNew.self).faults == [
                "the command 'shelf.top' decides differently if only the newest event is folded "
                    + "for each query item that 'newest' returns"
            ])
    }

    @Test(
        "A command that looks for events by a noun they lack is named, and so is its forgotten tag")
    func queries() {
        #expect(
            AreaCheck(QueryOfAnotherNoun.self).faults == [
                "the command 'shelf.count' looks for tags with the noun 'shelves', but no event "
                    + "of the kinds in its query has such a tag"
            ])
        #expect(
            AreaCheck(ForgottenTag.self).faults == [
                "the command 'shelf.rest' looks for tags with the noun 'clerk', but no event of "
                    + "the kinds in its query has such a tag",
                "the event shelf.filled.v1 has the field 'clerk', but no tag with this noun, "
                    + "although the command 'shelf.rest' looks for such a tag",
            ])
    }

    @Test("A report whose period is none of its arguments is refused")
    func period() {
        #expect(throws: InvalidCatalogue.reportArgument("moth", of: "total")) {
            try Catalogue([MisspeltPeriod.self])
        }
    }
}
