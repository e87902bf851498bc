// Atomic operations of one request: lanes with the same address queue there.

#include <algorithm>
#include <map>
#include <vector>

#include "diagram/lane_state.h"
#include "diagram/views.h"
#include "metrics/request_cost.h"

namespace lanescope::diagram {
namespace {

using trace::Operation;
using trace::WarpEvent;

struct Queue {
  std::uint64_t address = 0;
  LaneMask lanes;
};

std::vector<Queue> queues_of(const trace::Trace& trace, const WarpEvent& event) {
  std::map<std::uint64_t, LaneMask> queues;
  event.executed.for_each([&](int lane) {
    LaneMask& lanes = queues[trace.address(event, lane)];
    lanes = lanes | LaneMask::lane(lane);
  });
  std::vector<Queue> result;
  for (const auto& [address, lanes] : queues) result.push_back({address, lanes});
  return result;
}

int deepest(const std::vector<Queue>& queues) {
  int depth = 0;
  for (const Queue& queue : queues) depth = std::max(depth, queue.lanes.count());
  return depth;
}

// ---- the sentence ----------------------------------------------------------------------------------

// If elements are smaller than a word: how many lanes the fullest 4-byte word has, and how many words there are.
std::string words_sentence(const Say& say, const std::vector<Queue>& queues, int width) {
  if (width >= MemoryModel::bank_bytes) return "";
  std::map<std::uint64_t, int> words;
  for (const Queue& queue : queues) words[queue.address / MemoryModel::bank_bytes] += queue.lanes.count();
  if (words.size() == queues.size()) return "";
  int most = 0;
  for (const auto& [word, lanes] : words) most = std::max(most, lanes);
  return say(width == 2 ? Phrase::halves_share_word : Phrase::neighbours_share_word, most, words.size());
}

std::string caption_of(const Say& say, const std::vector<Queue>& queues, LaneMask executed, int width) {
  const int depth = deepest(queues), lanes = executed.count();
  if (lanes == 0) return say(Phrase::nothing_updated);
  if (lanes == 1) return say(Phrase::one_lane_one_address);
  if (depth > 1 && queues.size() == 1) return say(Phrase::all_on_one_address, lanes);
  const bool even = std::ranges::all_of(queues, [&](const Queue& queue) { return queue.lanes.count() == depth; });
  const Phrase lead = depth == 1 ? Phrase::own_address : even ? Phrase::even_queues : Phrase::uneven_queues;
  return say.then(say(lead, lanes, queues.size(), depth), words_sentence(say, queues, width));
}

// ---- the picture ------------------------------------------------------------------------------------

class AtomicsPicture {
 public:
  AtomicsPicture(const trace::Trace& trace, const WarpEvent& event, const Options& options)
      : site_(trace.sites[event.site]),
        queues_(queues_of(trace, event)),
        builder_(options),
        max_height_(options.max_height) {
    Scene& scene = builder_.scene();
    const Say& say = builder_.say;
    scene.title = say(Phrase::atomics_title);
    scene.subtitle = say(Phrase::addresses, site_.opcode, queues_.size());
    scene.caption = caption_of(say, queues_, event.executed, site_.width);
    if (const metrics::RequestCost cost = metrics::cost(trace, event);
        event.space == trace::MemorySpace::shared && deepest(queues_) == 1 && cost.bank_conflicts() > 0)
      scene.caption = say.then(scene.caption, say(Phrase::atomics_in_banks, cost.wavefronts, cost.bank_conflicts()));
    if (queues_.size() > 1)
      differ_ = (static_cast<std::size_t>(std::bit_width(queues_.front().address ^ queues_.back().address)) + 3) / 4;
  }

  // A few long queues are drawn as rows, many short ones as columns.
  Scene draw() { return deepest(queues_) > 12 ? lying() : standing(); }

 private:
  std::string address_text(const Queue& queue, std::size_t digits) const {
    const std::string whole = hex(queue.address);
    const std::size_t shown = std::max(digits, differ_);
    return whole.size() <= shown + 2 ? whole : "…" + whole.substr(whole.size() - shown);
  }

  void lane_cell(const Queue& queue, int lane, int place, float x, float y, float width, float height, bool in_words) {
    Tag tag;
    tag.lane = lane;
    tag.first_byte = queue.address;
    tag.bytes = site_.width;
    const Say& say = builder_.say;
    tag.text = say(Phrase::lane_number, lane) + " · " + hex(queue.address) + " · " +
               (place == 0 ? say(Phrase::tag_queue_one) : say(Phrase::tag_queue_waits, place));
    const Rect cell = builder_.rect(x, y, width, height, place == 0 ? Role::executed : Role::conflict, Pattern::solid,
                                    builder_.tag(std::move(tag)));
    const std::string widest = say(Phrase::lane_number, widest_lane);
    if (in_words && text_width(widest, 9.5f) <= width - 1.5f) {
      builder_.in_cell(cell, say(Phrase::lane_number, lane), 11, widest);
    } else {
      builder_.in_cell(cell, std::to_string(lane), 11, widest_lane);
    }
  }

