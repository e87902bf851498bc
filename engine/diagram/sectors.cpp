// A global or local access: the lines it touches, their sectors, the lanes that use each byte, and the bytes moved for
// nothing.

#include <algorithm>
#include <bit>
#include <vector>

#include "diagram/lane_state.h"
#include "diagram/views.h"
#include "metrics/request_cost.h"

namespace lanescope::diagram {
namespace {

using trace::Operation;
using trace::WarpEvent;

constexpr std::uint64_t line_bytes = MemoryModel::line_bytes, sector_bytes = MemoryModel::sector_bytes;
constexpr int sectors_a_line = MemoryModel::line_bytes / MemoryModel::sector_bytes;
constexpr float least_cell_pitch = 12.4f, address_size = 11, box_gap = 6, cell_gap = 1.5f, margin = 3, row_gap = 3;

// One access in units of `unit` bytes: 1, 2 or 4, the largest that no lane's range splits.
class Access {
 public:
  Access(const trace::Trace& trace, const WarpEvent& of)
      : event(of), site(trace.sites[of.site]), addresses(trace.lane_addresses(of)), cost(metrics::cost(trace, of)) {
    std::uint64_t bits = site.width | 4u;
    event.executed.for_each([&](int lane) { bits |= addresses[lane]; });
    unit = 1u << std::countr_zero(bits);
    event.executed.for_each([&](int lane) {
      for (std::uint32_t offset = 0; offset < site.width; offset += unit) {
        const std::uint64_t address = addresses[lane] + offset;
        lines.push_back(address / line_bytes);
        used.push_back({address, LaneMask::lane(lane)});
      }
    });
    std::ranges::sort(lines);
    lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
    std::ranges::sort(used, {}, &Used::address);
    merge();
  }

  struct Used {
    std::uint64_t address = 0;
    LaneMask lanes;
  };
  LaneMask users(std::uint64_t address) const {
    const auto at = std::ranges::lower_bound(used, address, {}, &Used::address);
    return at != used.end() && at->address == address ? at->lanes : LaneMask::none();
  }
  bool moves(std::uint64_t sector) const {
    const auto at = std::ranges::lower_bound(used, sector * sector_bytes, {}, &Used::address);
    return at != used.end() && at->address / sector_bytes == sector;
  }
  std::uint32_t sectors_of(std::uint64_t line) const {
    std::uint32_t count = 0;
    for (int i = 0; i < sectors_a_line; ++i) count += moves(line * sectors_a_line + static_cast<unsigned>(i));
    return count;
  }

  const WarpEvent& event;
  const trace::Site& site;
  std::array<std::uint64_t, 32> addresses;
  metrics::RequestCost cost;
  std::uint32_t unit = 4;
  std::vector<std::uint64_t> lines;  // ascending
  std::vector<Used> used;            // ascending, one per unit that some lane requests

