// The members of a struct, read from its declaration.

#include "job/request/struct_members.h"

#include <gmock/gmock.h>

namespace lanescope::job {
namespace {

using Members = std::vector<std::string>;

Members struct_members(const std::string& text, const std::string& name) {
  StructMembers all;
  const std::string code = compile::blank_non_code(text);
  for (const compile::ScannedDeclaration& one : compile::scan_declarations(text)) add_struct(all, code, one);
  const auto found = all.find(name);
  return found == all.end() ? Members() : found->second;
}

TEST(StructMembers, AreReadWithTheirTypes) {
  EXPECT_EQ(struct_members("struct M { int width, height; const float* elements; };", "M"),
            (Members{"int width", "int height", "const float* elements"}));
  EXPECT_EQ(struct_members("typedef struct {\n  unsigned n;\n  float *a, *b;\n} Pair;\n", "Pair"),
            (Members{"unsigned n", "float *a", "float *b"}));
  EXPECT_EQ(struct_members("class View {\n public:\n  __device__ float& at(int i) { return data[i]; }\n  float* data;\n"
                           "  int size = 4;\n  static int all;\n};",
                           "View"),
            (Members{"float* data", "int size"}));
}

TEST(StructMembers, AnArrayKeepsItsExtents) {
  EXPECT_EQ(struct_members("struct M { float row[4]; int n; };", "M"), (Members{"float row[4]", "int n"}));
}

TEST(StructMembers, AnUnknownLayoutHasNone) {
  for (const char* text :
       {"struct M;", "struct N { int n; };", "struct M : Base { int n; };", "struct M { virtual void f(); int n; };",
        "struct M { int n : 3; };", "struct M { float a[2], b; };", "struct M { struct { int n; } inner; };",
        "struct __align__(16) M { int n; };", "template <class T> struct M { T* data; };", "struct M { int n;", ""})
    EXPECT_EQ(struct_members(text, "M"), Members()) << text;
}

}  // namespace
}  // namespace lanescope::job
