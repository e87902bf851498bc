// Every picture: golden text, properties of all pictures, and agreement of pictures and numbers.

#include "diagram/views.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "diagram/words.h"
#include "gallery.h"
#include "golden.h"
#include "metrics/request_cost.h"
#include "scene_text.h"
#include "unit/trace/random_trace.h"

namespace lanescope::diagram {
namespace {

using test::Example;
using test::gallery;
using test::one_access;
using test::OneAccess;

Options options_for(const Example& example, float width) {
  Options options;
  options.width = width;
  if (example.name.starts_with("film")) options.max_height = 150;
  return options;
}

// ---- golden ----------------------------------------------------------------------------------------

TEST(DiagramGolden, ScenesAsText) {
  std::map<std::string, std::string> files;  // by view
  for (const Example& example : gallery()) {
    // The curve of a running sum has hundreds of short lines; its SVG shows it better. `machine_long` has hundreds of
    // rows of one kind.
    if (example.name.starts_with("running_sum") || example.name.starts_with("machine_long")) continue;
    const std::string view = example.name.substr(0, example.name.find('_'));
    files[view] += fmt::format("--- {}\n{}\n", example.name, test::to_text(example.draw(options_for(example, 520))));
  }
  for (const auto& [view, text] : files) lanescope::test::expect_golden("diagram/" + view + ".txt", text);
}

TEST(DiagramGolden, Svg) {
  const std::map<std::string, Theme> chosen{{"sectors_offset_1", Theme::dark}, {"banks_double_stride_2", Theme::light},
                                            {"shuffle_down_8", Theme::dark},   {"lanes_guarded", Theme::light},
                                            {"machine_stride", Theme::light},  {"machine_every_kind", Theme::dark},
                                            {"running_sum_half", Theme::dark}};
  std::size_t seen = 0;
  for (const Example& example : gallery()) {
    const auto found = chosen.find(example.name);
    if (found == chosen.end()) continue;
    ++seen;
    lanescope::test::expect_golden("diagram/" + example.name + ".svg",
                                   to_svg(example.draw(options_for(example, 360)), found->second));
  }
  EXPECT_EQ(seen, chosen.size());
}

// LANESCOPE_PICTURES=FOLDER in the environment: writes every example as SVG, for people to look at.
TEST(DiagramGolden, PicturesForPeople) {
  const char* folder = std::getenv("LANESCOPE_PICTURES");
  for (const Example& example : gallery()) {
    for (const auto& [name, theme] : {std::pair{"dark", Theme::dark}, {"light", Theme::light}}) {
      for (const float width : {360.f, 520.f, 900.f}) {
        const std::string svg = to_svg(example.draw(options_for(example, width)), theme);
        EXPECT_TRUE(svg.starts_with("<svg"));
        if (folder == nullptr) continue;
        const std::string file = fmt::format("{}_{:.0f}_{}.svg", example.name, width, name);
        lanescope::test::write_file(std::filesystem::path(folder) / file, svg);
      }
    }
  }
}

// ---- properties of all pictures -----------------------------------------------------------------

struct Box {
  float left, top, right, bottom;
};

Box box_of(const Label& label) {
  const float width = text_width(label.text, label.size, label.face);
  const float left = label.align == Align::left     ? label.x
                     : label.align == Align::centre ? label.x - width / 2
                                                    : label.x - width;
  return {left, label.y - label.size * 0.36f, left + width, label.y + label.size * 0.36f};
}

void expect_sound(const Scene& scene, float width) {
  EXPECT_LE(scene.width, std::max(width, 160.0f));
  EXPECT_FALSE(scene.caption.empty() && scene.height == 0);
  constexpr float slack = 1.5f;
  for (const Rect& rect : scene.rects) {
    EXPECT_GE(rect.x, -slack);
    EXPECT_GE(rect.y, -slack);
    EXPECT_LE(rect.x + rect.width, scene.width + slack);
    EXPECT_LE(rect.y + rect.height, scene.height + slack);
    EXPECT_GT(rect.width, 0);
    EXPECT_GT(rect.height, 0);
    EXPECT_LE(rect.tag, scene.tags.size());
  }
  for (const Line& line : scene.lines) {
    for (const float x : {line.x0, line.x1}) EXPECT_TRUE(x >= -slack && x <= scene.width + slack) << x;
    for (const float y : {line.y0, line.y1}) EXPECT_TRUE(y >= -slack && y <= scene.height + slack) << y;
  }
  std::vector<Box> boxes;
  for (const Label& label : scene.labels) {
    EXPECT_FALSE(label.text.empty());
    EXPECT_GE(label.size, 7);
    const Box box = box_of(label);
    EXPECT_GE(box.left, -slack) << label.text;
    EXPECT_LE(box.right, scene.width + slack) << label.text;
    EXPECT_GE(box.top, -slack) << label.text;
    EXPECT_LE(box.bottom, scene.height + slack) << label.text;
    boxes.push_back(box);
  }
  // No two texts overlap.
  std::vector<std::size_t> order(boxes.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::sort(order, {}, [&](std::size_t i) { return boxes[i].top; });
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t j = i + 1; j < order.size() && boxes[order[j]].top < boxes[order[i]].bottom - 1; ++j) {
      const Box &a = boxes[order[i]], &b = boxes[order[j]];
      EXPECT_FALSE(a.left < b.right - 1 && b.left < a.right - 1)
          << scene.labels[order[i]].text << " and " << scene.labels[order[j]].text;
    }
  }
  for (const Tag& tag : scene.tags) EXPECT_FALSE(tag.text.empty());
}

TEST(Diagram, SoundAtEveryWidth) {
  for (const Example& example : gallery()) {
    for (const float width : {100.f, 240.f, 360.f, 437.f, 520.f, 700.f, 900.f, 1400.f}) {
      SCOPED_TRACE(fmt::format("{} at {}", example.name, width));
      expect_sound(example.draw(options_for(example, width)), width);
      if (HasFailure()) return;
    }
  }
}

TEST(Diagram, KeepsToTheHeightItIsGiven) {
  for (const Example& example : gallery()) {
    if (example.name.starts_with("lanes") || example.name.starts_with("groups")) continue;  // a row, or six
    for (const float height : {150.f, 240.f, 400.f}) {
      Options options;
      options.width = 520;
      options.max_height = height;
      const Scene scene = example.draw(options);
      SCOPED_TRACE(fmt::format("{} in {}", example.name, height));
      EXPECT_LE(scene.height, height + 12);
      expect_sound(scene, 520);
      if (HasFailure()) return;
    }
  }
}

TEST(Diagram, SoundForAnyTrace) {
  std::mt19937 random(3);
  for (std::uint64_t seed = 100; seed < 130; ++seed) {
    const trace::Trace trace = trace::test::random_trace(seed, 3, 12);
    const float width = 200 + static_cast<float>(random() % 900);
    Options options{width, random() % 2 ? 0 : 120 + static_cast<float>(random() % 300)};
    const auto check = [&](const char* view, const Scene& scene) {
      SCOPED_TRACE(fmt::format("{} seed {} width {} height {}", view, seed, width, options.max_height));
      expect_sound(scene, width);
    };
    for (const trace::WarpEvent& event : trace.events) {
      check("lanes", lanes(trace, event, options));
      check("sectors", sectors(trace, event, options));
      check("banks", banks(trace, event, options));
      check("shuffle", shuffle(trace, event, {}, {}, options));
      check("atomics", atomics(trace, event, options));
      check("block_lanes", block_lanes(trace, event.block, event.warp, 0, options));
      check("film", film(trace, event.block, event.warp, event.sequence, options));
      if (HasFailure()) return;
    }
  }
}

// Every instruction except the NOPs at the end has a row that names its line. Rows are in the order of the code.
TEST(Diagram, MachineCodeHasARowForEveryInstruction) {
  const MachineCode code = test::stride_code();
  const Scene scene = machine_code(code, {});
  EXPECT_EQ(scene.tags.size(), 15u);
  float before = 0;
  for (std::size_t i = 0; i < 15; ++i) {
    EXPECT_EQ(scene.tags[i].line, code.instructions[i].line);
    EXPECT_TRUE(scene.tags[i].text.find(code.instructions[i].text) != std::string::npos) << scene.tags[i].text;
    const float y = machine_code_row(code, i, {});
    EXPECT_GT(y, before);
    before = y;
    const auto rect = std::ranges::find(scene.rects, static_cast<std::uint32_t>(i + 1), &Rect::tag);
    ASSERT_NE(rect, scene.rects.end());
    EXPECT_FLOAT_EQ(rect->y, y);
    EXPECT_EQ(rect->role == Role::selected, code.instructions[i].line == 6) << "the step's line";
  }
  EXPECT_EQ(std::ranges::count(scene.rects, Role::accent, &Rect::role), 4)
      << "a dot for each of the line, a bar for its PTX's own";
  MachineCode nothing;
  EXPECT_EQ(machine_code(nothing, {}).height, 0);
}

TEST(Diagram, MachineOperationsByName) {
  using enum MachineOperation;
  const std::pair<const char*, MachineOperation> cases[] = {{"LDG.E R2, desc[UR4][R2.64]", load},
                                                            {"LDC R1, c[0x0][0x28]", other},
                                                            {"LDS R0, [R1]", load},
                                                            {"STG.E desc[UR4][R4.64], R3", store},
                                                            {"STS.64 [R15], R2", store},
                                                            {"LDGSTS.E [R1], desc[UR4][R2.64]", copy},
                                                            {"RED.E.ADD.F32 [R2], R5", atomic},
                                                            {"ATOMS.ADD R0, [R1], R2", atomic},
                                                            {"BAR.SYNC 0x0", barrier},
                                                            {"LDGDEPBAR", other},
                                                            {"EXIT", other},
                                                            {"", other}};
  for (const auto& [text, operation] : cases) EXPECT_EQ(machine_operation(text), operation) << text;
}

TEST(Diagram, WhatAnEventIsNoSubjectForSaysSo) {
  const trace::Trace trace = one_access({});
  const trace::WarpEvent& barrier = trace.events[1];
  for (const Scene& scene :
       {sectors(trace, barrier, {}), banks(trace, barrier, {}), shuffle(trace, barrier, {}, {}, {}),
        atomics(trace, trace.events[0], {}), banks(trace, trace.events[0], {}), film(trace, 9, 9, 0, {}),
        block_lanes(trace, 0, 99, 0, {})}) {
    EXPECT_EQ(scene.height, 0);
    EXPECT_FALSE(scene.caption.empty());
  }
}

// ---- pictures and numbers --------------------------------------------------------------------------

std::size_t count(const Scene& scene, Role role, Pattern pattern = Pattern::solid) {
  return static_cast<std::size_t>(std::ranges::count_if(
      scene.rects, [&](const Rect& rect) { return rect.tag != 0 && rect.role == role && rect.pattern == pattern; }));
}

std::uint64_t bytes_of(const Scene& scene, std::initializer_list<Role> roles) {
  std::uint64_t bytes = 0;
  for (const Rect& rect : scene.rects)
    if (rect.tag != 0 && std::ranges::count(roles, rect.role) > 0) bytes += scene.tags[rect.tag - 1].bytes;
  return bytes;
}

OneAccess random_access(std::mt19937_64& random, trace::MemorySpace space) {
  OneAccess what;
  what.space = space;
  what.width = 1 << random() % 5;
  what.executed = {static_cast<std::uint32_t>(random() & random())};
  if (random() % 3 == 0) what.executed = LaneMask::all();
  what.active = what.executed;
  const std::uint64_t range = 1ull << (random() % 14);
  const bool aligned = random() % 4 != 0;
  for (int i = 0; i < what.executed.count(); ++i) {
    std::uint64_t address = 0x7f2000 + random() % range;
    if (aligned) address = address / static_cast<unsigned>(what.width) * static_cast<unsigned>(what.width);
    what.addresses.push_back(address);
  }
  return what;
}

TEST(Diagram, SectorsShowEveryByteOnce) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 300; ++round) {
    const trace::Trace trace = one_access(random_access(random, trace::MemorySpace::global));
    const metrics::RequestCost cost = metrics::cost(trace, trace.events[0]);
    const Scene scene = sectors(trace, trace.events[0], {});
    EXPECT_EQ(bytes_of(scene, {Role::used_word, Role::broadcast}), cost.bytes_requested);
    EXPECT_EQ(bytes_of(scene, {Role::used_word, Role::broadcast, Role::wasted}), cost.bytes_moved());
    const auto grounds =
        std::ranges::count_if(scene.rects, [](const Rect& rect) { return rect.role == Role::raised && rect.tag == 0; });
    EXPECT_EQ(grounds, cost.sectors);
  }
}