 private:
  void merge() {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < used.size(); ++i) {
      if (kept > 0 && used[kept - 1].address == used[i].address) {
        used[kept - 1].lanes = used[kept - 1].lanes | used[i].lanes;
      } else {
        used[kept++] = used[i];
      }
    }
    used.resize(kept);
  }
};

// ---- the sentence ----------------------------------------------------------------------------------

// The number of lanes per sector if it is the same for all sectors and no lane uses two; else 0.
int lanes_a_sector(const Access& access) {
  std::vector<std::uint64_t> sectors;
  bool straddles = false;
  access.event.executed.for_each([&](int lane) {
    sectors.push_back(access.addresses[lane] / sector_bytes);
    straddles |= (access.addresses[lane] % sector_bytes) + access.site.width > sector_bytes;
  });
  if (straddles) return 0;
  std::ranges::sort(sectors);
  int same = 0;
  for (std::size_t begin = 0; begin < sectors.size();) {
    std::size_t end = begin;
    while (end < sectors.size() && sectors[end] == sectors[begin]) ++end;
    const int lanes = static_cast<int>(end - begin);
    if (same != 0 && lanes != same) return 0;
    same = lanes;
    begin = end;
  }
  return same;
}

Phrase all_the_same(Operation operation) {
  switch (operation) {
    case Operation::store:
      return Phrase::all_write_same;
    case Operation::atomic:
    case Operation::reduction:
      return Phrase::all_update_same;
    default:
      return Phrase::all_read_same;
  }
}

std::string lead_of(const Say& say, const Access& access) {
  const metrics::RequestCost& cost = access.cost;
  const int lanes = access.event.executed.count();
  if (lanes == 1) return say(Phrase::one_lane_alone);
  if (cost.serial_depth == static_cast<std::uint32_t>(lanes))
    return say(all_the_same(access.site.operation), lanes, cost.bytes_requested);
  if (cost.bytes_requested == cost.bytes_moved()) return say(Phrase::every_byte_used);
  const std::uint64_t first = access.used.front().address, end = access.used.back().address + access.unit;
  const bool in_a_row = end - first == cost.bytes_requested;
  if (in_a_row && cost.sectors == cost.ideal_sectors + 1 && first % sector_bytes != 0)
    return say(Phrase::one_sector_more, first % sector_bytes);
  const int sharing = lanes_a_sector(access);
  if (sharing == 1) return say(Phrase::own_sector);
  if (cost.sectors == cost.ideal_sectors) return say(Phrase::no_fewer_sectors);
  if (sharing > 1 && cost.sectors > 1) return say(Phrase::lanes_share_sector, sharing);
  return say(Phrase::lanes_touch_sectors, lanes, cost.sectors, cost.ideal_sectors);
}

std::string caption_of(const Say& say, const Access& access) {
  const metrics::RequestCost& cost = access.cost;
  if (access.event.executed.empty()) return say(Phrase::nothing_asked);
  const std::string moved = say(Phrase::asked_and_moved, lead_of(say, access), cost.bytes_requested, cost.bytes_moved(),
                                percent(cost.bytes_requested, cost.bytes_moved()));
  const bool atomic = trace::is_atomic(access.site.operation);
  return atomic && cost.serial_depth > 1 ? say.then(moved, say(Phrase::atomics_take_turns, cost.serial_depth)) : moved;
}

// ---- the picture -----------------------------------------------------------------------------------

class SectorsPicture {
 public:
  SectorsPicture(const Access& access, const Options& options) : access_(access), builder_(options) {
    Scene& scene = builder_.scene();
    const Say& say = builder_.say;
    scene.title = say(Phrase::sectors_title);
    scene.caption = caption_of(say, access);
    // Neighbouring words that only one lane requests are joined into one cell.
    const std::string cell = access.site.width > access.unit ? say(Phrase::bytes_a_lane, access.site.width)
                             : access.unit == 4              ? say(Phrase::cell_is_word)
                                                             : say(Phrase::cell_is_bytes, access.unit);
    scene.subtitle = say(Phrase::lines_and_sectors, access.lines.size(), access.cost.sectors, cell);
    lay_out(options.max_height);
  }

  Scene draw() {
    float y = 0;
    for (std::size_t i = 0; i < shown_; ++i) y += line(access_.lines[i], y) + line_gap_;
    if (shown_ > 0) y -= line_gap_;
    if (shown_ < access_.lines.size()) {
      std::uint64_t hidden = 0;
      for (std::size_t i = shown_; i < access_.lines.size(); ++i) hidden += access_.sectors_of(access_.lines[i]);
      builder_.note(left_, y + 12, builder_.say(Phrase::more_lines, access_.lines.size() - shown_, hidden));
      y += 20;
    }
    return builder_.finish(y);
  }

 private:
  // Addresses are shortened to the digits in which the lines differ, but to at least six.
  std::string address_text(std::uint64_t address) const {
    const std::string whole = hex(address);
    if (digits_ == 0 || whole.size() <= digits_ + 2) return whole;
    return "…" + whole.substr(whole.size() - digits_);
  }

