#include "job/sass/ptxas_notes.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "compile/host/source_scan.h"
#include "compile/host/source_tokens.h"
#include "core/worded.h"
#include "job/sass/sass_code.h"
#include "ptx/module.h"
#include "ptx/opcode.h"
#include "ptx/source_line.h"

namespace lanescope::job {
namespace {

using Kind = SassAccess::Kind;
using Indices = std::vector<std::size_t>;

struct PtxAccess {
  std::size_t index = 0;  // in the kernel's instructions
  Kind kind{};
  trace::MemorySpace space{};
  int bytes = 0;  // per lane
};

std::optional<trace::MemorySpace> space_of(ptx::Space space) {
  switch (space) {
    case ptx::Space::generic:
      return trace::MemorySpace::none;
    case ptx::Space::global:
      return trace::MemorySpace::global;
    case ptx::Space::shared:
      return trace::MemorySpace::shared;
    case ptx::Space::local:
      return trace::MemorySpace::local;
    default:
      return std::nullopt;
  }
}

Kind kind_of_access(ptx::Opcode opcode) {
  switch (opcode) {
    case ptx::Opcode::ld:
      return Kind::load;
    case ptx::Opcode::st:
      return Kind::store;
    case ptx::Opcode::atom:
      return Kind::atomic;
    case ptx::Opcode::red:
      return Kind::reduction;
    default:
      return Kind::none;
  }
}

// True for an instruction that jumps or ends lanes.
bool is_jump(const MachineInstruction& one) {
  static constexpr std::string_view jumps[] = {"BRA", "BRX", "BRXU", "JMP", "JMX", "JMXU", "EXIT", "RET", "CALL"};
  return std::ranges::find(jumps, std::string_view(one.parts.opcode)) != std::end(jumps);
}

// True for an instruction that selects one of two values by a predicate.
bool chooses(const MachineInstruction& one) {
  static constexpr std::string_view choices[] = {"SEL", "USEL", "FSEL", "FMNMX", "IMNMX", "VIMNMX", "DSEL"};
  return std::ranges::find(choices, std::string_view(one.parts.opcode)) != std::end(choices);
}

// True for a fused multiply-add that is not a plain sum or product: no factor is 1, and no operand is the zero
// register.
bool is_fused(const MachineInstruction& one) {
  if (!one.is("FFMA") && !one.is("DFMA") && !one.is("HFMA2")) return false;
  const std::string_view text = one.text;
  return text.find(", 1, ") == std::string_view::npos && text.find(", -1, ") == std::string_view::npos &&
         text.find("RZ") == std::string_view::npos;
}

// True for a sum that names no rounding, so that PTX allows it to be fused with a product.
bool may_be_fused(const ptx::Instruction& one) {
  const bool sum = one.opcode == ptx::Opcode::add || one.opcode == ptx::Opcode::sub;
  return sum && one.rounding == ptx::Rounding::none && is_float(one.type);
}

class NoteTaker {
 public:
  NoteTaker(const compile::Source& source, const ptx::Module& module, const ptx::Function& kernel,
            const compile::Sass& listed)
      : source_(source), module_(module), kernel_(kernel), listed_(listed), sass_(listed), flow_(sass_) {
    for (std::size_t i = 0; i < sass_.instructions.size(); ++i) {
      const MachineInstruction& one = sass_.instructions[i];
      if (one.ptx_line > 0)
        of_ptx_[one.ptx_line].push_back(i);
      else if (one.access.kind != Kind::none)
        followed_ = false;
    }
    find_accesses();
    find_loops();
  }

  std::vector<PtxasNote> take() {
    branches();
    sums();
    if (followed_) loops(), accesses();
    arrays();
    std::ranges::stable_sort(notes_, {}, [](const PtxasNote& note) { return std::pair(note.line, note.ptx_line); });
    return std::move(notes_);
  }

 private:
  struct Loop {
    std::size_t first = 0, last = 0;  // in the kernel's instructions; the last one branches back to the first
  };

  const ptx::Instruction& ptx(std::size_t index) const { return kernel_.instructions[index]; }

  const Indices& made_of(std::size_t index) const {
    static const Indices none;
    const auto found = of_ptx_.find(ptx(index).ptx_line);
    return found == of_ptx_.end() ? none : found->second;
  }

  Indices made_of(std::size_t index, const std::function<bool(const MachineInstruction&)>& wanted) const {
    Indices found;
    for (const std::size_t i : made_of(index))
      if (wanted(sass_.instructions[i])) found.push_back(i);
    return found;
  }

  void note(PtxasNote::Kind kind, std::size_t index, Indices shown, Wording said) {
    notes_.push_back({kind, ptx::line_in(module_, ptx(index).source, source_.name), ptx(index).ptx_line,
                      std::move(shown), std::move(said)});
  }

