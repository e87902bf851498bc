#include "job/sass/ptx_facts.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace lanescope::job {
namespace {

// Line 8 is the first instruction.
std::string kernel(const std::string& body) {
  return ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
         ".reg .u32 %r<8>;\n.reg .u64 %rd<8>; .reg .pred %p<2>;\n" +
         body + "ret;\n}\n";
}

using Found = std::map<int, int>;

Found followed(const std::string& ptx) {
  return facts_of_ptx(ptx).addresses_from_atomics;
}

TEST(AddressesFromAtomics, AreFollowedThroughArithmetic) {
  EXPECT_EQ(followed(kernel("atom.global.add.u32 %r1, [%rd1], 1;\n"
                            "shl.b32 %r2, %r1, 2;\n"
                            "cvt.u64.u32 %rd2, %r2;\n"
                            "add.u64 %rd3, %rd2, %rd1;\n"
                            "st.global.u32 [%rd3+4], %r2;\n"
                            "st.global.u32 [%rd1], %r1;\n")),
            (Found{{12, 8}}));
}

TEST(AddressesFromAtomics, EndWhereTheRegisterIsWrittenAgain) {
  EXPECT_EQ(followed(kernel("atom.global.add.u64 %rd2, [%rd1], 1;\n"
                            "mov.u64 %rd2, 16;\n"
                            "ld.global.u32 %r2, [%rd2];\n")),
            Found{});
}

// Where paths meet, and over the back edge of a loop.
TEST(AddressesFromAtomics, AreFollowedThroughJoins) {
  EXPECT_EQ(followed(kernel("mov.u64 %rd2, 0;\n"
                            "again:\n"
                            "ld.global.u32 %r2, [%rd2];\n"
                            "atom.shared.exch.b64 %rd3, [%rd1], 4;\n"
                            "add.u64 %rd2, %rd3, 8;\n"
                            "setp.ne.u32 %p1, %r2, 0;\n"
                            "@%p1 bra again;\n")),
            (Found{{10, 11}}));
}

TEST(AddressesFromAtomics, OfATextThatIsNoPtxAreNone) {
  EXPECT_EQ(followed("no ptx"), Found{});
}

}  // namespace
}  // namespace lanescope::job
