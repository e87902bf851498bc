// Runs millions of lanes, so it is optimised in every build.
#if !defined(__clang__)
#pragma GCC optimize("O2")
#endif

#include "alu_cases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <random>
#include <sstream>

#include "alu_values.h"
#include "ptx/module.h"
#include "ptx/opcode_table.h"
#include "sim/alu/alu_rows.h"

namespace lanescope::sim {

namespace {

std::vector<void (*)(std::vector<AluCase>&)>& makers() {
  static std::vector<void (*)(std::vector<AluCase>&)> functions;
  return functions;
}

}  // namespace

const std::vector<AluCase>& alu_cases() {
  static const auto cases = [] {
    std::vector<AluCase> result;
    for (const auto make : makers()) make(result);
    return result;
  }();
  return cases;
}
bool add_alu_cases(void (*add)(std::vector<AluCase>& cases)) {
  makers().push_back(add);
  return true;
}

Inputs::Inputs(std::vector<Sources> values) : make_([values] { return values; }) {}
Inputs::Inputs(std::function<std::vector<Sources>()> make) : make_(std::move(make)) {}
Inputs Inputs::then(std::function<void(std::vector<Sources>&)> change) const {
  return Inputs([make = make_, change = std::move(change)] {
    std::vector<Sources> values = make();
    change(values);
    return values;
  });
}

std::vector<std::string> expanded(const std::string& pattern) {
  const auto open = pattern.find('{');
  if (open == std::string::npos) return {pattern};
  const auto close = pattern.find('}', open);
  const std::string choices = pattern.substr(open + 1, close - open - 1) + ",";
  std::vector<std::string> result;
  for (std::size_t at = 0; at < choices.size();) {
    const auto comma = choices.find(',', at);
    for (const std::string& tail : expanded(pattern.substr(close + 1)))
      result.push_back(pattern.substr(0, open) + choices.substr(at, comma - at) + tail);
    at = comma + 1;
  }
  return result;
}

std::vector<Isa> available_isas() {
  std::vector<Isa> isas;
  for (Isa which : {Isa::baseline, Isa::avx2, Isa::avx512})
    if (which <= isa()) isas.push_back(which);
  return isas;
}

ParsedInstruction parse_instruction(const std::string& text) {
  static const std::string preamble =
      ".version 9.0\n.target sm_100a\n.address_size 64\n.visible .entry k()\n{\n.reg .b8 %b<8>;\n"
      ".reg .b16 %h<8>;\n.reg .b32 %r<8>;\n.reg .b64 %d<8>;\n.reg .b128 %q<8>;\n.reg .pred "
      "%p<8>;\n";
  auto module = ptx::parse(preamble + text + "\nret;\n}\n", "test");
  if (!module) {
    ADD_FAILURE() << text << ": " << format(module.errors().front());
    return {};
  }
  const ptx::Function& function = module->functions.front();
  ParsedInstruction parsed{.instruction = function.instructions.front()};
  for (const ptx::Register& reg : function.registers) parsed.register_types.push_back(reg.type);
  return parsed;
}

namespace {

// The register file of one warp. Every slot has room for the widest type.
class TestSlots : public OperandSlots {
 public:
  explicit TestSlots(std::vector<ptx::Type> types) : types_(std::move(types)), bytes_(64 * 512 + 64) {
    file_ = bytes_.data() + (64 - reinterpret_cast<std::uintptr_t>(bytes_.data()) % 64) % 64;
  }

  std::uint32_t read(const ptx::Operand& operand, ptx::Type type) override {
    if (operand.kind == ptx::Operand::Kind::reg) return slot_of(operand.reg);
    const std::uint32_t slot = fresh();
    const int bytes = type == ptx::Type::pred ? 0 : std::max(2, ptx::bytes_of(type));
    for (int lane = 0; lane < 32; ++lane) store(slot, bytes, lane, static_cast<std::uint64_t>(operand.integer));
    return slot;
  }
  std::uint32_t write(const ptx::Operand& operand) override {
    return operand.kind == ptx::Operand::Kind::reg ? slot_of(operand.reg) : sink_;
  }
  int register_bytes(const ptx::Operand& operand, ptx::Type type) const override {
    return operand.kind == ptx::Operand::Kind::reg ? bytes_of(operand.reg) : std::max(2, ptx::bytes_of(type));
  }
  std::uint32_t carry() const override { return carry_; }

  int bytes_of(ptx::RegisterId reg) const {
    return types_[reg] == ptx::Type::pred ? 0 : std::max(2, ptx::bytes_of(types_[reg]));
  }
  std::uint32_t slot_of(ptx::RegisterId reg) {
    const auto at = slots_.find(reg);
    return at != slots_.end() ? at->second : slots_[reg] = fresh();
  }
  std::byte* file() { return file_; }

