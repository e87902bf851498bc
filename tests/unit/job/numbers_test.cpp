// Numbers of marked lines and steps, on a hand-made trace.

#include "job/run/numbers.h"

#include <gtest/gtest.h>

namespace lanescope::job {
namespace {

using lesson::NumberReference;

// Line 3 loads from shared memory; line 5 loads and stores globally. Two warps; the second has 8 lanes.
constexpr const char* source =
    "__global__ void k() {\n"
    "  // @phase add\n"
    "  shared load;  // @add\n"
    "  // @phase copy\n"
    "  global load and store;  // @both\n"
    "}\n";

trace::Site site(std::uint32_t id, int line, trace::MemorySpace space, trace::Operation operation) {
  trace::Site made;
  made.id = id;
  made.kind = trace::EventKind::memory;
  made.space = space;
  made.operation = operation;
  made.width = made.element_width = 4;
  made.line = line;
  made.file = "k.cu";
  return made;
}

trace::WarpEvent event(std::uint32_t site, std::uint16_t warp, std::uint32_t sequence, trace::MemorySpace space,
                       int lanes, std::int32_t stride) {
  trace::WarpEvent made;
  made.site = site;
  made.warp = warp;
  made.sequence = sequence;
  made.kind = trace::EventKind::memory;
  made.space = space;
  made.active = made.executed = LaneMask::first(lanes);
  made.stride = stride;
  made.first_address = 0x1000;
  return made;
}

trace::Trace made_trace() {
  using trace::MemorySpace, trace::Operation;
  trace::Trace trace;
  trace.launch.block = {40, 1, 1};
  trace.sites = {site(0, 3, MemorySpace::shared, Operation::load), site(1, 5, MemorySpace::global, Operation::load),
                 site(2, 5, MemorySpace::global, Operation::store)};
  // Warp 0 adds three times, with strides of 1, 2 and 4 words: degrees 1, 2 and 4. Warp 1 adds once with 8 lanes and
  // once with none, since their guard is false. Between two executions is the entry of a basic block.
  trace.events = {event(0, 0, 1, MemorySpace::shared, 32, 4),  event(0, 0, 3, MemorySpace::shared, 32, 8),
                  event(0, 0, 5, MemorySpace::shared, 32, 16), event(1, 0, 7, MemorySpace::global, 32, 4),
                  event(2, 0, 8, MemorySpace::global, 32, 32), event(0, 1, 1, MemorySpace::shared, 8, 4),
                  event(0, 1, 3, MemorySpace::shared, 0, 4)};
  trace.events.back().active = LaneMask::first(8);
  trace::Totals& totals = trace.totals;
  totals.warp_instructions = 6;
  totals.sites.resize(3);
  totals.sites[0] = {4, 104, 0, {4, 104, 416, 0, 0, 8, 4, 0}, {}};
  totals.sites[1] = {1, 32, 0, {1, 32, 128, 4, 4, 0, 0, 0}, {}};
  totals.sites[2] = {1, 32, 0, {1, 32, 128, 32, 4, 0, 0, 0}, {}};
  totals.of(trace::MemoryClass::shared_load) = totals.sites[0].memory;
  totals.of(trace::MemoryClass::global_load) = totals.sites[1].memory;
  totals.of(trace::MemoryClass::global_store) = totals.sites[2].memory;
  return trace;
}

std::optional<double> number(const std::string& text) {
  const Result<lesson::Formula> formula = lesson::Formula::parse(text, lesson::Dialect::numbers);
  EXPECT_TRUE(formula.ok()) << text;
  if (!formula || formula->references().size() != 1) return std::nullopt;
  const Result<std::optional<double>> value = number_of(made_trace(), source, formula->references()[0]);
  EXPECT_TRUE(value.ok()) << text << ": " << (value ? "" : value.errors()[0].message);
  return value ? *value : std::nullopt;
}

std::string error_of(const std::string& text) {
  const Result<lesson::Formula> formula = lesson::Formula::parse(text, lesson::Dialect::numbers);
  if (!formula || formula->references().size() != 1) return "no reference";
  const Result<std::optional<double>> value = number_of(made_trace(), source, formula->references()[0]);
  return value ? "" : value.errors()[0].code + ": " + value.errors()[0].cure;
}

TEST(Numbers, OfTheWholeKernel) {
  EXPECT_EQ(number("global_load.sectors"), 4);
  EXPECT_EQ(number("global_store.sectors_per_request"), 32);
  EXPECT_EQ(number("shared_load.bank_conflicts"), 4);
}

TEST(Numbers, OfMarkedLines) {
  EXPECT_EQ(number("@both.global_load.sectors"), 4);
  EXPECT_EQ(number("@both.global_store.sectors"), 32);
  EXPECT_EQ(number("@copy.global_store.efficiency"), 12.5);
  EXPECT_EQ(number("@add.bank_conflicts"), 4) << "one class: it need not be named";
  EXPECT_EQ(number("@add.executions"), 4);
  EXPECT_EQ(number("@add.executed_lanes"), 104);
  EXPECT_EQ(number("@add.bank_degree"), 4) << "the largest";
  EXPECT_EQ(number("@both.shared_load.requests"), 0) << "not what other lines did";
}

TEST(Numbers, OfSteps) {
  EXPECT_EQ(number("@add[1].bank_degree"), 1);
  EXPECT_EQ(number("@add[2].bank_degree"), 2);
  EXPECT_EQ(number("@add[3].bank_degree"), 4);
  EXPECT_EQ(number("@add[1].executed_lanes"), 40);
  EXPECT_EQ(number("@add[1].warps"), 2);
  EXPECT_EQ(number("@add[2].warps"), 1) << "of the other no lane executes it";
  EXPECT_EQ(number("@add[2].executions"), 2);
  EXPECT_EQ(number("@add[2].shared_load.requests"), 1);
  EXPECT_EQ(number("@add[4].warps"), 0);
  EXPECT_EQ(number("@add[1, 1].executed_lanes"), 8);
  EXPECT_EQ(number("@add[2].wavefronts"), 2);
  EXPECT_EQ(number("@both[1].global_store.sectors"), 32);
}

// An asynchronous copy is one execution with two requests, one for each side.
TEST(Numbers, OfStepsWithSeveralRequests) {
  trace::Trace trace = made_trace();
  trace.sites[0].operation = trace::Operation::async_copy;
  using trace::MemorySpace;
  trace.events = {event(0, 0, 1, MemorySpace::global, 32, 4), event(0, 0, 2, MemorySpace::shared, 32, 4),
                  event(0, 0, 4, MemorySpace::global, 16, 32), event(0, 0, 5, MemorySpace::shared, 16, 8)};
  const auto of = [&](const std::string& text) {
    const Result<lesson::Formula> formula = lesson::Formula::parse(text, lesson::Dialect::numbers);
    return number_of(trace, source, formula->references()[0]).value();
  };
  EXPECT_EQ(of("@add[2].executions"), 1);
  EXPECT_EQ(of("@add[2].executed_lanes"), 16);
  EXPECT_EQ(of("@add[2].warps"), 1);
  EXPECT_EQ(of("@add[1].global_load.sectors"), 4);
  EXPECT_EQ(of("@add[2].global_load.sectors"), 16);
  EXPECT_EQ(of("@add[1].shared_store.wavefronts"), 1);
  EXPECT_EQ(of("@add[2].bank_degree"), 1);
  EXPECT_EQ(of("@add[3].executions"), 0);
}

// Each request counts in the class of its memory, also in sums over the launch.
TEST(Numbers, OfAGenericAccess) {
  trace::Trace trace = made_trace();
  using trace::MemorySpace;
  trace.sites[0].space = MemorySpace::none;
  trace.events = {event(0, 0, 1, MemorySpace::global, 16, 32), event(0, 0, 2, MemorySpace::shared, 16, 8),
                  event(0, 0, 4, MemorySpace::shared, 32, 4)};
  trace.totals.sites[0] = {2, 64, 0, {3, 64, 256, 16, 2, 2, 2, 0}, {}};
  const auto of = [&](const std::string& text) {
    const Result<lesson::Formula> formula = lesson::Formula::parse(text, lesson::Dialect::numbers);
    return number_of(trace, source, formula->references()[0]).value();
  };
  EXPECT_EQ(of("@add.global_load.requests"), 1);
  EXPECT_EQ(of("@add.global_load.sectors_per_request"), 16);
  EXPECT_EQ(of("@add.shared_load.requests"), 2);
  EXPECT_EQ(of("@add.shared_load.wavefronts"), 2);
  trace.events_dropped = 1;
  trace.totals.sites[0] = {1, 32, 0, {1, 32, 128, 0, 0, 2, 1, 0}, {}};
  EXPECT_EQ(of("@add.shared_load.bank_conflicts"), 1) << "without events: what it cost tells its memory";
}

TEST(Numbers, OfElementsEndWithTheBuffer) {
  const auto element = [](const char* text, std::int64_t index) {
    const Result<sim::Argument> buffer = make_argument({text, ""});
    EXPECT_TRUE(buffer.ok()) << text;
    return buffer ? element_of(*buffer, index) : std::nullopt;
  };
  EXPECT_EQ(element("f16[3]=0.5", 2), 0.5);
  EXPECT_EQ(element("i8[3]=-2", 0), -2);
  EXPECT_EQ(element("u8[3]=254", 0), 254);
  EXPECT_EQ(element("i64[1]=-5000000000", 0), -5e9);
  EXPECT_EQ(element("u64[1]=18446744073709551615", 0), 18446744073709551616.0) << "rounded, and not -1";
  EXPECT_EQ(element("f32[3]=iota", 2), 2);
  EXPECT_EQ(element("f32[3]=iota", 3), std::nullopt);
  EXPECT_EQ(element("f32[3]=iota", -1), std::nullopt);
}

TEST(Numbers, KnowNothingOfWhatDidNotHappen) {
  EXPECT_EQ(number("local_load.sectors_per_request"), std::nullopt) << "a ratio of nothing";
  EXPECT_EQ(number("@add.shared_store.conflicts_per_request"), std::nullopt);
}

TEST(Numbers, RefuseWhatIsNotThere) {
  EXPECT_NE(error_of("global_load.sektors").find("`global_load.sectors`"), std::string::npos);
  EXPECT_NE(error_of("@ad.sectors").find("`add`"), std::string::npos);
  EXPECT_NE(error_of("@both.sectors").find("global_load.sectors"), std::string::npos) << "load or store?";
  EXPECT_NE(error_of("@add.warps"), "") << "warps are counted at a step";
  EXPECT_NE(error_of("@add[1].frobs"), "");
}

}  // namespace
}  // namespace lanescope::job
