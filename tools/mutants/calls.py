"""Mutants of values: numbers, truths, cases of enums, swapped fields, and calls."""
import statements

TURNED = {"first": ("BidirectionalCollection", "Element?", "last"),
          "last": ("BidirectionalCollection", "Element?", "first"),
          "isEmpty": ("Collection", "Bool", "isEmpty == false")}


def sites(source, facts, Site):
    yield from values(source, facts, Site)
    yield from fields(source, facts, Site)
    yield from calls(source, Site)


def make(Site, source, first, last, kind, change, text, declarations=""):
    return Site(source.path, source.line(first.start), source.line_text(first.start), kind, change,
                [(first.start, last.end, text)], declarations)


def in_pattern(source, token):
    """True for what a `case` matches, up to its colon, in a switch or a condition."""
    line = source.text[source.lines[source.line(token.start) - 1]:token.start]
    head = source.tokens[token.statement].text
    return "case " in line.split(":")[-1] and "=" not in line.split("case ")[-1] or (
        head == "case" and token.bracket.kind == "switch")


def values(source, facts, Site):
    tokens = source.tokens
    for index, token in enumerate(tokens):
        if not index or index + 1 == len(tokens) or not statements.is_code(source, token):
            continue
        before, after = tokens[index - 1], tokens[index + 1]
        if token.kind == "number" and before.text not in (".", "-") and not is_table(source, token):
            value = int(token.text.replace("_", ""), 0)
            other = value - 1 if value > 9 and value % 2 else value + 1
            yield make(Site, source, token, token, "number", f"`{token.text}` becomes `{other}`",
                       f"mutant({{n}}, {token.text}, {other})")
        elif token.text in ("true", "false") and token.kind == "word":
            if after.text == ":" or in_pattern(source, token):
                continue
            other = "false" if token.text == "true" else "true"
            yield make(Site, source, token, token, "truth", f"`{token.text}` becomes `{other}`",
                       f"mutant({{n}}, {token.text}, {other})")
        elif token.text == "." and (token.spaced or before.text in "([") and after.kind == "word":
            beyond = tokens[index + 2] if index + 2 < len(tokens) else None
            other = facts.partner(after.text)
            if not other or beyond is None or beyond.text in ("(", "{", ".", "[") and (
                    not beyond.spaced) or in_pattern(source, token):
                continue
            yield make(Site, source, token, after, "enum case",
                       f"`.{after.text}` becomes `.{other}`",
                       f"mutant({{n}}, .{after.text}, .{other})")


def is_table(source, token):
    """True inside a list of many elements, such as a table of words."""
    bracket = token.bracket
    while bracket.char in ("(", "["):
        if bracket.char == "[" and sum(
                each.text == "," for each in source.tokens[bracket.start:bracket.end]) > 8:
            return True
        bracket = bracket.outer
    return False


def bindings(source, facts):
    """Names of parameters and payloads whose type is a known struct, with the tokens they reach."""
    tokens = source.tokens
    for bracket in source.brackets:
        if bracket.kind == "function" and bracket.end > 0:
            lists = [each for each in source.brackets
                     if each.char == "(" and bracket.head <= each.start < bracket.start
                     and each.outer is bracket.outer]
            for at in range(lists[0].start + 1, lists[0].end) if lists else ():
                if tokens[at].text != ":" or tokens[at].bracket is not lists[0]:
                    continue
                words, place = [], at + 1
                while tokens[place].text not in (",", ")", "="):
                    words.append(tokens[place].text)
                    place += 1
                if all(word == "." or word[0].isupper() for word in words):
                    yield tokens[at - 1].text, words[-1], bracket.start, bracket.end
        if bracket.kind == "switch":
            labels = [at for at in range(bracket.start + 1, bracket.end)
                      if tokens[at].statement == at and tokens[at].bracket is bracket
                      and tokens[at].text in ("case", "default")] + [bracket.end]
            for at, end in zip(labels, labels[1:]):
                texts = [token.text for token in tokens[at:at + 7]]
                if texts[1:2] + texts[3:5] + texts[6:7] == [".", "(", "let", ")"]:
                    yield texts[5], facts.payloads.get(texts[2], ""), at, end


def fields(source, facts, Site):
    tokens = source.tokens
    for name, struct, begin, end in bindings(source, facts):
        if struct not in facts.structs:
            continue
        for at in range(begin, end - 2):
            if tokens[at].text != name or tokens[at + 1].text != "." or tokens[at - 1].text == "." \
                    or tokens[at + 1].spaced or not statements.is_code(source, tokens[at]):
                continue
            after = tokens[at + 3]
            if after.text in ("(", "[", "!") and not after.spaced \
                    or after.text in statements.ASSIGNMENTS or after.text.endswith("="):
                continue
            for other in facts.siblings(struct, tokens[at + 2].text)[:2]:
                yield make(Site, source, tokens[at], tokens[at + 2], "field",
                           f"`{name}.{tokens[at + 2].text}` becomes `{name}.{other}`",
                           f"mutant({{n}}, {name}.{tokens[at + 2].text}, {name}.{other})")


def calls(source, Site):
    tokens = source.tokens
    for index, token in enumerate(tokens):
        if token.kind != "word" or not 0 < index < len(tokens) - 1:
            continue
        before, after = tokens[index - 1], tokens[index + 1]
        if not statements.is_code(source, token):
            continue
        if token.text in ("min", "max") and after.text == "(" and before.text != ".":
            other = "max" if token.text == "min" else "min"
            yield make(Site, source, token, after, "call", f"`{token.text}` becomes `{other}`",
                       f"mutant{token.text.capitalize()}({{n}}, ")
        elif token.text in TURNED and before.text == "." and after.text not in ("(", "{") \
                and "lazy" not in source.line_text(token.start):
            protocol, kind, other = TURNED[token.text]
            name = f"mutant{token.text[0].upper()}{token.text[1:]}{{n}}"
            said = f"`{other}`" if " " not in other else "its opposite"
            yield make(Site, source, token, token, "call", f"`{token.text}` becomes {said}", name,
                       f"extension {protocol} {{ var {name}: {kind} "
                       f"{{ isMutant({{n}}) ? {other} : {token.text} }} }}")
        elif token.text == "allSatisfy" and before.text == ".":
            yield make(Site, source, token, token, "call", "`allSatisfy` becomes `contains`",
                       "mutantAllSatisfy{n}",
                       "extension Sequence { func mutantAllSatisfy{n}(_ holds: (Element) -> Bool) "
                       "-> Bool { isMutant({n}) ? contains(where: holds) : allSatisfy(holds) } }")
