"""What the kernels exchanges, atomics and products must give: whole warps and whole grids, by integers of Python."""
import re

from exact import Fraction, F32, F64
from expected import ALL, SAMPLES, low, mixed, signed, sum_of

LANES = range(32)
OWN = [low(mixed(k), 32) for k in range(SAMPLES)]
FEW = [mixed(k) & 3 for k in range(SAMPLES)]


def of_each_warp(lanes):
    """`lanes`: from the words and the small numbers of a warp, and its lanes' numbers, to 32 results."""
    return sum_of((first + lane, one) for first in range(0, SAMPLES, 32)
                  for lane, one in enumerate(lanes(OWN[first:first + 32], FEW[first:first + 32])))


def shuffle(x, source, width):
    """`source`: from a lane's place in its segment to the place that it reads; outside the segment it keeps its own."""
    def read(lane):
        first, at = lane // width * width, source(lane % width)
        return x[first + at] if 0 <= at < width else x[lane]
    return [read(lane) for lane in LANES]


def bits(lanes):
    return sum(bool(one) << lane for lane, one in enumerate(lanes))


def xor(words):
    total = 0
    for word in words:
        total ^= word
    return total


def crossed(x, mask, width):
    """shfl.bfly: a lane of another segment is read if it comes before the reader's end, as the manual's bound says."""
    def read(lane):
        at, end = lane ^ mask, lane // width * width + width - 1
        return x[at] if at <= end else x[lane]
    return [read(lane) for lane in LANES]


def odd_lanes(x, few):
    ballot = bits(lane & 1 and few[lane] == 1 for lane in LANES)
    return [low(ballot + x[31], 32) if lane & 1 else 7 for lane in LANES]