  // A lane of `bytes` bytes; 0 means a predicate; of 16 bytes only the low half.
  void store(std::uint32_t slot, int bytes, int lane, std::uint64_t value) {
    if (bytes == 0) {
      std::uint32_t mask = 0;
      std::memcpy(&mask, file_ + slot, 4);
      mask = (mask & ~(1u << lane)) | (static_cast<std::uint32_t>(value & 1) << lane);
      std::memcpy(file_ + slot, &mask, 4);
    } else {
      const std::size_t width = static_cast<std::size_t>(std::min(8, bytes));
      std::memcpy(file_ + slot + static_cast<std::size_t>(lane) * width, &value, width);
    }
  }
  std::uint64_t load(std::uint32_t slot, int bytes, int lane) const {
    std::uint64_t value = 0;
    if (bytes == 0) {
      std::memcpy(&value, file_ + slot, 4);
      return (value >> lane) & 1;
    }
    const std::size_t width = static_cast<std::size_t>(std::min(8, bytes));
    std::memcpy(&value, file_ + slot + static_cast<std::size_t>(lane) * width, width);
    return value;
  }

 private:
  std::uint32_t fresh() { return next_ += 512; }

  std::vector<ptx::Type> types_;
  std::vector<std::byte> bytes_;
  std::byte* file_ = nullptr;
  std::map<ptx::RegisterId, std::uint32_t> slots_;
  std::uint32_t carry_ = 512, sink_ = 1024, next_ = 1024;
};

struct Place {
  std::uint32_t slot = 0;  // 0: no register
  int bytes = 0;
};

using Lane = std::array<std::uint64_t, 4>;

// One case on one instruction set.
class CaseRun {
 public:
  CaseRun(const AluCase& test, const std::vector<Sources>& inputs, const std::vector<Results>& wanted,
          const ParsedInstruction& parsed, Isa isa)
      : test_(test),
        inputs_(inputs),
        wanted_(wanted),
        instruction_(parsed.instruction),
        slots_(parsed.register_types),
        isa_(isa) {}

  std::vector<std::uint64_t> results() {
    std::vector<std::uint64_t> made;
    if (!select_alu(instruction_, slots_, operation_, isa_)) {
      ADD_FAILURE() << label() << " is not supported";
      return made;
    }
    find_places();
    for (std::size_t first = 0; first < inputs_.size(); first += 32) {
      fill(first);
      operation_.full(slots_.file(), operation_, 0u);
      for (int lane = 0; lane < 32 && made.size() < inputs_.size(); ++lane) made.push_back(destinations(lane)[0]);
    }
    return made;
  }

  void run() {
    if (!select_alu(instruction_, slots_, operation_, isa_)) {
      ADD_FAILURE() << label() << " is not supported";
      return;
    }
    find_places();
    std::minstd_rand masks(7);
    for (std::size_t first = 0; first < inputs_.size(); first += 32) {
      if (!batch(first, 0xffffffffu, true)) return;  // one failure is enough to read
      if (!batch(first, static_cast<std::uint32_t>(masks()) | 1u << (first / 32 % 32), false)) return;
    }
  }

 private:
  std::string label() const { return test_.mnemonic + " " + test_.operands + " on " + name_of(isa_); }

  void find_places() {
    const auto add = [&](std::vector<Place>& list, const ptx::Operand& operand) {
      if (operand.kind != ptx::Operand::Kind::reg)
        list.push_back({});
      else
        list.push_back({slots_.slot_of(operand.reg), slots_.bytes_of(operand.reg)});
    };
    const auto destinations = static_cast<std::size_t>(ptx::destination_count(instruction_));
    for (std::size_t i = 0; i < instruction_.operands.size(); ++i) {
      auto& list = i < destinations ? destinations_ : sources_;
      const ptx::Operand& operand = instruction_.operands[i];
      if (operand.kind == ptx::Operand::Kind::integer) continue;
      if (operand.kind != ptx::Operand::Kind::vector) add(list, operand);
      for (const ptx::Operand& element : operand.elements) add(list, element);
    }
  }

  // The last batch is filled up with the last input.
  std::size_t at(std::size_t index) const { return std::min(index, inputs_.size() - 1); }
  const Sources& input(std::size_t index) const { return inputs_[at(index)]; }

