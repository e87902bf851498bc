// Which parameters an address begins at.
#include "cfg/pointer_origins.h"

#include <gmock/gmock.h>

#include <string>

namespace lanescope::cfg {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// The body's `st.global.u32 [%rd9], …` is the access. The parameters lie at 0, 8, 16 and 24; `s` is a struct of two
// pointers.
std::set<std::uint64_t> parameters_in(const std::string& body) {
  const Result<ptx::Module> module = ptx::parse(
      ".version 8.0\n.target sm_80\n.address_size 64\n"
      ".visible .entry k(.param .u64 a, .param .u64 b, .param .align 8 .b8 s[16])\n{\n"
      ".reg .b32 %r<9>;\n.reg .b64 %rd<20>;\n.reg .pred %p<2>;\n"
      "ld.param.u64 %rd1, [a];\nld.param.u64 %rd2, [b];\nld.param.v2.u64 {%rd3, %rd4}, [s];\n"
      "mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd8, %r1, 4;\nsetp.eq.u32 %p1, %r1, 3;\n" +
          body + "\nst.global.u32 [%rd9+16], %r1;\nret;\n}\n",
      "k.ptx");
  EXPECT_TRUE(module);
  const ptx::Function& kernel = module->functions.at(0);
  return parameters_of_address(kernel, kernel.instructions.size() - 2);
}

TEST(PointerOrigins, AreWhatIndicesAreAddedTo) {
  EXPECT_THAT(parameters_in("cvta.to.global.u64 %rd5, %rd1;\nadd.s64 %rd9, %rd5, %rd8;"), ElementsAre(0));
  EXPECT_THAT(parameters_in("add.s64 %rd9, %rd8, %rd2;"), ElementsAre(8));
  EXPECT_THAT(parameters_in("mad.wide.u32 %rd9, %r1, 4, %rd2;"), ElementsAre(8));
  EXPECT_THAT(parameters_in("sub.s64 %rd5, %rd4, %rd1;\nand.b64 %rd9, %rd5, -16;"), ElementsAre(24));
  EXPECT_THAT(parameters_in("add.s64 %rd9, %rd3, 8;"), ElementsAre(16));
}

TEST(PointerOrigins, MayBeSeveral) {
  EXPECT_THAT(parameters_in("selp.b64 %rd9, %rd1, %rd4, %p1;"), ElementsAre(0, 24));
  EXPECT_THAT(parameters_in("mov.u64 %rd9, %rd1;\n@%p1 bra L;\nmov.u64 %rd9, %rd2;\nL:"), ElementsAre(0, 8));
  EXPECT_THAT(parameters_in("mov.u64 %rd9, %rd1;\n@%p1 mov.u64 %rd9, %rd2;"), ElementsAre(0, 8));
  EXPECT_THAT(parameters_in("mov.u64 %rd9, %rd2;\nL:\nadd.s64 %rd9, %rd9, %rd8;\n@%p1 bra L;"), ElementsAre(8))
      << "a loop";
}

TEST(PointerOrigins, AreUnknownWhereTheTextDoesNotTell) {
  EXPECT_THAT(parameters_in("ld.global.u64 %rd9, [%rd1];"), IsEmpty()) << "a table of pointers";
  EXPECT_THAT(parameters_in("mul.lo.s64 %rd9, %rd1, %rd2;"), IsEmpty());
}

}  // namespace
}  // namespace lanescope::cfg
