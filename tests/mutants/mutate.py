# SPDX-License-Identifier: MIT
"""Small changes of C++ text, each of which changes what the program does: mutants.

The sources are in the style of .clang-format, which tells a binary operator from a reference, a
pointer or a template's bracket: only the operator has white space on both sides.  Comments,
strings, preprocessor lines, static_asserts, and what only writes text or only saves time are
never changed.  bare() makes such text blank, with every other character at its place.
"""

import random
import re
from typing import NamedTuple


class Mutant(NamedTuple):
    file: str
    start: int  # the characters start ... end-1 of the file go
    end: int
    new: str  # what stands there instead
    kind: str


# One pattern for all, because a string may hold what begins a comment, and a comment a quote.
NO_CODE = re.compile(
    r"""(?P<raw>\bR"(?P<mark>[^("\s]*)\([\s\S]*?\)(?P=mark)")"""
    r"""|(?P<text>"(?:\\.|[^"\\\n])*"|(?<!\w)'(?:\\.|[^'\\\n])*')"""
    r"""|//[^\n]*|/\*[\s\S]*?\*/"""
    r"""|^[ \t]*\#(?:\\\n|/\*[\s\S]*?\*/|.)*""", re.MULTILINE)
# Calls and lines that only write a text, reserve or fetch memory ahead, choose a number of threads,
# or say how long a thread waits; sums that are only asked whether they are finite; and constants,
# most of which are tuned.
QUIET = re.compile(r"\b(?:static_assert|throw \w+|log|say|s?n?printf|fprintf|text|threads|alignas"
                   r"|isfinite|reserve|yield|assume|decltype|sizeof|template )\s*(?=[(<])")
QUIET_LINE = re.compile(r"^.*(?:prefetch|kAhead|\bTimer\b|Clock::now|using |\[\[|constexpr ).*$",
                        re.MULTILINE)
THREADS = re.compile(r"\w+ > \w+ \? threads(?:\(\))? : 1")
PAIRS = {"(": ")", "[": "]", "{": "}", "<": ">"}
OTHER = {"<": ">=", ">": "<=", "<=": ">", ">=": "<", "==": "!=", "!=": "==", "&&": "||", "||": "&&",
         "+": "-", "-": "+", "*": "/", "/": "*", "%": "*", "&": "|", "|": "&", "+=": "-=",
         "-=": "+=", "*=": "/=", "/=": "*=", "|=": "&=", "&=": "|=", "min": "max", "max": "min",
         "true": "false", "false": "true", "continue": "break"}
BOUND = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
OPERATOR = re.compile(r"(?<=\s)(?:[<>=!+\-*/|&]=|&&|\|\||[<>+\-*/%&|])(?=\s)")
NUMBER = re.compile(r"(?<![\w.'<])(?<!\de[-+])(\d{1,2})(\.\d*)?(f?)(?![\w.'>])")
WORD = re.compile(r"(?<=\bstd::)(?:min|max)(?=[(<])|(?<=\bf)(?:min|max)(?=\()"
                  r"|\b(?:true|false)\b|\bcontinue(?=;)")
# Values that only differ by name from {}, the value that is returned instead, or are a text.
PLAIN = re.compile(r"\*this|[\d.]+f?|true|false|nullptr|\"\s*\"|.*\bG6_OK", re.DOTALL)
KEYWORD = re.compile(r"(?:return|if|for|while|else|case|throw|switch|do|delete|public|private)\b")


def blank(text):
    return re.sub(r"\S", " ", text)


# Where the bracket that opens at `at` closes; None when it does not.
def closing(text, at):
    depth, opens, closes = 0, text[at], PAIRS[text[at]]
    for k in range(at, len(text)):
        depth += (text[k] == opens) - (text[k] == closes)
        if depth == 0:
            return k
    return None


# The text with blanks for all that is no code; of strings and quiet calls a quote stays.
def bare(text):
    def literal(found):
        code = not (found["raw"] or found["text"])
        return blank(found[0]) if code else '"' + blank(found[0][1:-1]) + '"'

    text = NO_CODE.sub(literal, text)
    for quiet in (QUIET_LINE, THREADS):
        text = quiet.sub(lambda found: blank(found[0]), text)
    for found in list(QUIET.finditer(text)):
        end = closing(text, found.end()) if text[found.end()] in PAIRS else None
        if end:  # not part of another such call
            call = blank(text[found.start() + 1:end + 1])
            text = text[:found.start()] + '"' + call + text[end + 1:]
    return text


