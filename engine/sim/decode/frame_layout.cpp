#include "sim/decode/frame_layout.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

namespace lanescope::sim {

namespace {

constexpr std::uint32_t lanes = 32;

// The bits of a literal when read as `type`.
std::uint64_t literal_bits(const ptx::Operand& operand, ptx::Type type) {
  const auto bits = static_cast<std::uint64_t>(operand.integer);
  if (operand.kind != ptx::Operand::Kind::real) return bits;
  const bool wide = ptx::bytes_of(type) == 8;
  if (operand.type == ptx::Type::f64 && !wide) {
    const auto value = static_cast<float>(std::bit_cast<double>(bits));
    return std::bit_cast<std::uint32_t>(value);
  }
  if (operand.type == ptx::Type::f32 && wide) {
    const double value = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    return std::bit_cast<std::uint64_t>(value);
  }
  return bits;
}

// Whether the value differs between blocks. It is then the same for all warps of a block.
bool depends_on_block(ptx::SpecialRegister special) {
  using S = ptx::SpecialRegister;
  switch (special) {
    case S::ctaid_x:
    case S::ctaid_y:
    case S::ctaid_z:
    case S::smid:
    case S::clusterid_x:
    case S::clusterid_y:
    case S::clusterid_z:
    case S::cluster_ctaid_x:
    case S::cluster_ctaid_y:
    case S::cluster_ctaid_z:
    case S::cluster_ctarank:
      return true;
    default:
      return false;
  }
}

// Whether the value differs between the warps of a block.
bool depends_on_warp(ptx::SpecialRegister special) {
  using S = ptx::SpecialRegister;
  return special == S::tid_x || special == S::tid_y || special == S::tid_z || special == S::warpid;
}

}  // namespace

bool is_clock(ptx::SpecialRegister special) {
  using S = ptx::SpecialRegister;
  switch (special) {
    case S::clock:
    case S::clock_hi:
    case S::clock64:
    case S::globaltimer:
    case S::globaltimer_lo:
    case S::globaltimer_hi:
    case S::pm:
    case S::pm_64:
      return true;
    default:
      return false;
  }
}

int slot_bytes_of(ptx::Type type) {
  if (type == ptx::Type::pred) return 0;
  const int bytes = ptx::bytes_of(type);
  return bytes == 1 ? 2 : bytes;
}

FrameLayout::FrameLayout(const ptx::Function& function, FunctionCode& code)
    : function_(function), code_(code), aliased_(function.registers.size(), false) {
  code_.register_slot.assign(function.registers.size(), 0);
  sink_ = take(512, 64);
  carry_ = take_slot(0);
}

std::uint32_t FrameLayout::take(std::uint32_t bytes, std::uint32_t alignment) {
  const std::uint32_t at = (end_ + alignment - 1) / alignment * alignment;
  end_ = at + bytes;
  if (in_constants_) code_.constants.resize(end_ - code_.constants_begin);
  return at;
}

std::uint32_t FrameLayout::take_slot(int bytes) {
  if (bytes != 0) return take(lanes * static_cast<std::uint32_t>(bytes), 64);
  if (predicates_left_ == 0) {
    predicates_ = take(64, 64);
    predicates_left_ = 16;
  }
  --predicates_left_;
  const std::uint32_t at = predicates_;
  predicates_ += 4;
  return at;
}

void FrameLayout::reserve_register(ptx::RegisterId id) {
  if (code_.register_slot[id] != 0) return;
  const int bytes = slot_bytes_of(function_.registers[id].type);
  code_.register_slot[id] = take_slot(bytes);
}

std::uint32_t FrameLayout::reserve_frame_bytes(std::uint32_t bytes) {
  return take((bytes + 3) / 4 * 4 * lanes, 64);
}

void FrameLayout::begin_constants() {
  predicates_left_ = 0;
  end_ = (end_ + 63) / 64 * 64;
  code_.constants_begin = end_;
  in_constants_ = true;
}

void FrameLayout::alias(ptx::RegisterId id, std::uint32_t slot) {
  assert(code_.register_slot[id] == 0);
  code_.register_slot[id] = slot;
  aliased_[id] = true;
}

std::uint32_t FrameLayout::constant(std::uint64_t bits, int bytes) {
  if (bytes == 2) bits &= 0xffff;
  if (bytes == 4) bits &= 0xffffffff;
  if (bytes == 0) bits = bits != 0 ? 0xffffffff : 0;
  auto [found, fresh] = constant_slots_.try_emplace({bits, bytes}, 0);
  if (!fresh) return found->second;
  const std::uint32_t slot = take_slot(bytes);
  found->second = slot;
  std::byte* to = constant_bytes(slot);
  if (bytes == 0) {
    std::memcpy(to, &bits, 4);
  } else if (bytes == 16) {
    const std::uint64_t high = static_cast<std::int64_t>(bits) < 0 ? ~std::uint64_t{0} : 0;
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      std::memcpy(to + lane * 8, &bits, 8);
      std::memcpy(to + 256 + lane * 8, &high, 8);
    }
  } else {
    const auto size = static_cast<std::uint32_t>(bytes);
    for (std::uint32_t lane = 0; lane < lanes; ++lane) std::memcpy(to + lane * size, &bits, size);
  }
  return slot;
}