  Scene standing() {
    constexpr float plate_height = 20, cell_gap = 3, column_gap = 6, row_gap = 14;
    // Every column needs room for a lane's number.
    const auto most = static_cast<std::size_t>((builder_.width() + column_gap) / (22 + column_gap));
    const std::size_t columns = std::min(queues_.size(), std::max<std::size_t>(1, most));
    const float cell_height = 20;
    const float width =
        columns == 0 ? 0 : std::min(96.0f, Columns(0, builder_.width(), static_cast<int>(columns), column_gap).cell);
    float y = 0;
    std::size_t first = 0;
    for (; first < queues_.size(); first += columns) {
      const std::size_t end = std::min(queues_.size(), first + columns);
      const std::vector<Queue> row(queues_.begin() + static_cast<std::ptrdiff_t>(first),
                                   queues_.begin() + static_cast<std::ptrdiff_t>(end));
      const int depth = deepest(row);
      const float height =
          (depth > 1 ? 18.0f : 0.0f) + (cell_height + cell_gap) * static_cast<float>(depth) + plate_height + 2;
      if (max_height_ > 0 && first > 0 && y + height > max_height_) break;
      const float plate_y = y + height - plate_height;
      for (std::size_t i = 0; i < row.size(); ++i) {
        const float x = (width + column_gap) * static_cast<float>(i);
        queue_standing(row[i], x, plate_y, width, cell_height, cell_gap, plate_height);
      }
      y += height + row_gap;
    }
    y = std::max(0.0f, y - row_gap);
    if (first < queues_.size()) {
      builder_.note(0, y + 12, builder_.say(Phrase::more_addresses, queues_.size() - first));
      y += 20;
    }
    return builder_.finish(y);
  }

  void queue_standing(const Queue& queue, float x, float plate_y, float width, float cell_height, float cell_gap,
                      float plate_height) {
    int place = 0;
    queue.lanes.for_each([&](int lane) {
      const float y = plate_y - (cell_height + cell_gap) * static_cast<float>(place + 1) - 2;
      lane_cell(queue, lane, place, x, y, width, cell_height, true);
      ++place;
    });
    if (place > 1) {
      const float y = plate_y - (cell_height + cell_gap) * static_cast<float>(place) - 10;
      const std::string words = builder_.say(Phrase::deep, place);
      const bool room = text_width(words, 11) <= width;
      Label& depth =
          builder_.label(x + width / 2, y, room ? words : std::to_string(place), 11, Role::conflict, Align::centre);
      depth.strong = true;
    }
    builder_.rect(x, plate_y, width, plate_height, Role::raised);
    for (const std::size_t digits : {12u, 6u, 4u, 3u, 2u}) {
      const std::string text = address_text(queue, digits);
      if (text_width(text, 10, Face::mono) > width - 2) continue;
      builder_.label(x + width / 2, plate_y + plate_height / 2, text, 10, Role::dim, Align::centre, Face::mono);
      break;
    }
  }

  Scene lying() {
    float left = 0;
    for (const Queue& queue : queues_) left = std::max(left, text_width(address_text(queue, 6), 11, Face::mono));
    left += 10;
    const float right = text_width(builder_.say(Phrase::deep, MemoryModel::lanes), 11) + 8;
    const float room = builder_.width() - left - right;
    int columns = MemoryModel::lanes;
    while (columns > 8 && room / static_cast<float>(columns) < 14) columns /= 2;
    const Columns at(left, room, columns, 2);
    const float height = std::clamp(at.cell, 16.0f, 28.0f);
    float y = 0;
    std::size_t shown = 0;
    for (const Queue& queue : queues_) {
      const int rows = (queue.lanes.count() + columns - 1) / columns;
      const float queue_height = (height + 2) * static_cast<float>(rows);
      if (max_height_ > 0 && shown > 0 && y + queue_height > max_height_) break;
      ++shown;
      builder_.label(0, y + height / 2, address_text(queue, 6), 11, Role::dim, Align::left, Face::mono);
      int place = 0;
      queue.lanes.for_each([&](int lane) {
        const float cell_y = y + (height + 2) * static_cast<float>(place / columns);
        lane_cell(queue, lane, place, at.x(place % columns), cell_y, at.cell, height, false);
        ++place;
      });
      if (place > 1) {
        Label& depth = builder_.label(builder_.width(), y + height / 2, builder_.say(Phrase::deep, place), 11,
                                      Role::conflict, Align::right);
        depth.strong = true;
      }
      y += queue_height + 6;
    }
    y = std::max(0.0f, y - 8);
    if (shown < queues_.size()) {
      builder_.note(0, y + 12, builder_.say(Phrase::more_addresses, queues_.size() - shown));
      y += 20;
    }
    return builder_.finish(y);
  }

  const trace::Site& site_;
  std::vector<Queue> queues_;
  Builder builder_;
  float max_height_;
  std::size_t differ_ = 0;  // low digits in which the addresses differ
};

}  // namespace

Scene atomics(const trace::Trace& trace, const WarpEvent& event, const Options& options) {
  const bool atomic = event.kind == trace::EventKind::memory && trace::is_atomic(trace.sites[event.site].operation);
  if (!atomic) return sentence_only(options, Say(options.language)(Phrase::atomics_title), Phrase::not_atomic);
  return AtomicsPicture(trace, event, options).draw();
}

}  // namespace lanescope::diagram
