"""References of sorts, scans, histograms, hashes, ciphers, graphs, finance and filters; and the inputs that they need."""
import itertools
import math
import random
import statistics
import struct

from references_basic import product

WORD = 0xFFFFFFFF


def words(count):
    draw = random.Random(11)
    return [draw.getrandbits(32) for _ in range(count)]


def longs(count):
    draw = random.Random(12)
    return [draw.getrandbits(64) for _ in range(count)]


def octets(count):
    draw = random.Random(13)
    return [draw.getrandbits(8) for _ in range(count)]


def shuffled(count):
    values = list(range(count))
    random.Random(14).shuffle(values)
    return values


def ascending(count):
    return [3 * i / 4 for i in range(count)]


def sorted_pairs(keys, values, from_keys, from_values, *sizes):
    pairs = sorted(zip(from_keys, from_values))
    return {0: [k for k, _ in pairs], 1: [v for _, v in pairs]}


def sorted_third(length, power, a):
    return sorted(a)


def exclusive(out, a, size):
    return [0] + list(itertools.accumulate(a))[:-1]


def exclusive_256(blocks, out, a):
    return [x for i in range(0, len(a), 256) for x in [0] + list(itertools.accumulate(a[i : i + 256]))[:-1]]


def inclusive_256(a, width, sums):
    scanned = [list(itertools.accumulate(a[i : i + 256])) for i in range(0, len(a), 256)]
    return {0: [x for part in scanned for x in part], 2: [part[-1] for part in scanned]}


def inclusive(out, a, length):
    return list(itertools.accumulate(a))


def histogram_of_bytes(parts, data, n):
    """The bins of the whole input, for one block."""
    octets_in = [(word >> shift) & 255 for word in data for shift in (0, 8, 16, 24)]
    return [octets_in.count(i) for i in range(256)]


def histogram_of_six_bits(parts, data, n):
    octets_in = [(word >> shift) & 255 for word in data for shift in (0, 8, 16, 24)]
    return [sum(x >> 2 == i for x in octets_in) for i in range(64)]


def odd_even(a, odds, sums, n):
    odd = [x for x in a if x & 1]
    return {1: [len(odd)], 2: [sum(odd), sum(a) - sum(odd)]}


def count_positive(out, count, a, n):
    return [sum(x > 0 for x in a)]


def row_products(out, a, b, rows, width):
    return [sum(x * y for x, y in zip(a[i * width : i * width + width], b[i * width : i * width + width])) for i in range(rows)]


