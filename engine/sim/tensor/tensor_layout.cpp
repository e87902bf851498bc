// Which lane holds which element.

#include "sim/tensor/fragment.h"

namespace lanescope::sim {

int bits_of(Element element) {
  switch (element) {
    case Element::b1:
      return 1;
    case Element::s4:
    case Element::u4:
      return 4;
    case Element::s8:
    case Element::u8:
    case Element::e4m3:
    case Element::e5m2:
      return 8;
    case Element::f16:
    case Element::bf16:
      return 16;
    case Element::tf32:
    case Element::f32:
    case Element::s32:
      return 32;
    case Element::f64:
      return 64;
    case Element::none:
      break;
  }
  return 0;
}

Element element_named(std::string_view name) {
  constexpr std::pair<std::string_view, Element> names[] = {
      {"b1", Element::b1},     {"s4", Element::s4},     {"u4", Element::u4},     {"s8", Element::s8},
      {"u8", Element::u8},     {"e4m3", Element::e4m3}, {"e5m2", Element::e5m2}, {"f16", Element::f16},
      {"bf16", Element::bf16}, {"tf32", Element::tf32}, {"f32", Element::f32},   {"f64", Element::f64},
      {"s32", Element::s32}};
  for (const auto& [known, element] : names)
    if (known == name) return element;
  return Element::none;
}

namespace {

// Layout of f16 m8n8k4.
Fragment::Place place_in_quads(const Fragment& f, int lane, int i) {
  const int own = lane % 4, upper = lane < 16 ? 0 : 4;
  switch (f.matrix) {
    case Fragment::Matrix::a:
      return f.by_column ? Fragment::Place{i + upper, own} : Fragment::Place{own + upper, i};
    case Fragment::Matrix::b:
      return f.by_column ? Fragment::Place{i, own + upper} : Fragment::Place{own, i + upper};
    case Fragment::Matrix::c:
      break;
  }
  if (f.element == Element::f16) return {own + upper, i};
  return {(lane & 1) + (i & 2) + upper, (i & 4) + (lane & 2) + (i & 1)};
}

}  // namespace

Fragment::Place Fragment::place(int lane, int reg, int part) const {
  const int per = per_register();
  reg %= registers();
  if (quads) return place_in_quads(*this, lane, reg * per + part);
  const int group = lane / 4, own = lane % 4;
  if (matrix == Matrix::c) {
    const int i = reg * per + part;
    if (turned()) return {own * 2 + i % 2, i / 4 * 16 + i / 2 % 2 * 8 + group};
    if (m == 8) return {group, i / 2 * 8 + own * 2 + i % 2};
    const int tile = i / 4, across = n / 8;
    return {tile / across * 16 + i / 2 % 2 * 8 + group, tile % across * 8 + own * 2 + i % 2};
  }
  // A line has 4 · per elements along k: the registers of neighbouring lanes side by side. k has `pieces` such lines.
  const int pieces = k / (4 * per);
  if (matrix == Matrix::b && turned()) {
    const int in_tile = reg % (2 * pieces);
    return {in_tile / 2 * 4 * per + own * per + part, reg / (2 * pieces) * 16 + in_tile % 2 * 8 + group};
  }
  if (matrix == Matrix::b) return {reg % pieces * 4 * per + own * per + part, reg / pieces * 8 + group};
  const int halves = m == 8 ? 1 : 2;
  const int in_tile = reg % (halves * pieces);
  return {reg / (halves * pieces) * 16 + in_tile % halves * 8 + group, in_tile / halves * 4 * per + own * per + part};
}

bool is_together(const Fragment& f, bool by_column) {
  if (f.per_register() == 1) return true;
  return (f.matrix == Fragment::Matrix::b || (f.matrix == Fragment::Matrix::c && f.turned())) == by_column;
}

namespace {

// The 8 × 8 matrices of 16-bit elements that the registers hold. ldmatrix loads up to four of them at a time.
void add_rows(const Fragment& f, bool by_column, std::vector<FragmentRequest>& requests) {
  for (int first = 0; first < f.registers(); first += 4) {
    FragmentRequest request;
    request.width = 16;
    for (int i = 0; i < 4 && first + i < f.registers(); ++i)
      for (int line = 0; line < 8; ++line) {
        const auto lane = static_cast<std::size_t>(8 * i + line);
        const Fragment::Place corner = f.place(0, first + i, 0);
        request.lanes |= 1u << lane;
        request.place[lane] = by_column ? Fragment::Place{corner.row, corner.column + line}
                                        : Fragment::Place{corner.row + line, corner.column};
      }
    requests.push_back(request);
  }
}

}  // namespace

std::vector<FragmentRequest> requests_of(const Fragment& f, bool by_column, bool rows_at_once) {
  std::vector<FragmentRequest> requests;
  if (rows_at_once) {
    add_rows(f, by_column, requests);
    return requests;
  }
  const bool together = is_together(f, by_column);
  const int register_bytes = f.register_bytes();
  const auto add = [&](int width, auto&& place_of) {
    FragmentRequest request;
    request.lanes = ~0u;
    request.width = width;
    for (int lane = 0; lane < 32; ++lane) request.place[static_cast<std::size_t>(lane)] = place_of(lane);
    requests.push_back(request);
  };
  const bool pairs = f.matrix == Fragment::Matrix::c && f.per_register() == 1 && by_column == f.turned();
  for (int reg = 0; reg < f.registers(); reg += pairs ? 2 : 1) {
    if (pairs) {
      add(2 * register_bytes, [&](int lane) { return f.place(lane, reg, 0); });
    } else if (together) {
      add(register_bytes, [&](int lane) { return f.place(lane, reg, 0); });
    } else if (bits_of(f.element) == 16) {
      // Read along the lines of memory, and transposed in registers (MOVM).
      const Fragment::Place corner = f.place(0, reg, 0);
      add(4, [&](int lane) {
        return by_column ? Fragment::Place{corner.row + lane % 4 * 2, corner.column + lane / 4}
                         : Fragment::Place{corner.row + lane / 4, corner.column + lane % 4 * 2};
      });
    } else {
      for (int part = 0; part < f.per_register(); ++part)
        add(bits_of(f.element) / 8, [&](int lane) { return f.place(lane, reg, part); });
    }
  }
  return requests;
}

}  // namespace lanescope::sim
