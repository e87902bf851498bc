#pragma once
// Assigns the slots of a function's register file while the function is decoded (layout: operation.h).

#include <cstdint>
#include <functional>
#include <map>
#include <tuple>
#include <vector>

#include "sim/decode/decode.h"

namespace lanescope::sim {

// Bytes per lane of this type in its slot: 2, 4, 8, 16; 0 for a predicate.
int slot_bytes_of(ptx::Type type);

// The address of a symbol. For a local variable, its offset from the frame's local base.
struct SymbolAddress {
  std::uint64_t value = 0;
  bool local = false;
  bool known = true;
  bool shared = false;  // in a block's own shared memory; the value is that for a block of rank 0
};

class FrameLayout : public OperandSlots {
 public:
  // First reserve registers and frame bytes, then call begin_constants(), then read() and alias().
  FrameLayout(const ptx::Function& function, FunctionCode& code);

  // Resolves symbol operands; set before the first read().
  std::function<SymbolAddress(const ptx::Operand&)> resolve_symbol;

  void reserve_register(ptx::RegisterId id);
  // The register uses the constant's slot itself. It is never written, so its only definition needs no operation.
  void alias(ptx::RegisterId id, std::uint32_t slot);
  bool aliased(ptx::RegisterId id) const { return aliased_[id]; }
  std::uint32_t reserve_frame_bytes(std::uint32_t bytes);  // per lane; the area's offset in the file
  // Call after the last reserve_…(). All later slots are constants.
  void begin_constants();

  std::uint32_t read(const ptx::Operand& operand, ptx::Type type) override;
  std::uint32_t write(const ptx::Operand& operand) override;
  int register_bytes(const ptx::Operand& operand, ptx::Type type) const override;
  std::uint32_t carry() const override { return carry_; }

  std::uint32_t constant(std::uint64_t bits, int bytes);  // bytes 0: a predicate mask
  // A slot of 512 bytes that is never read.
  std::uint32_t scratch() const { return sink_; }
  std::uint32_t special(const ptx::Operand& operand, int bytes);
  std::uint32_t parameter(std::uint32_t offset, int memory_bytes, int register_bytes, bool is_signed);
  std::uint32_t local_address(std::uint64_t offset, int bytes);
  std::uint32_t shared_address(std::uint64_t address, int bytes);
  // A register's slot, for reading or writing.
  std::uint32_t register_slot(ptx::RegisterId id) const { return code_.register_slot[id]; }
  // Sizes the file and stores the constants in the code.
  void finish();

 private:
  std::uint32_t take(std::uint32_t bytes, std::uint32_t alignment);
  std::uint32_t take_slot(int bytes);
  std::byte* constant_bytes(std::uint32_t slot) { return code_.constants.data() + (slot - code_.constants_begin); }

  const ptx::Function& function_;
  FunctionCode& code_;
  std::uint32_t end_ = 64;
  std::uint32_t predicates_ = 0, predicates_left_ = 0;
  std::uint32_t carry_ = 0, sink_ = 0;
  bool in_constants_ = false;
  std::vector<bool> aliased_;
  std::map<std::pair<std::uint64_t, int>, std::uint32_t> constant_slots_;
  std::map<std::tuple<int, std::uint32_t, int>, std::uint32_t> special_slots_;
  std::map<std::tuple<std::uint32_t, int, int, bool>, std::uint32_t> parameter_slots_;
  std::map<std::pair<std::uint64_t, int>, std::uint32_t> local_slots_, shared_slots_;
};

// Whether the special register changes while a warp runs (clocks).
bool is_clock(ptx::SpecialRegister special);

}  // namespace lanescope::sim