  void fill(std::size_t first) {
    for (int lane = 0; lane < 32; ++lane) {
      const Sources& in = input(first + static_cast<std::size_t>(lane));
      for (const Place& d : destinations_)
        if (d.slot != 0) slots_.store(d.slot, d.bytes, lane, 0xa5c396e15a3c691eu >> (lane % 7));
      const Lane values = {in.a, in.b, in.c, in.d};
      for (std::size_t k = 0; k < sources_.size() && k < 4; ++k)
        if (sources_[k].slot != 0) slots_.store(sources_[k].slot, sources_[k].bytes, lane, values[k]);
      slots_.store(slots_.carry(), 0, lane, in.carry);
    }
  }

  bool batch(std::size_t first, std::uint32_t mask, bool full) {
    fill(first);
    std::array<Lane, 32> before{};
    for (int lane = 0; lane < 32; ++lane) before[static_cast<std::size_t>(lane)] = destinations(lane);
    // `full` must ignore the mask.
    (full ? operation_.full : operation_.masked)(slots_.file(), operation_, full ? 0u : mask);
    for (int lane = 0; lane < 32; ++lane) {
      const std::size_t index = at(first + static_cast<std::size_t>(lane));
      if (!check(index, lane, ((mask >> lane) & 1) != 0, before[static_cast<std::size_t>(lane)])) return false;
    }
    return true;
  }

  Lane destinations(int lane) const {
    Lane values{};
    for (std::size_t k = 0; k < destinations_.size(); ++k)
      values[k] = slots_.load(destinations_[k].slot, destinations_[k].bytes, lane);
    return values;
  }

  bool check(std::size_t index, int lane, bool executed, const Lane& before) const {
    const Sources& in = inputs_[index];
    const Results& wanted = wanted_[index];
    const Lane values = {wanted.d, wanted.second, wanted.third, wanted.fourth}, actual = destinations(lane);
    bool right = true;
    for (std::size_t k = 0; k < destinations_.size(); ++k) {
      const Place& d = destinations_[k];
      if (d.slot == 0) continue;
      const std::uint64_t expected = executed ? low(values[k], d.bytes == 0 ? 1 : 8 * std::min(8, d.bytes)) : before[k];
      if (actual[k] == expected) continue;
      if (executed && k == 0 && test_.accepts && test_.accepts(in, actual[k])) continue;
      right = false;
      ADD_FAILURE() << describe(in, lane) << (executed ? "" : " (not executed)") << ": destination " << k << " is 0x"
                    << std::hex << actual[k] << ", must be 0x" << expected;
    }
    const bool carry = executed && instruction_.carry_out ? wanted.carry : in.carry;
    if ((slots_.load(slots_.carry(), 0, lane) != 0) != carry) {
      right = false;
      ADD_FAILURE() << describe(in, lane) << (executed ? "" : " (not executed)") << ": the carry must be " << carry;
    }
    return right;
  }

  std::string describe(const Sources& in, int lane) const {
    std::ostringstream text;
    text << label() << ", lane " << lane << std::hex << ": a = 0x" << in.a << ", b = 0x" << in.b << ", c = 0x" << in.c
         << ", d = 0x" << in.d << ", carry in " << in.carry;
    return text.str();
  }

  const AluCase& test_;
  const std::vector<Sources>& inputs_;
  const std::vector<Results>& wanted_;
  ptx::Instruction instruction_;
  TestSlots slots_;
  Isa isa_;
  Operation operation_;
  std::vector<Place> destinations_, sources_;
};

}  // namespace

void run_alu_case(const AluCase& test) {
  const std::vector<Sources> inputs = test.inputs();
  ASSERT_FALSE(inputs.empty()) << test.mnemonic;
  const ParsedInstruction parsed = parse_instruction(test.mnemonic + " " + test.operands + ";");
  if (parsed.register_types.empty()) return;
  std::vector<Results> wanted;
  for (const Sources& in : inputs) wanted.push_back(test.reference(in));
  for (Isa which : available_isas()) CaseRun(test, inputs, wanted, parsed, which).run();
}

std::vector<std::uint64_t> alu_results(const std::string& mnemonic, const std::string& operands,
                                       const std::vector<Sources>& inputs, Isa isa) {
  const AluCase test{mnemonic, operands, inputs, {}, {}};
  const ParsedInstruction parsed = parse_instruction(mnemonic + " " + operands + ";");
  if (parsed.register_types.empty()) return {};
  return CaseRun(test, inputs, {}, parsed, isa).results();
}

bool selects(const ParsedInstruction& parsed, Isa isa, Operation& operation) {
  TestSlots slots(parsed.register_types);
  return select_alu(parsed.instruction, slots, operation, isa);
}

}  // namespace lanescope::sim
