"""Changes of the rules that change nothing, which no scenario and no comparison may notice."""
import hashlib
from dataclasses import dataclass

import statements
from statements import operand_before

TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}
BOUNDARIES = {"&&", "||", ",", "(", "[", "{", "return", "if", "guard", "while", "=", "in", "where"}
ENDS = {"&&", "||", ",", "{", ")", "]", "}", "else"}


@dataclass
class Refactor:
    """A change of text: edits as (path, start, end, text), which keep the number of lines."""
    path: str
    line: int
    text: str
    kind: str
    edits: list

    @property
    def change(self):
        return self.kind

    def rank(self, seed):
        key = f"{seed}\n{self.path}\n{self.text}\n{self.kind}"
        return hashlib.sha256(key.encode()).hexdigest()


def make(source, first, kind, *edits):
    return Refactor(source.path, source.line(first.start), source.line_text(first.start), kind,
                    [(source.path, start, end, text) for start, end, text in edits])


def operand_after(source, index):
    """The index of the last token of the operand that begins after an operator."""
    tokens, at = source.tokens, index + 1
    while True:
        if tokens[at].text in ("(", "[", "{"):
            at = next(each.end for each in source.brackets if each.start == at)
        if tokens[at + 1].spaced or tokens[at + 1].text in (")", "]", "}", ",", ":"):
            return at
        at += 1


def text_of(source, first, last):
    return source.text[source.tokens[first].start:source.tokens[last].end]


def stands_alone(source, first, last):
    """True if an operator binds its operands, from the first to the last token, more than others."""
    tokens = source.tokens
    before, after = tokens[first - 1], tokens[last + 1]
    return before.text in BOUNDARIES and (
        after.text in ENDS or after.statement == last + 1 or after.text == "?" and after.spaced)


def is_plain(text):
    return "&" not in text and "{" not in text and "\n" not in text and not text.startswith(".")


def comparisons(source):
    for index, token in enumerate(source.tokens):
        if token.text not in TURNED or not source.is_infix(index):
            continue
        if not statements.is_code(source, token) or not source.function(token):
            continue
        first, last = operand_before(source, index), operand_after(source, index)
        left, right = text_of(source, first, index - 1), text_of(source, index + 1, last)
        if stands_alone(source, first, last) and is_plain(left) and is_plain(right) \
                and source.tokens[index].start - source.tokens[index - 1].end == 1:
            yield make(source, source.tokens[first], "the sides of a comparison",
                       (source.tokens[first].start, source.tokens[last].end,
                        f"{right} {TURNED[token.text]} {left}"))


def sums(source):
    tokens = source.tokens
    for index, token in enumerate(tokens):
        if token.text not in ("+=", "-=", "&+=", "&-=") or not source.is_infix(index):
            continue
        first = token.statement
        last = source.statement_end(first)
        target = text_of(source, first, index - 1)
        if "?" in target or " " in target or not source.function(token):
            continue
        yield make(source, tokens[first], "an assignment written out",
                   (token.start, tokens[index + 1].start, f"= {target} {token.text[:-1]} ("),
                   (tokens[last].end, tokens[last].end, ")"))


def clauses(source, index, end):
    """Clauses of a condition as (first, last) tokens."""
    found, begin = [], index + 1
    for at in range(index + 1, end + 1):
        if at == end or source.tokens[at].text == "," \
                and source.tokens[at].bracket is source.tokens[index].bracket:
            found.append((begin, at - 1))
            begin = at + 1
    return found


def is_test(source, clause):
    """True for a clause that binds nothing and calls nothing with a closure."""
    words = {token.text for token in source.tokens[clause[0]:clause[1] + 1]}
    return not words & {"let", "var", "case", "try", "await", "unsafe", "{", "#available"}


def conditions(source):
    tokens = source.tokens
    for index, token in enumerate(tokens):
        if token.kind != "word" or token.text not in ("if", "guard") or not source.function(token):
            continue
        ends = [at for at in range(index + 1, min(index + 300, len(tokens)))
                if tokens[at].bracket is token.bracket
                and tokens[at].text == ("else" if token.text == "guard" else "{")]
        if not ends:
            continue
        found = clauses(source, index, ends[0])
        for left, right in zip(found, found[1:]):
            if is_test(source, left) and is_test(source, right):
                yield make(source, tokens[left[0]], "two conditions in one",
                           (tokens[left[0]].start, tokens[left[0]].start, "("),
                           (tokens[left[1]].end, tokens[left[1] + 1].end, ") &&"),
                           (tokens[right[0]].start, tokens[right[0]].start, "("),
                           (tokens[right[1]].end, tokens[right[1]].end, ")"))
        if len(found) == 1 and is_test(source, found[0]):
            first, last = tokens[found[0][0]], tokens[found[0][1]]
            if token.text == "guard" and token.statement == index:
                yield make(source, token, "a guard as an if",
                           (token.start, first.start, "if !("),
                           (last.end, tokens[ends[0]].end, ")"))
            elif token.text == "if":
                yield from turned(source, index, ends[0], first, last)