TEST(Diagram, BanksShowEveryWordOfEveryPhase) {
  std::mt19937_64 random(12);
  for (int round = 0; round < 300; ++round) {
    const trace::Trace trace = one_access(random_access(random, trace::MemorySpace::shared));
    const trace::WarpEvent& event = trace.events[0];
    const metrics::RequestCost cost = metrics::cost(trace, event);
    const Scene scene = banks(trace, event, {});
    // The picture has every word of a phase. It shows a conflict exactly if the numbers do.
    const int width = trace.sites[0].width;
    std::uint64_t words = 0;
    const int phases =
        metrics::phase_count(trace.lane_addresses(event), event.executed, width, metrics::phases_of(trace.sites[0]));
    for (int phase = 0; phase < phases; ++phase) {
      std::set<std::uint64_t> distinct;
      (event.executed & metrics::phase_lanes(phase, phases)).for_each([&](int lane) {
        for (int i = 0; i < width; ++i) distinct.insert((trace.address(event, lane) + static_cast<unsigned>(i)) / 4);
      });
      words += distinct.size();
    }
    EXPECT_EQ(bytes_of(scene, {Role::used_word, Role::broadcast, Role::conflict}), 4 * words);
    EXPECT_EQ(count(scene, Role::conflict) > 0, cost.bank_conflicts() > 0);
    EXPECT_TRUE(scene.subtitle.starts_with(grouped(cost.wavefronts) + " wavefront"));
  }
}

