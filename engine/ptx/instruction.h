#pragma once
// One PTX instruction, in its written and its decoded form. Instructions stay printable: all modifiers are kept in
// written order, and the parser derives the decoded fields from them. Source of names and rules: "Parallel Thread
// Execution ISA", chapters "Instruction Operands" and "Instruction Set".

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::ptx {

enum class Opcode : std::uint16_t;  // ptx/opcode.h has the enumerators

// clang-format off
enum class Type : std::uint8_t {
  none, pred, b8, b16, b32, b64, b128, u8, u16, u32, u64, s8, s16, s32, s64,
  f16, f16x2, bf16, bf16x2, tf32, f32, f64, u16x2, s16x2,
  f32x2,           // two f32 in 64 bits (sm_100)
  e4m3x2, e5m2x2,  // two 8-bit floats in 16 bits: cvt only
  other  // a type that only tensor, texture and sub-byte conversions use: see `modifiers`
};
// clang-format on
int bytes_of(Type type);   // pred, none and other: 0
bool is_float(Type type);  // f16 … f64, the packed kinds and the 8-bit kinds
bool is_signed(Type type);
const char* name_of(Type type);  // without the dot
// none if it is not a type; other for a type that this program only passes through.
Type type_named(std::string_view name);

enum class Space : std::uint8_t { generic, reg, sreg, constant, global, local, param, shared };

const char* name_of(Space space);  // without the dot: "global"

// clang-format off
enum class Rounding : std::uint8_t { none, rn, rz, rm, rp, rna, rni, rzi, rmi, rpi, approx, full, rs };

enum class Compare : std::uint8_t {
  none, eq, ne, lt, le, gt, ge, lo, ls, hi, hs, equ, neu, ltu, leu, gtu, geu, num, nan
};
// clang-format on

// The Boolean operation by which setp and set combine their result with predicate c.
enum class BoolOp : std::uint8_t { none, and_, or_, xor_ };

enum class AtomicOp : std::uint8_t { none, add, min, max, inc, dec, and_, or_, xor_, exch, cas };
enum class ShuffleMode : std::uint8_t { none, up, down, bfly, idx };
enum class VoteMode : std::uint8_t { none, all, any, uni, ballot };

// A register of a function: an index into Function::registers.
using RegisterId = std::uint32_t;
inline constexpr RegisterId no_register = 0xffffffffu;

// clang-format off
enum class SpecialRegister : std::uint8_t {
  tid_x, tid_y, tid_z, ntid_x, ntid_y, ntid_z, ctaid_x, ctaid_y, ctaid_z, nctaid_x, nctaid_y,
  nctaid_z, laneid, warpid, nwarpid, smid, nsmid, gridid, lanemask_eq, lanemask_lt, lanemask_le,
  lanemask_gt, lanemask_ge, clock, clock_hi, clock64, globaltimer, globaltimer_lo, globaltimer_hi,
  dynamic_smem_size, total_smem_size, aggr_smem_size, envreg, is_explicit_cluster, cluster_ctaid_x,
  cluster_ctaid_y, cluster_ctaid_z, cluster_nctaid_x, cluster_nctaid_y, cluster_nctaid_z,
  cluster_ctarank, cluster_nctarank, clusterid_x, clusterid_y, clusterid_z, nclusterid_x,
  nclusterid_y, nclusterid_z, current_graph_exec, reserved_smem_offset, pm, pm_64
};
// clang-format on

const char* name_of(SpecialRegister special);  // "%tid.x"
Type type_of(SpecialRegister special);         // u32, u64 or pred

struct Operand {
  enum class Kind : std::uint8_t {
    reg,      // %r1, or !%p1 when negated; -%r1, %r1.b2 (ptx/register_part.h) in scalar video instructions
    integer,  // 42, 0x1f, -1, WARP_SZ, 4+3: in `integer`, as 64 bits
    real,     // 0f3f800000 or 0d…: the bits in `integer`, the width in `type` (f32, f64)
    special,  // %tid.x; the number of an envreg, pm or reserved_smem_offset in `integer`
    symbol,   // the address of a variable, a param or a function: `name` + `integer` (offset)
    // [base + offset]: the base is a register, a symbol, or nothing (absolute). The further parts of a texture or
    // tensor address are in `elements`.
    address,
    vector,  // {a, b, …}: in `elements`
    // bra: `name`, and in `target` its instruction index, which may be one past the last instruction (the end of the
    // function). brx.idx: the list's `name`, and in `symbol` its index in Function::branch_targets.
    label,
    sink  // _ : the result is discarded
  };
  Kind kind = Kind::sink;
  bool negated = false;          // !%p
  bool paired = false;           // written after "|": the second destination, as in %r1|%p2
  Type type = Type::none;        // of a real
  SpecialRegister special{};     // of a special
  RegisterId reg = no_register;  // of a reg, or the base of an address
  std::int64_t integer = 0;      // value, bits, or offset
  std::int32_t target = -1;      // of a label: index into Function::instructions
  std::int32_t symbol = -1;      // of a symbol or address: index into `symbol_table`
  enum class SymbolTable : std::uint8_t {
    none,
    module,           // Module::variables
    function,         // Function::variables (.shared, .local, and the .param of a call sequence)
    parameter,        // Function::parameters
    module_function,  // Module::functions; the definition if there is one, else the declaration
    result,           // Function::results: st.param [func_retval0]
    branch_targets,   // Function::branch_targets
    call_prototype,   // Function::call_prototypes: the last operand of an indirect call
    call_targets      // Function::call_targets: the last operand of an indirect call (or in `module`: a table)
  } symbol_table{};
  std::string name;               // of a symbol, an address with a symbol base, or a label
  std::vector<Operand> elements;  // of a vector
};

// A CUDA source position from `.loc`, with the chain of inlined calls around it.
struct SourceLocation {
  std::int32_t file = 0;  // index into Module::files (by `.file` number); 0 = unknown
  std::int32_t line = 0;
  std::int32_t column = 0;
  std::int32_t inlined_at = -1;  // the caller's position in Module::inlined_locations; -1 = none
};

struct Guard {
  RegisterId predicate = no_register;
  bool negated = false;
  bool present() const { return predicate != no_register; }
};

struct Instruction {
  Opcode opcode{};
  // As written and in order, without dots: {"global", "nc", "v4", "f32"}. The printer prints these.
  std::vector<std::string> modifiers;

  // Decoded from the modifiers; a field that does not apply keeps its default.
  // The first and the second written type. cvt and set: the types of the destination and a; slct: of the destination
  // and c; dp4a: of a and b. If only one is written, both fields have it.
  Type type = Type::none;
  Type source_type = Type::none;
  Space space = Space::generic;  // ld, st, atom, red, cvta, isspacep, …
  Rounding rounding = Rounding::none;
  Compare compare = Compare::none;
  BoolOp bool_op = BoolOp::none;
  AtomicOp atomic = AtomicOp::none;
  ShuffleMode shuffle = ShuffleMode::none;
  VoteMode vote = VoteMode::none;
  std::uint8_t vector_width = 1;  // 1, 2, 4, 8: elements per lane
  bool ftz = false, sat = false, uni = false, wide = false, hi = false, lo = false;
  bool is_volatile = false, non_coherent = false, relu = false, xorsign = false, carry_out = false;
  bool to_space = false;  // cvta.to.…
  bool noftz = false;
  bool nan = false;        // .NaN of min and max: the result is NaN if an operand is
  bool satfinite = false;  // cvt

  Guard guard;
  std::vector<Operand> operands;  // destination first, as written; see also opcodes.def
  // call only. operands[0] is the callee: a symbol (direct) or a register (indirect). For an indirect call operands[1],
  // a symbol in table call_prototype or call_targets, tells what may be called. Results and arguments are symbols in
  // table `function`: the .param variables of the call sequence. If a function passes on its own parameter, they can be
  // in table `parameter`. Arguments may also be registers or numbers.
  std::vector<Operand> call_results, call_arguments;

  std::int32_t ptx_line = 0;  // line of the PTX text, from 1
  SourceLocation source;

  bool has(const char* modifier) const;
};

}  // namespace lanescope::ptx
