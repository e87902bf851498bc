#pragma once
// A parsed PTX module. parse() and print() are inverse except for white space and comments: print(parse(x)) is a fixed
// point of print∘parse.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "ptx/instruction.h"

namespace lanescope::ptx {

struct Register {
  std::string name;  // with the percent sign, as printed: "%r12"
  Type type = Type::none;
};

// A module- or function-scope variable: .global, .const, .shared, .local.
struct Variable {
  std::string name;
  Space space = Space::global;
  Type type = Type::b8;
  std::uint64_t elements = 1;   // of `type`; 0 for an unsized extern array (dynamic shared memory)
  std::uint32_t alignment = 1;  // bytes
  bool is_extern = false;
  std::vector<std::uint64_t> dimensions;  // as declared, for printing; empty for a scalar
  std::vector<std::uint8_t> initial;      // the bytes of the initialiser; empty = zero for global/const
  struct Reference {                      // a word of the initialiser that is an address (jump tables, vtables)
    std::uint64_t offset = 0;
    std::string symbol;
    std::int64_t addend = 0;
    bool generic = false;
    std::uint8_t bytes = 8;
    std::uint64_t mask = 0;  // 0xff00(sym): the word is (address & mask) shifted down to bit 0; 0 = no mask
  };
  std::vector<Reference> references;
  std::string linkage;            // "", ".visible", ".extern", ".weak", ".common"
  std::string attribute;          // ".attribute(.managed)", as written; usually empty
  std::uint8_t vector_width = 1;  // 2 or 4 for `.v4 .f32`: `elements` counts the scalars
  std::string type_name;          // for a variable of type other: "texref"; else empty
  std::uint64_t bytes() const { return elements * static_cast<std::uint64_t>(bytes_of(type)); }
};

struct Parameter {
  std::string name;
  Type type = Type::b32;
  std::uint64_t elements = 1;  // > 1, or b8[n], for a struct passed by value
  std::uint32_t alignment = 1;
  bool is_array = false;
  // Bytes from the start of the parameter block. Each parameter has its natural alignment, or `.align` if that is
  // larger.
  std::uint64_t offset = 0;
  std::string pointer;  // ".ptr .global .align 8", as written; may be empty
  // `.reg .u32 a`: the caller's value is in a register of the function, which is among the first of
  // Function::registers. (In a declaration or prototype there are none, and the field only says that it is so.)
  bool in_register = false;
  RegisterId reg = no_register;
  std::uint64_t bytes() const { return elements * static_cast<std::uint64_t>(bytes_of(type)); }
};

struct Label {
  std::string name;
  std::int32_t target = 0;  // index of the instruction that follows it (may be one past the end)
};

// `.branchtargets`: the labels that a brx.idx may jump to.
struct BranchTargets {
  std::string name;
  std::vector<std::string> labels;
  std::vector<std::int32_t> targets;  // instruction indices
};

// `name: .callprototype (results) _ (parameters);`: the signature of an indirect call.
struct CallPrototype {
  std::string name;
  std::vector<Parameter> results, parameters;
  bool no_return = false;
  std::vector<std::string> directives;  // .abi_preserve, … as written
};

// `name: .calltargets f, g;`: the functions that an indirect call may reach.
struct CallTargets {
  std::string name;
  std::vector<std::string> functions;
};

// `.pragma "nounroll";` in a body, before the instruction `at` (may be one past the end).
struct Pragma {
  std::int32_t at = 0;
  std::string text;
};

struct Function {
  std::string name;  // mangled
  bool is_entry = false;
  bool is_declaration = false;  // no body (.extern .func vprintf)
  std::string linkage;
  std::string attribute;
  std::vector<std::string> directives;  // .maxntid, .minnctapersm, … as written
  std::vector<Parameter> parameters;
  std::vector<Parameter> results;  // of a device function
  std::uint64_t parameter_bytes = 0;
  // Nested scopes are flattened: a name that is declared twice in a body is renamed. So every name in the following
  // tables is unique within the function and differs from those of module variables.
  std::vector<Register> registers;
  std::vector<Variable> variables;  // .shared, .local and .param declared inside the body
  std::vector<Label> labels;
  std::vector<BranchTargets> branch_targets;
  std::vector<CallPrototype> call_prototypes;
  std::vector<CallTargets> call_targets;
  std::vector<Pragma> pragmas;
  std::vector<Instruction> instructions;
  std::int32_t ptx_line = 0;
};

struct Module {
  std::string name;  // of the text, for diagnostics
  int version_major = 0, version_minor = 0;
  std::string target;  // "sm_90"
  int address_size = 64;
  std::vector<std::string> files;                 // index = the number in `.file`; [0] is empty
  std::vector<SourceLocation> inlined_locations;  // SourceLocation::inlined_at is an index into this
  std::vector<std::string> inlined_functions;     // parallel: the name of the inlined function, may be empty
  std::vector<Variable> variables;
  std::vector<Function> functions;  // a declaration and its definition are two elements
  std::vector<std::string> pragmas;
  struct Alias {
    std::string name, target;
  };
  std::vector<Alias> aliases;  // .alias name, target; both are functions

  // The definition if there is one, else the declaration, else nullptr.
  const Function* find_function(std::string_view mangled_name) const;
};

// Parses a whole module. Unknown opcodes, directives and operands are errors with their line: nothing unknown is
// ignored. `name` is for diagnostics. Debug sections (.section .debug_…) are skipped, and variables that no function
// refers to (NVRTC emits about a thousand) may be left out.
Result<Module> parse(std::string_view text, std::string name);

std::string print(const Module& module);
std::string print(const Module& module, const Function& function);
std::string print(const Module& module, const Function& function, const Instruction& instruction);

}  // namespace lanescope::ptx