  void lay_out(float max_height) {
    const std::size_t lines = access_.lines.size();
    if (lines > 0) {
      const std::uint64_t differ = (access_.lines.front() ^ access_.lines.back()) * line_bytes;
      digits_ = std::max<std::size_t>(6, (static_cast<std::size_t>(std::bit_width(differ)) + 3) / 4);
      float widest = 0;
      for (const std::uint64_t line : {access_.lines.front(), access_.lines.back()})
        widest = std::max(widest, text_width(address_text(line * line_bytes), address_size, Face::mono));
      left_ = widest + 10;
    }
    const float room = builder_.width() - left_;
    const int cells_a_sector = static_cast<int>(sector_bytes / access_.unit);
    const auto pitch = [&](int sectors, int cells) {
      const auto s = static_cast<float>(sectors);
      return (room - box_gap * (s - 1) - 2 * margin * s) / (s * static_cast<float>(cells));
    };
    // A count needs more room than a lane's number.
    const bool shared =
        std::ranges::any_of(access_.used, [](const Access::Used& used) { return used.lanes.count() > 1; });
    const float least = shared && lines <= 8 ? 18 : access_.unit < 4 ? 16 : least_cell_pitch;
    cells_a_row_ = cells_a_sector;
    for (sectors_a_row_ = sectors_a_line; sectors_a_row_ > 1; sectors_a_row_ /= 2)
      if (pitch(sectors_a_row_, cells_a_row_) >= least) break;
    while (cells_a_row_ > 8 && pitch(sectors_a_row_, cells_a_row_) < least) cells_a_row_ /= 2;
    // Limits the width of cells in a wide picture.
    cell_pitch_ = std::min(pitch(sectors_a_row_, cells_a_row_), 44.0f);
    box_width_ = cell_pitch_ * static_cast<float>(cells_a_row_) - cell_gap + 2 * margin;

    // Many lines are drawn smaller and closer together.
    const int cell_rows = cells_a_sector / cells_a_row_, box_rows = sectors_a_line / sectors_a_row_;
    const auto set_cell_height = [&](float height) {
      cell_height_ = height;
      margin_y_ = height >= 15 ? 3 : 2;
      box_height_ = (height + cell_gap) * static_cast<float>(cell_rows) - cell_gap + 2 * margin_y_;
      line_gap_ = box_rows > 1 ? 9 : height >= 18 ? 7 : height >= 15 ? 5 : 3;
    };
    const std::size_t rows = lines * static_cast<std::size_t>(box_rows * cell_rows);
    set_cell_height(rows <= 8 ? std::clamp(cell_pitch_ * 1.4f, 20.0f, 34.0f) : rows <= 16 ? 16.0f : 12.0f);
    shown_ = lines;
    if (max_height <= 0 || height_of(lines) <= max_height) return;
    set_cell_height(std::min(cell_height_, 12.0f));
    if (height_of(lines) <= max_height) return;
    while (shown_ > 1 && height_of(shown_) + 20 > max_height) --shown_;
  }

  // The height of the first `count` lines.
  float height_of(std::size_t count) const {
    float height = 0;
    for (std::size_t i = 0; i < count; ++i) height += line_height(access_.lines[i]) + line_gap_;
    return height - line_gap_;
  }
  float line_height(std::uint64_t line) const {
    float height = 0;
    for (int first = 0; first < sectors_a_line; first += sectors_a_row_) height += row_height(line, first) + row_gap;
    return height - row_gap;
  }
  // A row of sectors that do not move is drawn as a thin strip.
  float row_height(std::uint64_t line, int first) const {
    for (int i = first; i < first + sectors_a_row_; ++i)
      if (access_.moves(line * sectors_a_line + static_cast<unsigned>(i))) return box_height_;
    return 6;
  }

