// The same cases on a real GPU. The hardware must give what the cases require of the interpreter, except NaN payloads,
// which PTX leaves open (same_nan), and the instructions of answer_of_hardware(), for which an H200 gives something
// else. Reports that it was skipped if there is no GPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>
#include <optional>
#include <set>

#include "alu_cases.h"
#include "alu_exact.h"
#include "alu_values.h"
#include "compile/compiler.h"
#include "gpu/gpu.h"
#include "ptx/opcode_table.h"
#include "test_paths.h"

namespace lanescope::sim::alu_gpu {
namespace {

using U64 = std::uint64_t;

constexpr int threads = 256;          // tried inputs per case
constexpr std::size_t words_in = 5;   // a, b, c, d, carry
constexpr std::size_t words_out = 5;  // four destinations, carry
constexpr std::size_t cases_a_kernel = 48;

// The code around a case: its registers loaded from the input, and stored.
struct Block {
  std::vector<std::string> destinations, sources;  // "" if the operand is not a register
  bool carry_in = false, carry_out = false;
};

std::string load(const std::string& name, std::size_t word) {
  const std::string at = "ld.global.u64 %x, [%in+" + std::to_string(8 * word) + "];\n";
  switch (name[1]) {
    case 'p':
      return at + "setp.ne.u64 " + name + ", %x, 0;\n";
    case 'b':
      return at + "cvt.u8.u64 " + name + ", %x;\n";
    case 'h':
      return at + "cvt.u16.u64 " + name + ", %x;\n";
    case 'r':
      return at + "cvt.u32.u64 " + name + ", %x;\n";
    default:
      return at + "mov.u64 " + name + ", %x;\n";
  }
}
std::string store(const std::string& name, std::size_t word) {
  std::string text;
  switch (name[1]) {
    case 'p':
      text = "selp.u64 %x, 1, 0, " + name + ";\n";
      break;
    case 'b':
      text = "cvt.u64.u8 %x, " + name + ";\n";
      break;
    case 'h':
      text = "cvt.u64.u16 %x, " + name + ";\n";
      break;
    case 'r':
      text = "cvt.u64.u32 %x, " + name + ";\n";
      break;
    default:
      text = "mov.u64 %x, " + name + ";\n";
  }
  return text + "st.global.u64 [%out+" + std::to_string(8 * word) + "], %x;\n";
}

// The register of an operand that is negated or of which a part is taken: "-%r1.h0", "%r2.b3".
std::string whole_register(const std::string& operand) {
  const std::size_t first = operand.starts_with("-%") ? 1 : 0;
  return operand[first] == '%' ? operand.substr(first, operand.find('.') - first) : operand;
}

Block block_of(const AluCase& test) {
  // The operands as written: registers in order, destinations first.
  Block block;
  const ptx::Instruction instruction = parse_instruction(test.mnemonic + " " + test.operands + ";").instruction;
  const auto destinations = static_cast<std::size_t>(ptx::destination_count(instruction));
  std::vector<std::string> written;
  std::string word;
  for (char c : test.operands + ",") {
    if (c == ',' || c == '|' || c == '{' || c == '}' || c == ' ') {
      if (!word.empty()) written.push_back(whole_register(word));
      word.clear();
    } else if (c != '!') {
      word += c;
    }
  }
  std::size_t next = 0;
  for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
    const ptx::Operand& operand = instruction.operands[i];
    const std::size_t count = operand.kind == ptx::Operand::Kind::vector ? operand.elements.size() : 1;
    for (std::size_t k = 0; k < count; ++k, ++next) {
      const bool is_register = written[next][0] == '%';
      if (i < destinations)
        block.destinations.push_back(is_register ? written[next] : "");
      else if (is_register)
        block.sources.push_back(written[next]);
    }
  }
  block.carry_out = instruction.carry_out;
  block.carry_in =
      test.mnemonic.starts_with("addc") || test.mnemonic.starts_with("subc") || test.mnemonic.starts_with("madc");
  return block;
}

std::string text_of(const AluCase& test, std::size_t index) {
  const Block block = block_of(test);
  std::string text =
      "{\n.reg .b8 %b<8>;\n.reg .b16 %h<8>;\n.reg .b32 %r<8>, %carry;\n.reg .b64 %d<8>;\n.reg "
      ".pred %p<8>;\n";
  text += "add.u64 %in, %input, " + std::to_string(index * threads * words_in * 8) + ";\n";
  text += "add.u64 %out, %output, " + std::to_string(index * threads * words_out * 8) + ";\n";
  for (std::size_t k = 0; k < block.sources.size(); ++k) text += load(block.sources[k], k);
  if (block.carry_in) text += load("%r7", 4) + "add.cc.u32 %carry, %r7, 0xffffffff;\n";
  text += test.mnemonic + " " + test.operands + ";\n";
  if (block.carry_out) text += "addc.u32 %carry, 0, 0;\n";
  for (std::size_t k = 0; k < block.destinations.size(); ++k)
    if (!block.destinations[k].empty()) text += store(block.destinations[k], k);
  if (block.carry_out) text += "cvt.u64.u32 %x, %carry;\nst.global.u64 [%out+32], %x;\n";
  return text + "}\n";
}

std::string module_text(const std::vector<const AluCase*>& cases, const std::string& arch) {
  std::string text = ".version 9.0\n.target " + arch +
                     "\n.address_size 64\n.visible .entry k(.param .u64 a, .param .u64 b)\n{\n"
                     ".reg .u64 %input, %output, %in, %out, %x, %lane;\n.reg .u32 %t;\n"
                     "ld.param.u64 %input, [a];\nld.param.u64 %output, [b];\nmov.u32 %t, "
                     "%tid.x;\ncvt.u64.u32 %lane, %t;\n"
                     "mad.lo.u64 %input, %lane, " +
                     std::to_string(words_in * 8) + ", %input;\nmad.lo.u64 %output, %lane, " +
                     std::to_string(words_out * 8) + ", %output;\n";
  for (std::size_t i = 0; i < cases.size(); ++i) text += text_of(*cases[i], i);
  return text + "ret;\n}\n";
}

// The forms that compute capability 9.0 has.
// A mnemonic may have forms of two and of three sources.
std::string form_of(const std::string& mnemonic, const std::string& operands) {
  return mnemonic + " " + std::to_string(std::ranges::count(operands, ','));
}

std::set<std::string> forms_of_sm_90() {
  std::ifstream file(LANESCOPE_SOURCE_DIR "/tests/cases/sim/alu_forms.txt");
  std::set<std::string> forms;
  for (std::string line; std::getline(file, line) && !line.starts_with("# sm_100a");)
    if (line[0] != '#') forms.insert(form_of(line.substr(0, line.find(' ')), line));
  return forms;
}

std::vector<std::string> words_of(const std::string& mnemonic) {
  std::vector<std::string> words = {""};
  for (char c : mnemonic)
    if (c == '.')
      words.emplace_back();
    else
      words.back() += c;
  return words;
}

// True if two results differ only in NaNs, per element of a packed type. For single precision, PTX leaves the NaN
// unspecified. For double precision it says only that payloads are supported: not which operand's (an H200 often takes
// a later one's), nor whether it is made quiet.
bool same_nan(const AluCase& test, U64 actual, U64 expected) {
  const auto words = words_of(test.mnemonic);
  const bool copies = words[0] == "mov" || words[0] == "selp" || words[0] == "copysign";
  const bool two_types = words[0] == "cvt" || words[0] == "set" || words[0] == "slct";
  if (copies || words.size() < 2 || test.operands[1] == 'p') return false;
  std::string type = two_types ? words[words.size() - 2] : words.back();
  if (!is_float_type(type)) return false;
  int width = width_of(type), count = 1;
  if (type.ends_with("x2")) {
    type.resize(type.size() - 2);
    width /= 2;
    count = 2;
  }
  if (type == "tf32") type = "f32";
  for (int i = 0; i < count; ++i) {
    const U64 x = low(actual >> (i * width), width), y = low(expected >> (i * width), width);
    if (x != y && !(is_nan(x, type) && is_nan(y, type))) return false;
  }
  return true;
}

const AluCase* case_of(const std::string& mnemonic) {
  static const auto by_name = [] {
    std::map<std::string, const AluCase*> result;
    for (const AluCase& test : alu_cases()) result.try_emplace(test.mnemonic, &test);
    return result;
  }();
  const auto found = by_name.find(mnemonic);
  return found == by_name.end() ? nullptr : found->second;
}

// What an H200 (compiled by NVRTC 13.0.88's ptxas) gives in place of the case's first result.
std::optional<U64> answer_of_hardware(const AluCase& test, const Sources& s) {
  const std::string& name = test.mnemonic;
  // PTX limits position and length to 0..255 and masks them. The 64-bit forms consist of several instructions that use
  // all 32 bits, so larger values lie beyond the field.
  const auto held = [](U64 x) { return std::min<U64>(low(x, 32), 255); };
  if (name == "bfe.u64" || name == "bfe.s64") return test.reference({.a = s.a, .b = held(s.b), .c = held(s.c)}).d;
  if (name == "bfi.b64") return test.reference({.a = s.a, .b = s.b, .c = held(s.c), .d = held(s.d)}).d;
  // PTX flushes subnormal f32 operands for every destination type. The hardware does not for f16, which .rm and .rp
  // show.
  const auto ftz = name.find(".ftz");
  if (name.starts_with("cvt.r") && ftz != std::string::npos && name.ends_with(".f16.f32"))
    if (const AluCase* plain = case_of(std::string(name).erase(ftz, 4))) return plain->reference(s).d;
  // A NaN must stay a NaN. With .rna its low bits are cut off and the rest is taken as a number: infinity if no other
  // fraction bit is set, and .satfinite goes one below.
  if (name.starts_with("cvt.rna.") && name.ends_with(".tf32.f32") && is_nan(low(s.a, 32), "f32")) {
    const bool satfinite = name.find(".satfinite") != std::string::npos;
    return (low(s.a, 32) & ~U64{0x1fff}) - (satfinite ? 0x2000 : 0);
  }
  return std::nullopt;
}

// Scalar video instructions for which an H200 gives something other than the manual says: it has none of them, and the
// instructions that ptxas 13.0.88 puts in their place saturate otherwise if a part of the destination is written, if a
// second operation follows, or after a shift to the left; vmad takes the sum of unsigned numbers as signed before it
// saturates or shifts.
bool is_emulated_otherwise(const AluCase& test) {
  const auto has = [&](std::string_view word) { return test.mnemonic.find(word) != std::string::npos; };
  const auto words = words_of(test.mnemonic);
  if (words[0] == "vmad") return test.mnemonic.starts_with("vmad.u32.u32.u32") && (has(".sat") || has(".shr"));
  const bool video = words[0].starts_with('v') && words.size() > 3 && words[1].size() == 3;
  if (!video || !has(".sat")) return false;
  const bool writes_a_part = std::string_view(test.operands).starts_with("%r0.");
  const bool has_a_second = words.back() == "min" || words.back() == "max" || words.back() == "add";
  return writes_a_part || has_a_second || words[0] == "vshl";
}

// Runs the cases in one kernel; returns the words each thread stored.
void run_on_gpu(gpu::Session& session, const std::vector<const AluCase*>& cases) {
  const std::string arch = session.device().arch();
  const auto sass = compile::to_sass(module_text(cases, arch), "k", arch);
  if (!sass.ok()) {
    ADD_FAILURE() << format(sass.errors().front()) << "\nwith " << cases.front()->mnemonic << " and those after it";
    return;
  }
  trace::Launch launch;
  launch.block = {threads, 1, 1};
  const auto loaded = session.load(sass->cubin, {{"k", launch, gpu::parameters_in_order(2)}});
  ASSERT_TRUE(loaded.ok()) << format(loaded.errors().front());
  std::vector<U64> input(cases.size() * threads * words_in), output(cases.size() * threads * words_out);
  std::vector<std::vector<Sources>> tried;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    tried.push_back(thinned(cases[i]->inputs, threads - 2)());
    for (std::size_t t = 0; t < threads; ++t) {
      const Sources& s = tried[i][std::min(t, tried[i].size() - 1)];
      const U64 words[] = {s.a, s.b, s.c, s.d, s.carry};
      std::copy(std::begin(words), std::end(words),
                input.begin() + static_cast<std::ptrdiff_t>((i * threads + t) * words_in));
    }
  }
  const auto bytes = [](const std::vector<U64>& words) {
    std::vector<std::byte> result(words.size() * 8);
    std::memcpy(result.data(), words.data(), result.size());
    return result;
  };
  const auto done =
      session.run({{.is_buffer = true, .bytes = bytes(input)}, {.is_buffer = true, .bytes = bytes(output)}}, 20);
  ASSERT_TRUE(done.ok()) << format(done.errors().front());
  std::memcpy(output.data(), done->arguments[1].bytes.data(), output.size() * 8);

