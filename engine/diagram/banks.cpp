// A shared-memory access: 32 columns, one per bank; the words that a bank must serve are stacked in it, so the height
// of the highest stack is the number of wavefronts. An access to other blocks' shared memory has such columns for each
// block; there the stacks show addresses only, because no counter tells how such a request is served.

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "core/cluster_shared.h"
#include "core/clusters.h"
#include "diagram/lane_state.h"
#include "diagram/views.h"
#include "fmt/format.h"
#include "metrics/request_cost.h"

namespace lanescope::diagram {
namespace {

using trace::Operation;
using trace::WarpEvent;

constexpr std::uint64_t word_bytes = MemoryModel::bank_bytes;
constexpr int banks_count = MemoryModel::banks;

struct Word {
  std::uint64_t index = 0;  // address ÷ 4
  LaneMask lanes;
};

// The lanes that are served together, and the words that each bank serves for them, ascending. For an access to other
// blocks: the lanes that access one of them, and their words.
struct Phase {
  LaneMask lanes, executed;
  std::uint32_t rank = 0, block = 0;  // of the block that is accessed, if it is another one
  std::array<std::vector<Word>, banks_count> words;
  std::size_t degree() const {
    std::size_t most = 0;
    for (const auto& bank : words) most = std::max(most, bank.size());
    return most;
  }
};

// `alone`: lanes do not share a word, but each has one of its own.
void add_words(Phase& phase, int lane, std::uint64_t address, int width, bool alone) {
  const std::uint64_t last = (address + static_cast<unsigned>(width) - 1) / word_bytes;
  for (std::uint64_t index = address / word_bytes; index <= last; ++index) {
    auto& bank = phase.words[index % banks_count];
    const auto at = alone ? std::ranges::upper_bound(bank, index, {}, &Word::index)
                          : std::ranges::lower_bound(bank, index, {}, &Word::index);
    if (!alone && at != bank.end() && at->index == index) {
      at->lanes = at->lanes | LaneMask::lane(lane);
    } else {
      bank.insert(at, {index, LaneMask::lane(lane)});
    }
  }
}

std::vector<Phase> phases_of_event(const trace::Trace& trace, const WarpEvent& event) {
  const trace::Site& site = trace.sites[event.site];
  const int width = site.width;
  const auto addresses = trace.lane_addresses(event);
  const metrics::Phases served = metrics::phases_of(site);
  const int count = metrics::phase_count(addresses, event.executed, width, served);
  const bool alone = metrics::serves_each_lane(served, event.executed);
  std::vector<Phase> phases(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < phases.size(); ++i) {
    Phase& phase = phases[i];
    phase.lanes = metrics::phase_lanes(static_cast<int>(i), count);
    phase.executed = phase.lanes & event.executed;
    phase.executed.for_each([&](int lane) { add_words(phase, lane, addresses[lane], width, alone); });
  }
  return phases;
}

// One element for each other block that the lanes access, by rank.
std::vector<Phase> blocks_of_event(const trace::Trace& trace, const WarpEvent& event) {
  const int width = trace.sites[event.site].width;
  const auto addresses = trace.lane_addresses(event);
  const Clusters clusters{trace.launch.grid, trace.launch.cluster};
  std::vector<Phase> blocks;
  event.executed.for_each([&](int lane) {
    const auto rank = static_cast<std::uint32_t>(cluster_shared::rank_of(addresses[lane]));
    auto at = std::ranges::lower_bound(blocks, rank, {}, &Phase::rank);
    if (at == blocks.end() || at->rank != rank) {
      at = blocks.insert(at, Phase{});
      at->rank = rank;
      at->block = clusters.block(clusters.cluster(event.block), rank);
    }
    at->executed = at->lanes = at->lanes | LaneMask::lane(lane);
    add_words(*at, lane, cluster_shared::within_block(addresses[lane]), width, false);
  });
  return blocks;
}

// ---- the sentence ----------------------------------------------------------------------------------

std::string wavefronts_of(const Say& say, const metrics::RequestCost& cost) {
  const std::uint32_t conflicts = cost.bank_conflicts();
  return say(Phrase::wavefronts_and_conflicts, cost.wavefronts,
             conflicts == 0 ? say(Phrase::no_conflict) : say(Phrase::of_them_conflicts, conflicts));
}

std::string wide_caption(const Say& say, const metrics::RequestCost& cost, int width, LaneMask executed,
                         std::size_t phases) {
  const int lanes = MemoryModel::lanes / static_cast<int>(phases);
  const int usual = MemoryModel::banks * MemoryModel::bank_bytes / (width <= 8 ? 8 : 16);
  const bool joined = lanes > usual;
  const std::string why = joined ? say(Phrase::wide_joined, lanes, usual) : std::string();
  if (cost.bank_conflicts() > 0)
    return say.then(
        say(Phrase::wide_conflicts, width, lanes, cost.wavefronts, cost.ideal_wavefronts, cost.bank_conflicts()), why);
  const Phrase fewest = executed.full() && !joined ? Phrase::wide_fewest_full : Phrase::wide_fewest_these;
  return say.then(say(fewest, width, lanes, cost.wavefronts), why);
}

std::string caption_of(const Say& say, const trace::Site& site, const WarpEvent& event,
                       const std::vector<Phase>& phases, const metrics::RequestCost& cost) {
  const int lanes = event.executed.count();
  if (lanes == 0) return say(Phrase::no_wavefront);
  if (site.width > 4) return wide_caption(say, cost, site.width, event.executed, phases.size());
  const std::size_t degree = phases[0].degree();
  if (degree > 1) {
    const bool even =
        std::ranges::all_of(phases[0].words, [&](const auto& bank) { return bank.empty() || bank.size() == degree; });
    const auto in_use = std::ranges::count_if(phases[0].words, [](const auto& bank) { return !bank.empty(); });
    const bool turns = metrics::serves_each_lane(metrics::phases_of(site), event.executed);
    const Phrase which = in_use == 1 ? turns ? Phrase::one_bank_takes_turns : Phrase::one_bank_serves
                         : even      ? turns ? Phrase::every_bank_takes_turns : Phrase::every_bank_serves
                         : turns     ? Phrase::fullest_bank_takes_turns
                                     : Phrase::fullest_bank_serves;
    return say(which, degree, wavefronts_of(say, cost));
  }
  if (lanes == 1) return say(Phrase::one_lane_one_bank);
  std::size_t words = 0;
  for (const auto& bank : phases[0].words) words += bank.size();
  const bool load = site.operation == Operation::load, atomic = trace::is_atomic(site.operation);
  if (words == 1)
    return say(load ? Phrase::all_read_word : atomic ? Phrase::all_update_word : Phrase::all_write_word, lanes);
  if (words == static_cast<std::size_t>(lanes)) return say(Phrase::own_bank);
  return say(load ? Phrase::meet_and_read : atomic ? Phrase::meet_and_update : Phrase::meet_and_write);
}

// ---- the picture -----------------------------------------------------------------------------------

class BanksPicture {
 public:
  BanksPicture(const trace::Site& site, const WarpEvent& event, std::vector<Phase> phases,
               const metrics::RequestCost& cost, const Options& options)
      : site_(site),
        phases_(std::move(phases)),
        of_blocks_(event.space == trace::MemorySpace::distributed),
        in_turns_(metrics::serves_each_lane(metrics::phases_of(site), event.executed)),
        builder_(options) {
    if (of_blocks_) {
      say_addresses(event);
      lay_out(options.max_height);
      return;
    }
    Scene& scene = builder_.scene();
    const Say& say = builder_.say;
    scene.title = say(Phrase::banks_title);
    scene.subtitle = wavefronts_of(say, cost);
    scene.caption = caption_of(say, site, event, phases_, cost);
    lay_out(options.max_height);
  }

