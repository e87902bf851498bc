// Machine code beside its source: one row per instruction, the CUDA line at the start of each run of its instructions,
// and between them a strip that shows where in the source each instruction belongs, which makes reordering visible.

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "core/architecture.h"
#include "diagram/builder.h"
#include "diagram/views.h"
#include "metrics/occupancy.h"

namespace lanescope::diagram {
namespace {

using Limit = metrics::Occupancy::Limit;

constexpr float code_pitch = 18, code_size = 12, least_code = 10, small_code = 11, code_gap = 10;
constexpr float fact_height = 38, warps_height = 10, remark_height = 18;

std::string_view opcode_of(std::string_view text) {
  return text.substr(0, text.find(' '));
}

bool is_nop(const MachineCode::Instruction& instruction) {
  return opcode_of(instruction.text) == "NOP";
}

std::string without_indent(const std::string& line) {
  return line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
}

// The appearance of an instruction that accesses memory or synchronises the block.
struct Emphasis {
  Role role{};
  Pattern pattern{};
  Phrase meaning{};
};
constexpr Emphasis emphasis_of(MachineOperation operation) {
  switch (operation) {
    case MachineOperation::store:
      return {Role::executed, Pattern::outline, Phrase::machine_store};
    case MachineOperation::copy:
      return {Role::executed, Pattern::dashed, Phrase::machine_copy};
    case MachineOperation::atomic:
      return {Role::executed, Pattern::hatched_outline, Phrase::machine_atomic};
    case MachineOperation::barrier:
      return {Role::broadcast, Pattern::outline, Phrase::machine_barrier};
    default:
      return {Role::executed, Pattern::solid, Phrase::machine_load};
  }
}

class MachineCodePicture {
 public:
  MachineCodePicture(const MachineCode& code, const Options& options)
      : code_(code),
        builder_(options),
        limits_(multiprocessor_limits(code.arch)),
        fit_(metrics::occupancy(code.arch, {code.registers, code.shared_bytes, code.threads, code.barriers})) {
    count_ = code.instructions.size();
    while (count_ > 0 && is_nop(code.instructions[count_ - 1])) --count_;
    for (std::size_t i = 0; i < count_; ++i) {
      if (!code.instructions[i].label.empty()) rows_.push_back({i, true});
      rows_.push_back({i, false});
      if (known(code.instructions[i].line)) lines_.insert(code.instructions[i].line);
    }
    top_ = code.head ? head_height() : 0;
    shown_ = rows_.size();
    if (options.max_height > 0) cut_to(options.max_height);
    columns();
  }

  Scene draw() {
    Scene& scene = builder_.scene();
    scene.title = builder_.say(Phrase::machine_title);
    scene.subtitle = builder_.say(Phrase::machine_subtitle, code_.arch, count_);
    scene.caption = caption();
    head();
    for (std::size_t row = 0; row < shown_; ++row) instruction_row(row);
    path();
    float bottom = y_of(shown_);
    const auto note = [&](Phrase phrase, std::size_t what) {
      builder_.note(0, bottom + remark_height / 2, builder_.say(phrase, what), small_code);
      bottom += remark_height;
    };
    if (shown_ < rows_.size()) note(Phrase::machine_more, rows_.size() - shown_);
    if (const std::size_t filling = code_.instructions.size() - count_; filling > 0)
      note(Phrase::machine_filling, filling);
    legend();
    return builder_.finish(bottom);
  }

  float row_of(std::size_t instruction) const {
    for (std::size_t row = 0; row < rows_.size(); ++row)
      if (rows_[row].instruction == instruction && !rows_[row].is_label) return y_of(row);
    return 0;
  }

 private:
  struct Row {
    std::size_t instruction = 0;
    bool is_label = false;
  };
  struct Fact {
    std::string value;
    Phrase name{};
  };

  bool known(std::int32_t line) const { return line > 0 && static_cast<std::size_t>(line) <= code_.source.size(); }
  float y_of(std::size_t row) const { return top_ + code_pitch * static_cast<float>(row); }
  const MachineCode::Instruction& at(std::size_t row) const { return code_.instructions[rows_[row].instruction]; }
  // True if the row's instruction has the same line as the one before.
  bool goes_on(std::size_t row) const {
    return row > 0 && !rows_[row].is_label && known(at(row).line) && at(row).line == at(row - 1).line;
  }

