#!/usr/bin/env python3
"""Prints sums.txt: what each form of kernels.cu must give, by exact arithmetic (exact.py) from the definitions of the PTX manual.

The rows of `approximate` are those of tests/cases/sfu/h200.txt, which a GPU gave.
"""
import pathlib
import re

import exact
from exact import FORMATS

HERE = pathlib.Path(__file__).resolve().parent
SAMPLES = 1024
ALL = (1 << 64) - 1


def mixed(z):
    z = (z + 0x9e3779b97f4a7c15) & ALL
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9 & ALL
    z = (z ^ z >> 27) * 0x94d049bb133111eb & ALL
    return z ^ z >> 31


def low(value, width):
    return value & ((1 << width) - 1)


def signed(value, width):
    value = low(value, width)
    return value - (1 << width) if value >> (width - 1) else value


def integers_of(k):
    return [mixed(3 * k + i) >> (k & 3) * 16 for i in range(3)]


def floats_of(form, k):
    one, infinity, sign = form.bias << form.m, form.infinity, form.sign
    if k < 256:
        all_of_them = [0, sign, 1, (1 << form.m) - 1, 1 << form.m, one, one + 1, one | sign, one * 2, one // 2, infinity - 1,
                       (infinity - 1) | sign, infinity, infinity | sign, infinity + 1, sign - 1]
        return [all_of_them[i & 15] for i in (k, k >> 4, k * 7 + 3 + (k >> 4))]
    mask = (1 << form.e) - 1

    def with_exponent(bits, exponent):
        return bits & ~(mask << form.m) | (exponent & mask) << form.m
    a, b, c = [low(mixed(3 * k + i), form.width) for i in range(3)]
    exponent = a >> form.m & mask
    if k & 1:
        b = with_exponent(b, exponent + (k >> 2 & 7) - 4)
        c = with_exponent(c, exponent + (k >> 5 & 7) - 4)
    if k & 3 == 3:
        c = with_exponent(c, exponent + (b >> form.m & mask) - form.bias + (k >> 5 & 7) - 4)
    return [a, b, c]


def float_form(op, words, form, a, b, c):
    """add, sub, mul, fma, div, rcp, sqrt, min and max of one format."""
    mode = next((word for word in words if word in ("rn", "rz", "rm", "rp")), "rn")
    if "ftz" in words:
        a, b, c = (form.flushed(one) for one in (a, b, c))
    x, y, z = (form.read(one) for one in (a, b, c))
    if op in ("min", "max"):
        return exact.least_or_greatest(form, a, b, op == "max")
    one = {"add": lambda: exact.plus(form, x, y, mode), "sub": lambda: exact.plus(form, x, (not y[0], y[1]), mode),
           "mul": lambda: exact.written(form, exact.product(x, y), mode), "fma": lambda: exact.plus(form, exact.product(x, y), z, mode),
           "div": lambda: exact.quotient(form, x, y, mode), "rcp": lambda: exact.quotient(form, (False, 1), x, mode),
           "sqrt": lambda: exact.root(form, x, mode)}[op]()
    return form.flushed(one) if "ftz" in words else one


def convert(words, to, source, a):
    mode = next(word for word in [*words, "rn"] if word.startswith("r"))
    if source in FORMATS:
        value = FORMATS[source].read(a)
        if to in FORMATS:
            return exact.written(FORMATS[to], value, mode)
        width = int(to[1:])
        whole = exact.to_integer(value, mode, width, to[0] == "s")
        nan = 1 << (width - 1) if width == 64 or source == "f64" else 0  # the manual on cvt
        return low(nan if whole is None else whole, width)
    width = int(source[1:])
    value = signed(a, width) if source[0] == "s" else low(a, width)
    return FORMATS[to].write(exact.Fraction(value), mode)


def divided(a, b):
    """Towards zero."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def reversed_bits(a, width):
    return int(format(a, f"0{width}b")[::-1], 2)


def highest(a, width, is_signed):
    """bfind: the highest bit that is not the sign's, or all ones."""
    a = low(~a if is_signed and signed(a, width) < 0 else a, width)
    return low(a.bit_length() - 1, 32)


def extracted(a, b, c, is_signed):
    at, length = b & 255, c & 255
    sign = 0
    if is_signed and length:
        sign = a >> min(at + length - 1, 31) & 1
    return sum((a >> (at + i) & 1 if i < length and at + i < 32 else sign) << i for i in range(32))


def dot(a, b, c, is_signed):
    def part(word, i):
        return signed(word >> 8 * i, 8) if is_signed else word >> 8 * i & 255
    return c + sum(part(a, i) * part(b, i) for i in range(4))


