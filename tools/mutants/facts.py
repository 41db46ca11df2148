"""Facts about types from the tokens: cases of enums, stored properties, payloads of cases."""
import statements


class Facts:
    """Cases of enums without payload, properties of structs, and the structs that cases carry."""

    def __init__(self, sources):
        # A name that two structs share is left out where they differ.
        self.enums, self.structs, self.payloads = [], {}, {}
        ambiguous = set()
        for source in sources:
            for bracket in source.brackets:
                if bracket.kind != "type":
                    continue
                if bracket.word == "enum":
                    names = self._cases(source, bracket)
                    if len(names) > 1:
                        self.enums.append(names)
                if bracket.word == "struct":
                    found = self._properties(source, bracket)
                    if self.structs.setdefault(bracket.name, found) != found:
                        ambiguous.add(bracket.name)
        for name in ambiguous:
            del self.structs[name]

    def _statements(self, source, bracket):
        tokens = source.tokens
        for index in range(bracket.start + 1, bracket.end):
            if tokens[index].bracket is bracket and tokens[index].statement == index:
                yield index, source.statement_end(index)

    def _cases(self, source, bracket):
        names, tokens = [], source.tokens
        for first, last in self._statements(source, bracket):
            if tokens[first].text != "case":
                continue
            for at in range(first, last):
                if tokens[at].bracket is not bracket or tokens[at].text not in ("case", ","):
                    continue
                name, after = tokens[at + 1], tokens[at + 2]
                if after.text != "(":
                    names.append(name.text.strip("`"))
                    continue
                inner = []
                for each in tokens[at + 3:]:
                    if each.text == ")":
                        break
                    inner.append(each.text)
                if all(text == "." or text[0].isupper() for text in inner):
                    known = self.payloads.setdefault(name.text, inner[-1])
                    if known != inner[-1]:
                        self.payloads[name.text] = ""
        return names

    def _properties(self, source, bracket):
        """Types of a struct's properties by name, as they are written; those of types alone are not."""
        found, tokens = {}, source.tokens
        for first, last in self._statements(source, bracket):
            at = first
            while tokens[at].text in statements.KEYWORDS - {"let", "var"} and at < last:
                if tokens[at].text == "static":
                    break
                at += 1
            if tokens[at].text not in ("let", "var") or tokens[at + 2].text != ":":
                continue
            words = []
            for each in tokens[at + 3:last + 1]:
                if each.text in ("=", "{"):
                    break
                words.append(each.text)
            found[tokens[at + 1].text] = "".join(words)
        return found

    def partner(self, name):
        """Another case that every enum with a case of this name has; `None` if there is none."""
        owners = [names for names in self.enums if name in names]
        if not owners or name in ("none", "some"):
            return None
        names = owners[0]
        place = names.index(name)
        for other in names[place + 1:] + names[:place]:
            if other != "none" and all(other in owner for owner in owners):
                return other
        return None

    def siblings(self, struct, name):
        """Other stored properties of a struct that have the type of the named one."""
        properties = self.structs.get(struct, {})
        return [other for other in properties
                if other != name and properties[other] == properties.get(name)]
