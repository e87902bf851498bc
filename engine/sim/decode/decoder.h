#pragma once
// Decodes one PTX function to FunctionCode. Only prepare() uses this.

#include <array>
#include <vector>

#include "core/diagnostic.h"
#include "sim/decode/decode.h"
#include "sim/decode/frame_layout.h"
#include "sim/decode/shared_turns.h"

namespace lanescope::sim {

class FunctionDecoder {
 public:
  // `symbol` resolves variables and functions of the whole program.
  FunctionDecoder(Program& program, FunctionCode& code, const cfg::ControlFlowGraph& graph,
                  std::function<SymbolAddress(const ptx::Function&, const ptx::Operand&)> symbol);
  // Appends to the program's sites. Reports what cannot be decoded in `errors`.
  void decode(Diagnostics& errors);

 private:
  using Instruction = ptx::Instruction;
  using Operand = ptx::Operand;

  // Layout of the register file.
  void count_registers();
  void choose_aliases();
  bool may_alias(const Instruction& instruction) const;
  void reserve_slots();
  void make_aliases();
  void find_uncleared();

  // Decodes an instruction that is not interpreted as an operation that ends the run. If it decides where the program
  // continues, it is an error at once, reported once per place.
  void refuse(std::int32_t index, std::int32_t block, Diagnostics& errors);

  // One instruction.
  bool decode_instruction(std::int32_t index, std::int32_t block);
  bool decode_memory(const Instruction& instruction, std::int32_t index, std::int32_t block);
  bool decode_parameter(const Instruction& instruction, std::int32_t index, std::int32_t block);
  bool decode_atomic(const Instruction& instruction, std::int32_t index, std::int32_t block);
  bool decode_async_copy(const Instruction& instruction, std::int32_t index, std::int32_t block);
  bool decode_address_conversion(const Instruction& instruction, std::int32_t index, std::int32_t block);
  bool decode_async_store(const Instruction& instruction, std::int32_t index, std::int32_t block);
  bool decode_stack(const Instruction& instruction, std::int32_t index, std::int32_t block);
  bool decode_cluster_address(const Instruction& instruction, std::int32_t index, std::int32_t block);
  bool decode_exchange(const Instruction& instruction, std::int32_t index, std::int32_t block);
  bool decode_tensor(const Instruction& instruction, std::int32_t index, std::int32_t block);
  bool decode_product(const Instruction& instruction, TensorOp& op);
  bool decode_sparse(const Instruction& instruction, TensorOp& op);
  bool decode_matrix_rows(const Instruction& instruction, TensorOp& op);
  bool take_metadata(std::vector<ptx::Operand>& operands, WarpgroupOp& op);
  bool decode_warpgroup_product(const Instruction& instruction, TensorOp& op);
  bool decode_fragment(const Instruction& instruction, TensorOp& op);
  bool tensor_registers(const Operand& operand, bool written, int bytes, int count, std::vector<std::uint32_t>& slots);
  bool decode_barrier(const Instruction& instruction, std::int32_t index, std::int32_t block);
  bool decode_cluster_barrier(const Instruction& instruction, std::int32_t index, std::int32_t block);
  bool decode_mbarrier(const Instruction& instruction, std::int32_t index, std::int32_t block);
  bool decode_space_test(const Instruction& instruction, std::int32_t index, std::int32_t block);
  bool decode_pending_count(const Instruction& instruction, std::int32_t index, std::int32_t block);
  bool decode_bulk_reduction(const Instruction& instruction, BulkCopyOp& op);
  bool decode_bulk_copy(const Instruction& instruction, std::int32_t index, std::int32_t block);
  bool decode_tensor_copy(const Instruction& instruction, std::int32_t index, std::int32_t block);
  bool decode_tensor_map(const Instruction& instruction, std::int32_t index, std::int32_t block);
  bool tensor_place(const Operand& operand, TensorCopyOp& op);
  bool decode_call(const Instruction& instruction, std::int32_t index, std::int32_t block);
  bool decode_branch(const Instruction& instruction, std::int32_t index, std::int32_t block);
  bool decode_clock(const Instruction& instruction, std::int32_t index, std::int32_t block);
  bool decode_texture(const Instruction& instruction, std::int32_t index, std::int32_t block);
  std::uint32_t fetch_number(const Operand& operand);
  bool decode_fetch(const Instruction& instruction, TextureOp& op);
  bool decode_surface(const Instruction& instruction, TextureOp& op);
  bool decode_texture_query(const Instruction& instruction, TextureOp& op);
  bool texture_place(const Operand& operand, TextureOp& op);
  bool texture_values(const Operand& operand, bool written, ptx::Type type, TextureOp& op);
  bool decode_order(const Instruction& instruction, std::int32_t index, std::int32_t block);
  bool decode_nothing(const Instruction& instruction, std::int32_t index, std::int32_t block);
  bool decode_vector_move(const Instruction& instruction, std::int32_t index, std::int32_t block);
  bool decode_move(const Operand& to, const Operand& from, const Instruction& at, std::int32_t index,
                   std::int32_t block);
  bool decode_alu(const Instruction& instruction, const Instruction& at, std::int32_t index, std::int32_t block);
  void end_block(std::int32_t block);
  void share_pattern(const Instruction& instruction, std::size_t accesses_before);