TEST(Diagram, BanksAreAsHighAsThereAreWavefronts) {
  for (const int stride : {1, 2, 4, 8, 16, 32, 33}) {
    OneAccess what;
    what.space = trace::MemorySpace::shared;
    what.first = 0;
    what.stride = 4 * stride;
    const trace::Trace trace = one_access(what);
    const Scene scene = banks(trace, trace.events[0], {});
    std::set<float> rows;
    for (const Rect& rect : scene.rects) rows.insert(rect.y);
    EXPECT_EQ(rows.size(), metrics::cost(trace, trace.events[0]).wavefronts) << stride;
  }
}

TEST(Diagram, AtomicsQueueAsDeepAsTheNumberSays) {
  std::mt19937_64 random(13);
  for (int round = 0; round < 100; ++round) {
    OneAccess what = random_access(random, trace::MemorySpace::global);
    what.operation = trace::Operation::atomic;
    const trace::Trace trace = one_access(what);
    const Scene scene = atomics(trace, trace.events[0], {});
    std::map<std::uint64_t, unsigned> lanes;
    for (const Rect& rect : scene.rects)
      if (rect.tag != 0) ++lanes[scene.tags[rect.tag - 1].first_byte];
    unsigned deepest = 0;
    for (const auto& [address, queue] : lanes) deepest = std::max(deepest, queue);
    EXPECT_EQ(deepest, metrics::cost(trace, trace.events[0]).serial_depth);
    EXPECT_EQ(count(scene, Role::executed), lanes.size());
  }
}

