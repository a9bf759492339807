"""Many mutants in one program, of which a number in the environment chooses one.

Each is one build less. A line takes as many as there are in one form: another condition or value
(`chosen(3) ? (b < a) : (a < b)`), or another statement (`if chosen(3) { … } else { … }`). What has
no such form, or doesn't compile in it, is left to be built alone.
"""

import re
from collections import namedtuple

from changes import CONTINUED, blanked

VARIABLE = "CRATED_MUTANT"
# In each target that has switches.
CHOOSER = f"""import Glibc

private let number = getenv("{VARIABLE}").flatMap {{ Int(String(cString: $0)) }} ?? 0
@inline(never) func chosenMutant(_ one: Int) -> Bool {{ one == number }}
"""
# What binds its operand less closely than a choice does stays before it.
EFFECTS = r"(?:try[?!]? )?(?:await )?"
# Lines that hold a list of conditions.
HEADER = [
    re.compile(r"(guard )(.+)( else \{.*)$"),
    re.compile(r"((?:\} else )?if |while |for .+? where )(.+)( \{)$"),
]
# The last of several lines of them.
HEADER_END = [re.compile(r"()(.+)( else \{.*)$")]
# Lines that hold a value: before it, itself, after it.
VALUE = [
    re.compile(rf"((?:[a-z]+ )*(?:let|var) \w+(?:: [^=]+)? = {EFFECTS})(.+)()$"),
    re.compile(r"(for [^=]+ in )(.+)( \{)$"),
    re.compile(r"(switch )(.+)( \{)$"),
]
# Lines that hold a statement.
STATEMENT = [
    re.compile(r"(case [^\"]+?: |default: )(.+)()$"),
    re.compile(r"((?:[\w()@]+ )*(?:var|func|subscript|init)\b.*? \{ )(.+)( \})$"),
    re.compile(r"((?:get|set|willSet|didSet) \{ )(.+)( \})$"),
    re.compile(r"()(.+)()$"),
]
# What begins no statement that can be chosen: names would be unknown after it, or it is none.
NO_STATEMENT = re.compile(
    r"(?:@|let |var |func |init\b|defer |static |private |package |public |case |default:|[.}\])?:&|+<>=]"
    r"|(?:if|guard|while) (?:.*, )?(?:let|var|case) .*else \{|.*[{(\[]$)")
# What a line begins with that goes on with the one before.
CONTINUING = (".", "?", ":", "&&", "||", "+ ", "- ", "??", "==", "<", ">", "=", "else")

# How a mutant is written: what stays before and after it, and it and what it is chosen instead of.
Form = namedtuple("Form", "kind before after old new")


def form(one, lines):
    """The form of a mutant, None if it has none."""
    before = lines[one.number - 1].strip() if one.number else ""
    after = lines[one.number + 1].strip() if one.number + 1 < len(lines) else ""
    continues = before.endswith(CONTINUED) and not before.startswith(("case ", "default:", "//"))
    if after.startswith(CONTINUING) or one.old.startswith(CONTINUING) or one.old.endswith((",", "=")):
        return None
    if one.new == "do {}":
        return None if continues else Form("statement", "", "", one.old, one.new)
    if found := header(one, continues):
        return found
    if continues or not is_balanced(one.old):
        return None
    return value(one) or statement(one)


def header(one, continues):
    """A condition among those of a line: `guard let a, a < b else {` has two."""
    old, new = parted(one, HEADER_END if continues else HEADER)
    if not old:
        return None
    olds, news = conditions(old[2]), conditions(new[2])
    differ = [at for at, (left, right) in enumerate(zip(olds, news)) if left != right]
    if len(olds) != len(news) or len(differ) != 1:
        return None
    at = differ[0]
    binding = re.compile(rf"((?:(?:let|var) \w+ = |case .+? = )?{EFFECTS})(.+)$")
    left, right = binding.match(olds[at]), binding.match(news[at])
    if left[1] != right[1] or re.match(r"(?:let|var|case) |#", left[2]):
        return None
    return Form(
        "value", old[1] + ", ".join(olds[:at] + [left[1]]),
        "".join(f", {one}" for one in olds[at + 1:]) + old[3], left[2], right[2])


def parted(one, patterns):
    """A mutant's line and what it becomes, by the first pattern in which both have the same before
    and after what differs."""
    for pattern in patterns:
        old, new = pattern.match(one.old), pattern.match(one.new)
        if old and new and (old[1], old[3]) == (new[1], new[3]):
            return old, new
    return None, None


def conditions(text):
    """What commas part that are in no brackets."""
    parts, depth, start = [], 0, 0
    for at, character in enumerate(blanked(text)):
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            parts.append(text[start:at])
            start = at + 2
    return parts + [text[start:]]


def value(one):
    old, new = parted(one, VALUE)
    return Form("value", old[1], old[3], old[2], new[2]) if old else None


def statement(one):
    for pattern in STATEMENT:
        old, new = parted(one, [pattern])
        if old and not NO_STATEMENT.match(old[2]) and is_balanced(old[2]):
            return Form("statement", old[1], old[3], old[2], new[2])
    return None


def is_balanced(text):
    plain = blanked(text)
    return all(plain.count(left) == plain.count(right) for left, right in ("()", "[]", "{}"))


def switched(lines, numbered):
    """The lines of a file with those of its mutants in it that have a form, and their numbers."""
    lines, taken, forms = list(lines), set(), {}
    for number, one in numbered:
        if found := form(one, lines):
            forms.setdefault(one.number, []).append((number, found))
    for at, those in forms.items():
        kind, before, after, old, _ = those[0][1]
        alike = [(number, one.new) for number, one in those
                 if (one.kind, one.before, one.after, one.old) == (kind, before, after, old)]
        indent = lines[at][:len(lines[at]) - len(lines[at].lstrip())]
        if kind == "value":
            text = f"({old})"
            for number, new in alike:
                text = f"(chosenMutant({number}) ? ({new}) : {text})"
        else:
            text = f"{{ {old} }}"
            for number, new in alike:
                text = f"if chosenMutant({number}) {{ {new} }} else {text}"
        lines[at] = indent + before + text + after
        taken |= {number for number, _ in alike}
    return lines, taken


def to_leave_out(failure, numbered):
    """Of the mutants in a build that failed, those that the compiler complains about: those of the
    line where it stumbles, or of the nearest. All of them if it doesn't say where."""
    complaints = {(path, int(line) - 1) for path, line in re.findall(
        r"(Sources/[^:\n]+\.swift):(\d+):\d+: error", failure)}
    found = set()
    for path, line in complaints:
        those = [(number, one) for number, one in numbered if one.path == path]
        away = min((abs(one.number - line) for _, one in those), default=0)
        there = [(number, one) for number, one in those if abs(one.number - line) == away]
        # Of those on a line, the ones that need another type are most often to blame.
        odd = [number for number, one in there if re.search(r"return (?:nil|\[\])$", one.new)]
        found |= set(odd or (number for number, _ in there))
    return found or {number for number, _ in numbered}
