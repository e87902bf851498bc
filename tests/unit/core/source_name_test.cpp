#include "core/source_name.h"

#include <gtest/gtest.h>

#include <utility>

namespace lanescope {
namespace {

TEST(SourceName, IsAsTheSourceWritesIt) {
  EXPECT_EQ(source_name("_Z1kPf"), "k");
  EXPECT_EQ(source_name("f"), "f") << "extern C; the code of a type";
  EXPECT_EQ(source_name("Pi"), "Pi");
  EXPECT_EQ(source_name("_Z4copyPKfPfi"), "copy");
  EXPECT_EQ(source_name("_Z6reduceIfLi4EEvPKT_PS0_y"), "reduce<float, 4>");
  EXPECT_EQ(source_name("_ZN5outer5inner4fillIfLi3ELb1EEEvPT_"), "outer::inner::fill<float, 3, true>");
  EXPECT_EQ(source_name("_ZN12_GLOBAL__N_11kEPFviE"), "k");    // with a function pointer
  EXPECT_EQ(source_name("_ZNK5Shape4areaEi"), "Shape::area");  // a const member
  for (const auto& [mangled, name] : {std::pair{"_Zlt1AS_", "operator<"},
                                      {"_Zgt1AS_", "operator>"},
                                      {"_ZNK1PptEv", "P::operator->"},
                                      {"_ZN1FclEi", "F::operator()"},
                                      {"_ZlsIiE1AT_S1_", "operator<< <int>"},
                                      {"_ZN1ScvjEv", "S::operator unsigned int"},
                                      {"_Z9operatorsi", "operators"}})
    EXPECT_EQ(source_name(mangled), name);
  // Numba's names, and two tags of C++.
  EXPECT_EQ(source_name("_ZN8__main__3addB2v1B5cw51cE5ArrayIfLi1EE"), "__main__::add");
  EXPECT_EQ(source_name("_Z4readB5cxx11B1bv"), "read");
  EXPECT_EQ(source_name("with_c_name"), "with_c_name");
  EXPECT_EQ(source_name("_Znonsense"), "_Znonsense");
}

}  // namespace
}  // namespace lanescope
