"""References of elementwise kernels, products, sums, transposes and stencils. Arguments are the kernel's own, in its order."""
import math
import struct


def f32(x):
    """x rounded to single precision."""
    return struct.unpack("<f", struct.pack("<f", x))[0]


def elementwise_sum(a, b, c, *sizes):
    return [x + y for x, y in zip(a, b)]


def residual(out, a, b, n):
    return elementwise_sum(a, b, out)


def elementwise_product(c, a, b, n):
    return [x * y for x, y in zip(a, b)]


def one_sum(a, b, c):
    return [a + b]


def saxpy(n, alpha, x, y):
    return [alpha * u + v for u, v in zip(x, y)]


def product(a, b, m, k, n):
    """Row-major a (m × k) times b (k × n)."""
    return [math.fsum(a[i * k + p] * b[p * n + j] for p in range(k)) for i in range(m) for j in range(n)]


def square_product(a, b, c, n):
    return product(a, b, n, n, n)


def product_mnp(a, b, c, m, k, n):
    return product(a, b, m, k, n)


def product_c_first(c, a, b, wa, wb):
    return product(a, b, len(a) // wa, wa, wb)


def batched_product(a, b, c, batch, m, n, k):
    return [x for q in range(batch) for x in product(a[q * m * k : (q + 1) * m * k], b[q * k * n : (q + 1) * k * n], m, k, n)]


def sgemm(m, n, k, alpha, a, b, beta, c):
    return [alpha * x + beta * y for x, y in zip(product(a, b, m, k, n), c)]


def matrix_times_vector(b, c, a, rows, cols):
    return product(b, c, rows, cols, 1)


def gray(rgb, out, width, height):
    return [int(f32(f32(f32(f32(0.21) * r) + f32(f32(0.71) * g)) + f32(f32(0.07) * b))) for r, g, b in zip(rgb[::3], rgb[1::3], rgb[2::3])]


def row_sums(a, sums, n):
    return [sum(a[i * n : i * n + n]) for i in range(n)]


def column_sums(a, sums, n):
    return [sum(a[i::n][:n]) for i in range(n)]


def block_sums(a, sums, *sizes):
    share = len(a) // len(sums)
    return [sum(a[i * share : i * share + share]) for i in range(len(sums))]


def whole_sum_in_the_first(a, sums, *sizes):
    return [sum(a)] + sums[1:]


def transpose(a, rows, cols):
    return [a[i * cols + j] for j in range(cols) for i in range(rows)]


def transposed_into_first(out, a, width, height):
    return transpose(a, height, width)


def transposed(a, out, rows, cols):
    return transpose(a, rows, cols)


def seven_points(c0, c1, a, out, nx, ny, nz):
    expected = out[:]
    for k in range(1, nz - 1):
        for j in range(1, ny - 1):
            for i in range(1, nx - 1):
                at = i + nx * (j + ny * k)
                around = sum(a[at + d] for d in (1, -1, nx, -nx, nx * ny, -nx * ny))
                expected[at] = around * c1 - a[at] * c0
    return expected


def fan1(m, a, size, t):
    expected = m[:]
    for row in range(t + 1, size):
        expected[row * size + t] = a[row * size + t] / a[t * size + t]
    return expected


def euclid(places, distances, n, lat, lng):
    return [math.hypot(lat - x, lng - y) for x, y in zip(places[0 : 2 * n : 2], places[1 : 2 * n : 2])] + distances[n:]


def julia(pixels):
    """The corner of CUDA by Example's Julia set, 12 × 3: whether 200 steps of a² + c stay within 1000."""
    expected = pixels[:]
    for y in range(3):
        for x in range(12):
            a, stays = complex(1.5 * (500 - x) / 500, 1.5 * (500 - y) / 500), 255
            for _ in range(200):
                a = a * a + complex(-0.8, 0.156)
                if abs(a) ** 2 > 1000:
                    stays = 0
                    break
            expected[(x + y * 12) * 4 : (x + y * 12) * 4 + 4] = [stays, 0, 0, 255]
    return expected


def correlation(a, kernel, out, n, k):
    return [sum(a[i + j] * kernel[j] for j in range(k)) for i in range(n - k + 1)]


def jacobi2d(a, out, rows, cols):
    def at(i, j):
        return a[i * cols + j]

    return [
        at(i, j) if i in (0, rows - 1) or j in (0, cols - 1) else (at(i - 1, j) + at(i + 1, j) + at(i, j - 1) + at(i, j + 1)) / 4
        for i in range(rows)
        for j in range(cols)
    ]


def inverted(image, width, height):
    return [x if i % 4 == 3 else 255 - x for i, x in enumerate(image)]


def count_equal(a, out, n, k):
    return [a.count(k)]


def histogram(a, bins, n, *sizes):
    return [old + a.count(i) for i, old in enumerate(bins)]


def crossentropy(losses, probs, targets, b, t, v):
    return [-math.log(probs[i * v + ix]) for i, ix in enumerate(targets)]


def crossentropy_backward(dlogits, dlosses, probs, targets, b, t, v):
    return [old + (probs[i] - (i % v == targets[i // v])) * dlosses[i // v] for i, old in enumerate(dlogits)]