  Scene draw() {
    float y = 0;
    for (std::size_t i = 0; i < phases_.size(); ++i) {
      const Phase& phase = phases_[i];
      if (phases_.size() > 1 || of_blocks_) {
        const float centre = y + cell_height_ / 2;
        builder_.label(0, centre, name_of(phase), 11, Role::dim, Align::left, Face::mono);
        if (phase.executed.empty()) builder_.note(left_, centre, builder_.say(Phrase::phase_not_executed), 11);
      }
      if (phase.executed.empty()) {
        y += cell_height_ + 8;
        continue;
      }
      // One row of bank numbers is enough for all phases, unless the banks are folded into several rows.
      const bool numbers = banks_a_row_ < banks_count || i + 1 == phases_.size() || phases_[i + 1].executed.empty();
      for (int first = 0; first < banks_count; first += banks_a_row_) y = stack(phase, first, y, numbers);
    }
    return builder_.finish(y);
  }

 private:
  static constexpr float gap = 2, axis_height = 20, more_height = 14;

  void say_addresses(const WarpEvent& event) {
    const Say& say = builder_.say;
    Scene& scene = builder_.scene();
    scene.title = say(Phrase::distributed_title);
    scene.subtitle = say(Phrase::addresses_only);
    scene.caption = event.executed.empty() ? say(Phrase::no_wavefront)
                                           : say(Phrase::distributed_caption, event.executed.count(), phases_.size());
  }

