import Daybook
import TestSupport
import Testing

/// Groups of ids that mean one entity.
@Suite struct IdentitiesTests {
    @Test(
        "An id leads to the newest of its chain",
        arguments: [
            ("nothing is replaced", "", "a", "a"),
            ("one replacement", "a>b", "a", "b"),
            ("the new one itself", "a>b", "b", "b"),
            ("a chain", "a>b b>c", "a", "c"),
            ("a chain told backwards", "b>c a>b", "a", "c"),
            ("two become one", "a>c b>c", "b", "c"),
            ("the second replacement of an id says nothing", "a>b a>c", "a", "b"),
            ("none by itself", "a>a", "a", "a"),
            ("no circle", "a>b b>a", "a", "b"),
            ("no long circle", "a>b b>c c>a", "a", "c"),
        ])
    func newest(_ sentence: String, _ renamings: String, _ id: String, _ newest: String) {
        expect(identities(renamings).newest("n", id), equals: newest, "\(sentence)")
        expect(identities(renamings).newest("other", id), equals: id, "\(sentence)")
    }

    @Test("The ids of an entity are listed with the newest first")
    func all() {
        let identities = identities("a>c b>c c>d x>y")
        expect(identities.all("n", "b"), equals: ["d", "a", "b", "c"])
        expect(identities.all("n", "y"), equals: ["y", "x"])
        expect(identities.all("n", "q"), equals: ["q"])
    }

    @Test(
        "An id made of several leads to the newest id of its last part",
        arguments: [
            ("nothing is replaced", "", "u/a", "u/a"),
            ("one replacement", "a>b", "u/a", "u/b"),
            ("the new one itself", "a>b", "u/b", "u/b"),
            ("a chain", "a>b b>c", "u/a", "u/c"),
            ("the part alone is none", "a>b", "a", "a"),
            ("a part before the last", "a>b", "a/u", "a/u"),
            ("no part before it", "a>b", "/a", "/b"),
            ("a part with a stroke in it", "a/x>b", "u/a/x", "u/b"),
            ("the longest part that was replaced", "x/a>y a>b", "u/x/a", "u/y"),
            ("another end", "a>b", "u/aa", "u/aa"),
        ])
    func lastPart(_ sentence: String, _ renamings: String, _ id: String, _ newest: String) {
        let identities = identities(renamings, Identities(lastParts: ["whole": "n"]))
        expect(identities.newest("whole", id), equals: newest, "\(sentence)")
        expect(identities.newest("other", id), equals: id, "\(sentence)")
        let all = identities.all("whole", id)
        #expect(all.first == newest && all.contains(id), "\(sentence)")
    }

    @Test("The ids that end in an id of a thing are those of one entity, for each beginning")
    func allOfLastPart() {
        let identities = identities("a>c b>c", Identities(lastParts: ["whole": "n"]))
        expect(identities.all("whole", "u/b"), equals: ["u/c", "u/a", "u/b"])
        expect(identities.all("whole", "v/c"), equals: ["v/c", "v/a", "v/b"])
        expect(identities.all("whole", "u"), equals: ["u"])
    }

    @Test("An id of many strokes has an answer, also where ids end in ids of their own noun")
    func manyStrokes() {
        let strokes = String(repeating: "/", count: 400)
        let identities = identities("a>b", Identities(lastParts: ["n": "n", "whole": "n"]))
        expect(identities.newest("whole", "\(strokes)c"), equals: "\(strokes)c")
        expect(identities.newest("n", "\(strokes)a"), equals: "\(strokes)b")
        expect(identities.newest("n", "a"), equals: "b")
    }

    @Test("Chains and circles of renamings end, and all joined ids have one newest id")
    func random() {
        for seed in UInt64(1)...200 {
            var generator = SeededGenerator(seed: seed)
            var identities = Identities()
            // Union by hand.
            var group = Array(0..<12)
            var next: [Int: Int] = [:]
            for _ in 0..<Int.random(in: 1...20, using: &generator) {
                let (a, b) = (
                    Int.random(in: 0..<12, using: &generator),
                    Int.random(in: 0..<12, using: &generator)
                )
                identities.add(Renaming(noun: "n", from: "\(a)", to: "\(b)"))
                guard next[a] == nil, group[a] != group[b] else { continue }
                next[a] = b
                let (old, new) = (group[a], group[b])
                for index in group.indices where group[index] == old { group[index] = new }
            }
            for a in 0..<12 {
                for b in 0..<12 {
                    let same =
                        identities.newest("n", "\(a)") == identities.newest("n", "\(b)")
                    #expect(same == (group[a] == group[b]), "seed \(seed): \(a), \(b)")
                }
            }
        }
    }

    private func identities(
        _ renamings: String, _ start: Identities = Identities()
    ) -> Identities {
        var identities = start
        for renaming in renamings.split(separator: " ") {
            let ids = renaming.split(separator: ">").map(String.init)
            identities.add(Renaming(noun: "n", from: ids[0], to: ids[1]))
        }
        return identities
    }
}