  Operation& append(Code code, std::size_t index, const Instruction& instruction, std::int32_t number);
  // The operation has its functions and slots.
  void append_alu(const Operation& alu, const Instruction& at, std::int32_t index, std::int32_t block);
  void set_guard(Operation& operation, const Instruction& instruction);
  std::uint32_t add_site(trace::EventKind kind, const Instruction& instruction, std::int32_t index, std::int32_t block);
  // Adds the site of an access, in the space that the instruction declares.
  void add_memory_site(MemoryOp& memory, trace::MemorySpace space, const Instruction& instruction, std::int32_t index,
                       std::int32_t block);
  std::uint32_t guarded_site(const Instruction& instruction, std::int32_t index, std::int32_t block);
  std::int32_t block_at(std::int32_t instruction) const;
  // The slot and the constant offset of an address operand.
  struct Address {
    std::uint32_t slot = 0;
    std::uint64_t offset = 0;
    bool wide = true;
  };
  Address address(const Operand& operand, ptx::Space space);
  std::vector<const Operand*> elements(const Operand& operand) const;
  bool element_slots(const Operand& operand, bool written, ptx::Type type, std::array<std::uint32_t, 8>& slots,
                     std::uint8_t& register_bytes);
  CallOp::Area area_of(const Operand& operand) const;
  bool is_kernel_parameter(const Operand& operand) const;
  std::uint32_t parameter_offset(const Operand& operand) const;
  bool result_is_read(const Operand& operand) const;

  Program& program_;
  FunctionCode& code_;
  const ptx::Function& function_;
  const cfg::ControlFlowGraph& graph_;
  FrameLayout layout_;
  std::vector<std::uint32_t> definitions_, uses_;  // by register
  std::vector<std::uint8_t> aliases_;              // by instruction: its results are aliases of constants
  std::vector<std::uint32_t> variable_area_;       // by Function::variables: .param ones
  std::uint32_t moved_ = 0;                        // frame bytes for the elements of a mov.v4, if there is one

  // An unguarded access in this basic block whose address slot has not been written since.
  struct FirstAccess {
    std::uint32_t slot = 0;
    std::size_t access = 0;
  };
  std::array<FirstAccess, kept_patterns> first_accesses_{};  // slot 0: none
  std::size_t oldest_first_access_ = 0;
  SharedTurns turns_;
};

// mov.v2 and mov.v4, which move element by element.
bool is_vector_move(const ptx::Instruction& instruction);

// Basic blocks that can be reached from the entry.
std::vector<bool> reachable_blocks(const cfg::ControlFlowGraph& graph);

// Fills in FunctionCode::ahead of all functions, which must be decoded. `graphs` is parallel to them.
void find_what_lies_ahead(Program& program, const std::vector<std::unique_ptr<cfg::ControlFlowGraph>>& graphs);

}  // namespace lanescope::sim