EXCHANGES = {
    "shfl.up.3": lambda x, few: shuffle(x, lambda at: at - 3, 32),
    "shfl.down.5.width.8": lambda x, few: shuffle(x, lambda at: at + 5, 8),
    "shfl.bfly.13": lambda x, few: crossed(x, 13, 32),
    "shfl.bfly.24.width.16": lambda x, few: crossed(x, 24, 16),
    "shfl.idx.own.width.16": lambda x, few: [x[lane // 16 * 16 + (few[lane] * 7 + lane) % 16] for lane in LANES],
    "vote.ballot": lambda x, few: [bits(one >> 31 for one in x)] * 32,
    "vote.all": lambda x, few: [int(all(one < 3 for one in few))] * 32,
    "vote.any": lambda x, few: [int(any(signed(one, 32) > 0x7c000000 for one in x))] * 32,
    "match.any": lambda x, few: [bits(one == few[lane] for one in few) for lane in LANES],
    "redux.add.s32": lambda x, few: [low(sum(x), 32)] * 32,
    "redux.min.s32": lambda x, few: [low(min(signed(one, 32) for one in x), 32)] * 32,
    "redux.max.u32": lambda x, few: [max(x)] * 32,
    "redux.xor.b32": lambda x, few: [xor(x)] * 32,
    "vote.and.shfl.of.odd.lanes": odd_lanes,
}


def exchanges(body):
    for name in re.findall(r'LANES\("([^"]+)"', body):
        yield name, of_each_warp(EXCHANGES[name])


def atomics(body):
    block = 64
    threads = [(k, mixed(k) & 7, low(mixed(k) >> 8, 32)) for k in range(SAMPLES)]
    totals = [0] * 5
    for first in range(0, SAMPLES, block):
        rows = [[0] * 8, [0] * 8, [0xffffffff] * 8, [0] * 8, [0] * 8]
        for k, at, x in threads[first:first + block]:
            rows[0][at] = low(rows[0][at] + x, 32)
            rows[1][at] = max(rows[1][at], signed(x, 32))
            rows[2][at] &= x | 1 << (x & 31)
            rows[3][at] ^= x
            rows[4][at] = 0 if rows[4][at] >= 9 else rows[4][at] + 1
        for row in range(5):
            totals[row] += sum(mixed(mixed(first // block * 8 + at) ^ rows[row][at]) for at in range(8))
    yield from zip(("shared.add.u32", "shared.max.s32", "shared.and.b32", "shared.xor.b32", "shared.inc.u32"), (one & ALL for one in totals))
    yield "global.add.u64", sum(x << 13 for _, _, x in threads) & ALL
    yield "global.min.u64", 0
    yield "global.max.u64", max(mixed(k) for k in range(SAMPLES))
    yield "global.xor.b64", xor(mixed(k) for k in range(SAMPLES))
    some = 0
    for _, _, x in threads:
        some |= x & x << 3 & x >> 5 & x << 7 & x >> 11
    yield "global.or.b32", low(some, 32)
    yield "global.add.f32", F32.write(Fraction(sum(x & 1023 for _, _, x in threads)), "rn")
    yield "global.add.f64", F64.write(Fraction(-sum(x & 0xffff for _, _, x in threads), 2), "rn")
    value = 0
    for _ in range(SAMPLES):
        value = (value * 5 + 1) & ALL
    yield "global.cas.b64", value


def small(random):
    return (random & 15) - 8


def multiplied(a, b, c, parts):
    """A warp's 16 × 8 result from the fragments of its lanes. `parts`: elements in a register. a[lane][register][part]."""
    def of_a(row, column):  # the manual's figure: registers 0 and 1 hold rows r and r + 8, 2 and 3 the columns' second half
        lane, part = row % 8 * 4 + column % (4 * parts) // parts, column % parts
        return a[lane][row // 8 + 2 * (column // (4 * parts))][part]

    def of_b(row, column):
        return b[column * 4 + row % (4 * parts) // parts][row // (4 * parts)][row % parts]

    def of_d(lane, i):
        row, column = lane // 4 + 8 * (i // 2), lane % 4 * 2 + i % 2
        return c[lane][i] + sum(of_a(row, inner) * of_b(inner, column) for inner in range(8 * parts))
    return [[of_d(lane, i) for i in range(4)] for lane in LANES]


def product_sum(fragments, parts, write):
    """`fragments`: from a thread's number to its a, b and c."""
    totals = [0] * 4
    for first in range(0, SAMPLES, 32):
        a, b, c = zip(*(fragments(first + lane) for lane in LANES))
        for lane, results in enumerate(multiplied(a, b, c, parts)):
            for i, one in enumerate(results):
                totals[i] += mixed(mixed(first + lane) ^ (write(one) + (i << 32)))
    return sum(totals) & ALL


def of_small_numbers(parts):
    def fragments(k):
        random = mixed(k)

        def register(shift):
            return [small(random >> shift + 4 * part) for part in range(parts)]
        return [register(8 * i) for i in range(4)], [register(32 + 8 * i) for i in range(2)], [small(random >> 48 + 4 * i) for i in range(4)]
    return fragments


def of_bytes(is_signed):
    def fragments(k):
        random = mixed(k)

        def register(i):
            word = low(mixed((random + i) & ALL), 32)
            return [signed(word >> 8 * part, 8) if is_signed else word >> 8 * part & 255 for part in range(4)]
        c = [F32.write(Fraction(small(random >> 48 + 4 * i)), "rn") for i in range(4)]
        return [register(i) for i in range(4)], [register(4 + i) for i in range(2)], [signed(one, 32) for one in c]
    return fragments


def products(body):
    def as_float(value):
        return F32.write(Fraction(value), "rn")

    def as_word(value):
        return low(value, 32)
    for types in re.findall(r'MMA\("\w+", "([^"]+)"\)', body):
        if types.startswith("s32"):
            yield "mma." + types, product_sum(of_bytes(".s8." in types), 4, as_word)
        else:
            yield "mma." + types, product_sum(of_small_numbers(1 if "tf32" in types else 2), 1 if "tf32" in types else 2, as_float)


WARPS = {"exchanges": exchanges, "atomics": atomics, "products": products}