std::uint32_t FrameLayout::special(const ptx::Operand& operand, int bytes) {
  const auto number = static_cast<std::uint32_t>(operand.integer);
  auto [found, fresh] = special_slots_.try_emplace({static_cast<int>(operand.special), number, bytes}, 0);
  if (!fresh) return found->second;
  found->second = take_slot(bytes);
  const bool of_block = depends_on_block(operand.special);
  auto& list = of_block || depends_on_warp(operand.special) ? code_.warp_specials : code_.launch_specials;
  list.push_back({operand.special, number, found->second, static_cast<std::uint8_t>(bytes), of_block});
  return found->second;
}

std::uint32_t FrameLayout::parameter(std::uint32_t offset, int memory_bytes, int register_bytes, bool is_signed) {
  auto [found, fresh] = parameter_slots_.try_emplace({offset, memory_bytes, register_bytes, is_signed}, 0);
  if (!fresh) return found->second;
  found->second = take_slot(register_bytes);
  code_.parameter_slots.push_back({found->second, offset, static_cast<std::uint8_t>(memory_bytes),
                                   static_cast<std::uint8_t>(register_bytes), is_signed});
  return found->second;
}

std::uint32_t FrameLayout::local_address(std::uint64_t offset, int bytes) {
  auto [found, fresh] = local_slots_.try_emplace({offset, bytes}, 0);
  if (!fresh) return found->second;
  found->second = take_slot(bytes);
  code_.local_slots.push_back({found->second, offset, static_cast<std::uint8_t>(bytes)});
  return found->second;
}

std::uint32_t FrameLayout::shared_address(std::uint64_t address, int bytes) {
  auto [found, fresh] = shared_slots_.try_emplace({address, bytes}, 0);
  if (!fresh) return found->second;
  found->second = take_slot(bytes);
  code_.shared_slots.push_back({found->second, address, static_cast<std::uint8_t>(bytes)});
  for (std::uint32_t lane = 0; lane < lanes; ++lane)
    std::memcpy(constant_bytes(found->second) + lane * static_cast<std::uint32_t>(bytes), &address,
                static_cast<std::size_t>(bytes));
  return found->second;
}

std::uint32_t FrameLayout::read(const ptx::Operand& operand, ptx::Type type) {
  using Kind = ptx::Operand::Kind;
  switch (operand.kind) {
    case Kind::reg:
      return code_.register_slot[operand.reg];
    case Kind::integer:
    case Kind::real:
      return constant(literal_bits(operand, type), slot_bytes_of(type));
    case Kind::special:
      return special(operand, slot_bytes_of(type));
    case Kind::symbol: {
      const SymbolAddress address = resolve_symbol(operand);
      const auto offset = static_cast<std::uint64_t>(operand.integer);
      if (address.local) return local_address(address.value + offset, slot_bytes_of(type));
      if (address.shared && slot_bytes_of(type) >= 4)
        return shared_address(address.value + offset, std::min(slot_bytes_of(type), 8));
      return constant(address.value + offset, slot_bytes_of(type));
    }
    default:
      return sink_;
  }
}

std::uint32_t FrameLayout::write(const ptx::Operand& operand) {
  return operand.kind == ptx::Operand::Kind::reg ? code_.register_slot[operand.reg] : sink_;
}

int FrameLayout::register_bytes(const ptx::Operand& operand, ptx::Type type) const {
  if (operand.kind != ptx::Operand::Kind::reg) return slot_bytes_of(type);
  return slot_bytes_of(function_.registers[operand.reg].type);
}

void FrameLayout::finish() {
  end_ = (end_ + 63) / 64 * 64;
  code_.constants.resize(end_ - code_.constants_begin);
  code_.file_bytes = end_;
}

}  // namespace lanescope::sim
