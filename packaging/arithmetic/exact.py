"""Floating-point numbers by exact fractions: no floating-point arithmetic of the machine is used."""
from fractions import Fraction
import math

INFINITE = "infinite"


class Format:
    def __init__(self, exponent_bits, mantissa_bits, nan):
        self.e, self.m, self.nan = exponent_bits, mantissa_bits, nan
        self.width = 1 + exponent_bits + mantissa_bits
        self.bias = (1 << (exponent_bits - 1)) - 1
        self.sign = 1 << (self.width - 1)
        self.infinity = ((1 << exponent_bits) - 1) << mantissa_bits

    def read(self, bits):
        """(negative, size): size is None for NaN, INFINITE, or a fraction."""
        bits &= (1 << self.width) - 1
        negative, size = bool(bits & self.sign), bits & (self.sign - 1)
        if size > self.infinity:
            return negative, None
        if size == self.infinity:
            return negative, INFINITE
        exponent, mantissa = size >> self.m, size & ((1 << self.m) - 1)
        if exponent:
            mantissa |= 1 << self.m
        return negative, mantissa * Fraction(2) ** (max(exponent, 1) - self.bias - self.m)

    def flushed(self, bits):
        return bits & self.sign if bits & self.infinity == 0 else bits

    def write(self, value, mode, zero_negative=False):
        """The bits of a fraction, rounded; a zero has the given sign."""
        if value == 0:
            return self.sign if zero_negative else 0
        negative, size = value < 0, abs(value)
        top = size.numerator.bit_length() - size.denominator.bit_length()
        if Fraction(2) ** top > size:
            top -= 1
        unit = Fraction(2) ** (max(top, 1 - self.bias) - self.m)
        units = rounded(size / unit, mode, negative)
        # An integer of m + 1 bits at most, or 2^(m + 1), whose addition carries into the exponent.
        exponent = max(top, 1 - self.bias) + self.bias
        bits = units + ((exponent - 1) << self.m)
        if bits >= self.infinity:
            grows = mode == "rn" or mode == ("rm" if negative else "rp")
            bits = self.infinity if grows else self.infinity - 1
        return (self.sign if negative else 0) | bits


def rounded(size, mode, negative):
    """A fraction of at least 0 to an integer; its sign matters for rm and rp only."""
    whole, rest = divmod(size, 1)
    whole = int(whole)
    if mode == "rn":
        return whole + (rest > Fraction(1, 2) or (rest == Fraction(1, 2) and whole & 1))
    up = mode == ("rm" if negative else "rp")
    return whole + (up and rest > 0)


F16, BF16 = Format(5, 10, 0x7fff), Format(8, 7, 0x7fff)
F32, F64 = Format(8, 23, 0x7fffffff), Format(11, 52, 0x7ff8000000000000)
FORMATS = {"f16": F16, "bf16": BF16, "f32": F32, "f64": F64}


def plus(form, x, y, mode):
    """The sum of two that were read."""
    if x[1] is None or y[1] is None:
        return form.nan
    if INFINITE in (x[1], y[1]):
        infinite = [one[0] for one in (x, y) if one[1] == INFINITE]
        return form.nan if len(set(infinite)) > 1 else form.infinity | (form.sign if infinite[0] else 0)
    total = (-x[1] if x[0] else x[1]) + (-y[1] if y[0] else y[1])
    # Like signs keep theirs; a difference of equals is +0, and -0 when it is rounded down.
    if x[1] == 0 and y[1] == 0 and x[0] == y[0]:
        return form.write(total, mode, x[0])
    return form.write(total, mode, mode == "rm")


def product(x, y):
    """What plus() takes: it is not rounded."""
    if x[1] is None or y[1] is None:
        return False, None
    negative = x[0] != y[0]
    if INFINITE in (x[1], y[1]):
        return (False, None) if 0 in (x[1], y[1]) else (negative, INFINITE)
    return negative, x[1] * y[1]


def written(form, value, mode):
    negative, size = value
    if size is None:
        return form.nan
    if size == INFINITE:
        return form.infinity | (form.sign if negative else 0)
    return form.write(-size if negative else size, mode, negative)


def quotient(form, x, y, mode):
    negative = x[0] != y[0]
    if x[1] is None or y[1] is None or (x[1] == INFINITE and y[1] == INFINITE) or (x[1] == 0 and y[1] == 0):
        return form.nan
    if x[1] == INFINITE or y[1] == 0:
        return written(form, (negative, INFINITE), mode)
    return written(form, (negative, Fraction(0) if y[1] == INFINITE else x[1] / y[1]), mode)


def root(form, x, mode):
    negative, size = x
    if size is None or (negative and size != 0):
        return form.nan
    if size in (0, INFINITE):
        return written(form, x, mode)
    # An integer root of so many bits that what is left over decides no rounding except by being there.
    shift = 2 * (form.m + 8 + max(0, size.denominator.bit_length()))
    scaled = size * 2 ** shift
    low = math.isqrt(int(scaled))
    value = Fraction(low) if low * low == scaled else Fraction(2 * low + 1, 2)
    return form.write(value / Fraction(2) ** (shift // 2), mode)


def least_or_greatest(form, a, b, greatest):
    """The other one if one is NaN; -0 is below +0."""
    x, y = form.read(a), form.read(b)
    if x[1] is None or y[1] is None:
        return form.nan if x[1] is None and y[1] is None else b if x[1] is None else a

    def order(one):
        size = Fraction(2) ** 2000 if one[1] == INFINITE else one[1]
        return (-size if one[0] else size), not one[0]
    return a if (order(x) >= order(y)) == greatest else b


def to_integer(value, mode, width, signed):
    negative, size = value
    low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if signed else (0, (1 << width) - 1)
    if size is None:
        return None
    if size == INFINITE:
        return low if negative else high
    whole = rounded(size, {"rni": "rn", "rzi": "rz", "rmi": "rm", "rpi": "rp"}[mode], negative)
    return min(max(-whole if negative else whole, low), high)