  // Draws one line and returns its height.
  float line(std::uint64_t line, float y) {
    const float middle = y + row_height(line, 0) / 2;
    builder_.label(0, std::max(middle, y + 6), address_text(line * line_bytes), address_size, Role::dim, Align::left,
                   Face::mono);
    float row_y = y;
    for (int first = 0; first < sectors_a_line; first += sectors_a_row_) {
      const float height = row_height(line, first);
      for (int i = 0; i < sectors_a_row_; ++i) {
        const float x = left_ + (box_width_ + box_gap) * static_cast<float>(i);
        box(line * sectors_a_line + static_cast<unsigned>(first + i), x, row_y, height);
      }
      row_y += height + row_gap;
    }
    return row_y - row_gap - y;
  }

  void box(std::uint64_t sector, float x, float y, float height) {
    if (!access_.moves(sector)) {
      Rect& empty = builder_.rect(x, y, box_width_, height, Role::line, Pattern::dashed);
      empty.radius = std::min(4.0f, height / 2);
      return;
    }
    Rect& ground = builder_.rect(x, y, box_width_, box_height_, Role::raised);
    ground.radius = 4;
    const int cells = static_cast<int>(sector_bytes / access_.unit);
    for (int cell = 0; cell < cells;) {
      const std::uint64_t address = sector * sector_bytes + static_cast<unsigned>(cell) * access_.unit;
      const LaneMask users = access_.users(address);
      // Words that only one lane requests become one cell.
      int last = cell;
      if (users.count() == 1)
        while (last + 1 < cells && (last + 1) % cells_a_row_ != 0 &&
               access_.users(address + static_cast<unsigned>(last + 1 - cell) * access_.unit) == users)
          ++last;
      word(address, cell, last, users, x, y);
      cell = last + 1;
    }
  }

  void word(std::uint64_t address, int first, int last, LaneMask users, float box_x, float box_y) {
    const float x = box_x + margin + cell_pitch_ * static_cast<float>(first % cells_a_row_);
    const float y = box_y + margin_y_ + (cell_height_ + cell_gap) * static_cast<float>(first / cells_a_row_);
    const float width = cell_pitch_ * static_cast<float>(last - first + 1) - cell_gap;
    Tag tag;
    tag.first_byte = address;
    tag.bytes = static_cast<unsigned>(last - first + 1) * access_.unit;
    const Say& say = builder_.say;
    tag.text = hex(address) + " · " + say(Phrase::byte_count, tag.bytes);
    if (users.empty()) {
      tag.text += " · " + say(Phrase::role_wasted);
      builder_.rect(x, y, width, cell_height_, Role::wasted, Pattern::hatched, builder_.tag(std::move(tag)));
      return;
    }
    tag.text += " · " + say.lanes_named(users);
    const bool shared = users.count() > 1;
    if (!shared) tag.lane = users.lowest();
    const Role role = shared ? Role::broadcast : Role::used_word;
    const Rect cell = builder_.rect(x, y, width, cell_height_, role, Pattern::solid, builder_.tag(std::move(tag)));
    builder_.users(cell, users);
  }

  const Access& access_;
  Builder builder_;
  std::size_t digits_ = 0, shown_ = 0;
  int sectors_a_row_ = sectors_a_line, cells_a_row_ = 8;
  float margin_y_ = 3, left_ = 0, cell_pitch_ = 0, cell_height_ = 20, box_width_ = 0, box_height_ = 0, line_gap_ = 7;
};

}  // namespace

Scene sectors(const trace::Trace& trace, const WarpEvent& event, const Options& options) {
  const bool moves = event.space == trace::MemorySpace::global || event.space == trace::MemorySpace::local;
  if (event.kind != trace::EventKind::memory || !moves)
    return sentence_only(options, Say(options.language)(Phrase::sectors_title), Phrase::not_global);
  const Access access(trace, event);
  return SectorsPicture(access, options).draw();
}

}  // namespace lanescope::diagram
