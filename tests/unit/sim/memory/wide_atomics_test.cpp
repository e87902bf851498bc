// atom.exch.b128 and atom.cas.b128, lane after lane.

#include <array>

#include "sim/launcher.h"

namespace lanescope::sim {
namespace {

using test::kernel;
using test::Launcher;
using U64 = std::uint64_t;
using Wide = std::array<U64, 2>;

// Every lane applies the operation to the place, with its own b and c, and stores the old value. `out` gets the place
// at the end, and with `in_shared` the place is in shared memory.
std::string wide_atomic(const std::string& operation, bool in_shared, bool with_result) {
  const std::string place = in_shared ? "[cell]" : "[%rd1]", space = in_shared ? "shared" : "global";
  const bool swaps = operation.find("cas") != std::string::npos;
  return kernel(
      ".param .u64 place, .param .u64 b, .param .u64 c, .param .u64 old",
      ".reg .b128 %q<8>;\n.shared .align 16 .b8 cell[16];\n"
      "ld.param.u64 %rd1, [place];\nld.param.u64 %rd2, [b];\nld.param.u64 %rd3, [c];\nld.param.u64 %rd4, [old];\n"
      "mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd5, %r1, 16;\nadd.s64 %rd2, %rd2, %rd5;\nadd.s64 %rd3, %rd3, %rd5;\n"
      "add.s64 %rd4, %rd4, %rd5;\nsetp.eq.u32 %p1, %r1, 0;\n"
      "ld.global.b128 %q1, [%rd2];\nld.global.b128 %q2, [%rd3];\nld.global.b128 %q3, [%rd1];\n"
      "mov.b128 %q4, %q3;\n@%p1 st.shared.b128 [cell], %q3;\nbar.sync 0;\n"
      "atom." +
          space + "." + operation + ".b128 " + (with_result ? "%q4" : "_") + ", " + place + ", %q1" +
          (swaps ? ", %q2" : "") + ";\nst.global.b128 [%rd4], %q4;\n" +
          (in_shared ? "bar.sync 0;\nld.shared.b128 %q5, [cell];\n@%p1 st.global.b128 [%rd1], %q5;\n" : "") + "ret;\n");
}

void check_wide(const std::string& operation, bool swaps, bool in_shared, bool with_result) {
  Wide place{3, 7};
  const Wide start = place;
  std::vector<U64> b, c, old;
  for (U64 lane = 0; lane < 32; ++lane) {
    // Of each four lanes: what is there, another lower half, another upper half, what is there.
    const Wide expected = lane % 4 == 1   ? Wide{place[0] + 1, place[1]}
                          : lane % 4 == 2 ? Wide{place[0], place[1] + 1}
                                          : place;
    const Wide operand = swaps ? expected : Wide{100 + lane, ~lane}, fresh = {lane << 40, lane + 1000};
    b.insert(b.end(), operand.begin(), operand.end());
    c.insert(c.end(), fresh.begin(), fresh.end());
    const Wide before = with_result ? place : start;
    old.insert(old.end(), before.begin(), before.end());
    if (!swaps)
      place = operand;
    else if (operand == place)
      place = fresh;
  }
  Launcher k(wide_atomic(operation, in_shared, with_result));
  ASSERT_TRUE(k.errors.empty()) << format(k.errors.front());
  const int cell = k.add_buffer(std::vector<U64>(start.begin(), start.end()));
  k.add_buffer(b);
  k.add_buffer(c);
  const int out = k.add_buffer(std::vector<U64>(64));
  const LaunchResult result = k.run();
  EXPECT_EQ(Launcher::values<U64>(result, cell), std::vector<U64>(place.begin(), place.end())) << operation;
  EXPECT_EQ(Launcher::values<U64>(result, out), old) << operation;
}

TEST(WideAtomics, ExchangeAndSwapLaneAfterLane) {
  for (const bool in_shared : {false, true})
    for (const bool with_result : {true, false}) {
      check_wide("exch", false, in_shared, with_result);
      check_wide("cas", true, in_shared, with_result);
      check_wide("acq_rel.cta.cas", true, in_shared, with_result);
    }
}

TEST(WideAtomics, NeedAnAddressOfSixteenBytes) {
  Launcher k(kernel(".param .u64 place",
                    ".reg .b128 %q<2>;\nld.param.u64 %rd1, [place];\nld.global.b128 %q1, [%rd1];\n"
                    "atom.global.exch.b128 %q1, [%rd1+8], %q1;\nret;\n"));
  k.add_buffer(std::vector<U64>(4));
  k.fault("memory.misaligned");
}

TEST(WideAtomics, OtherOperationsAreRefused) {
  const auto module = ptx::parse(kernel(".param .u64 place",
                                        ".reg .b128 %q<2>;\nld.param.u64 %rd1, [place];\nld.global.b128 %q1, [%rd1];\n"
                                        "atom.global.add.b128 %q1, [%rd1], %q1;\nret;\n"),
                                 "test.ptx");
  ASSERT_FALSE(module.ok());
  EXPECT_EQ(module.errors().front().code, "ptx.unknown_modifier");
}

}  // namespace
}  // namespace lanescope::sim
