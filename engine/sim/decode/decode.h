#pragma once
// A kernel and all functions that it can reach, decoded. Operations are in the order of their basic blocks, every
// operand is a slot of the register file, and everything except plain arithmetic has side tables.

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cfg/control_flow_graph.h"
#include "core/diagnostic.h"
#include "ptx/module.h"
#include "sim/alu/lanes.h"
#include "sim/alu/operation.h"
#include "sim/decode/local_layout.h"
#include "sim/decode/memory_op.h"
#include "sim/memory/shared_places.h"
#include "sim/memory/tensor_map.h"
#include "sim/tensor/tensor.h"
#include "trace/trace.h"

namespace lanescope::sim {

// The end of the function, as the target of a jump.
inline constexpr std::int32_t function_end = -1;

// The operations that the interpreter executes itself (Operation::code), and the table in which Operation::index is.
enum class Code : std::uint8_t {
  // The end of a basic block. index: FunctionCode::branches.
  jump,            // to `taken`; also a fall-through
  branch,          // guarded: executed lanes to `taken`, the others to `next`
  branch_indexed,  // brx.idx
  return_,         // executed lanes leave the function; the others go to `next`
  exit,
  // Within a basic block.
  trap,
  call,  // index: calls
  load,  // index: memory
  store,
  atomic,
  async_copy,
  parameter_load,  // of a kernel parameter: copies constant slots. index: parameter_loads
  frame_load,      // ld.param/st.param of a call sequence: the frame's own bytes. index: frame_accesses
  frame_store,
  shuffle,  // index: exchanges, down to warp_barrier
  vote,
  match,
  redux,
  activemask,
  elect,
  tensor,  // mma, ldmatrix and similar instructions
  warp_barrier,
  barrier,          // index: barriers
  mbarrier,         // index: mbarriers
  bulk_copy,        // index: bulk_copies
  async_store,      // index: async_stores
  tensor_copy,      // index: tensor_copies
  tensor_map,       // index: tensor_maps
  cluster_barrier,  // index: cluster_barriers
  cluster_address,  // mapa, getctarank. index: cluster_addresses
  stack,            // alloca, stacksave, stackrestore. index: stacks
  texture,          // and surface. index: textures
  clock,            // index: clocks
  order,            // fences, and groups of asynchronous copies. index: orders
  product_wait,     // wgmma.wait_group. index: orders
  refused,          // an instruction that is not interpreted. index: a site
  divisor,          // before a guarded integer division: remarks a divisor of 0, of `extra` bytes. index: its slot
  nothing           // prefetches, nanosleep: only a guard event, if any. index: a site or no_site
};

inline bool is_access(const Operation& operation) {
  const auto code = static_cast<Code>(operation.code);
  return operation.kind == OperationKind::other &&
         (code == Code::load || code == Code::store || code == Code::atomic || code == Code::async_copy);
}
// The access of a decoded operation. The inner loop gets it, and a branch, without accessing the function.
inline const MemoryOp& memory_of(const Operation& operation) {
  return *reinterpret_cast<const MemoryOp*>(operation.immediate);
}

struct ParameterLoad {
  std::uint32_t site = no_site;
  std::uint32_t offset = 0;  // in the parameter block
  std::uint8_t width = 0;
  struct Copy {
    std::uint32_t to, from;
    std::uint8_t bytes;
  };                         // slots; bytes per lane
  std::vector<Copy> copies;  // none where the register is the constant's slot itself
};

// Lane-private bytes of a frame with the parameters of a call. Like local memory they are interleaved: word w of lane l
// is at `area + (w × 32 + l) × 4`.
struct FrameAccess {
  std::uint32_t area = 0;    // of the variable, in the register file
  std::uint32_t offset = 0;  // bytes within it
  std::uint8_t element_bytes = 4, elements = 1, register_bytes = 4;
  bool is_signed = false;
  std::array<std::uint32_t, 8> value{};
  std::uint32_t site = no_site;  // if guarded
};

struct BranchOp {
  std::uint32_t site = no_site;
  std::int32_t taken = function_end;
  std::int32_t next = function_end;
  std::int32_t reconvergence = cfg::no_block;
  std::uint32_t selector = 0;         // brx.idx: slot
  std::vector<std::int32_t> targets;  // brx.idx
  const ptx::Instruction* instruction = nullptr;
};
inline bool ends_block(const Operation& operation) {
  return operation.kind == OperationKind::other && static_cast<Code>(operation.code) <= Code::exit;
}
inline const BranchOp& branch_of(const Operation& operation) {
  return *reinterpret_cast<const BranchOp*>(operation.immediate);
}

// The driver's functions that a kernel may call, found by name if the module does not define them.
enum class DeviceFunction : std::uint8_t { none, vprintf, assertfail, malloc, free };
DeviceFunction device_function(std::string_view name);

struct CallOp {
  std::uint32_t site = no_site;  // if guarded
  std::int32_t callee = -1;      // index into Program's functions; -1 = indirect or a device function
  DeviceFunction device_function = DeviceFunction::none;
  std::uint32_t pointer = 0;  // slot of an indirect call
  struct Area {
    std::uint32_t area = 0, bytes = 0;
  };
  struct Value {  // slot ≠ 0: a register or number; then register_bytes 0: a predicate
    Area area;
    std::uint32_t slot = 0;
    std::uint8_t register_bytes = 0;
  };
  std::vector<Value> arguments, results;  // in the caller's frame
  const ptx::Instruction* instruction = nullptr;
};

// shfl, vote, match, redux, activemask, elect, bar.warp.sync, and the tensor core instructions.
struct ExchangeOp {
  std::uint32_t site = no_site;
  std::uint32_t dst = 0, dst2 = 0;  // dst2: the predicate of shfl, match.all, elect; 0 = none
  std::uint32_t a = 0, b = 0, c = 0;
  std::uint32_t members = 0;                  // slot of the member mask; 0 = the active lanes (no .sync)
  bool same_members = false, orders = false;  // a mask that is a constant; orders memory accesses
  ptx::ShuffleMode shuffle{};
  ptx::VoteMode vote{};
  ptx::AtomicOp reduce{};
  ptx::Type type{};
  bool all = false;                    // match.all
  bool negated = false;                // the source predicate
  bool absolute = false, nan = false;  // redux.f32
  std::uint32_t tensor = 0;            // index into FunctionCode::tensors
};

struct BarrierOp {
  std::uint32_t site = no_site;
  std::uint32_t number = 0, count = 0;  // slots; count 0 = all threads of the block
  bool same_in_all = false;             // both are constants, so the same in all lanes
  bool aligned = false;                 // bar.…: the lanes of a warp must not diverge around it
  bool waits = true;                    // false: bar.arrive, which waits only for the lanes of its own warp
  enum class Reduce : std::uint8_t { none, popc, all, any } reduce{};
  std::uint32_t dst = 0, predicate = 0;
  bool negated = false;
  bool of_whole_block = false;  // __syncthreads(): all threads of the block wait, without a vote
};

// An operation on an mbarrier object (sim/warp/mbarrier.h).
struct MbarrierOp {
  enum class Kind : std::uint8_t {
    init,
    inval,
    expect_tx,
    complete_tx,
    arrive,
    arrive_drop,
    test_wait,
    try_wait,
    copies_arrive  // cp.async.mbarrier.arrive: the lane's asynchronous copies so far
  } kind{};
  bool generic = false;      // the address is generic
  bool wide = true;          // its register has 64 bits
  bool parity = false;       // waits: by the parity of the phase, not by a token
  bool expects = false;      // arrive: expects `value` bytes first, and arrives once
  bool no_complete = false;  // arrive: must not end the phase
  bool increments = true;    // copies_arrive: the arrival was not expected, so it is added
  bool ordered = true;       // an arrival releases, a wait acquires: not .relaxed
  bool guarded = false;
  bool whole_cluster = false;  // may be an object of another block: generic, or .shared::cluster
  std::uint32_t site = no_site;
  std::uint32_t address = 0;  // slot
  std::uint64_t offset = 0;
  std::uint32_t dst = 0;    // slot of the token, or of the predicate
  std::uint32_t value = 0;  // slot of the count, bytes, token or parity; 0: one arrival
  // "PTX ISA": the operations that are allowed on an object of another block.
  bool reaches_cluster() const {
    return whole_cluster && dst == 0 &&
           (kind == Kind::arrive || kind == Kind::arrive_drop || kind == Kind::expect_tx || kind == Kind::complete_tx);
  }
};

// cp.async.bulk and cp.reduce.async.bulk with addresses. Each lane copies for itself.
struct BulkCopyOp {
  enum class Way : std::uint8_t { to_shared, within_shared, to_global, prefetch } way{};
  struct Place {
    std::uint32_t slot = 0;
    std::uint64_t offset = 0;
    bool wide = true;
  };
  Place to, from, mbarrier;
  std::uint32_t bytes = 0;          // slot
  std::uint32_t mask = 0;           // slot of the destination blocks' ranks (.multicast::cluster); 0: the block of `to`
  bool whole_cluster = false;       // `to` may be in another block
  AtomicFunction reduce = nullptr;  // of each element; nullptr: a copy
  std::uint8_t element_bytes = 0;
  std::uint32_t site = no_site;
  bool guarded = false;
};

// st.async and red.async: a store or reduction that completes its bytes on an mbarrier of the destination's block.
struct AsyncStoreOp {
  MemoryOp memory;
  BulkCopyOp::Place mbarrier;
  bool guarded = false;
};

// cp.async.bulk.tensor, its prefetch, and cp.reduce.async.bulk.tensor. Each lane copies for itself.
struct TensorCopyOp {
  enum class Way : std::uint8_t { to_shared, to_global, reduce, prefetch } way{};
  bool im2col = false;
  ptx::AtomicOp reduction = ptx::AtomicOp::none;
  std::uint8_t dimensions = 1;
  BulkCopyOp::Place map;                  // a generic address
  BulkCopyOp::Place shared, mbarrier;     // mbarrier: only for to_shared
  std::array<std::uint32_t, 5> at{};      // slots of 32-bit coordinates
  std::array<std::uint32_t, 3> offset{};  // im2col: slots of 16-bit offsets; 0: none
  std::uint32_t mask = 0;                 // as in BulkCopyOp
  std::uint32_t site = no_site;
  bool guarded = false;
};

// tensormap.replace, by each lane; tensormap.cp_fenceproxy, by the warp together.
struct TensorMapOp {
  bool copies = false;
  bool shared = false, generic = false;  // the space of `to`; else global
  TensorField field{};
  std::uint32_t ordinal = 0;
  BulkCopyOp::Place to, from;
  std::uint32_t value = 0;  // slot
  std::uint8_t value_bytes = 4;
  std::uint32_t site = no_site;
  bool guarded = false;
};

struct ClusterBarrierOp {
  std::uint32_t site = no_site;
  bool waits = false;   // else it arrives
  bool ordered = true;  // an arrival releases: not .relaxed
};

// alloca, stacksave and stackrestore: local memory above the frame's variables.
struct StackOp {
  enum class Kind : std::uint8_t { allocate, save, restore } kind{};
  std::uint8_t bytes = 8;            // per lane, of the slots
  std::uint32_t site = no_site;      // of a guarded instruction
  std::uint32_t dst = 0, value = 0;  // slots; value: the size, or what was saved
  std::uint64_t alignment = 8;
};

// mapa: the address that corresponds to `address` in the block with `rank`. getctarank: the rank of the block that owns
// the address.
struct ClusterAddressOp {
  std::uint32_t site = no_site;
  std::uint32_t dst = 0, address = 0, rank = 0;  // slots; rank 0: getctarank
  std::uint8_t bytes = 8;                        // per lane, of the address
  bool generic = false;
};

// An access by a texture or surface object. Each lane fetches for itself.
struct TextureOp {
  enum class Kind : std::uint8_t { fetch, gather, surface_load, surface_store, query } kind{};
  enum class Outside : std::uint8_t { trap, clamp, zero } outside{};  // of surfaces
  enum class Query : std::uint8_t { width, height, depth, layers, normalized_coordinates } query{};
  std::uint8_t dimensions = 1;  // besides the layer
  bool layered = false;
  bool cube = false;                // the coordinates are a direction
  bool integer = false;             // coordinates: tex1Dfetch, and all surfaces
  bool floats = false;              // the result is f32, else integers
  std::uint8_t channel = 0;         // gather
  std::uint8_t values = 4;          // registers
  std::uint8_t value_bytes = 4;     // of an element in memory: surfaces
  std::uint8_t register_bytes = 4;  // per lane in the value slots
  std::uint32_t handle = 0;         // slot
  std::uint32_t layer = 0;          // slot
  std::uint32_t level = 0;          // slot; 0 = level 0 of a mipmap, or as the gradients say
  bool by_gradients = false;
  std::array<std::array<std::uint32_t, 3>, 2> gradient{};  // slots
  std::array<std::uint32_t, 3> coordinate{};
  std::array<std::uint32_t, 4> value{};  // slots; 0 = not wanted
  std::uint32_t site = no_site;
  bool guarded = false;
};

struct ClockOp {
  std::uint32_t site = no_site;
  std::uint32_t dst = 0;
  ptx::SpecialRegister special{};
  std::uint8_t register_bytes = 4;
};

inline constexpr std::uint32_t warps_of_warpgroup = 4;

// The interpreter executes everything in order, so only the race detector uses these, and product_wait: it waits for
// the other warps of its warpgroup.
struct OrderOp {
  enum class Kind : std::uint8_t {
    fence,
    commit,
    wait,
    bulk_commit,
    bulk_wait,
    product_fence,  // for products of a warpgroup
    product_commit,
    product_wait,
    proxy_fence  // fence.proxy.async on shared memory
  } kind{};
  bool acquires = false, releases = false;  // fences
  bool narrow = false;                      // for the threads of the block only
  bool sequential = false;                  // fence.sc
  bool all = false;                         // waits for every copy of the thread
  bool only_reads = false;                  // bulk_wait: the copies only need to have read their source
  std::uint32_t groups = 0;                 // this many groups may still be pending
  std::uint32_t site = no_site;             // if guarded
};

struct BlockCode {
  std::uint32_t first = 0;             // its first operation
  const Operation* begin = nullptr;    // the same
  std::uint32_t instructions = 0;      // PTX instructions: what is counted
  std::int32_t first_instruction = 0;  // in FunctionCode::source
  std::uint32_t counter = 0;           // index of its entry counter, over all functions
  std::uint32_t site = no_site;        // of the entry
  bool reachable = false;
};

// Bits: what a thread may still reach, also in the functions that it calls.
struct Ahead {
  static constexpr std::uint8_t barrier = 1;  // a barrier of the block or the cluster
  static constexpr std::uint8_t effect = 2;   // anything that another thread could see: a store, an atomic, a call, …
};

// A slot whose 32 lanes are known before the code runs.
struct SpecialSlot {
  ptx::SpecialRegister special{};
  std::uint32_t number = 0;  // of an envreg
  std::uint32_t slot = 0;
  std::uint8_t bytes = 4;
  bool of_block = false;  // its value differs between blocks but not between the warps of a block
};
struct ParameterSlot {
  std::uint32_t slot = 0;
  std::uint32_t offset = 0;  // in the parameter block
  std::uint8_t memory_bytes = 4, register_bytes = 4;
  bool is_signed = false;
};
struct LocalSlot {  // the address of a local variable
  std::uint32_t slot = 0;
  std::uint64_t offset = 0;  // from the frame's local base
  std::uint8_t bytes = 8;
};

struct SharedSlot {  // a shared or generic address in the block's own shared memory, as for a block of rank 0
  std::uint32_t slot = 0;
  std::uint64_t address = 0;
  std::uint8_t bytes = 8;
};

struct FunctionCode {
  const ptx::Function* source = nullptr;
  std::int32_t index = 0;
  std::vector<Operation> operations;
  std::vector<std::int32_t> instruction_of;  // operation → index in source->instructions
  std::vector<std::uint8_t> ahead;  // by instruction, and one past the last: Ahead, from there to the function's end
  std::vector<BlockCode> blocks;
  std::vector<MemoryOp> memory;
  std::vector<ParameterLoad> parameter_loads;
  std::vector<FrameAccess> frame_accesses;
  std::vector<BranchOp> branches;
  std::vector<CallOp> calls;
  std::vector<ExchangeOp> exchanges;
  std::vector<BarrierOp> barriers;
  std::vector<MbarrierOp> mbarriers;
  std::vector<BulkCopyOp> bulk_copies;
  std::vector<AsyncStoreOp> async_stores;
  std::vector<TensorCopyOp> tensor_copies;
  std::vector<TensorMapOp> tensor_maps;
  std::vector<ClusterBarrierOp> cluster_barriers;
  std::vector<ClusterAddressOp> cluster_addresses;
  std::vector<StackOp> stacks;
  std::vector<TextureOp> textures;
  std::vector<ClockOp> clocks;
  std::vector<OrderOp> orders;
  std::vector<TensorOp> tensors;

