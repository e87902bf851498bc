#include "sim/tensor/warpgroup.h"

#include <cstring>

namespace lanescope::sim {

SharedMatrix SharedMatrix::of(std::uint64_t descriptor) {
  const auto field = [&](int bit) { return static_cast<std::uint32_t>(descriptor >> bit & 0x3fff) << 4; };
  constexpr std::uint64_t must_be_zero =
      std::uint64_t{3} << 14 | std::uint64_t{3} << 30 | std::uint64_t{7} << 46 | std::uint64_t{0x3ff} << 52;
  SharedMatrix matrix;
  matrix.start = field(0);
  matrix.leading = field(16);
  matrix.stride = field(32);
  matrix.base = static_cast<int>(descriptor >> 49 & 7);
  matrix.swizzle = static_cast<Swizzle>(descriptor >> 62);
  matrix.is_valid = (descriptor & must_be_zero) == 0;
  return matrix;
}

std::uint32_t SharedMatrix::across() const {
  switch (swizzle) {
    case Swizzle::by128:
      return 8;
    case Swizzle::by64:
      return 4;
    case Swizzle::by32:
      return 2;
    case Swizzle::none:
      break;
  }
  return 1;
}

std::uint32_t SharedMatrix::swizzled(std::uint32_t address) const {
  return address ^ (((address >> 7) - static_cast<std::uint32_t>(base)) & (across() - 1)) << 4;
}

std::uint32_t SharedMatrix::along_k(int line, int chunk) const {
  const auto at = static_cast<std::uint32_t>(line), piece = static_cast<std::uint32_t>(chunk);
  const std::uint32_t pattern = piece / across() * leading, within = piece % across() * 16;
  return swizzled(start + at % 8 * across() * 16 + at / 8 * stride + pattern + within);
}

std::uint32_t SharedMatrix::along_lines(int line, int k) const {
  const std::uint32_t group = static_cast<std::uint32_t>(line) / 8, at = static_cast<std::uint32_t>(k);
  if (swizzle == Swizzle::none) return start + group * stride + at % 8 * 16 + at / 8 * leading;
  return swizzled(start + group % across() * 16 + group / across() * leading + at % 8 * across() * 16 +
                  at / 8 * stride);
}

TensorOp WarpgroupOp::sparse_form() const {
  TensorOp form;
  form.a = {Fragment::Matrix::a, a, rows, n, k, false, false};
  form.b = {Fragment::Matrix::b, b, rows, n, depth(), false, false};
  form.sparse = true;
  form.selector = selector;
  form.metadata = metadata;
  return form;
}

int WarpgroupOp::kept_bits() const {
  return bits_of(a) == 8 ? 13 : 25;
}

int WarpgroupOp::result_bits() const {
  return bits_of(a) == 8 ? 14 : 24;
}

namespace {

constexpr std::size_t b_begin = offsetof(WarpgroupInput, b), c_begin = offsetof(WarpgroupInput, c);

bool is_quick(const WarpgroupOp& op) {
  return !op.saturate && bits_of(op.a) >= 8;
}

void negate(std::byte* lines, std::size_t bytes, Element element) {
  const std::size_t width = static_cast<std::size_t>(bits_of(element)) / 8;
  for (std::size_t i = width - 1; i < bytes; i += width) lines[i] ^= std::byte{0x80};
}

// Of the 16 rows of a warp, those that are multiplied together: all, or one of a sparse product.
struct RowRange {
  int first = 0, count = WarpgroupOp::rows;
};

// `b_at`: of this strip. False: nothing was done.
bool multiply_strip(const WarpgroupOp& op, int number, RowRange rows, const std::uint32_t* b_at, WarpgroupInput& input,
                    bool adds, std::byte* registers, const TileKernels& kernels) {
  const auto bytes = static_cast<std::size_t>(bits_of(op.sum)) / 8;
  const std::size_t elements = static_cast<std::size_t>(rows.count * op.strip);
  const std::uint32_t* const d_at = op.d_at.data() + (number * WarpgroupOp::rows + rows.first) * op.strip;
  std::memset(input.c.data(), 0, elements * bytes);
  if (adds)
    for (std::size_t i = 0; i < elements; ++i) std::memcpy(input.c.data() + i * bytes, registers + d_at[i], bytes);
  Tile tile;
  tile.m = rows.count;
  tile.n = op.strip;
  tile.k = op.k;
  tile.a_at = op.a_at.data() + rows.first * op.k;
  tile.b_at = b_at;
  tile.c_at = op.c_at.data();
  tile.a_signed = op.a == Element::s8;
  tile.b_signed = op.b == Element::s8;
  tile.factor = tile_format_of(op.a);
  tile.b_factor = tile_format_of(op.b);
  tile.addend = tile_format_of(op.sum);
  tile.kept_bits = op.kept_bits();
  tile.at_once = op.k;
  tile.adds = adds;
  tile.to_odd = op.sum == Element::f16;
  if (!tile.to_odd) tile.result_bits = op.result_bits();
  const auto* const from = reinterpret_cast<const std::byte*>(&input);
  std::uint32_t d[Tile::most_elements];
  if (op.sum == Element::s32)
    kernels.bytes(tile, from, d);
  else if (!kernels.floats(tile, from, d))
    return false;
  for (std::size_t i = 0; i < elements; ++i) {
    const std::uint32_t result = op.sum == Element::f16 ? half_sum(d[i]) : d[i];
    std::memcpy(registers + d_at[i], &result, bytes);
  }
  return true;
}

struct Lines {
  const std::byte* at = nullptr;
  int count = 0, bytes = 0;  // bytes: of a line
};

std::vector<std::uint64_t> elements_of(const Lines& lines, int bits) {
  const int per_line = lines.bytes * 8 / bits;
  std::vector<std::uint64_t> elements(static_cast<std::size_t>(lines.count * per_line));
  const std::uint64_t all = (std::uint64_t{1} << bits) - 1;
  for (int line = 0; line < lines.count; ++line)
    for (int i = 0; i < per_line; ++i) {
      const int bit = i * bits;
      std::uint64_t word = 0;
      std::memcpy(&word, lines.at + line * lines.bytes + bit / 8, bits < 8 ? 1 : static_cast<std::size_t>(bits) / 8);
      elements[static_cast<std::size_t>(line * per_line + i)] = word >> bit % 8 & all;
    }
  return elements;
}

// Of each column of B, the elements that the stored elements of a row are multiplied with.
std::vector<std::uint64_t> chosen(const WarpgroupOp& op, const std::vector<std::uint64_t>& b,
                                  const std::uint8_t* of_row) {
  std::vector<std::uint64_t> elements;
  for (std::size_t column = 0; column < b.size(); column += static_cast<std::size_t>(op.depth()))
    for (int i = 0; i < op.k; ++i) elements.push_back(b[column + of_row[i]]);
  return elements;
}

// Strips from column `first` on. `of_row`: nullptr unless the product is sparse.
void multiply_slowly(const WarpgroupOp& op, int first, RowRange rows, const std::uint8_t* of_row,
                     const WarpgroupInput& input, bool adds, std::byte* registers) {
  const Fragment fragment = op.fragment();
  const int bits = bits_of(op.sum), columns = op.n - first;
  const auto bytes = static_cast<std::size_t>(bits) / 8;
  std::vector<std::uint64_t> sums(static_cast<std::size_t>(rows.count * columns));
  const auto each = [&](auto&& visit) {
    for (int reg = 0; reg < fragment.registers(); ++reg)
      for (int lane = 0; lane < 32; ++lane)
        for (int part = 0; part < fragment.per_register(); ++part) {
          const Fragment::Place at = fragment.place(lane, reg, part);
          const int row = at.row - rows.first;
          if (at.column < first || row < 0 || row >= rows.count) continue;
          visit(sums[static_cast<std::size_t>(row * columns + at.column - first)],
                registers + op.d_slots[static_cast<std::size_t>(reg)] + lane * 4 + part * bits / 8);
        }
  };
  if (adds) each([&](std::uint64_t& sum, const std::byte* place) { std::memcpy(&sum, place, bytes); });
  WarpgroupOp part = op;
  part.n = columns;
  constexpr int line = WarpgroupOp::line_bytes;
  const auto a = elements_of({input.a.data() + rows.first * line, rows.count, line}, bits_of(op.a));
  const auto b = elements_of({input.b.data() + first * op.b_line_bytes(), columns, op.b_line_bytes()}, bits_of(op.b));
  multiply_lines(part, a, of_row == nullptr ? b : chosen(op, b, of_row), sums, adds);
  each([&](std::uint64_t& sum, std::byte* place) { std::memcpy(place, &sum, bytes); });
}

// `of_row` as in multiply_slowly(); places_of_b(column): the places of the strip that begins there.
template <typename Places>
void multiply_rows(const WarpgroupOp& op, RowRange rows, const std::uint8_t* of_row, WarpgroupInput& input, bool adds,
                   std::byte* registers, const TileKernels& kernels, Places&& places_of_b) {
  int first = 0;
  while (op.strip != 0 && first < op.n &&
         multiply_strip(op, first / op.strip, rows, places_of_b(first), input, adds, registers, kernels))
    first += op.strip;
  if (first < op.n) multiply_slowly(op, first, rows, of_row, input, adds, registers);
}

}  // namespace

void find_places(WarpgroupOp& op) {
  if (!is_quick(op)) return;
  const int bytes = bits_of(op.a) / 8, rows = WarpgroupOp::rows, line = WarpgroupOp::line_bytes;
  const auto fits = [&](int strip) { return op.n % strip == 0 && strip * op.k <= Tile::most_elements; };
  op.strip = fits(32) ? 32 : fits(16) ? 16 : 8;
  const auto sum_bytes = bits_of(op.sum) / 8;
  const auto place = [](std::size_t begin, int offset) {
    return static_cast<std::uint32_t>(begin) + static_cast<std::uint32_t>(offset);
  };
  for (int row = 0; row < rows; ++row)
    for (int i = 0; i < op.k; ++i) op.a_at.push_back(place(0, row * line + i * bytes));
  for (int i = 0; i < rows * op.strip; ++i) op.c_at.push_back(place(c_begin, i * sum_bytes));
  std::vector<std::uint32_t> of_sums(static_cast<std::size_t>(rows * op.n));
  const Fragment fragment = op.fragment();
  for (int reg = 0; reg < fragment.registers(); ++reg)
    for (int lane = 0; lane < 32; ++lane)
      for (int part = 0; part < fragment.per_register(); ++part) {
        const Fragment::Place at = fragment.place(lane, reg, part);
        of_sums[static_cast<std::size_t>(at.row * op.n + at.column)] =
            place(op.d_slots[static_cast<std::size_t>(reg)], lane * 4 + part * sum_bytes);
      }
  for (int first = 0; first < op.n; first += op.strip) {
    for (int i = 0; i < op.k && !op.sparse; ++i)  // in a sparse product, each row has its own
      for (int column = 0; column < op.strip; ++column)
        op.b_at.push_back(place(b_begin, (first + column) * line + i * bytes));
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < op.strip; ++column)
        op.d_at.push_back(of_sums[static_cast<std::size_t>(row * op.n + first + column)]);
  }
}

