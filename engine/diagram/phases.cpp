// Blocks × phases of a grid-wide sync: bars of work, hatched where a block waits for others.

#include <algorithm>

#include "diagram/builder.h"
#include "diagram/views.h"

namespace lanescope::diagram {
namespace {

constexpr float row_pitch = 20, bar_height = 15, header = 18, least_phase_column = 44;

std::uint64_t work_in(const PhaseWork::Block& block, std::size_t phase) {
  return phase < block.work.size() ? block.work[phase] : 0;
}

class PhasesPicture {
 public:
  PhasesPicture(const PhaseWork& work, const Options& options) : work_(work), builder_(options) {
    longest_.resize(work.phases.size());
    working_.resize(work.phases.size());
    for (const PhaseWork::Block& block : work.blocks) {
      for (std::size_t phase = 0; phase < longest_.size(); ++phase) {
        longest_[phase] = std::max(longest_[phase], work_in(block, phase));
        working_[phase] += work_in(block, phase) > 0;
      }
    }
    Scene& scene = builder_.scene();
    const Say& say = builder_.say;
    scene.title = say(Phrase::phases_title);
    scene.subtitle = say(Phrase::phases_subtitle, work.blocks.size(), work.phases.size());
    scene.caption = caption();
    rows_ = work.blocks.size();
    if (options.max_height > 0 && header + row_pitch * static_cast<float>(rows_) > options.max_height) {
      rows_ = static_cast<std::size_t>(std::max(2.0f, (options.max_height - header) / row_pitch));
    }
    rows_ = std::min(rows_, work.blocks.size());
    columns();
  }

  Scene draw() {
    for (std::size_t row = 0; row < rows_; ++row) {
      const bool skipping = rows_ < work_.blocks.size() && row + 2 == rows_;
      // The first blocks, a row with the number of hidden blocks, and the last block.
      if (skipping) {
        const std::size_t hidden = work_.blocks.size() - rows_ + 1;
        builder_.note(left_, y_of(row) + bar_height / 2, builder_.say(Phrase::more_blocks, hidden));
      } else {
        block_row(row + 1 == rows_ ? work_.blocks.back() : work_.blocks[row], y_of(row));
      }
    }
    const float bottom = rows_ == 0 ? header : y_of(rows_ - 1) + bar_height + 4;
    for (std::size_t phase = 0; phase < x_.size(); ++phase) {
      builder_.label(x_[phase], header / 2 - 1, fitted(name_of(phase), width_[phase], 11), 11);
      if (phase + 1 < x_.size()) {
        const float x = x_[phase] + width_[phase] + gap / 2;
        builder_.line(x, header - 4, x, bottom, Role::accent, 2);
      }
    }
    const Say& say = builder_.say;
    std::vector<LegendItem> legend{{Role::executed, Pattern::solid, say(Phrase::works)}};
    if (waits_) legend.push_back({Role::exited, Pattern::hatched, say(Phrase::waits_for_others)});
    if (ends_) legend.push_back({Role::exited, Pattern::dashed, say(Phrase::has_no_work_left)});
    builder_.legend(std::move(legend));
    return builder_.finish(bottom);
  }

 private:
  static constexpr float gap = 10;

  float y_of(std::size_t row) const { return header + row_pitch * static_cast<float>(row); }

  // No block waits after the last sync.
  bool is_last(std::size_t phase) const { return phase + 1 == longest_.size(); }

  // A phase is as wide as the work of its longest block, but at least as wide as its name.
  void columns() {
    float widest = 0;
    for (const PhaseWork::Block& block : work_.blocks)
      widest =
          std::max(widest, text_width(builder_.say(Phrase::block_number, std::to_string(block.block)), 11, Face::mono));
    left_ = widest + 10;
    const auto count = static_cast<float>(longest_.size());
    const float room = builder_.width() - left_ - gap * std::max(0.0f, count - 1);
    const float least = std::min(least_phase_column, room / std::max(1.0f, count));
    double total = 0;
    for (const std::uint64_t longest : longest_) total += static_cast<double>(longest);
    float x = left_;
    for (const std::uint64_t longest : longest_) {
      const float share = total > 0 ? static_cast<float>(static_cast<double>(longest) / total) : 1 / count;
      x_.push_back(x);
      width_.push_back(least + share * (room - least * count));
      x += width_.back() + gap;
    }
  }