def line_of(text, at):
    return text.count("\n", 0, at) + 1


# Each of these yields the start, the end and the new text of its changes.
def operators(code):
    for found in OPERATOR.finditer(code):
        before, after = code[:found.start()].rstrip()[-200:], code[found.end():][:40].lstrip()
        if before[-1:] not in '",(=' and after[:1] != '"':
            yield *found.span(), OTHER[found[0]]
            # Equal numbers of floating point are rare: only bounds of loops and of counts.
            loop = re.search(r"\bfor \([^;{}]*;[^;{}]*$", before)
            if found[0] in BOUND and (loop or re.match(r"[1-9]\d*\b(?!\.)", after)):
                yield *found.span(), BOUND[found[0]]


def constants(code):
    for found in NUMBER.finditer(code):
        index, value = code[found.start() - 1] == "[", int(found[1])
        if not index or value <= 2 and code[found.end()] == "]":
            more = (value + 1) % 3 if index else value + 1
            yield *found.span(), f"{more}{found[2] or ''}{found[3]}"


def conditions(code):
    for found in re.finditer(r"\bif (?=\()", code):
        end = closing(code, found.end())
        inside = code[found.end() + 1:end] if end else ";"
        if not re.search(r";|\s=\s", inside):
            yield found.end(), found.end() + 1, "(!("
    for found in re.finditer(r"(?<![\w)\]])!(?=[\w(])", code):
        yield *found.span(), ""


def words(code):
    for found in WORD.finditer(code):
        yield *found.span(), OTHER[found[0]]


def returns(code):
    for found in re.finditer(r"\breturn ([^;{}]+);", code):
        if not PLAIN.fullmatch(found[1]):
            yield *found.span(1), "{}"


# Assignments and calls that are a whole statement.
def deletions(code):
    for found in re.finditer(r"(?:^[ \t]+|[;{}] |\) |\belse )(?=[\w+*-])", code, re.MULTILINE):
        flat, at = "", found.end()
        while at is not None and at < len(code) and code[at] not in ";{})":
            flat += code[at]
            if code[at] in "([":
                at = closing(code, at)
            at = at and at + 1
        if at is None or code[at:at + 1] != ";" or KEYWORD.match(flat):
            continue
        whole = re.match(r"\S+\s[-+*/|&^%]?=\s", flat) or \
            re.fullmatch(r"[^\s(]+\(\S*|\+\+\S+|--\S+|\S+\+\+|\S+--", flat)
        if whole and '"' not in code[found.end():at]:
            yield found.end(), at, ""


# All mutants of a file, by place.
def mutants_of(file, text):
    code, found = bare(text), []
    for kind in (operators, constants, conditions, words, returns, deletions):
        for start, end, new in kind(code):
            if new == "(!(":
                end = closing(code, start) + 1
                new += text[start + 1:end] + ")"
            found.append(Mutant(file, start, end, new, kind.__name__))
    return sorted(found)


# Those of all files, in an order that the seed gives; texts: of each file, by its name.
def shuffled(texts, seed):
    mutants = [m for file in sorted(texts) for m in mutants_of(file, texts[file])]
    random.Random(seed).shuffle(mutants)
    return mutants


def apply(text, mutant):
    return text[:mutant.start] + mutant.new + text[mutant.end:]


# Place, kind, and the lines with and without the change.
def diff(text, mutant):
    begin, end = text.rfind("\n", 0, mutant.start) + 1, text.find("\n", mutant.end)
    new = apply(text, mutant)[begin:end + len(mutant.new) - (mutant.end - mutant.start)]
    return "\n".join([f"{mutant.file}:{line_of(text, mutant.start)}: {mutant.kind}"]
                     + [f"  -{line}" for line in text[begin:end].split("\n")]
                     + [f"  +{line}" for line in new.split("\n")])
