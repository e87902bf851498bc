"""References of kernels of neural networks: sums, softmax, norms, products, attention."""
import math

from references_basic import product

E4M3 = {0x38: 1.0, 0x40: 2.0, 0x30: 0.5, 0xB8: -1.0, 0x00: 0.0, 0x44: 3.0}  # codes of FP8 with 4 and 3 bits, bias 7
E5M2 = {0x3C: 1.0, 0x40: 2.0, 0x38: 0.5, 0xBC: -1.0, 0x00: 0.0, 0x42: 3.0}  # with 5 and 2 bits, bias 15


def e4m3(count):
    return [list(E4M3)[i * 7 % 6] for i in range(count)]


def e5m2(count):
    return [list(E5M2)[i * 5 % 6] for i in range(count)]


def sum_of_e4m3(a, out, n):
    return [sum(E4M3[x] for x in a)]


def sum_of_e5m2(a, out, n):
    return [sum(E5M2[x] for x in a)]


def whole_sum(a, out, n):
    return [sum(a)]


def dot(a, b, out, n):
    return [sum(x * y for x, y in zip(a, b))]


def softmax(row):
    top = max(row)
    powers = [math.exp(x - top) for x in row]
    return [x / sum(powers) for x in powers]


def by_rows(a, width, change):
    return [x for i in range(0, len(a), width) for x in change(a[i : i + width])]


def softmax_rows(out, a, n, c):
    return by_rows(a, c, softmax)


def softmax_128(a, out, n):
    return by_rows(a, 128, softmax)


def softmax_256(a, out, n):
    return by_rows(a, 256, softmax)


def row_means(out, a, n, c, *block):
    return by_rows(a, c, lambda row: [sum(row) / c])


def moments(row):
    mean = sum(row) / len(row)
    return mean, 1 / math.sqrt(sum((x - mean) ** 2 for x in row) / len(row) + 1e-5)


def layernorm(out, mean, rstd, a, weight, bias, n, c):
    rows = [a[i * c : i * c + c] for i in range(n)]
    each = [moments(row) for row in rows]
    normed = [(x - m) * s * w + b for row, (m, s) in zip(rows, each) for x, w, b in zip(row, weight, bias)]
    return {0: normed, 1: [m for m, _ in each], 2: [s for _, s in each]}


def layer_norm(a, out, g, b, n, k):
    def change(row):
        m, s = moments(row)
        return [(x - m) * s * g + b for x in row]

    return by_rows(a, k, change)


def rms_norm(a, out, g, n, k):
    return by_rows(a, k, lambda row: [x * g / math.sqrt(sum(y * y for y in row) / k + 1e-5) for x in row])


def product_mnk(a, b, c, m, n, k):
    return product(a, b, m, k, n)


def product_b_transposed(a, b, c, m, n, k):
    return [sum(a[i * k + p] * b[j * k + p] for p in range(k)) for i in range(m) for j in range(n)]


def rope_pairs(a, out, positions, pairs):
    """Each pair is rotated by its token's position; the exponent is an integer division that gives 0, so all angles are the position."""
    turned = []
    for i in range(len(a) // 2):
        angle, x, y = i // pairs, a[2 * i], a[2 * i + 1]
        turned += [x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle)]
    return turned


def embedding(index, weight, out, n, width):
    return [x for i in index for x in weight[i * width : i * width + width]]


def transposed_last(a, rows, cols, out):
    return [a[i * cols + j] for j in range(cols) for i in range(rows)]


def gelu_tanh(a, out, n):
    return [x / 2 * (1 + math.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))) for x in a]


def attention_32(q, k, v, out, length, heads):
    """For a head size of 32."""
    expected = []
    for head in range(len(q) // length // 32):
        start = head * length * 32
        rows = [range(start + i * 32, start + i * 32 + 32) for i in range(length)]
        for row in rows:
            weights = softmax([sum(q[x] * k[y] for x, y in zip(row, other)) / math.sqrt(32) for other in rows])
            expected += [sum(w * v[other[c]] for w, other in zip(weights, rows)) for c in range(32)]
    return expected