  std::string name_of(const Phase& phase) const {
    return of_blocks_ ? builder_.say(Phrase::rank_number, phase.rank) : builder_.say.lanes_named(phase.lanes);
  }

  // Number of rows in a stack of banks.
  std::size_t depth_of(const Phase& phase, int first_bank) const {
    std::size_t depth = 1;
    for (int bank = first_bank; bank < first_bank + banks_a_row_; ++bank)
      depth = std::max(depth, phase.words[bank].size());
    return depth;
  }

  void lay_out(float max_height) {
    left_ = phases_.size() > 1 ? text_width(builder_.say(Phrase::lane_numbers, "16–23"), 11, Face::mono) + 8 : 0;
    if (of_blocks_ && !phases_.empty()) left_ = text_width(name_of(phases_.back()), 11, Face::mono) + 8;
    const float room = builder_.width() - left_;
    while (banks_a_row_ > 8 && room / static_cast<float>(banks_a_row_) < 12.4f) banks_a_row_ /= 2;
    std::vector<std::size_t> depths;  // depth of each stack
    for (const Phase& phase : phases_)
      for (int first = 0; first < banks_count; first += banks_a_row_) depths.push_back(depth_of(phase, first));
    const std::size_t rows = std::accumulate(depths.begin(), depths.end(), std::size_t{0});
    const float broad = std::clamp(room / static_cast<float>(banks_a_row_) * 0.8f, 17.0f, 26.0f);
    cell_height_ = rows <= 12 ? broad : rows <= 20 ? 14.0f : 11.0f;
    most_rows_ = rows;
    if (max_height <= 0) return;
    const auto height = [&] {
      float all = axis_height * static_cast<float>(depths.size());
      for (const std::size_t depth : depths)
        all += static_cast<float>(std::min(depth, most_rows_)) * (cell_height_ + gap) +
               (depth > most_rows_ ? more_height : 0);
      return all;
    };
    // A complete stack of low cells is better than a part of one of high cells. If it is still too tall, only its
    // lowest rows are drawn.
    for (const float low : {11.0f, 9.0f, 7.0f, 5.0f, 4.0f})
      if (height() > max_height) cell_height_ = std::min(cell_height_, low);
    if (height() <= max_height) return;
    cell_height_ = 11;
    while (most_rows_ > 1 && height() > max_height) --most_rows_;
  }

  // Draws a row of banks with their words; returns the y position of the next one.
  float stack(const Phase& phase, int first_bank, float y, bool numbers) {
    const Columns at(left_, builder_.width() - left_, banks_a_row_, gap);
    const std::size_t depth = depth_of(phase, first_bank), rows = std::min(depth, most_rows_);
    const float top = y + (rows < depth ? more_height : 0), pitch = cell_height_ + gap;
    for (std::size_t row = 0; row < rows; ++row) {
      const float cell_y = top + pitch * static_cast<float>(rows - 1 - row);
      for (int i = 0; i < banks_a_row_;) {
        const int span = words_together(phase, first_bank + i, first_bank + banks_a_row_, row);
        const float width = at.x(i + std::max(span, 1) - 1) + at.cell - at.x(i);
        if (span == 0) {
          builder_.rect(at.x(i), cell_y, width, cell_height_, Role::raised);
        } else {
          words(phase, first_bank + i, span, row, at.x(i), cell_y, width);
        }
        i += std::max(span, 1);
      }
    }
    for (int i = 0; i < banks_a_row_; ++i) {
      const float centre = at.x(i) + at.cell / 2;
      const std::size_t held = phase.words[first_bank + i].size();
      if (held > rows) {
        Label& more =
            builder_.label(centre, y + more_height / 2 - 1, fmt::format("+{}", held - rows),
                           std::min(9.0f, at.cell * 0.55f), of_blocks_ ? Role::dim : Role::conflict, Align::centre);
        more.strong = true;
      }
      const int every = banks_a_row_ == banks_count ? 4 : 2;
      if (numbers && i % every == 0) {
        builder_.label(centre, top + pitch * static_cast<float>(rows) + 6, std::to_string(first_bank + i), 10,
                       Role::dim, Align::centre, Face::mono);
      }
    }
    return top + pitch * static_cast<float>(rows) + (numbers ? axis_height : gap * 2);
  }