  // The register file: slots of registers, then frame bytes for call parameters, then constants.
  std::uint32_t file_bytes = 0;
  std::uint32_t constants_begin = 0;
  std::vector<std::byte> constants;  // contents of [constants_begin, file_bytes), specials not filled in
  std::vector<ParameterSlot> parameter_slots;
  std::vector<SpecialSlot> launch_specials;  // the same for the whole launch
  std::vector<SpecialSlot> warp_specials;    // of a block or warp
  std::vector<LocalSlot> local_slots;
  std::vector<SharedSlot> shared_slots;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> cleared;  // {slot, bytes}: may be read before they are written
  std::vector<std::uint32_t> register_slot;                      // by RegisterId; 0 = never used
  std::vector<CallOp::Value> parameters, results;       // of a device function: where a call puts and finds them
  std::vector<LocalCopy> local_copies;                  // that a call makes
  std::uint64_t local_bytes = 0, local_alignment = 16;  // of its variables, in local memory
  std::uint64_t address = 0;                            // the value of a function pointer to it
};

struct VariablePlace {  // of a module variable
  const ptx::Variable* variable = nullptr;
  std::uint64_t address = 0;       // in its own space
  std::vector<std::byte> initial;  // references filled in
};

// The result of prepare(). Immutable; owns a copy of the module.
class Program {
 public:
  ptx::Module module;
  const ptx::Function* kernel = nullptr;
  std::vector<std::unique_ptr<FunctionCode>> functions;   // [0] is the kernel
  std::vector<trace::Site> sites;                         // with the places for user_file = ""
  std::vector<const ptx::Instruction*> site_instruction;  // parallel to sites; for a block entry, its first instruction
  std::vector<VariablePlace> variables;                   // the global and constant variables that are used
  std::vector<SharedPlace> shared;                        // see shared_places()
  std::uint32_t static_shared_bytes = 0;
  std::uint32_t counters = 0;  // basic blocks over all functions
  // There is a global atomic whose result is used, an ordered or volatile access, or malloc(). Then blocks may depend
  // on each other.
  bool blocks_may_communicate = false;
  bool uses_grid_workspace = false;   // reads %envreg1 or %envreg2
  bool uses_cluster = false;          // names blocks of its cluster, or synchronises with them
  bool uses_reserved_shared = false;  // reads %reserved_smem_offset_…

  const FunctionCode* function_at(std::uint64_t address) const;
};

// The user's place of an instruction: the innermost `.loc` in `user_file`, else the innermost of all. One without a
// line gets that of a neighbour; without any line in the PTX, its own place there.
SourcePlace place_of(const ptx::Module& module, const ptx::Instruction& instruction, const std::string& user_file);
// The same in the file of the outermost function into which it was inlined, so no header of CUDA.
SourcePlace place_in_own_file(const ptx::Module& module, const ptx::Instruction& instruction);
// The innermost `.loc`, if it is in another file than place_of(); else line 0.
SourcePlace place_in_other_file(const ptx::Module& module, const ptx::Instruction& instruction, const std::string& own);
// The diagnostic for reaching an instruction that is not interpreted.
Diagnostic refusal_of(const ptx::Module& module, const ptx::Instruction& instruction);
// Fills file, line, column and inlined_from of a site.
void place_site(trace::Site& site, const ptx::Module& module, const ptx::Instruction& instruction,
                const std::string& user_file);

}  // namespace lanescope::sim