  void find_accesses() {
    for (std::size_t i = 0; i < kernel_.instructions.size(); ++i) {
      const ptx::Instruction& one = ptx(i);
      const Kind kind = kind_of_access(one.opcode);
      const auto space = space_of(one.space);
      if (kind != Kind::none && space)
        accesses_.push_back({i, kind, *space, ptx::bytes_of(one.type) * std::max<int>(one.vector_width, 1)});
    }
  }

  void find_loops() {
    for (std::size_t i = 0; i < kernel_.instructions.size(); ++i) {
      const ptx::Instruction& one = ptx(i);
      if (one.opcode != ptx::Opcode::bra || one.operands.empty()) continue;
      const std::int32_t target = one.operands.front().target;
      if (target >= 0 && static_cast<std::size_t>(target) <= i) loops_.push_back({static_cast<std::size_t>(target), i});
    }
  }

  // A forward branch without a remaining instruction; what it skipped shows what replaced it.
  void branches() {
    for (std::size_t i = 0; i < kernel_.instructions.size(); ++i) {
      const ptx::Instruction& one = ptx(i);
      if (one.opcode != ptx::Opcode::bra || !one.guard.present() || one.operands.empty()) continue;
      const std::int32_t target = one.operands.front().target;
      if (target < 0 || static_cast<std::size_t>(target) <= i) continue;
      if (!made_of(i, is_jump).empty()) continue;
      Indices guarded, chosen;
      bool jumps = false;
      const auto look = [&](std::size_t index) {
        for (const std::size_t at : made_of(index)) {
          const MachineInstruction& made = sass_.instructions[at];
          jumps |= is_jump(made);
          if (chooses(made))
            chosen.push_back(at);
          else if (!made.predicate.empty())
            guarded.push_back(at);
        }
      };
      for (std::size_t k = i; k < std::min(static_cast<std::size_t>(target), kernel_.instructions.size()); ++k) look(k);
      if (jumps) continue;  // the branch may have been assigned to another line
      std::ranges::sort(guarded), std::ranges::sort(chosen);
      if (!guarded.empty()) {
        const std::size_t count = guarded.size();
        note(PtxasNote::Kind::branch_removed, i, std::move(guarded),
             worded("ptxas removed this branch: {} instruction{} under a predicate took its place", count,
                    count == 1 ? "" : "s"));
      } else if (!chosen.empty()) {
        const std::string opcode = sass_.instructions[chosen.front()].parts.opcode;
        note(PtxasNote::Kind::branch_removed, i, std::move(chosen),
             worded("ptxas removed this branch: {} chooses between two values instead", opcode));
      }
    }
  }

  Indices copies_of(const PtxAccess& access) const {
    return made_of(access.index, [](const MachineInstruction& one) { return one.access.kind != Kind::none; });
  }

  bool inside(const Loop& loop, std::size_t index) const { return loop.first <= index && index <= loop.last; }

  // The innermost loop that contains an instruction.
  const Loop* loop_around(std::size_t index) const {
    const Loop* found = nullptr;
    for (const Loop& loop : loops_)
      if (inside(loop, index) && (found == nullptr || loop.last - loop.first < found->last - found->first))
        found = &loop;
    return found;
  }

  // True if some instruction made from the loop is still executed repeatedly.
  bool goes_round(const Loop& loop) const {
    for (std::size_t k = loop.first; k <= loop.last; ++k)
      for (const std::size_t at : made_of(k))
        if (flow_.comes_again(at)) return true;
    return false;
  }

  // Loops in which each remaining access of the body occurs several times.
  void loops() {
    for (const Loop& loop : loops_) {
      std::size_t least = 0;
      Indices shown;
      for (const PtxAccess& access : accesses_) {
        if (!inside(loop, access.index) || loop_around(access.index) != &loop) continue;
        Indices copies = copies_of(access);
        if (copies.empty() || access.kind == Kind::atomic || access.kind == Kind::reduction) continue;
        if (least == 0 || copies.size() < least) least = copies.size();
        shown.insert(shown.end(), copies.begin(), copies.end());
      }
      if (least < 2) continue;
      std::ranges::sort(shown);
      if (goes_round(loop))
        note(PtxasNote::Kind::loop_unrolled, loop.last, std::move(shown),
             worded("ptxas unrolled this loop: its accesses stand in the machine code {} times", least));
      else
        note(PtxasNote::Kind::loop_unrolled, loop.last, std::move(shown),
             worded("ptxas unrolled this loop completely, {} times: nothing jumps back", least));
    }
  }