  // Number of banks from `bank` on whose words in this row belong to the same lane's access; they are drawn as one. 0:
  // no word.
  static int words_together(const Phase& phase, int bank, int end, std::size_t row) {
    const auto word_in = [&](int of) { return row < phase.words[of].size() ? &phase.words[of][row] : nullptr; };
    const Word* first = word_in(bank);
    if (first == nullptr) return 0;
    int span = 1;
    if (first->lanes.count() > 1) return span;
    while (bank + span < end) {
      const Word* next = word_in(bank + span);
      if (next == nullptr || next->lanes != first->lanes || next->index != first->index + static_cast<unsigned>(span))
        break;
      ++span;
    }
    return span;
  }

  void words(const Phase& phase, int bank, int span, std::size_t row, float x, float y, float width) {
    const Word& word = phase.words[bank][row];
    const bool shared = word.lanes.count() > 1;
    Tag tag;
    tag.first_byte = word.index * word_bytes;
    tag.bytes = word_bytes * static_cast<unsigned>(span);
    if (!shared) tag.lane = word.lanes.lowest();
    const Say& say = builder_.say;
    if (of_blocks_) tag.text = say(Phrase::tag_rank, phase.rank, phase.block) + " · ";
    tag.text += span == 1 ? say(Phrase::tag_bank, bank) : say(Phrase::tag_banks, bank, bank + span - 1);
    tag.text += " · " + say(Phrase::tag_access, hex(tag.first_byte), say(Phrase::byte_count, tag.bytes));
    tag.text += " · " + say.lanes_named(word.lanes);
    if (shared && !of_blocks_)
      tag.text += " · " + say(site_.operation == Operation::load ? Phrase::tag_broadcast : Phrase::tag_one_wavefront);
    if (row > 0 && !of_blocks_)
      tag.text += " · " + say(in_turns_ ? Phrase::tag_waits_for_lanes : Phrase::tag_waits_for_words, row);
    const Role role = of_blocks_ ? Role::used_word
                      : row > 0  ? Role::conflict
                      : shared   ? Role::broadcast
                                 : Role::used_word;
    const Rect cell = builder_.rect(x, y, width, cell_height_, role, Pattern::solid, builder_.tag(std::move(tag)));
    builder_.users(cell, word.lanes);
  }

  const trace::Site& site_;
  std::vector<Phase> phases_;
  bool of_blocks_ = false;  // an access to other blocks' shared memory
  bool in_turns_ = false;   // a bank serves each lane by itself
  Builder builder_;
  int banks_a_row_ = banks_count;
  std::size_t most_rows_ = 0;
  float left_ = 0, cell_height_ = 17;
};

}  // namespace

Scene banks(const trace::Trace& trace, const WarpEvent& event, const Options& options) {
  const bool of_blocks = event.space == trace::MemorySpace::distributed;
  if (event.kind != trace::EventKind::memory || (event.space != trace::MemorySpace::shared && !of_blocks))
    return sentence_only(options, Say(options.language)(Phrase::banks_title), Phrase::not_shared);
  const trace::Site& site = trace.sites[event.site];
  if (of_blocks) return BanksPicture(site, event, blocks_of_event(trace, event), {}, options).draw();
  return BanksPicture(site, event, phases_of_event(trace, event), metrics::cost(trace, event), options).draw();
}

}  // namespace lanescope::diagram
