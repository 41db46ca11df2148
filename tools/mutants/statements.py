"""Mutants of statements: dropped ones, dropped cases, and conditions that hold or fail."""
KEYWORDS = {"let", "var", "if", "guard", "for", "while", "switch", "return", "throw", "case",
            "default", "func", "struct", "enum", "extension", "typealias", "import", "do", "defer",
            "break", "continue", "repeat", "fallthrough", "try", "init", "subscript", "static",
            "private", "public", "fileprivate", "mutating", "else", "await", "unsafe", "class",
            "protocol", "internal", "package", "get", "set", "indirect", "nil", "true", "false"}
ASSIGNMENTS = {"=", "+=", "-=", "*=", "/=", "&+=", "&-=", "&*=", "%="}
# What declares names, layouts, documents and the shapes of stored values, and decides nothing.
DECLARATIONS = {"fields", "kinds", "routes", "summary", "documentation", "samples", "blank"}


def is_code(source, token):
    """True in the body of a function or in the value that a declaration gives."""
    bracket = token.bracket
    head = bracket
    while head:
        if head.kind == "function" and head.name in DECLARATIONS:
            return False
        head = head.outer
    if source.function(token):
        return True
    while bracket.char not in ("", "{"):
        token, bracket = source.tokens[bracket.start], bracket.outer
    words = source.tokens[token.statement:]
    index = token.statement
    while words and words[0].kind == "word" and words[0].text not in ("let", "var") and (
            words[0].text in KEYWORDS or words[0].text.startswith("@")):
        words, index = words[1:], index + 1
    if not words or words[0].text not in ("let", "var") or words[1].text in DECLARATIONS:
        return False
    # A property of an object begins with a value that its first event replaces.
    return "static" in [each.text for each in source.tokens[token.statement:index]] and any(
        each.text == "=" and each.bracket is bracket and each.start < token.start
        for each in source.tokens[token.statement:source.statement_end(token.statement)])


def make(Site, source, first, last, kind, change, before, after):
    """A site that puts text around the tokens from one to another."""
    return Site(source.path, source.line(first.start), source.line_text(first.start), kind, change,
                [(first.start, first.start, before), (last.end, last.end, after)])


def sites(source, Site):
    yield from dropped_statements(source, Site)
    yield from dropped_cases(source, Site)
    yield from conditions(source, Site)
    yield from ternaries(source, Site)
    yield from defaults(source, Site)


def unset_names(source):
    """Names of variables that are declared without a value, which every path has to set."""
    tokens = source.tokens
    return {tokens[index + 1].text for index, token in enumerate(tokens)
            if token.text in ("let", "var") and tokens[index + 2].text == ":"
            and source.function(token) and not any(
                each.text == "=" for each in
                tokens[index:source.statement_end(token.statement) + 1])}


def dropped_statements(source, Site):
    tokens = source.tokens
    unset = unset_names(source)
    for index, token in enumerate(tokens):
        if token.statement != index or token.kind != "word" and token.text != "(":
            continue
        function = source.function(token)
        if token.text in KEYWORDS or not function or not is_code(source, token):
            continue
        if token.bracket.kind not in ("block", "function", "closure", "switch"):
            continue
        last = source.statement_end(index)
        words = [each for each in tokens[index:last + 1] if each.bracket is token.bracket]
        assigns = [each for each in words if each.text in ASSIGNMENTS and each.spaced]
        if function.name == "init" or any(
                each.text in unset for each in words[:2]) and assigns:
            continue
        if not assigns:
            is_call = len(words) > 2 and words[-1].text in ")}" and tokens[index + 1].text in (
                "(", ".", "?", "[")
            if not is_call or function.kind != "function" or function.returns:
                continue
        if any(each.text == "try" for each in tokens[index:last + 1]):
            continue
        yield make(Site, source, token, tokens[last], "statement", "the statement dropped",
                   "if !isMutant({n}) { ", " }")