  void accesses() {
    std::map<std::pair<Kind, trace::MemorySpace>, std::vector<const PtxAccess*>> gone;
    for (const PtxAccess& access : accesses_)
      if (made_of(access.index).empty()) gone[{access.kind, access.space}].push_back(&access);
    std::set<const PtxAccess*> joined;
    for (const PtxAccess& access : accesses_) {
      const Indices copies = copies_of(access);
      if (copies.empty()) continue;
      joins(access, copies, gone[{access.kind, access.space}], joined);
      moves(access, copies);
      becomes(access, copies);
    }
    for (const auto& [what, all] : gone)
      for (const PtxAccess* access : all)
        if (!joined.contains(access))
          note(PtxasNote::Kind::access_removed, access->index, {},
               what.first == Kind::load ? worded("ptxas removed this load: no instruction is left of it")
                                        : worded("ptxas removed this access: no instruction is left of it"));
  }

  // A wider access for which the right number of neighbouring accesses is gone.
  void joins(const PtxAccess& access, const Indices& copies, const std::vector<const PtxAccess*>& gone,
             std::set<const PtxAccess*>& joined) {
    const int bytes = sass_.instructions[copies.front()].access.bytes;
    if (access.bytes == 0 || bytes <= access.bytes || bytes % access.bytes != 0 || access.kind == Kind::atomic) return;
    const auto others = static_cast<std::size_t>(bytes / access.bytes - 1);
    // The nearest accesses of the same width.
    std::vector<const PtxAccess*> near;
    for (const PtxAccess* one : gone)
      if (one->bytes == access.bytes && !joined.contains(one)) near.push_back(one);
    if (near.size() < others) return;
    const auto distance = [&](const PtxAccess* one) {
      return one->index > access.index ? one->index - access.index : access.index - one->index;
    };
    std::ranges::stable_sort(near, {}, distance);
    joined.insert(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(others));
    note(PtxasNote::Kind::accesses_joined, access.index, copies,
         worded("ptxas joined {} accesses of {} bytes per lane into one of {}", others + 1, access.bytes, bytes));
  }

  void moves(const PtxAccess& access, const Indices& copies) {
    const Loop* loop = access.kind == Kind::load ? loop_around(access.index) : nullptr;
    if (loop == nullptr || !goes_round(*loop)) return;
    if (std::ranges::any_of(copies, [&](std::size_t at) { return flow_.comes_again(at); })) return;
    note(PtxasNote::Kind::load_moved, access.index, copies, worded("ptxas moved this load out of its loop"));
  }

  void becomes(const PtxAccess& access, const Indices& copies) {
    if (access.kind != Kind::atomic && access.kind != Kind::reduction) return;
    const bool swaps = std::ranges::any_of(
        copies, [&](std::size_t at) { return sass_.instructions[at].access.kind == Kind::compare_and_swap; });
    if (swaps && ptx(access.index).atomic != ptx::AtomicOp::cas)
      note(PtxasNote::Kind::retried, access.index, copies,
           worded("ptxas made a loop of this atomic: a compare-and-swap is tried until it succeeds"));
    Indices together =
        made_of(access.index, [](const MachineInstruction& one) { return one.is("REDUX") || one.is("CREDUX"); });
    if (!together.empty())
      note(PtxasNote::Kind::lanes_joined, access.index, std::move(together),
           worded("ptxas joins the lanes' values first: one lane of a warp goes to memory"));
  }

  bool is_spill(const MachineInstruction& one) const {
    return one.access.space == trace::MemorySpace::local && one.access.kind == Kind::store &&
           std::ranges::none_of(accesses_, [&](const PtxAccess& access) {
             return ptx(access.index).ptx_line == one.ptx_line && access.kind == Kind::store;
           });
  }

  void sums() {
    for (std::size_t i = 0; i < kernel_.instructions.size(); ++i) {
      if (!may_be_fused(ptx(i))) continue;
      Indices fused = made_of(i, is_fused);
      if (fused.empty()) continue;
      const std::string opcode = sass_.instructions[fused.front()].parts.opcode;
      note(PtxasNote::Kind::products_fused, i, std::move(fused),
           worded("ptxas fused this sum with a product: {} rounds once, mul and add round twice", opcode));
    }
  }

