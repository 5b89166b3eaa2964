# SPDX-License-Identifier: MIT
"""A header file as a page of the site: the text of its first comment, then its calls, each with an anchor, in its parts.

conf.py writes the page in place of a line "<!-- calls of include/NAME.h -->".  The headers keep to the form that
docs/man.awk states.  A comment that describes a parameter which its call does not have is a ValueError.
"""
import re

TOKEN = re.compile(
    r"/\* -{20,}\n(?P<part>.*?)-{20,} \*/"  # a heading with its text
    r"|/\*\*(?P<comment>.*?)\*/"  # what the declaration that follows does
    r"|^(?P<struct>struct (?P<struct_name>\w+) \{.*?^\};)"
    r"|^typedef (?P<type>[^;]*);"
    r"|^G[56]_API (?P<call>[^;]*);", re.S | re.M)
CALL = re.compile(r"(\w+)\(")


class Page:
    """The Markdown of one header."""

    def __init__(self, header, name):
        self.name = name
        self.lines = []
        top, self.header = header.split("*/", 1)
        self.top(top)

    def inline(self, text):
        """A piece of a comment: calls and notes become links, all else is literal."""
        pieces = re.split(r"(\b(?:g[56]|get_)\w+\([\w, ]*\)|\bnote \d+|\bdocs/\w+\.md|\bG6_[A-Z_0-9]+(?:=-?\w+)?)", text)
        for k, piece in enumerate(pieces):
            if k % 2 == 0:
                pieces[k] = re.sub(r"([\\`*_\[\]<>|#{}~^$])", r"\\\1", piece)
            elif piece.endswith(")"):
                pieces[k] = "{c:func}`%s <%s>`" % (piece, piece.split("(")[0])
            elif piece.endswith(".md"):
                pieces[k] = "[%s](/%s)" % (piece, piece)
            elif piece.startswith("note"):
                pieces[k] = "[%s](%s-note-%s)" % (piece, self.name, piece[5:])
            else:
                pieces[k] = "`%s`" % piece
        return "".join(pieces)

    def text(self, lines, indent):
        """Paragraphs; lines that are indented by more than the others are a formula, or code."""
        code, out, before = False, [], ""
        for line in lines:
            deep = line.startswith(" " * (indent + 4)) or code and not line
            if deep != code:
                while code and not out[-1]:
                    out.pop()
                out += ["```text"] if deep else ["```", ""]
                code = deep
            out.append(line[indent + 4:] if code else self.inline(line.strip()))
        while out and not out[-1]:
            out.pop()
        return out + ["```"] * code

    def top(self, comment):
        """The first comment: its title is that of the page, notes have anchors, references close it."""
        lines = [line[3:] for line in comment.splitlines()[2:]]
        first = next((k for k, line in enumerate(lines) if line.startswith("Notes:")), len(lines))
        last = next((k for k, line in enumerate(lines) if line.startswith("Reference")), len(lines))
        title = re.sub(r"^\w+\.h - ", "", lines[0])
        self.lines += self.text([title[0].upper() + title[1:]] + lines[1:first], 0)
        self.lines += ["", "## Notes", ""]
        for line in lines[first:last]:
            found = re.match(r" +(\d+) ([A-Z]\w*(?: input)?)\b(.*)", line)
            if found:
                number, title, line = found.groups()
                self.lines += ["", "(%s-note-%s)=" % (self.name, number), ""]
                self.lines.append("**%s %s**%s" % (number, title, self.inline(line)))
            else:
                self.lines.append(self.inline(re.sub(r"^Notes: *", "", line.strip())))
        self.lines += ["", "## References", ""] if last < len(lines) else []
        self.lines += ["* " + self.inline(re.sub(r"^\w+: *", "", line).strip()) for line in lines[last:] if line.strip()]

    def part(self, text):
        lines = [line[3:] for line in text.splitlines() if line.strip(" *")]
        title, _, rest = re.match(r"((?:\d+\. )?[^.:]*)(\.|: |$)(.*)", lines[0]).groups()
        self.lines += ["", "## " + title, "", *self.text([rest.strip()] + lines[1:], 0)]

    def description(self, comment, declaration):
        """What the comment of a declaration says: text, parameters as a list, the result."""
        lines = [re.sub(r"^ \* ?", "", line) for line in comment.strip("\n").splitlines()]
        lines = "\n".join(lines).replace("@return", "\n@return").splitlines()
        pieces, out = [[]], []
        for line in lines:
            if line.lstrip().startswith("@"):
                pieces.append([])
            pieces[-1].append(line)
        for piece in pieces:
            found = re.match(r" *@param ((?:\w+, )*\w+) +(.*)", piece[0], re.S) if piece else None
            if found:
                names = found.group(1).split(", ")
                wrong = [name for name in names if not re.search(r"\b%s\b" % name, declaration)]
                if wrong:
                    raise ValueError("%s.h: %s has no parameter %s" % (self.name, declaration, ", ".join(wrong)))
                if not out or not out[-1].startswith("* "):
                    out.append("")
                text = " ".join([found.group(2)] + [line.strip() for line in piece[1:]])
                out.append("* %s: %s" % (", ".join("`%s`" % name for name in names), self.inline(text)))
            else:
                piece = [line.replace("@return", "Returns:") for line in piece]
                out += [""] + self.text(piece, 1)
        return out

    def declared(self, form, declaration, body):
        self.lines += ["", "````{%s} %s" % (form, " ".join(declaration.split())), *body, "````"]

    def markdown(self):
        comment, described = "", ""
        for token in TOKEN.finditer(self.header):
            kind = token.lastgroup if token.lastgroup != "struct_name" else "struct"
            text = token.group(kind)
            if kind == "part":
                self.part(text)
                if "Status codes" in text:
                    self.status(self.header)
            elif kind == "comment":
                comment = text
                continue
            elif kind == "struct":
                self.declared("c:struct", token.group("struct_name"),
                              self.description(comment, text) + ["", "```c", text, "```"])
            elif kind == "type":
                self.declared("c:type", text, self.description(comment, text))
            else:
                name = CALL.search(text).group(1)
                body = self.description(comment, text) if comment else ["See {c:func}`%s`." % described]
                described = name if comment else described
                self.declared("cpp:function" if "&" in text else "c:function", text, body)
            comment = ""
        return "\n".join(self.lines) + "\n"

    def status(self, header):
        self.lines += ["", "| code | value | text | what to do |", "|---|---:|---|---|"]
        for row in re.findall(r'row\((\w+), (-?\d+), "([^"]*)", "([^"]*)"\)', header):
            self.lines.append("| `%s` | %s | %s | %s |" % (row[0], row[1], self.inline(row[2]), self.inline(row[3])))


def page(header, name):
    """Markdown of the header file with this text; name: its name without .h."""
    return Page(header, name).markdown()