  std::vector<Fact> facts() const {
    std::vector<Fact> all{{std::to_string(code_.registers), Phrase::machine_registers},
                          {grouped(code_.shared_bytes), Phrase::machine_shared}};
    if (!fit_) return all;
    all.push_back({std::to_string(fit_->blocks), Phrase::machine_blocks});
    all.push_back({percent(fit_->fraction, 1), Phrase::machine_occupancy});
    return all;
  }
  int facts_a_row() const { return builder_.width() >= 600 ? 4 : builder_.width() >= 300 ? 2 : 1; }
  bool has_bar() const { return fit_ && limits_ && fit_->blocks > 0; }

  float head_height() const {
    const auto count = static_cast<float>(facts().size()), a_row = static_cast<float>(facts_a_row());
    return fact_height * std::ceil(count / a_row) + (has_bar() ? warps_height + remark_height + 4 : 0) +
           (code_.local_bytes > 0 ? remark_height : 0) + 8;
  }

  // Limits the rows and the notes below to this height. If only a few rows fit, the head is dropped, because the
  // caption has most of it.
  void cut_to(float height) {
    const auto rows_in = [&](float room) { return static_cast<std::size_t>(std::max(0.0f, room / code_pitch)); };
    const float rest = height - 2 * remark_height;
    if (rows_in(rest - top_) < std::min<std::size_t>(shown_, 4)) top_ = 0;
    shown_ = std::min(shown_, std::max<std::size_t>(1, rows_in(rest - top_)));
  }

  void head() {
    if (top_ == 0) return;
    const int a_row = facts_a_row();
    const Columns places(0, builder_.width(), a_row, code_gap);
    float y = 0;
    int column = 0;
    for (const Fact& fact : facts()) {
      if (column == a_row) column = 0, y += fact_height;
      const float x = places.x(column++);
      builder_.label(x, y + 8, fact.value, 15, Role::text, Align::left, Face::mono).strong = true;
      if (std::string name = fitted(builder_.say(fact.name), places.cell, small_code); !name.empty())
        builder_.label(x, y + 25, std::move(name), small_code);
    }
    y += fact_height;
    if (has_bar()) {
      warps(y);
      y += warps_height + remark_height + 4;
    }
    if (code_.local_bytes > 0)
      builder_.note(0, y + 6, builder_.say(Phrase::machine_local, code_.local_bytes), small_code);
  }

  // A multiprocessor's warps as a bar, one segment per block.
  void warps(float y) {
    const auto all = static_cast<float>(limits_->warps);
    const float unit = builder_.width() / all;
    const auto of_block = static_cast<float>(fit_->warps) / static_cast<float>(fit_->blocks);
    for (int block = 0; block < fit_->blocks; ++block) {
      const float x = unit * of_block * static_cast<float>(block), width = unit * of_block;
      builder_.rect(x, y, std::max(0.5f, width - std::min(1.5f, width / 4)), warps_height, Role::dim);
    }
    const float used = unit * static_cast<float>(fit_->warps);
    if (builder_.width() - used > 1)
      builder_.rect(used, y, builder_.width() - used, warps_height, Role::dim, Pattern::dashed);
    builder_.note(0, y + warps_height + 10, builder_.say(Phrase::machine_warps, fit_->warps, limits_->warps),
                  small_code);
  }

  void columns() {
    const float width = builder_.width();
    const std::string widest = lines_.empty() ? "0" : std::to_string(*lines_.rbegin());
    number_ = 5 + text_width(widest, small_code, Face::mono);
    const bool lines = !lines_.empty();
    source_ = lines && width >= 480 ? std::clamp(width * 0.36f, 150.0f, 420.0f) : 0;
    strip_ = lines ? std::clamp(width * 0.08f, 18.0f, 64.0f) : 0;
    const std::string last = count_ == 0 ? "" : address(code_.instructions[count_ - 1]);
    address_ = width >= 340 ? text_width(last, small_code, Face::mono) + code_gap : 0;
    strip_x_ = number_ + (source_ > 0 ? source_ + code_gap : 0) + code_gap;
    text_x_ = strip_x_ + strip_ + code_gap + address_;
    // Uses a smaller size if an instruction would lose its operands.
    float longest = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      const MachineCode::Instruction& one = code_.instructions[i];
      const std::string whole = one.predicate + (one.predicate.empty() ? "" : " ") + one.text;
      longest = std::max(longest, text_width(whole, code_size, Face::mono));
    }
    const float room = width - 2 - text_x_;
    size_ = longest <= room ? code_size : std::clamp(code_size * room / longest, least_code, code_size);
  }
  static std::string address(const MachineCode::Instruction& instruction) {
    return fmt::format("{:04x}", instruction.address);
  }

