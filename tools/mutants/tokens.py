"""Tokens of Swift text, with the brackets and statements around each.

Only as much of Swift as the formatter leaves: an infix operator has space on both sides or on
neither, `<` of a generic list has none before it. A string is one token, with what is put into it.
"""
import bisect
from dataclasses import dataclass, field

OPERATOR = set("/=-+!*%<>&|^~?.")
OPEN, CLOSE = "([{", ")]}"
TYPES = {"struct", "enum", "class", "actor", "extension", "protocol"}
HEADS = TYPES | {"func", "init", "subscript", "var", "let", "switch", "if", "guard", "for",
                 "while", "repeat", "do", "catch", "else", "defer", "case", "default", "return"}
MODIFIERS = {"public", "package", "internal", "private", "fileprivate", "static", "mutating",
             "nonmutating", "final", "indirect", "lazy", "override", "class", "convenience"}
CONTINUES = {"else", "where", "throws", "rethrows", "as", "is", "catch"}


@dataclass(eq=False)
class Bracket:
    """An open bracket: its tokens, and what stands before it."""
    char: str
    start: int
    kind: str = ""
    head: int = 0
    outer: "Bracket | None" = None
    end: int = -1
    name: str = ""
    # True for a function with a result.
    returns: bool = False
    # The word before a block, or before a type: `if`, `else`, `struct`.
    word: str = ""
    # True for a switch that is a statement of its own; it may still be a function's only one.
    is_statement: bool = False


@dataclass(eq=False)
class Token:
    kind: str
    text: str
    start: int
    end: int
    # Space or the start of a line before the token; a new line before it.
    spaced: bool = False
    first: bool = False
    bracket: Bracket = field(default=None, repr=False)
    # Index of the first token of the statement in the innermost bracket.
    statement: int = -1


def string_end(text, at):
    """The index after the string literal that begins at `at`, with any `#` before it."""
    marks = at
    while text[at] == "#":
        at += 1
    hashes = "#" * (at - marks)
    quote = '"""' if text.startswith('"""', at) else '"'
    at += len(quote)
    while True:
        if text.startswith(quote + hashes, at):
            return at + len(quote) + len(hashes)
        if text.startswith("\\" + hashes + "(", at):
            at += len(hashes) + 2
            depth = 1
            while depth:
                if text[at] == '"' or text[at] == "#" and text[at:].lstrip("#")[:1] == '"':
                    at = string_end(text, at)
                    continue
                depth += {"(": 1, ")": -1}.get(text[at], 0)
                at += 1
        elif text.startswith("\\" + hashes, at):
            at += len(hashes) + 2
        else:
            at += 1


def split(text):
    """The tokens of a text, without comments."""
    tokens, at, spaced, first = [], 0, True, True
    while at < len(text):
        char = text[at]
        if char.isspace():
            spaced, first, at = True, first or char == "\n", at + 1
            continue
        if text.startswith("//", at):
            end = text.find("\n", at)
            at = len(text) if end < 0 else end
            continue
        if text.startswith("/*", at):
            depth, at = 1, at + 2
            while depth:
                step = {"/*": 1, "*/": -1}.get(text[at:at + 2], 0)
                depth, at = depth + step, at + (2 if step else 1)
            spaced = True
            continue
        start = at
        if char == '"' or char == "#" and text[at:].lstrip("#")[:1] == '"':
            kind, at = "string", string_end(text, at)
        elif char.isalpha() or char in "_$#@`":
            kind, at = "word", at + 1
            while at < len(text) and (text[at].isalnum() or text[at] in "_`"):
                at += 1
        elif char.isdigit():
            kind, at = "number", at + 1
            while at < len(text) and (text[at].isalnum() or text[at] == "_"):
                at += 1
            if text[at:at + 1] == "." and text[at + 1:at + 2].isdigit() and not (
                    tokens and tokens[-1].text == "." and not spaced):
                kind, at = "decimal", at + 1
                while at < len(text) and (text[at].isalnum() or text[at] == "_"):
                    at += 1
        elif char in OPERATOR:
            kind, at = "operator", at + 1
            # A dot is part of an operator only where it begins with one.
            while at < len(text) and text[at] in OPERATOR and (text[at] != "." or char == "."):
                at += 1
        else:
            kind, at = "mark", at + 1
        tokens.append(Token(kind, text[start:at], start, at, spaced, first))
        spaced = first = False
    return tokens


