// The architecture that a request names: that of the imitated GPU, which must load the PTX ("PTX ISA", .target).

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "compile/source.h"
#include "job/request/launch_options.h"
#include "job/run/job.h"

namespace lanescope::job {
namespace {

// The request's architecture, or the code of what is wrong with it.
std::string architecture(const std::string& target, const std::string& asked) {
  const std::string ptx = fmt::format(
      "// .target sm_20\n.version 8.8\n.target {}\n.address_size 64\n.visible .entry k() {{ ret; }}\n", target);
  Diagnostics notes;
  const Result<Request> request =
      request_from(source_of_file("k.ptx", ptx), {.kernel = "k", .grid = "1", .block = "1", .arch = asked}, notes);
  return request ? request->arch : request.errors().front().code;
}

TEST(Architecture, PtxRunsOnItsOwnAndOnNewerGpus) {
  EXPECT_EQ(architecture("sm_80", ""), "sm_90");
  EXPECT_EQ(architecture("sm_80", "sm_89"), "sm_89");
  EXPECT_EQ(architecture("sm_80, debug", "compute_80"), "sm_80");
  EXPECT_EQ(architecture("sm_80", "75"), "ptx.for_another_gpu");
  EXPECT_EQ(architecture("sm_100", ""), "sm_100") << "the GPU that is imitated otherwise could not load it";
  EXPECT_EQ(architecture("sm_100", "sm_90"), "ptx.for_another_gpu");
}

TEST(Architecture, PtxForOneGpuOrOneFamilyStaysThere) {
  EXPECT_EQ(architecture("sm_90a", ""), "sm_90");
  EXPECT_EQ(architecture("sm_90a", "sm_100"), "ptx.for_another_gpu");
  EXPECT_EQ(architecture("sm_100f", "sm_103"), "sm_103");
  EXPECT_EQ(architecture("sm_100f", "sm_120"), "ptx.for_another_gpu");
}

TEST(Architecture, NoOtherTextIsShownAsOne) {
  for (const char* text : {"potato", "sm_", "sm_9", "sm_90x", "gfx90"})
    EXPECT_EQ(architecture("sm_80", text), "compile.unknown_arch") << text;
}

}  // namespace
}  // namespace lanescope::job