def integer_form(op, words, kind, a, b, c):
    width, is_signed = int(kind[1:]), kind[0] == "s"
    a_word, b_word, c_word = (low(one, width) for one in (a, b, c))
    x, y, z = (signed(one, width) if is_signed else low(one, width) for one in (a, b, c))
    if op in ("mul", "mad"):
        whole = x * y
        if "wide" in words:
            wide = 2 * width
            return low(whole + (low(c, wide) if op == "mad" else 0), wide)
        return low((whole >> width if "hi" in words else whole) + (c if op == "mad" else 0), width)
    if op == "add" and "sat" in words:
        return low(min(max(x + y, -(1 << (width - 1))), (1 << (width - 1)) - 1), width)
    shift = min(low(b, 32), width)
    results = {
        "add": lambda: x + y, "sub": lambda: x - y, "min": lambda: min(x, y), "max": lambda: max(x, y),
        "sad": lambda: z + abs(x - y), "abs": lambda: abs(x), "neg": lambda: -x, "and": lambda: x & y, "or": lambda: x | y,
        "xor": lambda: x ^ y, "not": lambda: ~x, "div": lambda: divided(x, y), "rem": lambda: x - y * divided(x, y),
        "shl": lambda: a_word << shift, "shr": lambda: x >> shift, "popc": lambda: bin(a_word).count("1"),
        "clz": lambda: width - a_word.bit_length(), "brev": lambda: reversed_bits(a_word, width),
        "bfind": lambda: highest(a, width, is_signed), "bfe": lambda: extracted(a_word, b_word, c_word, is_signed),
        "dp4a": lambda: dot(a_word, b_word, c_word, is_signed),
        "shf": lambda: ((b_word << 32 | a_word) << (c_word & 31) >> 32) if "l" in words else (b_word << 32 | a_word) >> min(c_word, 32),
        "prmt": lambda: sum(permuted(b_word << 32 | a_word, c_word >> 4 * i & 15) << 8 * i for i in range(4)),
    }
    return low(results[op](), 32 if op in ("popc", "clz", "bfind") else width)


def permuted(eight_bytes, selector):
    byte = eight_bytes >> 8 * (selector & 7) & 255
    return (255 if byte & 128 else 0) if selector & 8 else byte


def result(text, a, b, c):
    """One form of an instruction, by its name."""
    op, *words = text.split(".")
    kind = words[-1]
    if op == "cvt":
        return convert(words[:-2], words[-2], kind, a)
    if kind.endswith("x2"):
        form = FORMATS[kind[:-2]]
        return sum(float_form(op, words, form, *(low(one >> 16 * i, 16) for one in (a, b, c))) << 16 * i for i in range(2))
    if kind in FORMATS:
        return float_form(op, words, FORMATS[kind], a, b, c)
    return integer_form(op, words, kind, a, b, c)


def sum_of(results):
    """As Sums::add of kernels.cu: pairs of a thread's number and its result."""
    return sum(mixed(mixed(k) ^ one) for k, one in results) & ALL


def samples_of(source, k):
    if source.startswith("integers"):
        return integers_of(k)
    exponent, mantissa = (int(one) for one in re.search(r"<(\d+), (\d+)>", source).groups())
    form = next(one for one in FORMATS.values() if (one.e, one.m) == (exponent, mantissa))
    if source.startswith("pairs"):
        first, second = floats_of(form, k), floats_of(form, k ^ 512)
        return [x | y << 16 for x, y in zip(first, second)]
    return floats_of(form, k)


def forms_of(body):
    """What a kernel's text does, in order: ("samples", function), ("s.b", change) or ("form", name)."""
    pattern = r's = (\w+(?:<\d+, \d+>)?)\(k\);|(s\.b [^;]+);|\b[FDN]\d\((?:[hrl], )*"([^"]+)"\)'
    for made, change, form in re.findall(pattern, body):
        yield ("samples", made) if made else ("change", change) if change else ("form", form)


CHANGES = {"s.b |= 1": lambda b: b | 1, "s.b = (s.b & 0x7fffffff7fffffff) | 2": lambda b: b & 0x7fffffff7fffffff | 2}


def instructions(body):
    samples = []
    for what, text in forms_of(body):
        if what == "samples":
            samples = [samples_of(text, k) for k in range(SAMPLES)]
        elif what == "change":
            samples = [[a, CHANGES[text](b), c] for a, b, c in samples]
        else:
            yield text, sum_of((k, result(text, *sample)) for k, sample in enumerate(samples))


def main():
    from expected_warps import WARPS
    kernels = re.split(r"__global__ void (\w+)\(", (HERE / "kernels.cu").read_text())[1:]
    for name, body in zip(kernels[::2], kernels[1::2]):
        if name in WARPS:
            rows = WARPS[name](body)
        elif name == "approximate":
            table = (HERE.parent.parent / "tests/cases/sfu/h200.txt").read_text().splitlines()
            rows = [(form, int(bits, 16)) for form, bits in (line.split() for line in table if not line.startswith("#"))]
        else:
            rows = instructions(body)
        for form, total in rows:
            print(f"{name} {form} {total:016x}")


if __name__ == "__main__":
    main()