class Source:
    """A file of Swift: text, tokens, and the bracket and statement of each token."""

    def __init__(self, path, text):
        self.path, self.text, self.tokens = path, text, split(text)
        self.lines = [0] + [at + 1 for at, char in enumerate(text) if char == "\n"]
        self.brackets = []
        self._structure()

    def line(self, at):
        """The number of the line of a character, from 1."""
        return bisect.bisect_right(self.lines, at)

    def line_text(self, at):
        start = self.lines[self.line(at) - 1]
        return self.text[start:self.text.find("\n", start)].strip()

    def spaced_after(self, index):
        following = self.tokens[index + 1] if index + 1 < len(self.tokens) else None
        return following is None or following.spaced

    def is_infix(self, index):
        """True for an operator between two operands."""
        token = self.tokens[index]
        return token.kind == "operator" and token.spaced == self.spaced_after(index) and (
            token.spaced or token.text in ("..<", "..."))

    def _structure(self):
        root = Bracket("", -1, kind="file")
        bracket, start = root, 0
        starts = {root: 0}
        label = False
        for index, token in enumerate(self.tokens):
            if token.text in CLOSE and token.kind == "mark" and bracket.outer:
                bracket.end, bracket = index, bracket.outer
                token.bracket, token.statement = bracket, starts[bracket]
                label = False
                continue
            in_block = bracket.char in ("", "{")
            previous = self.tokens[index - 1] if index else None
            if in_block and (previous is None or index == bracket.start + 1 or label
                             or token.first and not self._continues(index)
                             or previous.text == ";"):
                starts[bracket] = index
            label = False
            token.bracket, token.statement = bracket, starts[bracket]
            if token.text in OPEN and token.kind == "mark":
                inner = Bracket(token.text, index, outer=bracket, head=starts[bracket])
                if token.text == "{":
                    self._name(inner)
                starts[inner] = index + 1
                self.brackets.append(inner)
                bracket = inner
            elif token.text == ":" and in_block and self.tokens[starts[bracket]].text in (
                    "case", "default") and bracket.kind == "switch":
                label = True
            elif token.text == "in" and bracket.kind == "closure" and not token.first:
                label = True

    def _continues(self, index):
        """True if the token at the start of a line goes on with the statement before."""
        token, previous = self.tokens[index], self.tokens[index - 1]
        if token.text in CONTINUES or token.text in ("{", "?", ":", ",", ")", "]", "->"):
            return True
        if token.kind == "operator" and (self.spaced_after(index) or token.text == "."):
            return True
        if previous.text in (",", "(", "[", "->", "else"):
            return True
        return previous.kind == "operator" and previous.spaced and previous.text not in (".", "!")

    def _name(self, bracket):
        """Sets what a brace is: a type, a function, a block, a switch or a closure."""
        index = bracket.head
        words = [token for token in self.tokens[index:bracket.start]
                 if token.bracket is bracket.outer]
        texts = [token.text for token in words]
        while texts and (texts[0] in MODIFIERS and texts[0:2] != ["class", "func"]
                         or texts[0].startswith("@") or texts[0] == "}"):
            texts, words = texts[1:], words[1:]
        head = texts[0] if texts else ""
        last = next((text for text in reversed(texts) if text in HEADS), "")
        before = self.tokens[bracket.start - 1].text if bracket.start else ""
        if bracket.outer.char not in ("", "{"):
            bracket.kind = "closure"
        elif head in TYPES:
            bracket.kind, bracket.name = "type", texts[1] if head != "extension" else texts[-1]
            if head == "extension":
                names = []
                for text in texts[1:]:
                    if text in (":", "where"):
                        break
                    names.append(text)
                bracket.name = names[-1]
            bracket.word = head
        elif head in ("func", "init", "subscript"):
            bracket.kind, bracket.name = "function", texts[1] if head == "func" else head
            bracket.returns = "->" in texts
        elif head in ("var", "let") and "=" not in texts and bracket.outer.kind in (
                "type", "file"):
            bracket.kind, bracket.name, bracket.returns = "function", texts[1], True
        elif head in ("get", "set", "willSet", "didSet"):
            bracket.kind, bracket.returns = "function", head == "get"
        elif last == "switch":
            bracket.kind = "switch"
            bracket.is_statement = head == "switch"
        elif last == "guard":
            bracket.kind = "closure"
        elif before == "else" or last in ("if", "for", "while", "else"):
            bracket.kind = "block"
            bracket.word = last
        elif last in ("do", "repeat", "defer", "catch"):
            bracket.kind = "block"
            bracket.word = last
        else:
            bracket.kind = "closure"

    def function(self, token):
        """The innermost function, accessor or closure around a token; `None` outside of them."""
        bracket = token.bracket
        while bracket and bracket.kind not in ("function", "closure"):
            bracket = bracket.outer
        return bracket

    def is_in(self, token, name):
        """True inside a function of a name."""
        bracket = token.bracket
        while bracket:
            if bracket.kind == "function" and bracket.name == name:
                return True
            bracket = bracket.outer
        return False

    def statement_end(self, index):
        """The index of the last token of the statement that begins at a token."""
        bracket, last = self.tokens[index].bracket, index
        for at in range(index, bracket.end if bracket.end >= 0 else len(self.tokens)):
            token = self.tokens[at]
            if token.bracket is bracket:
                if token.statement != index:
                    break
                last = at
        return last