TEST(Diagram, ALaneAndItsBytesAreLinked) {
  const trace::Trace trace = one_access({});
  const Scene row = lanes(trace, trace.events[0], {}), map = sectors(trace, trace.events[0], {});
  std::map<int, std::uint64_t> of_lane;
  for (const Tag& tag : row.tags) of_lane[tag.lane] = tag.first_byte;
  for (const Tag& tag : map.tags) {
    ASSERT_GE(tag.lane, 0);
    EXPECT_EQ(of_lane.at(tag.lane), tag.first_byte);
    EXPECT_EQ(tag.bytes, 4u);
  }
}

TEST(Groups, HoldTheLanesThatTakePart) {
  const trace::Trace trace = test::one_shuffle([](int lane) { return lane + 4; }, LaneMask::first(20));
  const auto rows = group_rows(trace, trace.events[0], 8);
  const auto chosen = std::ranges::find(rows, true, &GroupRow::chosen);
  ASSERT_NE(chosen, rows.end());
  EXPECT_EQ(chosen->tile, 8);
  ASSERT_EQ(chosen->groups.size(), 3u) << "the last tile has no lane here";
  EXPECT_EQ(chosen->groups[0].bits, 0xffu);
  EXPECT_EQ(chosen->groups[2].bits, 0xf0000u);
  const Scene scene = groups(rows, {});
  EXPECT_EQ(scene.caption, "Tiles of 8: 20 lanes take part, in 3 tiles; a rank is a lane's place in its tile.");
  for (int tile = 1; tile <= 32; tile *= 2)
    EXPECT_EQ(std::ranges::count(group_rows(trace, trace.events[0], tile), true, &GroupRow::chosen), 1) << tile;
}