  // The x position of a line in the strip: later lines of the code are further right.
  float strip_at(std::int32_t line) const {
    const auto rank = static_cast<float>(std::distance(lines_.begin(), lines_.find(line)));
    const float most = std::max(1.0f, static_cast<float>(lines_.size()) - 1);
    return strip_x_ + 3 + (strip_ - 6) * rank / most;
  }

  std::uint32_t tag_of(const MachineCode::Instruction& instruction, MachineOperation operation) {
    const Say& say = builder_.say;
    Tag tag;
    tag.text = instruction.predicate + (instruction.predicate.empty() ? "" : " ") + instruction.text;
    if (operation != MachineOperation::other) tag.text += " · " + say(emphasis_of(operation).meaning);
    tag.text += "\n";
    if (known(instruction.line)) {
      tag.line = instruction.line;
      tag.text += say(Phrase::machine_source_line, std::to_string(instruction.line),
                      without_indent(code_.source[static_cast<std::size_t>(instruction.line) - 1]));
    } else {
      tag.text += say(Phrase::machine_no_line);
    }
    return builder_.tag(std::move(tag));
  }

  void instruction_row(std::size_t row) {
    const MachineCode::Instruction& instruction = at(row);
    const float y = y_of(row), centre = y + code_pitch / 2;
    const bool is_label = rows_[row].is_label;
    const bool of_step = !is_label && code_.step_line > 0 && instruction.line == code_.step_line;
    const MachineOperation operation = is_label ? MachineOperation::other : machine_operation(instruction.text);
    used_.insert(operation);
    Rect& ground = builder_.rect(0, y, builder_.width(), code_pitch, of_step ? Role::selected : Role::panel,
                                 Pattern::solid, is_label ? 0 : tag_of(instruction, operation));
    ground.radius = 0;
    if (of_step && code_.step_ptx_line > 0 && instruction.ptx_line == code_.step_ptx_line)
      builder_.rect(0, y, 3, code_pitch, Role::accent).radius = 0;
    if (is_label) {
      std::string name = fitted(instruction.label + ":", builder_.width() - text_x_, size_, Face::mono);
      if (!name.empty()) builder_.label(text_x_, centre, std::move(name), size_, Role::dim, Align::left, Face::mono);
      return;
    }
    if (known(instruction.line) && !goes_on(row)) source_line(instruction.line, centre);
    if (address_ > 0)
      builder_.label(text_x_ - code_gap, centre, address(instruction), small_code, Role::dim, Align::right, Face::mono);
    code_text(instruction, operation, y);
  }

  void source_line(std::int32_t line, float centre) {
    builder_.label(number_, centre, std::to_string(line), small_code, Role::text, Align::right, Face::mono);
    if (source_ <= 0) return;
    const bool first = named_.insert(line).second;
    std::string text =
        fitted(without_indent(code_.source[static_cast<std::size_t>(line) - 1]), source_, small_code, Face::mono);
    if (!text.empty())
      builder_.label(number_ + code_gap, centre, std::move(text), small_code, first ? Role::text : Role::dim,
                     Align::left, Face::mono);
  }

  void code_text(const MachineCode::Instruction& instruction, MachineOperation operation, float y) {
    const float centre = y + code_pitch / 2, right = builder_.width() - 2;
    float x = text_x_;
    const auto write = [&](const std::string& text, Role role, bool on_role) {
      std::string shown = x < right ? fitted(text, right - x, size_, Face::mono) : std::string();
      if (shown.empty()) return;
      Label& label = builder_.label(x, centre, std::move(shown), size_, role, Align::left, Face::mono);
      label.on_role = on_role;
      x += text_width(text, size_, Face::mono);
    };
    if (!instruction.predicate.empty()) write(instruction.predicate + " ", Role::dim, false);
    const std::string opcode(opcode_of(instruction.text));
    if (operation != MachineOperation::other && x + 12 < right) {
      const Emphasis look = emphasis_of(operation);
      const float width = std::min(text_width(opcode, size_, Face::mono) + 8, right - x + 4);
      builder_.rect(x - 4, y + 1.5f, width, code_pitch - 3, look.role, look.pattern);
      write(opcode, look.pattern == Pattern::solid ? look.role : Role::text, look.pattern == Pattern::solid);
    } else {
      write(opcode, Role::text, false);
    }
    if (opcode.size() == instruction.text.size()) return;
    x += text_width(" ", size_, Face::mono);
    write(instruction.text.substr(opcode.size() + 1), Role::dim, false);
  }