  void arrays() {
    if (listed_.spill_store_bytes > 0) {
      Indices spills;
      for (std::size_t i = 0; i < sass_.instructions.size(); ++i)
        if (is_spill(sass_.instructions[i])) spills.push_back(i);
      if (spills.empty()) return;
      const MachineInstruction& first = sass_.instructions[spills.front()];
      const int line = first.file == source_.name && first.line > 0 ? first.line : own_lines().first;
      notes_.push_back(
          {PtxasNote::Kind::spilled, line, first.ptx_line, std::move(spills),
           worded("ptxas spills registers to local memory: {} bytes per thread", listed_.spill_store_bytes)});
      return;
    }
    if (listed_.local_bytes > 0) return;
    const auto [first, last] = own_lines();
    for (const OwnArray& array : own_arrays(source_.text))
      if (first > 0 && first <= array.line && array.line <= last)
        notes_.push_back({PtxasNote::Kind::array_in_registers,
                          array.line,
                          0,
                          {},
                          worded("`{}` is in registers: the kernel uses no local memory", array.name)});
  }

  // The first and last line of the kernel's own code; 0, 0: unknown.
  std::pair<int, int> own_lines() const {
    int first = 0, last = 0;
    for (const ptx::Instruction& one : kernel_.instructions) {
      const auto file = static_cast<std::size_t>(std::max(one.source.file, 0));
      if (one.source.inlined_at >= 0 || file >= module_.files.size() || module_.files[file] != source_.name) continue;
      if (first == 0 || one.source.line < first) first = one.source.line;
      last = std::max(last, one.source.line);
    }
    return {first, last};
  }

  const compile::Source& source_;
  const ptx::Module& module_;
  const ptx::Function& kernel_;
  const compile::Sass& listed_;
  const SassCode sass_;
  const SassFlow flow_;
  std::map<int, Indices> of_ptx_;
  bool followed_ = true;
  std::vector<PtxAccess> accesses_;
  std::vector<Loop> loops_;
  std::vector<PtxasNote> notes_;
};

// True if these tokens, up to a bracket, declare an array of the thread: "float sum", "unsigned rows[2][4], columns".
bool declares(std::span<const compile::Token> tokens) {
  using Token = compile::Token;
  static constexpr std::string_view no_type[] = {"return",  "case",         "goto",       "delete", "new",    "else",
                                                 "do",      "throw",        "__shared__", "extern", "static", "using",
                                                 "typedef", "__constant__", "__device__", "="};
  for (const Token& one : tokens)
    if (std::ranges::find(no_type, one.text) != std::end(no_type)) return false;
  const auto is_name = [](const Token& one) { return one.kind == Token::Kind::name; };
  const Token &second = tokens[1], &before = tokens[tokens.size() - 2];
  const bool after_type = is_name(before) || before.text == ">" || before.text == ",";
  return is_name(tokens.front()) && (is_name(second) || second.text == "<" || second.text == "::") && after_type &&
         is_name(tokens.back());
}

}  // namespace

std::vector<OwnArray> own_arrays(const std::string& source) {
  const std::string code = compile::blank_non_code(source);
  const std::vector<compile::Token> tokens = compile::tokenise(code);
  std::vector<OwnArray> found;
  int depth = 0, round = 0;  // nesting of braces; of parentheses
  std::size_t begin = 0;     // start of the statement
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::string_view text = tokens[i].text;
    round += text == "(" ? 1 : text == ")" ? -1 : 0;
    depth += text == "{" ? 1 : text == "}" ? -1 : 0;
    if (text == ";" || text == "{" || text == "}") begin = i + 1;
    const bool sized = text == "[" && i + 2 < tokens.size() && tokens[i + 1].text != "]";
    if (!sized || depth <= 0 || round != 0 || i < begin + 2) continue;
    if (!declares(std::span(tokens).subspan(begin, i - begin))) continue;
    const compile::Token& name = tokens[i - 1];
    const auto end = code.begin() + static_cast<std::ptrdiff_t>(name.offset);
    found.push_back({std::string(name.text), 1 + static_cast<int>(std::count(code.begin(), end, '\n'))});
  }
  return found;
}

std::vector<PtxasNote> ptxas_notes(const compile::Source& source, const std::string& ptx,
                                   const std::string& mangled_kernel, const compile::Sass& sass) {
  const Result<ptx::Module> module = ptx::parse(ptx, source.name);
  if (!module) return {};
  const ptx::Function* kernel = module->find_function(mangled_kernel);
  if (kernel == nullptr || kernel->instructions.empty()) return {};
  return NoteTaker(source, *module, *kernel, sass).take();
}

Wording fused_sums(const std::vector<PtxasNote>& notes) {
  std::string lines;
  int last = -1;
  for (const PtxasNote& note : notes) {
    if (note.kind != PtxasNote::Kind::products_fused || note.line == last) continue;
    last = note.line;
    lines += (lines.empty() ? "" : ", ") + std::to_string(note.line);
  }
  if (lines.empty()) return {};
  return worded("ptxas fused sums with products, which then round once (line {})", lines);
}

}  // namespace lanescope::job