TEST(Groups, EveryRankOfARowIsWrittenOrNoneIs) {
  const trace::Trace trace = test::one_shuffle([](int lane) { return lane; }, LaneMask::all());
  for (float width = 300; width < 900; width += 7) {
    Options options;
    options.width = width;
    const auto rows = group_rows(trace, trace.events[0], 2);
    const Scene scene = groups(rows, options);
    std::map<float, int> written;  // by the y of their row
    for (const Label& label : scene.labels)
      if (label.strong && !label.text.starts_with("tile")) ++written[label.y];
    for (const auto& [y, ranks] : written) EXPECT_EQ(ranks, 32) << "at " << width << ", row at " << y;
  }
}

TEST(Groups, ARankIsALanesPlaceInItsTileWhoeverTakesPart) {
  const trace::Trace trace = test::one_shuffle([](int lane) { return lane; }, LaneMask{0xf0f0f0f0u});
  const Scene scene = groups(group_rows(trace, trace.events[0], 8), {});
  const auto of_lane_13 = [&] {
    std::string last;  // the last one wins; all rows give the same group size
    for (const Tag& tag : scene.tags)
      if (tag.lane == 13 && tag.text.ends_with("of 8")) last = tag.text;
    return last;
  };
  EXPECT_EQ(of_lane_13(), "lane 13 · group 1 · rank 5 of 8");
}

TEST(Groups, OfWhichNothingIsKnownAreThoseActiveTogether) {
  const trace::Trace trace = test::one_shuffle([](int lane) { return lane; }, LaneMask::first(20));
  const auto unknown = group_rows(trace, trace.events[0], 0);
  ASSERT_EQ(unknown.size(), 1u);
  EXPECT_EQ(unknown[0].groups, std::vector<LaneMask>{LaneMask::first(20)});
  EXPECT_EQ(groups(unknown, {}).caption, "One group of 20 lanes, with ranks 0 to 19.");

  test::TraceBuilder b({1, 1, 1}, {32, 1, 1});
  b.warp(0, 0).event(b.site(trace::EventKind::vote, "activemask.b32", 3), LaneMask{0xf0f0u});
  const trace::Trace vote = b.finish();
  ASSERT_EQ(group_rows(vote, vote.events[0], 32).size(), 1u) << "coalesced_threads() has no tiles";
}