  // The path through the source: a dot per instruction, further right for later lines.
  void path() {
    float x_before = -1, y_before = 0;
    for (std::size_t row = 0; row < shown_; ++row) {
      if (rows_[row].is_label || !known(at(row).line)) continue;
      const float x = strip_at(at(row).line), y = y_of(row) + code_pitch / 2;
      if (x_before >= 0) builder_.line(x_before, y_before, x, y, Role::dim).alpha = 0.45f;
      const bool of_step = at(row).line == code_.step_line;
      builder_.rect(x - 2.5f, y - 2.5f, 5, 5, of_step ? Role::accent : Role::dim).radius = 2.5f;
      x_before = x, y_before = y;
    }
  }

  void legend() {
    std::vector<LegendItem> items;
    for (const MachineOperation operation : used_)
      if (operation != MachineOperation::other) {
        const Emphasis look = emphasis_of(operation);
        items.push_back({look.role, look.pattern, builder_.say(look.meaning)});
      }
    builder_.legend(std::move(items));
  }

  std::string caption() const {
    const Say& say = builder_.say;
    if (count_ == 0) return say(Phrase::machine_none);
    return say.then(order(), fitting());
  }

  std::string order() const {
    std::map<std::int32_t, int> places;
    std::int32_t before = 0;
    bool ascending = true;
    for (std::size_t i = 0; i < count_; ++i) {
      const std::int32_t line = code_.instructions[i].line;
      if (!known(line) || line == before) continue;
      ascending &= line > before;
      ++places[line];
      before = line;
    }
    const Say& say = builder_.say;
    if (places.size() < 2) return places.empty() ? "" : say(Phrase::machine_one_line);
    const auto apart = std::ranges::count_if(places, [](const auto& place) { return place.second > 1; });
    if (apart > 0) return say(Phrase::machine_apart, apart, places.size());
    return say(ascending ? Phrase::machine_in_order : Phrase::machine_moved, places.size());
  }

  std::string fitting() const {
    if (!fit_) return "";
    const Say& say = builder_.say;
    const Phrase limit = fit_->limit == Limit::warps       ? Phrase::limit_of_warps
                         : fit_->limit == Limit::blocks    ? Phrase::limit_of_blocks
                         : fit_->limit == Limit::registers ? Phrase::limit_of_registers
                         : fit_->limit == Limit::barriers  ? Phrase::limit_of_barriers
                                                           : Phrase::limit_of_shared;
    if (fit_->blocks == 0) return say(Phrase::machine_does_not_fit, say(limit));
    return say(Phrase::machine_fits, fit_->blocks, say(limit));
  }

  const MachineCode& code_;
  Builder builder_;
  const std::optional<MultiprocessorLimits> limits_;
  const std::optional<metrics::Occupancy> fit_;
  std::size_t count_ = 0;  // instructions without the NOPs at the end
  std::vector<Row> rows_;
  std::set<std::int32_t> lines_, named_;
  std::set<MachineOperation> used_;
  std::size_t shown_ = 0;
  float top_ = 0, number_ = 0, source_ = 0, strip_ = 0, strip_x_ = 0, address_ = 0, text_x_ = 0, size_ = code_size;
};

}  // namespace

// Opcode names from the instruction set reference in "CUDA Binary Utilities".
MachineOperation machine_operation(std::string_view instruction) {
  std::string_view name = opcode_of(instruction);
  name = name.substr(0, name.find('.'));
  const auto among = [&](std::initializer_list<std::string_view> names) {
    return std::ranges::find(names, name) != names.end();
  };
  if (among({"LD", "LDG", "LDL", "LDS", "LDSM"})) return MachineOperation::load;
  if (among({"ST", "STG", "STL", "STS", "STSM"})) return MachineOperation::store;
  if (among({"LDGSTS"})) return MachineOperation::copy;
  if (among({"ATOM", "ATOMG", "ATOMS", "RED", "REDG"})) return MachineOperation::atomic;
  if (among({"BAR"})) return MachineOperation::barrier;
  return MachineOperation::other;
}

Scene machine_code(const MachineCode& code, const Options& options) {
  if (code.instructions.empty())
    return sentence_only(options, Say(options.language)(Phrase::machine_title), Phrase::machine_none);
  return MachineCodePicture(code, options).draw();
}

float machine_code_row(const MachineCode& code, std::size_t instruction, const Options& options) {
  return MachineCodePicture(code, options).row_of(instruction);
}

}  // namespace lanescope::diagram
