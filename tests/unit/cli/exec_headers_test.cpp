// Programs whose headers lie in a folder beside that of the source.

#include <gmock/gmock.h>

#include <filesystem>

#include "cli/program.h"
#include "compile/nvcc/nvcc.h"
#include "core/os/program_name.h"

namespace lanescope {
namespace {

using test::lanescope;
using test::Ran;
using testing::HasSubstr;

// Not above the repository's root.
TEST(ExecHeaders, AProgramIsBuiltWithTheFolderThatHasThem) {
  if (!compile::locate_nvcc()) GTEST_SKIP() << "no nvcc";
  const test::TempFolder folder;
  test::write_file((folder / "inc/size.h").string(), "constexpr int size = 64;\n");
  const std::string file = (folder / "src/fill.cu").generic_string();
  test::write_file(file,
                   "#include \"size.h\"\n"
                   "__global__ void fill(int* out) { out[threadIdx.x] = size; }\n"
                   "int main() {\n  int* d;\n  cudaMalloc(&d, 4 * size);\n  fill<<<1, size>>>(d);\n"
                   "  return cudaDeviceSynchronize();\n}\n");
  const Ran ran = lanescope({"exec", file});
  EXPECT_EQ(ran.code, 0) << ran.err;
  const std::string found = (folder / "inc").generic_string();
  EXPECT_THAT(ran.err, HasSubstr(file + ": note: Headers were found in " + found +
                                 ", which is an include path now (-I " + as_typed(found) + ").\n"));
  EXPECT_THAT(ran.err, HasSubstr("fill"));
  std::filesystem::create_directory(folder / "src/.git");
  const Ran refused = lanescope({"exec", file});
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.err, HasSubstr("Put `size.h` next to the source"));
}

}  // namespace
}  // namespace lanescope
