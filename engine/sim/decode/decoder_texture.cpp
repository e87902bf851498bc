// Decodes accesses by texture and surface objects: tex, tld4, suld.b, sust.b, txq, suq. Handles are 64-bit numbers
// ("unified mode"). Not supported: textures and samplers that are declared in PTX, multisampled, depth and
// sparse textures, tld4 of cube maps.

#include <algorithm>

#include "ptx/named_opcodes.h"
#include "sim/decode/decoder.h"

namespace lanescope::sim {

using ptx::Instruction;
using ptx::Operand;
using ptx::Type;
using Kind = ptx::Operand::Kind;

namespace {

struct Geometry {
  const char* modifier;
  std::uint8_t dimensions;
  bool layered, cube = false;
};
constexpr Geometry geometries[] = {{"1d", 1, false},        {"2d", 2, false}, {"3d", 3, false},
                                   {"a1d", 1, true},        {"a2d", 2, true}, {"cube", 3, false, true},
                                   {"acube", 3, true, true}};

const Geometry* geometry_of(const Instruction& instruction) {
  const auto found =
      std::ranges::find_if(geometries, [&](const Geometry& one) { return instruction.has(one.modifier); });
  return found == std::end(geometries) ? nullptr : found;
}

bool only_has(const Instruction& instruction, std::initializer_list<const char*> known) {
  return std::ranges::all_of(instruction.modifiers, [&](const std::string& modifier) {
    return std::ranges::any_of(geometries, [&](const Geometry& one) { return modifier == one.modifier; }) ||
           std::ranges::find(known, modifier) != known.end();
  });
}

// [handle, {coordinates}]
bool is_place(const Operand& operand) {
  return operand.kind == Kind::address && operand.reg != ptx::no_register && operand.integer == 0 &&
         operand.elements.size() == 1;
}

}  // namespace

// The handle and the coordinates. The layer is the first coordinate.
bool FunctionDecoder::texture_place(const Operand& operand, TextureOp& op) {
  if (!is_place(operand) || slot_bytes_of(function_.registers[operand.reg].type) != 8) return false;
  op.handle = layout_.register_slot(operand.reg);
  const Operand& listed = operand.elements[0];
  const std::vector<const Operand*> list = elements(listed);
  std::size_t next = 0;
  const auto read = [&](Type type) -> std::uint32_t {
    if (next >= list.size()) return 0;
    const Operand& one = *list[next++];
    if (one.kind == Kind::reg && slot_bytes_of(function_.registers[one.reg].type) != 4) return 0;
    return layout_.read(one, type);
  };
  if (op.layered && (op.layer = read(Type::u32)) == 0) return false;
  for (int i = 0; i < op.dimensions; ++i)
    if ((op.coordinate[static_cast<std::size_t>(i)] = read(op.integer ? Type::s32 : Type::f32)) == 0) return false;
  return true;
}

bool FunctionDecoder::texture_values(const Operand& operand, bool written, Type type, TextureOp& op) {
  std::array<std::uint32_t, 8> slots{};
  if (elements(operand).size() > op.value.size()) return false;
  if (!element_slots(operand, written, type, slots, op.register_bytes)) return false;
  op.values = static_cast<std::uint8_t>(elements(operand).size());
  std::copy_n(slots.begin(), op.value.size(), op.value.begin());
  return true;
}

// The slot of a 32-bit float; 0 if it is not one.
std::uint32_t FunctionDecoder::fetch_number(const Operand& operand) {
  const bool wide = operand.kind == Kind::reg && slot_bytes_of(function_.registers[operand.reg].type) != 4;
  return wide ? 0 : layout_.read(operand, Type::f32);
}

bool FunctionDecoder::decode_fetch(const Instruction& instruction, TextureOp& op) {
  const auto& operands = instruction.operands;
  const bool gathers = instruction.opcode == ptx::opcodes::tld4;
  if (!only_has(instruction, {"v4", "f32", "s32", "u32", "level", "grad", "base", "r", "g", "b", "a"})) return false;
  op.kind = gathers ? TextureOp::Kind::gather : TextureOp::Kind::fetch;
  op.integer = instruction.source_type == Type::s32;
  op.floats = instruction.type == Type::f32;
  const std::size_t expected = 2 + (instruction.has("level") ? 1 : instruction.has("grad") ? 2 : 0);
  if (operands.size() != expected || !instruction.has("v4")) return false;
  if (op.integer && (gathers || op.dimensions != 1 || op.layered)) return false;
  if (gathers) {
    if (op.dimensions != 2) return false;
    op.channel = instruction.has("r") ? 0 : instruction.has("g") ? 1 : instruction.has("b") ? 2 : 3;
  }
  if (instruction.has("level") && (op.level = fetch_number(operands[2])) == 0) return false;
  op.by_gradients = instruction.has("grad");
  for (std::size_t i = 0; op.by_gradients && i < op.gradient.size(); ++i) {
    const std::vector<const Operand*> listed = elements(operands[2 + i]);
    if (listed.size() < op.dimensions) return false;
    for (std::size_t axis = 0; axis < op.dimensions; ++axis)
      if ((op.gradient[i][axis] = fetch_number(*listed[axis])) == 0) return false;
  }
  return texture_place(operands[1], op) && texture_values(operands[0], true, instruction.type, op);
}

bool FunctionDecoder::decode_surface(const Instruction& instruction, TextureOp& op) {
  const auto& operands = instruction.operands;
  const bool stores = instruction.opcode == ptx::opcodes::sust;
  if (!only_has(instruction, {"b", "v2", "v4", "b8", "b16", "b32", "b64", "trap", "clamp", "zero", "ca", "cg", "cs",
                              "cv", "wb", "wt"}))
    return false;
  if (!instruction.has("b") || operands.size() != 2 || op.cube) return false;
  op.kind = stores ? TextureOp::Kind::surface_store : TextureOp::Kind::surface_load;
  op.outside = instruction.has("clamp")  ? TextureOp::Outside::clamp
               : instruction.has("zero") ? TextureOp::Outside::zero
                                         : TextureOp::Outside::trap;
  op.integer = true;
  op.value_bytes = static_cast<std::uint8_t>(ptx::bytes_of(instruction.type));
  return texture_place(operands[stores ? 0 : 1], op) &&
         texture_values(operands[stores ? 1 : 0], !stores, instruction.type, op);
}

bool FunctionDecoder::decode_texture_query(const Instruction& instruction, TextureOp& op) {
  using Query = TextureOp::Query;
  constexpr std::pair<const char*, Query> queries[] = {{"width", Query::width},
                                                       {"height", Query::height},
                                                       {"depth", Query::depth},
                                                       {"array_size", Query::layers},
                                                       {"normalized_coords", Query::normalized_coordinates}};
  const auto& operands = instruction.operands;
  if (instruction.modifiers.size() != 2 || instruction.modifiers[1] != "b32" || operands.size() != 2) return false;
  const auto asked =
      std::ranges::find(queries, instruction.modifiers[0], [](const auto& row) { return std::string_view(row.first); });
  if (asked == std::end(queries) || operands[1].kind != Kind::address || operands[1].reg == ptx::no_register)
    return false;
  op.kind = TextureOp::Kind::query;
  op.query = asked->second;
  op.handle = layout_.register_slot(operands[1].reg);
  return texture_values(operands[0], true, Type::b32, op);
}

bool FunctionDecoder::decode_texture(const Instruction& instruction, std::int32_t index, std::int32_t block) {
  TextureOp op;
  const bool asks = instruction.opcode == ptx::opcodes::txq || instruction.opcode == ptx::opcodes::suq;
  if (!asks) {
    const Geometry* geometry = geometry_of(instruction);
    if (geometry == nullptr) return false;
    op.dimensions = geometry->dimensions;
    op.layered = geometry->layered;
    op.cube = geometry->cube;
  }
  bool known = false;
  if (asks)
    known = decode_texture_query(instruction, op);
  else if (instruction.opcode == ptx::opcodes::tex || instruction.opcode == ptx::opcodes::tld4)
    known = decode_fetch(instruction, op);
  else if (instruction.opcode == ptx::opcodes::suld || instruction.opcode == ptx::opcodes::sust)
    known = decode_surface(instruction, op);
  if (!known) return false;
  // The texels that a worker reads and writes are not tracked.
  if (op.kind == TextureOp::Kind::surface_store) program_.blocks_may_communicate = true;
  op.guarded = instruction.guard.present();
  op.site = guarded_site(instruction, index, block);
  code_.textures.push_back(op);
  append(Code::texture, code_.textures.size() - 1, instruction, index);
  return true;
}

}  // namespace lanescope::sim