// The words "stops at" are on the other side of the line than the exact sum.
TEST(RunningSum, TheWordOnTheStandstillLiesClearOfTheExactSum) {
  for (const double term : {1.0, 0.25}) {  // the exact sum is above the line, or still below it
    std::vector<double> values, terms;
    for (int i = 1; i <= 100; ++i) values.push_back(std::min(i, 40) * (term < 1 ? 1.0 : term)), terms.push_back(term);
    const Scene scene = running_sum(running_sum_of(values, terms, "half"), {});
    const auto word =
        std::ranges::find_if(scene.labels, [](const Label& label) { return label.text == "stops at 40"; });
    const auto dot = std::ranges::find(scene.rects, Role::conflict, &Rect::role);
    ASSERT_NE(word, scene.labels.end());
    ASSERT_NE(dot, scene.rects.end());
    EXPECT_EQ(word->y > dot->y + 5, term == 1.0) << term;
  }
}

TEST(Shuffle, ValuesBesideTheirRowDoNotOverlap) {
  const trace::Trace trace = test::one_shuffle([](int lane) { return lane + 4; }, LaneMask::all());
  for (const char* value : {"30720", "3072345", "-1.235e-9"})
    for (const float width : {420.0f, 516.0f, 700.0f}) {
      const std::vector<std::string> values(32, value);
      const Scene scene = shuffle(trace, trace.events[0], values, values, {width});
      std::vector<const Label*> shown;
      for (const Label& label : scene.labels)
        if (label.text == value) shown.push_back(&label);
      for (const Label* a : shown)
        for (const Label* b : shown) {
          if (a->x >= b->x || a->y != b->y) continue;
          EXPECT_GE(b->x - a->x, text_width(value, a->size, a->face)) << value << " at " << width;
        }
    }
}

TEST(Film, ClickingAColumnNamesItsStep) {
  const trace::Trace trace = test::modulo_reduction();
  const Scene scene = film(trace, 0, 0, 12, {900, 150});
  std::set<std::int64_t> steps;
  for (const Rect& rect : scene.rects) {
    ASSERT_NE(rect.tag, 0u);
    steps.insert(scene.tags[rect.tag - 1].step);
    if (rect.role == Role::selected) {
      EXPECT_EQ(scene.tags[rect.tag - 1].step, 12);
    }
  }
  EXPECT_EQ(steps.size(), trace.warp(0, 0).size());
  EXPECT_EQ(*steps.begin(), 0);
}

TEST(Banks, AQueueOf32IsSeenWholeIn260Pixels) {
  OneAccess column;
  column.space = trace::MemorySpace::shared, column.first = 0, column.stride = 128;
  const trace::Trace trace = one_access(column);
  Options options;
  options.width = 468, options.max_height = 260;
  const Scene scene = banks(trace, trace.warp(0, 0).front(), options);
  EXPECT_LE(scene.height, 261);
  EXPECT_EQ(count(scene, Role::conflict), 31u);
  EXPECT_EQ(count(scene, Role::used_word), 1u);
  options.max_height = 120;  // too narrow for all of it
  EXPECT_LT(count(banks(trace, trace.warp(0, 0).front(), options), Role::conflict), 31u);
}

TEST(Lanes, NumbersAreOfOneSizeAtEveryWidth) {
  const trace::Trace trace = one_access({});
  for (float width = 160; width < 700; width += 3.5f) {
    Options options;
    options.width = width;
    std::set<float> sizes;
    for (const Label& label : lanes(trace, trace.warp(0, 0).front(), options).labels) sizes.insert(label.size);
    EXPECT_LE(sizes.size(), 1u) << width;
  }
}

TEST(Lanes, ALaneThatNeverComesAgainHasExitedUnlessEventsAreMissing) {
  trace::Trace trace = test::modulo_reduction();
  const trace::WarpEvent last = trace.warp(0, 0).back();  // only lane 0 is left
  EXPECT_EQ(count(lanes(trace, last, {}), Role::exited, Pattern::dashed), 31u);
  EXPECT_EQ(count(lanes(trace, last, {}), Role::inactive), 0u);
  trace.events_dropped = 1;
  EXPECT_EQ(count(lanes(trace, last, {}), Role::exited, Pattern::dashed), 0u);
  EXPECT_EQ(count(lanes(trace, last, {}), Role::inactive), 31u);
}

}  // namespace
}  // namespace lanescope::diagram