  for (std::size_t i = 0; i < cases.size(); ++i) {
    const AluCase& test = *cases[i];
    const Block block = block_of(test);
    const bool otherwise = is_emulated_otherwise(test);
    int differences = 0;
    for (std::size_t t = 0; t < std::min<std::size_t>(threads, tried[i].size()); ++t) {
      const Sources& s = tried[i][t];
      const Results wanted = test.reference(s);
      const U64 values[] = {wanted.d, wanted.second, wanted.third, wanted.fourth};
      const U64* actual = &output[(i * threads + t) * words_out];
      for (std::size_t k = 0; k < block.destinations.size(); ++k) {
        const std::string& name = block.destinations[k];
        if (name.empty()) continue;
        const int width = name[1] == 'p' ? 1 : name[1] == 'b' ? 8 : name[1] == 'h' ? 16 : name[1] == 'r' ? 32 : 64;
        const auto of_hardware = k == 0 ? answer_of_hardware(test, s) : std::nullopt;
        const U64 expected = low(of_hardware.value_or(values[k]), width);
        if (actual[k] == expected) continue;
        if (k == 0 && (same_nan(test, actual[k], expected) || (test.accepts && test.accepts(s, actual[k])))) continue;
        if (++differences <= 4 && !otherwise)
          ADD_FAILURE() << test.mnemonic << " " << test.operands << std::hex << ": a = 0x" << s.a << ", b = 0x" << s.b
                        << ", c = 0x" << s.c << ", d = 0x" << s.d << ": destination " << k << " is 0x" << actual[k]
                        << " on the GPU, 0x" << expected << " in the case";
      }
      if (block.carry_out && (actual[4] & 1) != U64{wanted.carry} && ++differences <= 4)
        ADD_FAILURE() << test.mnemonic << std::hex << ": a = 0x" << s.a << ", b = 0x" << s.b << ": the carry differs";
    }
    if (otherwise) continue;
    if (differences > 4) ADD_FAILURE() << test.mnemonic << ": " << differences << " differences of " << tried[i].size();
  }
}

TEST(AluOnGpu, GivesWhatTheCasesAsk) {
  auto session = gpu::Session::open(0);
  if (!session.ok()) GTEST_SKIP() << "no GPU: " << session.errors().front().message;
  if ((*session)->device().major < 9) GTEST_SKIP() << "the forms are those of compute capability 9.0";
  const auto legal = forms_of_sm_90();
  std::vector<const AluCase*> cases;
  std::map<std::string, int> seen;
  int compared = 0;
  const auto flush = [&] {
    if (!cases.empty()) run_on_gpu(**session, cases);
    compared += static_cast<int>(cases.size());
    cases.clear();
  };
  for (const AluCase& test : alu_cases()) {
    if (!legal.contains(form_of(test.mnemonic, test.operands)) || test.operands.find("%q") != std::string::npos)
      continue;
    if (test.mnemonic == "lop3.b32" && ++seen[test.mnemonic] > 40) continue;  // not all 256 tables
    cases.push_back(&test);
    if (cases.size() == cases_a_kernel) flush();
    if ((*session)->lost()) break;
  }
  flush();
  EXPECT_GT(compared, 4000);
}

}  // namespace
}  // namespace lanescope::sim::alu_gpu