void multiply(const WarpgroupOp& op, WarpgroupInput& input, bool adds, std::byte* registers, const TileKernels& kernels,
              const std::vector<std::uint8_t>& columns) {
  if (op.negate_a) negate(input.a.data(), input.a.size(), op.a);
  if (op.negate_b) negate(input.b.data(), static_cast<std::size_t>(op.n * op.b_line_bytes()), op.b);
  if (!op.sparse)
    return multiply_rows(op, {}, nullptr, input, adds, registers, kernels,
                         [&](int first) { return op.b_at.data() + first * op.k; });
  // Each row has other elements of B.
  std::vector<std::uint32_t> b_at(static_cast<std::size_t>(op.k * op.strip));
  for (int row = 0; row < WarpgroupOp::rows; ++row) {
    const std::uint8_t* const of_row = columns.data() + row * op.k;
    multiply_rows(op, {row, 1}, of_row, input, adds, registers, kernels, [&](int first) {
      auto place = b_at.begin();
      for (int i = 0; i < op.k; ++i)
        for (int column = first; column < first + op.strip; ++column)
          *place++ = static_cast<std::uint32_t>(static_cast<int>(b_begin) + column * op.b_line_bytes() +
                                                of_row[i] * bits_of(op.b) / 8);
      return b_at.data();
    });
  }
}

}  // namespace lanescope::sim
