// A compiler may move a load of local memory ahead of the store, if the value is not needed on that path, and a
// pipeline may load a tile ahead that it does not use. Such a load is not an error. Using the value is one.

#include <gmock/gmock.h>

#include "job/run/job.h"
#include "ptx_text.h"

namespace lanescope::job {
namespace {

using testing::HasSubstr;

// %r2 is a word of local memory that nobody wrote.
Outcome after_reading_it(const std::string& body) {
  Request request;
  request.source = {"k.ptx",
                    test::ptx_module(R"(.visible .entry k(.param .u64 out)
{
  .local .align 4 .b8 depot[8];
  .reg .pred %p<3>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  mov.u64 %rd4, depot;
  st.local.u32 [%rd4], %r1;
  ld.local.u32 %r2, [%rd4+4];
)" + body + "  ret;\n}\n"),
                    {}};
  request.first().kernel = "k";
  request.first().shape.grid = {2, 1, 1};
  request.first().shape.block = {32, 1, 1};
  request.arguments = {{"u32[32]=0", "out"}};
  return run(request);
}

TEST(UnwrittenLocal, MayBeReadWhereNothingDependsOnIt) {
  const Outcome outcome =
      after_reading_it("  setp.lt.u32 %p1, %r1, 32;\n  selp.b32 %r3, %r1, %r2, %p1;\n  st.global.u32 [%rd3], %r3;\n");
  ASSERT_TRUE(outcome.completed);
  EXPECT_EQ(outcome.buffers.at(0).sum, 31 * 32 / 2);
  ASSERT_EQ(outcome.diagnostics.size(), 1u);
  EXPECT_EQ(outcome.diagnostics[0].severity, Severity::note);
  EXPECT_EQ(outcome.diagnostics[0].code, "memory.unwritten_local");
}

TEST(UnwrittenLocal, IsAFaultWhereTheResultOrThePathDependsOnIt) {
  for (const char* body :
       {"  st.global.u32 [%rd3], %r2;\n",                                                     // stored
        "  add.u32 %r3, %r1, %r2;\n  and.b32 %r3, %r3, 64;\n  st.global.u32 [%rd3], %r3;\n",  // one bit of it
        "  setp.ne.u32 %p1, %r2, 0;\n  @%p1 bra END;\n  mov.u32 %r4, 1;\n END:\n",            // a branch
        "  mul.wide.u32 %rd5, %r2, 4;\n  add.s64 %rd6, %rd1, %rd5;\n  ld.global.u32 %r4, [%rd6];\n"}) {  // an address
    const Outcome outcome = after_reading_it(body);
    EXPECT_FALSE(outcome.completed) << body;
    ASSERT_EQ(outcome.diagnostics.size(), 1u) << body;
    EXPECT_EQ(outcome.diagnostics[0].code, "memory.uninitialised_local") << body;
    EXPECT_THAT(outcome.diagnostics[0].message, HasSubstr("never written")) << body;
  }
}

// %r2 is a word of shared memory that nobody wrote.
Outcome after_reading_shared(const std::string& body) {
  Request request;
  request.source = {"k.ptx",
                    test::ptx_module(R"(.shared .align 4 .b8 tile[256];
.visible .entry k(.param .u64 out)
{
  .reg .pred %p<3>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  mov.u32 %r5, tile;
  st.shared.u32 [%r5], %r1;
  ld.shared.u32 %r2, [%r5+128];
)" + body + "  ret;\n}\n"),
                    {}};
  request.first().kernel = "k";
  request.first().shape.grid = {2, 1, 1};
  request.first().shape.block = {32, 1, 1};
  request.arguments = {{"u32[32]=0", "out"}};
  return run(request);
}

TEST(UnwrittenShared, MayBeReadWhereNothingDependsOnIt) {
  const Outcome outcome = after_reading_shared(
      "  setp.lt.u32 %p1, %r1, 32;\n  selp.b32 %r3, %r1, %r2, %p1;\n  st.global.u32 [%rd3], %r3;\n");
  ASSERT_TRUE(outcome.completed);
  EXPECT_EQ(outcome.buffers.at(0).sum, 31 * 32 / 2);
  EXPECT_EQ(outcome.diagnostics.at(0).severity, Severity::note);
  EXPECT_EQ(outcome.diagnostics.at(0).code, "memory.unwritten_shared");
}

TEST(UnwrittenShared, IsAFaultWhereTheResultDependsOnIt) {
  for (const char* body :
       {"  st.global.u32 [%rd3], %r2;\n", "  setp.ne.u32 %p1, %r2, 0;\n  @%p1 bra END;\n  mov.u32 %r4, 1;\n END:\n"}) {
    const Outcome outcome = after_reading_shared(body);
    EXPECT_FALSE(outcome.completed) << body;
    EXPECT_EQ(outcome.diagnostics.at(0).code, "memory.uninitialised") << body;
  }
}

}  // namespace
}  // namespace lanescope::job
