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
  // What is static or in an unnamed namespace, as nvcc 13.0.88 names it with -rdc=true.
  EXPECT_EQ(source_name("__nv_static_23__95110f04_4_s_cu__Z2kvv__Z2ksPi"), "ks");
  EXPECT_EQ(source_name("__nv_static_23__95110f04_4_s_cu__Z2kvv__Z2ktIiEvPT_"), "kt<int>");
  EXPECT_EQ(source_name("__nv_static_23__95110f04_4_s_cu__Z2kvv__ZN34_GLOBAL__N__95110f04_4_s_cu__Z2kvv2kaEPi"), "ka");
  EXPECT_EQ(source_name("__nv_static_23__95110f04_4_s_cu__Z2kvv_counter"), "counter");
  EXPECT_EQ(source_name("__nv_static_99__short"), "__nv_static_99__short");
  EXPECT_EQ(source_name("_Znonsense"), "_Znonsense");
}

TEST(ShortName, LosesTheInnermostArgumentsFirst) {
  const std::string name = "lib::run<Gemm<tuple<int, int>, Loop<8>>, 4>";
  EXPECT_EQ(short_name(name, 100), name);
  EXPECT_EQ(short_name(name, 42), "lib::run<Gemm<tuple<…>, Loop<…>>, 4>");
  EXPECT_EQ(short_name(name, 24), "lib::run<Gemm<…>, 4>");
  EXPECT_EQ(short_name(name, 5), "lib::run<…>");
  EXPECT_EQ(short_name("lib::operator<< <int>", 5), "lib::operator<< <…>");
  EXPECT_EQ(short_name("a_long_name_without_arguments", 5), "a_long_name_without_arguments");
}

TEST(ShortName, TellsDifferentNamesApart) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(short_names({"copy<Tile<64>>", "fill<int>", "copy<Tile<32>>", "copy<Tile<64>>"}, 10),
            (Names{"copy<…> #1", "fill<int>", "copy<…> #2", "copy<…> #1"}));
  EXPECT_EQ(short_names({"copy<Tile<64>>", "copy<Tile<64>>"}, 10), (Names{"copy<…>", "copy<…>"}));
}

TEST(ShortName, OfAMangledNameIsItsBeginning) {
  EXPECT_EQ(short_name("_ZN7cutlass13device_kernelINS_4gemmEEEvT_", 10), "cutlass::device_kernel<…>");
  EXPECT_EQ(short_name("_ZN12_GLOBAL__N_14copyIfEEvv", 10), "copy<…>");
  EXPECT_EQ(short_name("_Znonsense_that_is_long", 10), "_Znonsense_that_is_long");
  EXPECT_EQ(short_name("_ZN99999999x", 5), "_ZN99999999x");
}

}  // namespace
}  // namespace lanescope