def turned(source, index, opened, first, last):
    """An `if` with its sides changed, where neither is longer than a few lines."""
    tokens = source.tokens
    block = next(each for each in source.brackets if each.start == opened)
    if tokens[block.end + 1].text != "else" or tokens[block.end + 2].text != "{" \
            or tokens[index - 1].text == "else":
        return
    other = next(each for each in source.brackets if each.start == block.end + 2)
    one, two = text_of(source, opened, block.end), text_of(source, other.start, other.end)
    if (one + two).count("\n") > 8 or "//" in one + two:
        return
    yield make(source, tokens[index], "an if turned round",
               (first.start, first.start, "!("), (last.end, last.end, ")"),
               (tokens[opened].start, tokens[block.end].end, two),
               (tokens[other.start].start, tokens[other.end].end, one))


def empties(source):
    tokens = source.tokens
    for index, token in enumerate(tokens[:-3]):
        if token.text != "!" or source.spaced_after(index) or not source.function(token):
            continue
        last = operand_after(source, index)
        if tokens[last].text == "isEmpty" and stands_alone(source, index, last) \
                and is_plain(text_of(source, index + 1, last)):
            yield make(source, token, "a negation as a comparison",
                       (token.start, token.end, ""),
                       (tokens[last].end, tokens[last].end, " == false"))


def returns(source):
    tokens = source.tokens
    for index, token in enumerate(tokens[:-2]):
        if token.text != "return" or token.statement != index or not source.function(token):
            continue
        last = source.statement_end(index)
        text = text_of(source, index + 1, last)
        function = source.function(token)
        if last <= index + 1 or function.kind != "function" or not is_plain(text) \
                or " " in text or text[0] in '[("' or text[0].isdigit() or text[0].isupper() \
                or text in ("nil", "true", "false") or text.endswith("reversed()"):
            continue
        yield make(source, token, "a name for a result",
                   (token.start, tokens[last].end,
                    f"let itsResult = {text}; return itsResult"))


def cases(source):
    """Two cases that stand beside each other, each on a line of its own, change places."""
    tokens = source.tokens
    for bracket in source.brackets:
        if bracket.kind != "switch":
            continue
        labels = [at for at in range(bracket.start + 1, bracket.end)
                  if tokens[at].statement == at and tokens[at].bracket is bracket
                  and tokens[at].text in ("case", "default")] + [bracket.end]
        for one, two, three in zip(labels, labels[1:], labels[2:]):
            left, right = text_of(source, one, two - 1), text_of(source, two, three - 1)
            simple = all(text.startswith("case .") and "\n" not in text and " where " not in text
                         and "fallthrough" not in text for text in (left, right))
            names = [text.split(".")[1].split("(")[0].split(":")[0] for text in (left, right)
                     if simple]
            if simple and names[0] != names[1]:
                yield make(source, tokens[one], "two cases in another order",
                           (tokens[one].start, tokens[two - 1].end, right),
                           (tokens[two].start, tokens[three - 1].end, left))


def names(sources):
    """Private functions with another name."""
    uses = {}
    for source in sources:
        for index, token in enumerate(source.tokens):
            if token.kind == "word":
                uses.setdefault(token.text, []).append((source, index))
            if token.kind == "string" and "\\(" in token.text:
                for word in token.text.replace("(", " ").replace(".", " ").split():
                    uses.setdefault(word.strip('")\\'), []).append((source, -1))
    for source in sources:
        for index, token in enumerate(source.tokens[:-2]):
            head = [each.text for each in source.tokens[token.statement:index]]
            if token.text != "func" or not {"private", "fileprivate"} & set(head):
                continue
            name = source.tokens[index + 1]
            found = uses[name.text]
            if name.kind != "word" or any(at < 0 or each is not source or
                                          each.tokens[at + 1].text == ":" for each, at in found):
                continue
            yield make(source, name, "a private function renamed",
                       *((source.tokens[at].start, source.tokens[at].end, f"{name.text}Anew")
                         for _, at in found))


def all_refactors(sources):
    for source in sources:
        for kind in (comparisons, sums, conditions, empties, returns, cases):
            yield from kind(source)
    yield from names(sources)


def draw(refactors, count, seed, mutants):
    """As many refactors by a seed, of each kind in turns, at places that no mutant changes.

    The places are kept free in `mutants`, a draw of them.
    """
    kinds = {}
    for refactor in sorted(refactors, key=lambda each: each.rank(seed)):
        kinds.setdefault(refactor.kind, []).append(refactor)
    drawn = []
    while len(drawn) < count and any(kinds.values()):
        for kind in sorted(kinds):
            while kinds[kind] and len(drawn) < count:
                refactor = kinds[kind].pop(0)
                least = min(edit[1] for edit in refactor.edits)
                most = max(edit[2] for edit in refactor.edits)
                inside = [(least, most)] if refactor.kind != "a private function renamed" else [
                    edit[1:3] for edit in refactor.edits]
                if any(start <= high and low <= end for low, high in inside
                       for start, end in mutants.spans.get(refactor.path, ())):
                    continue
                for low, high in inside:
                    mutants.take_span(refactor.path, low, high)
                drawn.append(refactor)
                break
    return drawn
