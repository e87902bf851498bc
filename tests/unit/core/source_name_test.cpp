#include "core/source_name.h"

#include <gtest/gtest.h>

namespace lanescope {
namespace {

TEST(SourceName, IsAsTheSourceWritesIt) {
  EXPECT_EQ(source_name("_Z1kPf"), "k");
  EXPECT_EQ(source_name("_Z4copyPKfPfi"), "copy");
  EXPECT_EQ(source_name("_Z6reduceIfLi4EEvPKT_PS0_y"), "reduce<float, 4>");
  EXPECT_EQ(source_name("_ZN5outer5inner4fillIfLi3ELb1EEEvPT_"), "outer::inner::fill<float, 3, true>");
  EXPECT_EQ(source_name("_ZN12_GLOBAL__N_11kEPFviE"), "k");  // with a pointer to a function
  EXPECT_EQ(source_name("_ZNK5Shape4areaEi"), "Shape::area");  // a const member
  EXPECT_EQ(source_name("with_c_name"), "with_c_name");
  EXPECT_EQ(source_name("_Znonsense"), "_Znonsense");
}

}  // namespace
}  // namespace lanescope
