"""What a C++ file declares at namespace scope, found by a light tokenizer: enough for sources that compile and that clang-format
has formatted. It knows no macros and does not look into bodies."""
import collections
import re

# kind: "type", "alias", "enumerator", "constant" or "function"
# scope: the named namespaces around it, such as "lanescope::sim"
# local: "anonymous" in an anonymous namespace, "static" if it is static elsewhere; else ""
# detail: what an alias means; of a function, its parameters' types, each with whether it has a default
Declaration = collections.namedtuple("Declaration", "kind scope local name detail")

TOKEN = re.compile(r"""
    (?P<left_out>//[^\n]*|/\*.*?\*/|^[ \t]*\#(?:[^\n\\]|\\\n|\\.)*)   # a comment, or a directive with its continued lines
  | (?P<text>R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)+')
  | [A-Za-z_]\w*|\.?\d(?:[\w.']|[eEpP][+-])*|::|->|\S""", re.VERBOSE | re.DOTALL | re.MULTILINE)
CLOSING = {"(": ")", "[": "]", "{": "}"}
SPECIFIERS = {"inline", "static", "constexpr", "consteval", "constinit", "extern", "thread_local", "explicit"}
WITH_PARENTHESES = {"alignas", "__attribute__"}


def tokens_of(text):
    return ['""' if found["text"] else found[0] for found in TOKEN.finditer(text) if not found["left_out"]]


def is_name(token):
    return token[0].isalpha() or token[0] == "_"


def end_of(tokens, at):
    """The place behind the bracket that closes the one at `at`."""
    depth = 0
    for place in range(at, len(tokens)):
        if tokens[place] in CLOSING:
            depth += 1
        elif tokens[place] in CLOSING.values():
            depth -= 1
            if depth == 0:
                return place + 1
    return len(tokens)


def end_of_angles(tokens, at):
    depth = 0
    while at < len(tokens):
        if tokens[at] in CLOSING:
            at = end_of(tokens, at)
            continue
        depth += (tokens[at] == "<") - (tokens[at] == ">")
        at += 1
        if depth == 0:
            break
    return at


def without_heads(statement):
    """Without `template <…>`, attributes and specifiers."""
    made, at = [], 0
    while at < len(statement):
        token, following = statement[at], statement[at + 1:at + 2]
        if token == "template" and following == ["<"]:
            at = end_of_angles(statement, at + 1)
        elif token == "[" and following == ["["]:
            at = end_of(statement, at)
        elif token in WITH_PARENTHESES and following == ["("]:
            at = end_of(statement, at + 1)
        else:
            made += [] if token in SPECIFIERS else [token]
            at += 1
    return made


def spelled(tokens):
    """A type without the namespaces before its name, which each file may spell differently."""
    return re.sub(r" ?([^\w ]) ?", r"\1", re.sub(r"\w+ :: ", "", " ".join(tokens)))


def parameters_of(tokens):
    made, one, at = [], [], 0
    while at <= len(tokens):
        if at == len(tokens) or tokens[at] == ",":
            if one:
                kind = one[:one.index("=")] if "=" in one else one
                if len(kind) > 1 and is_name(kind[-1]) and kind[-2] not in ("::", "const", "unsigned"):
                    kind = kind[:-1]
                made.append((spelled(kind), "=" in one))
            one, at = [], at + 1
            continue
        end = at + 1
        if tokens[at] in CLOSING:
            end = end_of(tokens, at)
        elif tokens[at] == "<" and one and is_name(one[-1]):
            end = end_of_angles(tokens, at)
        one += tokens[at:end]
        at = end
    return made


def declared(whole, scope, local, body):
    """The declarations of a statement; `body` is what its first {…} holds, None if it has none."""
    statement = without_heads(whole)
    if whole[:1] == ["template"] and re.search(r"[<,] (?!typename|class)\w+ <", " ".join(whole[1:end_of_angles(whole, 1)])):
        return  # for the one type that its constraint names: another cannot be meant
    local = local or ("static" if "static" in whole else "")
    if not statement or not is_name(statement[0]) or statement[0] == "namespace":  # an alias of one is the same everywhere
        return
    if statement[0] == "using":
        if statement[2:3] == ["="]:
            yield Declaration("alias", scope, local, statement[1], spelled(statement[3:]))
        return
    if statement[0] in ("struct", "class", "union", "enum") and "(" not in statement and "=" not in statement:
        scoped = statement[1:2] in (["class"], ["struct"])
        name = statement[2 if scoped else 1:]
        if body is None or name[1:2] == ["<"]:  # declared only, or specialized
            return
        if name and is_name(name[0]):
            yield Declaration("type", scope, local, name[0], None)
        if statement[0] == "enum" and not scoped:
            for found in re.finditer(r"(?:^|,) ?(\w+)", " ".join(body)):
                yield Declaration("enumerator", scope, local, found[1], None)
        return
    at = 0
    while at < len(statement) and statement[at] not in ("=", "(", "["):
        if statement[at] == "operator":
            return
        at = end_of_angles(statement, at) if statement[at] == "<" else at + 1
    if at < 2 or not is_name(statement[at - 1]) or statement[at - 2] == "::":  # a macro's call, or a member's definition
        return
    if statement[at:at + 1] == ["("]:
        inside = statement[at + 1:end_of(statement, at) - 1]
        yield Declaration("function", scope, local, statement[at - 1], parameters_of(inside))
    else:
        yield Declaration("constant", scope, local, statement[at - 1], None)


def declarations(text):
    tokens = tokens_of(text)
    scopes = []  # the open namespaces; "" is an anonymous one, None is extern "C"
    statement, body, at = [], None, 0
    while at < len(tokens):
        token = tokens[at]
        ends = token == ";"
        if token == "}":  # of a namespace: others are skipped with what they hold
            scopes = scopes[:-1]
            statement, body = [], None
        elif token == "{" and [t for t in statement if t != "inline"][:1] == ["namespace"]:
            scopes.append("".join(t for t in statement if t not in ("inline", "namespace")))
            statement = []
        elif token == "{" and statement == ["extern", '""']:
            scopes.append(None)
            statement = []
        elif token in CLOSING:
            end = end_of(tokens, at)
            if token != "{":
                statement += tokens[at:end]
            else:
                body = body if body is not None else tokens[at + 1:end - 1]
                plain = without_heads(statement)
                ends = "(" in plain and "=" not in plain[:plain.index("(")]  # a function's
            at = end - 1
        elif not ends:
            statement.append(token)
        if ends:
            yield from declared(statement, "::".join(filter(None, scopes)), "anonymous" if "" in scopes else "", body)
            statement, body = [], None
        at += 1
