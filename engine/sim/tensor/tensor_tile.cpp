#include "sim/tensor/tensor_tile.h"

#include <cstring>

#include "sim/alu/half.h"

namespace lanescope::sim {

const TileKernels& tile_kernels(Isa isa) {
#if defined(__x86_64__)
  switch (isa) {
    case Isa::avx512:
      return tensor_avx512::tile_kernels();
    case Isa::avx2:
      return tensor_avx2::tile_kernels();
    case Isa::baseline:
      break;
  }
#endif
  static_cast<void>(isa);
  return tensor_baseline::tile_kernels();
}

TileFormat tile_format_of(Element element) {
  switch (element) {
    case Element::f16:
      return {2, 5, 10, 0};
    case Element::bf16:
      return {2, 8, 7, 0};
    case Element::tf32:
      return {4, 8, 10, 13};
    case Element::e4m3:
      return {1, 4, 3, 0, false};
    case Element::e5m2:
      return {1, 5, 2, 0};
    default:
      return {4, 8, 23, 0};
  }
}

std::uint16_t half_sum(std::uint32_t odd) {
  float number;
  std::memcpy(&number, &odd, sizeof number);
  const std::uint16_t half = float_to_half(number);
  return half == 0x8000 ? std::uint16_t{0} : half;
}

namespace {

std::vector<std::uint32_t> places_in_registers(const Fragment& fragment, const std::vector<std::uint32_t>& slots) {
  const int bits = bits_of(fragment.element);
  std::vector<std::uint32_t> places(static_cast<std::size_t>(fragment.rows() * fragment.columns()));
  for (int reg = 0; reg < fragment.registers(); ++reg)
    for (int lane = 0; lane < 32; ++lane)
      for (int part = 0; part < fragment.per_register(); ++part) {
        const Fragment::Place at = fragment.place(lane, reg, part);
        places[static_cast<std::size_t>(at.row * fragment.columns() + at.column)] =
            slots[static_cast<std::size_t>(reg)] +
            static_cast<std::uint32_t>(lane * fragment.register_bytes() + part * bits / 8);
      }
  return places;
}

bool is_quick(const TensorOp& op) {
  const Element factor = op.a.element;
  const bool eight_bit_float = factor == Element::e4m3 || factor == Element::e5m2;
  return bits_of(factor) >= 8 && !eight_bit_float && !op.a.quads && !op.saturate && op.rounding == ptx::Rounding::rn;
}

Tile tile_of(const TensorOp& op) {
  Tile tile;
  tile.m = op.a.m;
  tile.n = op.a.n;
  tile.k = op.a.k;
  tile.a_at = op.a_at.data();
  tile.b_at = op.b_at.data();
  tile.c_at = op.c_at.data();
  tile.a_signed = op.a.element == Element::s8;
  tile.b_signed = op.b.element == Element::s8;
  tile.factor = tile_format_of(op.a.element);
  tile.b_factor = tile_format_of(op.b.element);
  tile.addend = tile_format_of(op.c.element);
  tile.at_once = op.products_at_once();
  tile.to_odd = op.d.element == Element::f16;
  return tile;
}

template <typename T>
void put(const TensorOp& op, std::byte* registers, const T* d) {
  for (std::size_t i = 0; i < op.d_at.size(); ++i) std::memcpy(registers + op.d_at[i], &d[i], sizeof(T));
}

}  // namespace

void find_places(TensorOp& op) {
  if (!is_quick(op)) return;
  op.a_at = places_in_registers(op.a, op.a_slots);
  op.b_at = places_in_registers(op.b, op.b_slots);
  op.c_at = places_in_registers(op.c, op.c_slots);
  op.d_at = places_in_registers(op.d, op.slots);
}

bool multiply_quickly(const TensorOp& op, std::byte* registers, const TileKernels& kernels) {
  if (op.d_at.empty()) return false;
  const Tile tile = tile_of(op);
  if (op.a.element == Element::f64) {
    double d[Tile::most_elements];
    if (!kernels.doubles(tile, registers, d)) return false;
    put(op, registers, d);
    return true;
  }
  std::uint32_t d[Tile::most_elements];
  if (op.d.element == Element::s32) {
    kernels.bytes(tile, registers, d);
    put(op, registers, d);
    return true;
  }
  if (!kernels.floats(tile, registers, d)) return false;
  if (op.d.element != Element::f16) {
    put(op, registers, d);
    return true;
  }
  std::uint16_t halves[Tile::most_elements];
  for (std::size_t i = 0; i < op.d_at.size(); ++i) halves[i] = half_sum(d[i]);
  put(op, registers, halves);
  return true;
}

}  // namespace lanescope::sim
