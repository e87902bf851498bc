// Programs about images include stb_image.h with its implementation, which needs SSE2 and a host.

#include <gmock/gmock.h>

#include "compile/compiler.h"
#include "compile/fixture.h"
#include "golden.h"

namespace lanescope::compile {
namespace {

std::string refusals(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) text += format(diagnostic) + "\n";
  return text;
}
Result<Ptx> compiled(const std::string& text, const std::string& name = "k.cu") {
  return compile({name, text, {}}, {});
}

// As the true one begins: intrinsics, and variables in the branch of an #if that the scan does not see.
constexpr const char* stb_image =
    "typedef unsigned char stbi_uc;\n#include <emmintrin.h>\n#include <stdio.h>\n"
    "extern stbi_uc *stbi_load(char const *name, int *x, int *y, int *channels, int wanted);\n"
    "#ifdef STB_IMAGE_IMPLEMENTATION\n"
    "#ifndef STBI_THREAD_LOCAL\n#define flip flip_global\n#else\nstatic int flip_local;\n#endif\n"
    "static int flip_global;\n#ifdef _MSC_VER\nstatic int parts(int a) {\n#else\nstatic int parts(int b) {\n#endif\n"
    "  FILE *f = fopen(\"x\", \"rb\"); __m128i wide = _mm_setzero_si128(); return flip + (f != 0);\n}\n#endif\n";

TEST(ImageHeaders, TheirImplementationDoesNotStopAKernel) {
  NEEDS_NVRTC();
  const test::TempFolder folder;
  test::write_file(folder / "stb_image.h", stb_image);
  test::write_file(folder / "load.h", "#include \"stb_image.h\"\ninline int images() { return 1; }\n");
  for (const char* header : {"stb_image.h", "load.h"}) {
    const auto ptx = compiled("#define STB_IMAGE_IMPLEMENTATION\n#include \"" + std::string(header) +
                                  "\"\n__global__ void gray(const stbi_uc *in, stbi_uc *out) {\n"
                                  "  out[threadIdx.x] = in[3 * threadIdx.x];\n}\n"
                                  "int main() { int x, y, n; stbi_uc *in = stbi_load(\"a.png\", &x, &y, &n, 3); }\n",
                              (folder / "gray.cu").string());
    ASSERT_TRUE(ptx.ok()) << header << ": " << refusals(ptx.errors());
    EXPECT_THAT(ptx->text, testing::HasSubstr("gray"));
    ASSERT_FALSE(ptx->warnings.empty());
    EXPECT_THAT(ptx->warnings.back().message, testing::HasSubstr("<stb_image.h>"));
  }
}

TEST(ImageHeaders, AFileOfThatNameMayBeWrittenForKernels) {
  NEEDS_NVRTC();
  const test::TempFolder folder;
  test::write_file(folder / "stb_image.h", "__device__ inline int own(int a) { return a + 7; }\n");
  const auto ptx = compiled("#include \"stb_image.h\"\n__global__ void k(int *a) { a[0] = own(a[1]); }\n",
                            (folder / "k.cu").string());
  ASSERT_TRUE(ptx.ok()) << refusals(ptx.errors());
}

TEST(ImageHeaders, OpenCvNamesTheTypeOfAPixel) {
  NEEDS_NVRTC();
  const auto ptx = compiled(
      "#include <opencv2/core.hpp>\n#include <opencv2/imgcodecs.hpp>\nusing namespace cv;\n"
      "__global__ void gray(const uchar *in, uchar *out) { out[threadIdx.x] = in[3 * threadIdx.x]; }\n"
      "int main() { Mat image = imread(\"a.png\"); uchar *d; cudaMalloc(&d, image.rows); gray<<<1, 32>>>(d, d); }\n");
  ASSERT_TRUE(ptx.ok()) << refusals(ptx.errors());
  EXPECT_THAT(ptx->text, testing::HasSubstr(".u8"));
}

TEST(ImageHeaders, IntrinsicsOfTheHostAreLeftOut) {
  NEEDS_NVRTC();
  const auto ptx = compiled(
      "#include <emmintrin.h>\n#include <cpuid.h>\nstatic inline __m128i f(__m128i a) { return _mm_add_epi32(a, a); }\n"
      "__global__ void k(int *a) { a[0] = 1; }\n");
  ASSERT_TRUE(ptx.ok()) << refusals(ptx.errors());
  for (const Diagnostic& one : ptx->warnings) EXPECT_EQ(one.severity, Severity::note) << format(one);
}

}  // namespace
}  // namespace lanescope::compile