def any_per_warp(a, out, n):
    return [int(any(a[i // 32 * 32 : i // 32 * 32 + 32])) for i in range(len(a))]


def all_per_warp(a, out, n):
    return [int(all(a[i // 32 * 32 : i // 32 * 32 + 32])) for i in range(len(a))]


def normal(x):
    return math.erfc(-x / math.sqrt(2)) / 2


def black_scholes(call, put, price, strike, years, rate, volatility, n):
    calls, puts = [], []
    for s, x, t in zip(price, strike, years):
        d1 = (math.log(s / x) + (rate + volatility**2 / 2) * t) / (volatility * math.sqrt(t))
        d2, paid = d1 - volatility * math.sqrt(t), x * math.exp(-rate * t)
        calls.append(s * normal(d1) - paid * normal(d2))
        puts.append(paid * normal(-d2) - s * normal(-d1))
    return {0: calls, 1: puts}


def quasirandom(out, seed, n, c_Table):
    expected = []
    for row in range(3):
        for i in range(n):
            result = 0
            for bit in range(31):
                result ^= c_Table[row * 31 + bit] if (seed + i) >> bit & 1 else 0
            expected.append(((result + 1) & WORD) / 2.0**31)
    return expected


def bits_31(count):
    return [x >> 1 for x in words(count)]


def inverse_normal(out, a, n):
    return [statistics.NormalDist().inv_cdf(x / 2.0**32) for x in a]


def rows_filtered(out, a, width, height, pitch, c_Kernel):
    def at(y, x):
        return a[y * pitch + x] if 0 <= x < width else 0

    return [sum(c_Kernel[8 - j] * at(y, x + j) for j in range(-8, 9)) for y in range(height) for x in range(width)]


def columns_filtered(out, a, width, height, pitch, c_Kernel):
    def at(y, x):
        return a[y * pitch + x] if 0 <= y < height else 0

    return [sum(c_Kernel[8 - j] * at(y + j, x) for j in range(-8, 9)) for y in range(height) for x in range(width)]


def filtered(a, weights, rows, cols, height, width):
    """Zeros outside; the window's centre is (height // 2, width // 2)."""

    def at(y, x):
        return a[y * cols + x] if 0 <= y < rows and 0 <= x < cols else 0

    window = [(i, j) for i in range(height) for j in range(width)]
    return [sum(at(y + i - height // 2, x + j - width // 2) * weights[i * width + j] for i, j in window) for y in range(rows) for x in range(cols)]


def filtered_by_constant(out, a, unused, rows, cols, size, c_filter):
    return filtered(a, c_filter, rows, cols, size, size)


def blurred(a, weights, out, rows, cols, height, width):
    return filtered(a, weights, rows, cols, height, width)


def gemm_b_columns(a, b, c, d, m, n, k, alpha, beta):
    """B is column-major."""
    products = [sum(a[i * k + p] * b[j * k + p] for p in range(k)) for i in range(m) for j in range(n)]
    return [alpha * x + beta * y for x, y in zip(products, c)]


def walsh(out, a, log2n):
    n, result = 1 << log2n, []
    for start in range(0, len(a), n):
        part, h = a[start : start + n], 1
        while h < n:
            for i in range(0, n, 2 * h):
                for j in range(i, i + h):
                    part[j], part[j + h] = part[j] + part[j + h], part[j] - part[j + h]
            h *= 2
        result += part
    return result


def distances(count):
    side = math.isqrt(count)
    draw = random.Random(15)
    return [0 if i == j else draw.randint(1, 40) for i in range(side) for j in range(side)]


def shortest(distance, path, n, step):
    result = distance[:]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                result[i * n + j] = min(result[i * n + j], result[i * n + k] + result[k * n + j])
    return result


def rotated(x, r, bits):
    mask = (1 << bits) - 1
    return ((x << r) | (x >> (bits - r))) & mask


def murmur3(key, seed):
    """MurmurHash3, x64, 128 bits, after its public description."""
    mask, c1, c2 = (1 << 64) - 1, 0x87C37B91114253D5, 0x4CF5AD432745937F
    h1 = h2 = seed
    for i in range(len(key) // 16):
        k1, k2 = struct.unpack_from("<QQ", key, 16 * i)
        h1 ^= rotated(k1 * c1 & mask, 31, 64) * c2 & mask
        h1 = (((rotated(h1, 27, 64) + h2) & mask) * 5 + 0x52DCE729) & mask
        h2 ^= rotated(k2 * c2 & mask, 33, 64) * c1 & mask
        h2 = (((rotated(h2, 31, 64) + h1) & mask) * 5 + 0x38495AB5) & mask
    tail = key[len(key) // 16 * 16 :]
    if len(tail) > 8:
        h2 ^= rotated(int.from_bytes(tail[8:], "little") * c2 & mask, 33, 64) * c1 & mask
    if tail:
        h1 ^= rotated(int.from_bytes(tail[:8], "little") * c1 & mask, 31, 64) * c2 & mask

    def mixed(x):
        x = (x ^ x >> 33) * 0xFF51AFD7ED558CCD & mask
        x = (x ^ x >> 33) * 0xC4CEB9FE1A85EC53 & mask
        return x ^ x >> 33

    h1, h2 = h1 ^ len(key), h2 ^ len(key)
    h1 = (h1 + h2) & mask
    h2 = (h2 + h1) & mask
    h1, h2 = mixed(h1), mixed(h2)
    h1 = (h1 + h2) & mask
    return [h1, (h2 + h1) & mask]


def key_lengths(count):
    return [3 + 5 * i for i in range(count)]


def key_starts(count):
    return [0] + list(itertools.accumulate(key_lengths(count)))[:-1]


def murmur3_of_keys(keys, starts, lengths, out, n):
    return [h for i in range(n) for h in murmur3(bytes(keys[starts[i] : starts[i] + lengths[i]]), i)]


def bit_counts(data, out, n):
    return [x.bit_count() for x in data]


def counts_of_bytes(count):
    return [i.bit_count() for i in range(count)]


def bit_counts_by_table(data, out, n, lut):
    return bit_counts(data, out, n)


def local_entropy(out, a, height, width):
    expected = []
    for y in range(height):
        for x in range(width):
            seen = [a[i * width + j] for i in range(max(0, y - 2), min(height, y + 3)) for j in range(max(0, x - 2), min(width, x + 3))]
            shares = [seen.count(v) / len(seen) for v in range(16)]
            expected.append(-sum(p * math.log2(p) for p in shares if p))
    return expected


def directions(count):
    return [1 << (31 - i % 32) if i < 32 else words(count)[i] for i in range(count)]


def sobol(vectors, dimensions, v, out):
    expected = []
    for d in range(dimensions):
        for i in range(vectors):
            gray, x = i ^ (i >> 1), 0
            for k in range(32):
                x ^= v[32 * d + k] if gray >> k & 1 else 0
            expected.append(x / 2.0**32)
    return expected


def multiplied(a, b):
    """Multiplication in the field of AES."""
    result = 0
    while b:
        result ^= a if b & 1 else 0
        a, b = (a << 1) ^ (0x11B if a & 0x80 else 0), b >> 1
    return result


def substitution(count=256):
    """AES's S-box, from the inverse in the field and the affine map."""
    box = []
    for x in range(count):
        inverse = next((y for y in range(1, 256) if multiplied(x, y) == 1), 0)
        bits = inverse
        for turn in range(1, 5):
            bits ^= (inverse << turn | inverse >> (8 - turn)) & 255
        box.append(bits ^ 0x63)
    return box


def aes(out, a, keys, box, width, rounds):
    """States of 4 × 4 bytes, a row after another."""
    expected = []
    for start in range(0, len(a), 16):
        state = [[a[start + 4 * r + c] ^ keys[4 * r + c] for c in range(4)] for r in range(4)]
        for step in range(1, rounds + 1):
            state = [[box[state[r][(c + r) % 4]] for c in range(4)] for r in range(4)]
            if step < rounds:
                factors = (2, 3, 1, 1)
                state = [
                    [multiplied(state[0][c], factors[-r % 4]) ^ multiplied(state[1][c], factors[(1 - r) % 4])
                     ^ multiplied(state[2][c], factors[(2 - r) % 4]) ^ multiplied(state[3][c], factors[(3 - r) % 4])
                     for c in range(4)]
                    for r in range(4)
                ]  # fmt: skip
            state = [[state[r][c] ^ keys[16 * step + 4 * r + c] for c in range(4)] for r in range(4)]
        expected += [x for row in state for x in row]
    return expected


def twister(parameters, out, per_generator):
    """Mersenne Twisters of 19 words; 4 parameters each: matrix, two masks, seed."""
    expected = out[:]
    for g in range(len(parameters) // 4):
        matrix, mask_b, mask_c, seed = parameters[4 * g : 4 * g + 4]
        state = [seed]
        for i in range(1, 19):
            state.append((1812433253 * (state[-1] ^ state[-1] >> 30) + i) & WORD)
        for i in range(per_generator):
            x = (state[i % 19] & 0xFFFFFFFE) | (state[(i + 1) % 19] & 1)
            x = state[(i + 9) % 19] ^ x >> 1 ^ (matrix if x & 1 else 0)
            state[i % 19] = x
            x ^= x >> 12
            x ^= x << 7 & mask_b
            x ^= x << 15 & mask_c
            x ^= x >> 18
            expected[g + i * 4096] = (x + 1) / 2.0**32
    return expected


def each_slot_of_seven(a, slots):
    return [old + len(range(i, 96, 7)) for i, old in enumerate(a)]


def eliminated(a, b, m, size, t):
    """One step of Gauss's elimination by the multipliers m."""
    new_a, new_b = a[:], b[:]
    for row in range(t + 1, size):
        for col in range(t, size):
            new_a[row * size + col] -= m[row * size + t] * a[t * size + col]
        new_b[row] -= m[row * size + t] * b[t]
    return {0: new_a, 1: new_b}


def last_not_above(a, z, out, n, size):
    return [max(i for i in range(size) if a[i] <= x) for x in z]


HEX = b"00112233445566778899aabbccddeeff0f1e2d3c4b5a69788796a5b4c3d2e1f0"


def hex_digits(count):
    return list(HEX[:count])


def zero_digits(count):
    return [48] * count


def digit_values(count):
    table = [0] * count
    for i in range(10):
        table[48 + i] = i
    for i in range(26):
        table[65 + i] = table[97 + i] = i + 10
    return table


def chacha20(key_text, nonce_text, stream_text, table, key, nonce, stream, result, *sizes):
    """The key stream, from block 0, with a nonce of 8 bytes."""
    key_words = struct.unpack("<8I", bytes.fromhex(bytes(key_text).decode()))
    nonce_words = struct.unpack("<2I", bytes.fromhex(bytes(nonce_text).decode()))
    out = b""
    for block in range(-(-len(result) // 64)):
        start = [0x61707865, 0x3320646E, 0x79622D32, 0x6B206574, *key_words, block, 0, *nonce_words]
        s = start[:]
        for i in range(80):
            a, b, c, d = [(0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15), (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)][i % 8]
            for turn, x, y, z in ((16, a, b, d), (12, c, d, b), (8, a, b, d), (7, c, d, b)):
                s[x] = (s[x] + s[y]) & WORD
                s[z] = rotated(s[z] ^ s[x], turn, 32)
        out += struct.pack("<16I", *((x + y) & WORD for x, y in zip(s, start)))
    return [x ^ y for x, y in zip(result, out)]


def graph_nodes(count):
    """Pairs (first edge, number of edges) of 20 nodes with 3 edges each."""
    return [x for i in range(count // 2) for x in (3 * i, 3)]


def graph_edges(count):
    return [(i // 3 * 7 + i * i) % (count // 3) for i in range(count)]


def first_set(count):
    return [1] + [0] * (count - 1)


def far_but_first(count):
    return [0] + [-1] * (count - 1)


def bfs_costs(nodes, edges, mask, updating, visited, cost, n):
    result, front = cost[:], [0]
    while front:
        following = []
        for node in front:
            for edge in range(nodes[2 * node], nodes[2 * node] + nodes[2 * node + 1]):
                if result[edges[edge]] < 0:
                    result[edges[edge]] = result[node] + 1
                    following.append(edges[edge])
        front = following
    return result


def half_products(x, y, z, n):
    return [a * b for a, b in zip(x, y)]


def dots_of_four(x, y, z, n):
    return [sum(x[4 * i + j] * y[4 * i + j] for j in range(4)) for i in range(n)]


def body_velocities(p, v, dt, n):
    expected = v[:]
    for i in range(n):
        for j in range(n):
            d = [p[4 * j + c] - p[4 * i + c] for c in range(3)]
            inverse = (sum(x * x for x in d) + 1e-9) ** -1.5
            for c in range(3):
                expected[4 * i + c] += dt * d[c] * inverse
    return expected


def fourier_step(a, out, step, s, n, inverse):
    expected = out[:]
    for k in range(n // 2):
        i = k // step * s + k % step
        j, angle = i + step, -2 * math.pi * (k % step) / s
        w, x, y = complex(math.cos(angle), math.sin(angle)), complex(*a[2 * i : 2 * i + 2]), complex(*a[2 * j : 2 * j + 2])
        for at, z in ((i, x + w * y), (j, x - w * y)):
            expected[2 * at : 2 * at + 2] = [z.real, z.imag]
    return expected


def quantized(a, b, c, m, n, k, scale_a, scale_b, scale_c, zero_a, zero_b, zero_c):
    sums = product([x - zero_a for x in a], [x - zero_b for x in b], m, k, n)
    return [max(-128, min(127, int(math.copysign(math.floor(abs(x * scale_a * scale_b / scale_c) + 0.5), x)) + zero_c)) for x in sums]


def window_attention(q, k, v, out, m, d, window):
    expected = []
    for i in range(m):
        near = range(max(0, i - window), min(m, i + window + 1))
        scores = [sum(q[i * d + c] * k[j * d + c] for c in range(d)) / math.sqrt(d) for j in near]
        powers = [math.exp(x - max(scores)) for x in scores]
        expected += [sum(p * v[j * d + c] for p, j in zip(powers, near)) / sum(powers) for c in range(d)]
    return expected


def merged(a, b, out, m, n):
    return sorted(a + b)


def pooled(a, out, n, c, h, w, size, stride, padding):
    high, wide = (h + 2 * padding - size) // stride + 1, (w + 2 * padding - size) // stride + 1
    expected = []
    for image in range(n * c):
        for y in range(high):
            for x in range(wide):
                window = itertools.product(range(y * stride - padding, y * stride - padding + size), range(x * stride - padding, x * stride - padding + size))
                expected.append(max(a[(image * h + i) * w + j] for i, j in window if 0 <= i < h and 0 <= j < w))
    return expected


def swarm(agents, out, n):
    expected = []
    for i in range(n):
        x, y, vx, vy = agents[4 * i : 4 * i + 4]
        near = [j for j in range(n) if j != i and (x - agents[4 * j]) ** 2 + (y - agents[4 * j + 1]) ** 2 < 25]
        if near:
            vx += 0.05 * (sum(agents[4 * j + 2] for j in near) / len(near) - vx)
            vy += 0.05 * (sum(agents[4 * j + 3] for j in near) / len(near) - vy)
        expected += [x + vx, y + vy, vx, vy]
    return expected


def rotary(q, cos, sin, out, m, d):
    half = d // 2
    return [
        q[i * d + c] * cos[i * d + c] + (-q[i * d + c + half] if c < half else q[i * d + c - half]) * sin[i * d + c]
        for i in range(m)
        for c in range(d)
    ]


def softmax_whole(a, out, n):
    powers = [math.exp(x - max(a)) for x in a]
    return [x / sum(powers) for x in powers]


def clusters(x, y, labels, cx, cy, sx, sy, counts, n, k):
    nearest = [min(range(k), key=lambda c: (u - cx[c]) ** 2 + (v - cy[c]) ** 2) for u, v in zip(x, y)]
    return {
        2: nearest,
        5: [sum(u for u, c in zip(x, nearest) if c == i) for i in range(k)],
        6: [sum(v for v, c in zip(y, nearest) if c == i) for i in range(k)],
        7: [nearest.count(i) for i in range(k)],
    }


def best_window(prefix, out, n, width):
    return [max(prefix[i + width - 1] - (prefix[i - 1] if i else 0) for i in range(n - width + 1))]


def running(count):
    return list(itertools.accumulate((i * 37) % 23 - 11 for i in range(count)))


def digit_histogram(a, out, n, shift):
    blocks = len(out) // 16
    size = -(-n // blocks)
    return [sum((x >> shift) & 15 == digit for x in a[b * size : b * size + size]) for digit in range(16) for b in range(blocks)]


def sum_of_second(out, a, n):
    return [sum(a)]


def sum_of_second_first(out, a, n):
    return [sum(a)] + [None] * (len(out) - 1)


def whole_sum_first(a, out, n):
    return [sum(a)] + [None] * (len(out) - 1)


def top_nine(a, out, n, k):
    return sorted(a, reverse=True)[:k]


def inclusive_second(a, out, total, n):
    return list(itertools.accumulate(a))


def group_norm(a, gamma, beta, out, n, c, h, w, groups, eps):
    size, expected = c // groups * h * w, []
    for group in range(n * groups):
        part = a[group * size : group * size + size]
        mean = sum(part) / size
        scale = 1 / math.sqrt(sum((x - mean) ** 2 for x in part) / size + eps)
        for i, x in enumerate(part):
            channel = group % groups * (c // groups) + i // (h * w)
            expected.append(gamma[channel] * (x - mean) * scale + beta[channel])
    return expected


def two_best(logits, weights, indices, m, e):
    expected = {1: [], 2: []}
    for row in range(m):
        best = sorted(range(e), key=lambda i: -logits[row * e + i])[:2]
        powers = [math.exp(logits[row * e + i] - logits[row * e + best[0]]) for i in best]
        expected[1] += [p / sum(powers) for p in powers]
        expected[2] += best
    return expected


def gemm_b_crossed(a, b, c, d, m, n, k, alpha, beta):
    """B is column-major, with its 16 × 16 blocks transposed."""
    products = [sum(a[i * k + p] * b[(p // 16 * 16 + j % 16) * k + j // 16 * 16 + p % 16] for p in range(k)) for i in range(m) for j in range(n)]
    return [alpha * x + beta * y for x, y in zip(products, c)]
