"""Tests the search for mutants and refactors, and their draw, on pieces of Swift."""
import listed
import refactors
import sites
import tokens
import workshop

TEXT = '''
struct Cup: Record {
    var filled = 0
    var size: Int64 = 0
    var rest: Int64 = 0
    mutating func fields() { field("size", 40, size < 3) }
}
enum Colour { case red, green, blue(Int) }
extension Cup {
    /// A comment with a < b, "quotes" and 40.
    func isMore(_ other: Cup, _ list: Array<Int>) -> Bool {
        // 41 && 42
        guard !list.isEmpty, other.size >= size else { return "a < \\(b && "c < 40") || 1" == "" }
        /* 43 /* 44 */ == 45 */
        return (size << 2) + rest == other.size && list[0] != 46
    }
    mutating func pour(_ colour: Colour) {
        switch colour {
        case .red: size += 1
        case .green where size > 0: rest = 5
        default: break
        }
        let text = #"a " == \\(b) < 7"#
    }
}
'''

FOUND = [
    ("condition", "`!list.isEmpty` always holds"), ("condition", "`!list.isEmpty` always fails"),
    ("negation", "`!` dropped"), ("comparison", "`>=` becomes `>`"),
    ("comparison", "`>=` becomes `<`"), ("field", "`other.size` becomes `other.rest`"),
    ("call", "`isEmpty` becomes its opposite"), ("arithmetic", "`+` becomes `-`"),
    ("comparison", "`==` becomes `!=`"), ("logic", "`&&` becomes `||`"),
    ("comparison", "`!=` becomes `==`"), ("number", "`46` becomes `47`"),
    ("case", "the case dropped"), ("case", "`.red` dropped"),
    ("statement", "the statement dropped"), ("arithmetic", "`+=` becomes `-=`"),
    ("number", "`5` becomes `6`"),
]


def main():
    faults = []

    def expect(holds, sentence):
        if not holds:
            faults.append(sentence)

    source = tokens.Source("Cup.swift", TEXT)
    words = [token.text for token in source.tokens]
    expect('"a < \\(b && "c < 40") || 1"' in words, "a text with another text in it is one token")
    expect('#"a " == \\(b) < 7"#' in words, "a text in marks is one token")
    expect(not {"41", "43", "45", "quotes"} & set(words), "a comment has no tokens")
    infix = [token.text for at, token in enumerate(source.tokens) if source.is_infix(at)]
    expect(infix.count("<") == 1 and "<<" in infix, "a list of types and a shift compare nothing")
    kinds = [bracket.kind for bracket in source.brackets if bracket.char == "{"]
    expect(kinds == ["type", "function", "type", "type", "function", "block", "function", "switch"],
           f"braces are of types, functions, blocks and switches, not {kinds}")

    every = list(sites.all_sites([source]))
    changes = [(site.kind, site.change) for site in every]
    for change in FOUND:
        expect(change in changes, f"not found: {change}")
    expect(all("40" not in site.change and "size < 3" not in site.text for site in every),
           "what declares fields is no place of a mutant")
    expect(len({site.key for site in every}) == len(every), "each place has a key of its own")

    drawn = [[site.key for site in sites.Draw(every, 6, seed).mutants] for seed in (1, 1, 2)]
    expect(drawn[0] == drawn[1] != drawn[2], "equal seeds draw equal mutants")
    later = list(sites.all_sites([tokens.Source("Cup.swift", "// first\n\n" + TEXT)]))
    expect([site.key for site in sites.Draw(later, 6, 1).mutants] == drawn[0],
           "an edit elsewhere changes no draw")
    lines = [site.line for site in sites.Draw(every, 20, 1).mutants]
    expect(len(set(lines)) == len(lines), "a line has one mutant at most")

    less = next(site for site in every if site.change == "`>=` becomes `>`")
    mutated = workshop.edited(TEXT, [
        (start, end, workshop.numbered(text, 7)) for start, end, text in less.edits])
    expect(f"other.size {sites.spelling('>=', 7)} size" in mutated, "an operator is spelled anew")
    spelled = {sites.spelling("<", number) for number in range(2_000)}
    expect(len(spelled) == 2_000, "each number has a spelling of its own")

    for refactor in refactors.all_refactors([source]):
        changed = workshop.edited(TEXT, [edit[1:] for edit in refactor.edits])
        expect(changed.count("\n") == TEXT.count("\n") and changed != TEXT,
               f"a refactor keeps the number of lines: {refactor.kind}")

    key = every[0].key
    expect(listed.reasons(every, f"# a list\n{key}\nno event has it\n") == {key: "no event has it"},
           "a listed mutant has its reason")
    for text in (key.replace("Cup", "Cap") + "\nreason", key, f"{key}\na\n\n{key}\nb"):
        try:
            listed.reasons(every, text)
            faults.append("an entry without a place, without a reason or twice is refused")
        except listed.Unmatched:
            pass

    for fault in faults:
        print(f"mutations: self-test: {fault}")
    print(f"self-test: {len(FOUND) + 14} sentences, {len(faults)} fail")
    return 1 if faults else 0
