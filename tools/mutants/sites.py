"""Places of the rules where one change makes a mutant, found in the tokens of each file."""
import hashlib
from dataclasses import dataclass

import calls
import facts
import statements

COMPARISONS = {"<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"],
               "==": ["!="], "!=": ["=="]}
ARITHMETIC = {"+": ["-"], "-": ["+"], "*": ["+"], "/": ["*"], "%": ["/"], "&+": ["&-"],
              "&-": ["&+"], "&*": ["&+"], "+=": ["-="], "-=": ["+="], "&+=": ["&-="],
              "&-=": ["&+="]}
LOGIC = {"&&": ["||"], "||": ["&&"]}
OTHERS = {"..<": ["one more"], "...": ["one fewer"]}
KIND_OF = {**{text: "comparison" for text in COMPARISONS},
           **{text: "arithmetic" for text in ARITHMETIC}, **{text: "logic" for text in LOGIC},
           "..<": "range", "...": "range"}

# How many of a hundred mutants are drawn of each kind. What a kind lacks, the others give.
SHARES = {"comparison": 15, "arithmetic": 11, "logic": 9, "negation": 6, "number": 8, "truth": 4,
          "enum case": 8, "statement": 10, "case": 9, "condition": 9, "field": 6, "call": 3,
          "default": 1, "range": 1}


@dataclass
class Site:
    """A place and its change: edits as (start, end, text), with `{n}` for the mutant's number.

    `{o<}` is an operator of its own that stands for `<`.
    """
    path: str
    line: int
    text: str
    kind: str
    change: str
    edits: list
    declarations: str = ""
    ordinal: int = 1

    @property
    def key(self):
        """The key of the site, which edits elsewhere leave unchanged: it has no line number."""
        suffix = f" #{self.ordinal}" if self.ordinal > 1 else ""
        return f"{self.path}\n{self.text}\n{self.change}{suffix}"

    def rank(self, seed):
        return hashlib.sha256(f"{seed}\n{self.key}".encode()).hexdigest()