  void block_row(const PhaseWork::Block& block, float y) {
    builder_.label(0, y + bar_height / 2, builder_.say(Phrase::block_number, std::to_string(block.block)), 11,
                   Role::dim, Align::left, Face::mono);
    for (std::size_t phase = 0; phase < x_.size(); ++phase) {
      const std::uint64_t work = work_in(block, phase);
      const float share = longest_[phase] == 0
                              ? 0
                              : static_cast<float>(static_cast<double>(work) / static_cast<double>(longest_[phase]));
      const float busy = width_[phase] * share, idle = width_[phase] - busy;
      Tag tag;
      const Say& say = builder_.say;
      tag.text = say(Phrase::block_number, std::to_string(block.block)) + " · " + name_of(phase) + " · " +
                 (work > 0         ? say(Phrase::memory_requests, work)
                  : is_last(phase) ? say(Phrase::tag_done)
                                   : say(Phrase::tag_waits));
      const std::uint32_t number = builder_.tag(std::move(tag));
      if (busy > 0)
        builder_.rect(x_[phase], y, std::max(2.0f, busy), bar_height, Role::executed, Pattern::solid, number);
      if (idle > 3) {
        builder_.rect(x_[phase] + busy + (busy > 0 ? 2 : 0), y, idle - (busy > 0 ? 2 : 0), bar_height, Role::exited,
                      is_last(phase) ? Pattern::dashed : Pattern::hatched, number);
        (is_last(phase) ? ends_ : waits_) = true;
      }
    }
  }

  std::string name_of(std::size_t phase) const {
    const bool chinese =
        builder_.say.language() == Language::chinese && phase < work_.chinese.size() && !work_.chinese[phase].empty();
    const std::string& name = chinese ? work_.chinese[phase] : work_.phases[phase];
    return name.empty() ? builder_.say(Phrase::phase_number, phase + 1) : name;
  }

  std::string caption() const {
    const Say& say = builder_.say;
    const std::size_t blocks = work_.blocks.size();
    if (blocks == 0 || longest_.empty()) return say(Phrase::no_block_shown);
    const auto lonely = std::ranges::find_if(working_, [&](std::size_t working) { return working < blocks; });
    if (lonely == working_.end()) return say(blocks == 1 ? Phrase::only_block_works : Phrase::all_blocks_work, blocks);
    const auto phase = static_cast<std::size_t>(lonely - working_.begin());
    const std::string when = phase == 0   ? say(Phrase::in_phase, name_of(0))
                             : phase == 1 ? say(Phrase::after_first_sync)
                                          : say(Phrase::after_sync, phase);
    if (*lonely == 0)
      return is_last(phase) ? say(Phrase::work_until_last_sync, blocks) : say(Phrase::no_block_works, when, blocks);
    return say(is_last(phase) ? Phrase::some_blocks_end : Phrase::some_blocks_work, when, *lonely, blocks,
               blocks - *lonely);
  }

  const PhaseWork& work_;
  Builder builder_;
  std::vector<std::uint64_t> longest_;  // most work of any block, per phase
  std::vector<std::size_t> working_;    // blocks with any work, per phase
  std::vector<float> x_, width_;
  std::size_t rows_ = 0;
  bool waits_ = false, ends_ = false;  // what the idle parts of the drawn bars mean
  float left_ = 0;
};

}  // namespace

Scene phases(const PhaseWork& work, const Options& options) {
  return PhasesPicture(work, options).draw();
}

}  // namespace lanescope::diagram