def dropped_cases(source, Site):
    tokens, unset = source.tokens, unset_names(source)
    for bracket in source.brackets:
        if bracket.kind != "switch" or not is_code(source, tokens[bracket.start + 1]):
            continue
        inner = [index for index in range(bracket.start + 1, bracket.end)
                 if tokens[index].bracket is bracket]
        labels = [index for index in inner
                  if tokens[index].text in ("case", "default") and tokens[index].statement == index]
        has_default = any(tokens[index].text == "default" for index in labels)
        function = source.function(tokens[bracket.start])
        is_void = bracket.is_statement and function.kind == "function" and not function.returns \
            and function.name != "init"
        for index in labels:
            if tokens[index].text == "default":
                continue
            parts = [at for at in inner if at > index and tokens[at].statement == index]
            colon = next(at for at in parts if tokens[at].text == ":")
            beyond = next((at for at in labels if at > index), bracket.end)
            body = {each.text for each in tokens[colon + 1:beyond]}
            if is_void and tokens[colon + 1].text != "break" \
                    and not body & unset and not (unset and "return" in body):
                yield make(Site, source, tokens[index], tokens[colon], "case", "the case dropped",
                           "", " if isMutant({n}) { break };")
            if not has_default or any(tokens[at].text == "where" for at in parts):
                continue
            commas = [at for at in parts if tokens[at].text == "," and at < colon]
            begin = index + 1
            for number, comma in enumerate(commas + [colon]):
                pattern = source.text[tokens[begin].start:tokens[comma].start]
                yield make(Site, source, tokens[begin], tokens[comma - 1], "case",
                           f"`{' '.join(pattern.split())}` dropped", "",
                           " where !isMutant({n})")
                begin = comma + 1


def conditions(source, Site):
    """Clauses of `if`, `guard` and `while` that bind nothing."""
    tokens = source.tokens
    for index, token in enumerate(tokens):
        if token.kind != "word" or token.text not in ("if", "guard", "while"):
            continue
        if not source.function(token) or not is_code(source, token):
            continue
        ends = [at for at in range(index + 1, min(index + 400, len(tokens)))
                if tokens[at].bracket is token.bracket
                and tokens[at].text == ("else" if token.text == "guard" else "{")]
        if not ends:
            continue
        begin = index + 1
        for at in range(index + 1, ends[0] + 1):
            if at != ends[0] and (tokens[at].text != "," or tokens[at].bracket is not token.bracket):
                continue
            clause = tokens[begin:at]
            words = {each.text for each in clause}
            if clause and clause[0].text not in ("let", "var", "case", "#available", "unsafe") \
                    and not words & {"try", "await"}:
                changes = ["holds", "fails"] if token.text != "while" else ["fails"]
                for change in changes:
                    text = " ".join(source.text[clause[0].start:clause[-1].end].split())
                    if len(text) > 50:
                        text = text[:47] + "…"
                    yield make(Site, source, clause[0], clause[-1], "condition",
                               f"`{text}` always {change}",
                               f"mutant{change.capitalize()}({{n}}, ", ")")
            begin = at + 1


def ternaries(source, Site):
    """Conditions of `a ? b : c`, which are turned round."""
    tokens = source.tokens
    for index, token in enumerate(tokens):
        if token.text != "?" or not source.is_infix(index) or not is_code(source, token):
            continue
        begin = index
        while begin > 0:
            before = tokens[begin - 1]
            inside = before.bracket is token.bracket
            if inside and (before.text in ASSIGNMENTS or before.text in (
                    ",", ":", "return", "in", "?", ";", "where")
                    or tokens[begin].statement == begin
                    and tokens[begin].bracket is token.bracket):
                break
            if not inside and begin - 1 == token.bracket.start:
                break
            begin -= 1
        clause = tokens[begin:index]
        if not clause or {each.text for each in clause} & {"try", "let", "case", "if", "guard"}:
            continue
        text = " ".join(source.text[clause[0].start:clause[-1].end].split())
        yield make(Site, source, clause[0], clause[-1], "condition",
                   f"the sides of `{text[:47]} ?` changed places", "mutantNot({n}, ", ")")


def defaults(source, Site):
    """Left sides of `??`, each taken to be `nil`."""
    tokens = source.tokens
    for index, token in enumerate(tokens):
        if token.text != "??" or not is_code(source, token):
            continue
        first = operand_before(source, index)
        if tokens[first - 1].text in ("as", "try", "+", "-", "*", "/", "??") \
                or tokens[first].text in "}":
            continue
        text = source.text[tokens[first].start:tokens[index - 1].end]
        if "\n" not in text and "{" not in text:
            yield make(Site, source, tokens[first], tokens[index - 1], "default",
                       f"`{text}` taken to be `nil`", "mutantNil({n}, ", ")")


def operand_before(source, index):
    """The index of the first token of the operand that ends before an operator."""
    tokens, at = source.tokens, index - 1
    while True:
        if tokens[at].text in (")", "]", "}"):
            at = next(each.start for each in source.brackets if each.end == at)
        if tokens[at].spaced or tokens[at - 1].text in ("(", "[", "{"):
            return at
        at -= 1