def spelling(base, number):
    """An operator of its own for a mutant: Braille patterns, which are operator characters."""
    return base + chr(0x2801 + number // 200) + chr(0x2801 + number % 200)


def operators(source):
    """Infix operators and the prefix `!`, each replaced by an operator that picks by the switch."""
    tokens = source.tokens
    for index, token in enumerate(tokens):
        if token.kind != "operator" or not statements.is_code(source, token):
            continue
        before, after = tokens[index - 1], tokens[index + 1]
        if token.text == "!" and not source.spaced_after(index) and (
                token.spaced or before.text in "([") and after.text != "(":
            yield site(source, token, "negation", "`!` dropped", "!", "prefix operator {o}",
                       "prefix func {o} (a: Bool) -> Bool { isMutant({n}) ? a : !a }")
            continue
        if token.text not in KIND_OF or not source.is_infix(index):
            continue
        if token.text in ("..<", "...") and (
                "string" in (before.kind, after.kind) or before.text in "([" or after.text in ")],"):
            continue
        if token.text in ("==", "!=") and (
                "nil" in (before.text, after.text) or before.text == "self"
                or before.text == ")" and is_tuple(source, token, index - 1)
                or after.text == "(" and is_tuple(source, token, index + 1)):
            continue
        if token.text in ("+", "+=") and ("string" in (before.kind, after.kind)):
            continue
        choices = {**COMPARISONS, **ARITHMETIC, **LOGIC, **OTHERS}[token.text]
        for choice in choices:
            group, body = operator_bodies(token.text, choice)
            yield site(source, token, KIND_OF[token.text],
                       f"`{token.text}` becomes {choice if ' ' in choice else f'`{choice}`'}",
                       token.text, "infix operator {o}: " + group, body)


def site(source, token, kind, change, base, *declarations):
    """A site where an operator is spelled anew; `{o}` is its new spelling."""
    return Site(source.path, source.line(token.start), source.line_text(token.start), kind, change,
                [(token.start, token.end, "{o" + base + "}")],
                "\n".join(declarations).replace("{o}", "{o" + base + "}"))


def is_tuple(source, token, index):
    """True if the parenthesis at an index, beside an operator, holds a tuple."""
    opened = next(bracket for bracket in source.brackets
                  if index in (bracket.start, bracket.end))
    before = source.tokens[opened.start - 1]
    if before.kind == "word" and before.text not in ("return", "in", "if", "guard", "where"):
        return False
    return any(inner.text == "," and inner.bracket is opened
               for inner in source.tokens[opened.start + 1:opened.end])


def operator_bodies(text, choice):
    """The precedence group of an operator, and the functions that pick by the switch."""
    if text in COMPARISONS:
        protocol = "Equatable" if text in ("==", "!=") else "Comparable"
        return "ComparisonPrecedence", (
            f"func {{o}} <T: {protocol}>(a: T, b: T) -> Bool "
            f"{{ isMutant({{n}}) ? a {choice} b : a {text} b }}")
    if text in LOGIC:
        group = "LogicalConjunctionPrecedence" if text == "&&" else "LogicalDisjunctionPrecedence"
        return group, (
            "func {o} (a: Bool, b: @autoclosure () throws -> Bool) rethrows -> Bool "
            f"{{ isMutant({{n}}) ? try (a {choice} b()) : try (a {text} b()) }}")
    if text.endswith("="):
        return "AssignmentPrecedence", (
            "func {o} <T: MutantNumber>(a: inout T, b: T) "
            f"{{ a = isMutant({{n}}) ? a.{NAMES[choice[:-1]]}(b) : a.{NAMES[text[:-1]]}(b) }}"
            + ("\nfunc {o} <C: RangeReplaceableCollection, S: Sequence>(a: inout C, b: S) "
               "where S.Element == C.Element { if !isMutant({n}) { a += b } }"
               if text == "+=" else ""))
    if text in ARITHMETIC:
        group = ("AdditionPrecedence" if text in ("+", "-", "&+", "&-")
                 else "MultiplicationPrecedence")
        return group, (
            "func {o} <T: MutantNumber>(a: T, b: T) -> T "
            f"{{ isMutant({{n}}) ? a.{NAMES[choice]}(b) : a.{NAMES[text]}(b) }}"
            + ("\nfunc {o} <C: RangeReplaceableCollection, S: Sequence>(a: C, b: S) -> C "
               "where S.Element == C.Element { isMutant({n}) ? a : a + b }"
               if text == "+" else ""))
    if text == "..<":
        return "RangeFormationPrecedence", (
            "func {o} <T: Strideable>(a: T, b: T) -> Range<T> where T.Stride: SignedInteger "
            "{ isMutant({n}) ? a..<b.advanced(by: 1) : a..<b }\n"
            "func {o} <T: Comparable>(a: T, b: T) -> Range<T> "
            "{ isMutant({n}) ? a..<a : a..<b }")
    return "RangeFormationPrecedence", (
        "func {o} <T: Strideable>(a: T, b: T) -> ClosedRange<T> where T.Stride: SignedInteger "
        "{ isMutant({n}) ? a...max(a, b.advanced(by: -1)) : a...b }\n"
        "func {o} <T: Comparable>(a: T, b: T) -> ClosedRange<T> "
        "{ isMutant({n}) ? a...a : a...b }")


NAMES = {"+": "plus", "-": "minus", "*": "times", "/": "over", "%": "rest", "&+": "wrappedPlus",
         "&-": "wrappedMinus", "&*": "wrappedTimes"}


def all_sites(sources):
    """Every site of the files, with a number to those that have the same line and change."""
    known = facts.Facts(sources)
    seen = {}
    for source in sources:
        for found in (*operators(source), *statements.sites(source, Site),
                      *calls.sites(source, known, Site)):
            first = found.key
            seen[first] = found.ordinal = seen.get(first, 0) + 1
            yield found


class Draw:
    """The mutants of a draw by a seed: of each kind its share, at most one of a line.

    A site keeps its rank while others change, so that an edit leaves most of a draw as it was.
    """

    def __init__(self, sites, count, seed):
        self.ranked = sorted(sites, key=lambda site: site.rank(seed))
        self.mutants, self.spans = [], {}
        self._lines, self._used = set(), set()
        for kind, share in SHARES.items():
            for _ in range(share * count // 100):
                self._add(self._next(kind))
        while len(self.mutants) < count and (site := self._next()):
            self._add(site)

    def instead_of(self, lost):
        """Another site for one that does not compile, of its kind if there is one."""
        site = self._next(lost.kind) or self._next()
        self._add(site)
        return site

    def take_span(self, path, start, end):
        """Keeps a place free of mutants."""
        self.spans.setdefault(path, []).append((start, end))

    def _next(self, kind=None):
        for site in self.ranked:
            if kind in (None, site.kind) and id(site) not in self._used and self._is_free(site):
                return site
        return None

    def _add(self, site):
        if site is None:
            return
        self.mutants.append(site)
        self._used.add(id(site))
        self._lines.add((site.path, site.line))
        for start, end, _ in site.edits:
            self.take_span(site.path, start, end)

    def _is_free(self, site):
        """True if nothing drawn changes a place that the site changes, or begins or ends there."""
        return (site.path, site.line) not in self._lines and all(
            start > high or low > end for low, high, _ in site.edits
            for start, end in self.spans.get(site.path, ()))
