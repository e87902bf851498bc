// Launches that a source makes of its own kernels, and the values of its constants.

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "compile/host/host_constants.h"
#include "compile/host/launch_scan.h"

namespace lanescope::compile {
namespace {

// The values at the text's launch.
std::string value(const std::string& text, const std::string& expression) {
  const HostConstants constants(text);
  const std::size_t at = text.find("<<<");
  const HostEvaluation made = constants.evaluate(expression, at == std::string::npos ? text.size() - 1 : at);
  if (!made.value) return "? " + made.why;
  const HostValue& got = *made.value;
  if (got.kind == HostValue::Kind::extent)
    return std::to_string(got.extent.x) + "," + std::to_string(got.extent.y) + "," + std::to_string(got.extent.z);
  return got.kind == HostValue::Kind::real ? std::to_string(got.real) : std::to_string(got.whole);
}

TEST(LaunchScan, FindsLaunchesWithTheirParts) {
  const auto launches = scan_launches(
      "// k<<<9, 9>>>(x);\n"
      "int main() {\n"
      "  ns::reduce<float, 4><<<dim3(N / 16, 2), 256, 4 * sizeof(float), s>>>(a, f(b, c), 1.5f);\n"
      "  plain<<<1, 2>>>();\n"
      "  std::cout << 1 << \"k<<<1,1>>>()\";\n"
      "}\n");
  ASSERT_EQ(launches.size(), 2u);
  EXPECT_EQ(launches[0].kernel, "ns::reduce<float, 4>");
  EXPECT_EQ(launches[0].configuration, (std::vector<std::string>{"dim3(N / 16, 2)", "256", "4 * sizeof(float)", "s"}));
  EXPECT_EQ(launches[0].arguments, (std::vector<std::string>{"a", "f(b, c)", "1.5f"}));
  EXPECT_EQ(launches[0].line, 3);
  EXPECT_EQ(launches[1].kernel, "plain");
  EXPECT_TRUE(launches[1].arguments.empty());
}

// nvcc takes these too; formatters that do not know CUDA write them.
TEST(LaunchScan, BlanksMayPartTheBrackets) {
  const auto launches = scan_launches(
      "void f(int n, int *d) {\n  one << <2, 32 >> > (d);\n  two<float> <<< n >> 1, 64, (n >> > 3) >>>(d, 1);\n"
      "  three<< <\n dim3(1), 8>> >(d);\n  std::cout << (1 < 2) << n;\n  a << b < c;\n}\n");
  ASSERT_EQ(launches.size(), 3u);
  EXPECT_EQ(launches[0].kernel, "one");
  EXPECT_EQ(launches[0].configuration, (std::vector<std::string>{"2", "32"}));
  EXPECT_EQ(launches[0].arguments, (std::vector<std::string>{"d"}));
  EXPECT_EQ(launches[1].kernel, "two<float>");
  EXPECT_EQ(launches[1].configuration, (std::vector<std::string>{"n >> 1", "64", "(n >> > 3)"}));
  EXPECT_EQ(launches[2].kernel, "three");
  EXPECT_EQ(launches[2].configuration, (std::vector<std::string>{"dim3(1)", "8"}));
  EXPECT_EQ(launches[2].line, 4);
}

// As many programs write a long instance of a template; a launch through any other variable keeps its name.
TEST(LaunchScan, AVariableStandsForTheKernelThatItIs) {
  const auto kernels = [](const std::string& text) {
    std::string all;
    for (const ScannedLaunch& launch : scan_launches(text)) all += launch.kernel + ";";
    return all;
  };
  EXPECT_EQ(kernels("auto k = reduce<float, 4>;\n k<<<1, 2>>>(x);"), "reduce<float, 4>;");
  EXPECT_EQ(kernels("const auto* k = &ns::sum; k<<<1, 2>>>(x); auto k2 = sum; k2<<<1, 2>>>(x);"), "ns::sum;sum;");
  EXPECT_EQ(kernels("{ auto k = a<1>; k<<<1, 2>>>(x); } { auto k = a<2>; k<<<1, 2>>>(x); }"), "a<1>;a<2>;");
  EXPECT_EQ(kernels("auto k = a<1>; if (wide) k = a<2>; k<<<1, 2>>>(x);"), "k;");
  EXPECT_EQ(kernels("auto k = chosen(3); k<<<1, 2>>>(x);"), "k;");
  EXPECT_EQ(kernels("k<<<1, 2>>>(x); auto k = sum; int mk = k == sum;"), "k;");
}

// Here a macro puts the kernel's name before the brackets.
TEST(LaunchScan, BracketsWithoutANameAreNoLaunch) {
  const auto launches = scan_launches(
      "#define SWITCH(f, ...) f<float> __VA_ARGS__\n"
      "void f() { SWITCH(fill, <<<grid, 32>>>(x)); <<<1, 2>>>(y); sum<<<1, 64>>>(z); }\n");
  ASSERT_EQ(launches.size(), 1u);
  EXPECT_EQ(launches[0].kernel, "sum");
}

TEST(LaunchScan, CharactersStay) {
  const std::vector<ScannedLaunch> launches =
      scan_launches("void f() { fill<<<1, 32>>>(d, 'a' /* 'b' */, ',', 1'000, /* c */ n); }\n");
  ASSERT_EQ(launches.size(), 1u);
  EXPECT_EQ(launches[0].arguments, (std::vector<std::string>{"d", "'a'", "','", "1'000", "n"}));
}

TEST(HostConstants, ArithmeticIsThatOfCpp) {
  EXPECT_EQ(value(" ", "'a'"), "97");
  EXPECT_EQ(value(" ", "'\\n' + '\\0'"), "10");
  EXPECT_EQ(value(" ", "'ab'").front(), '?');
  EXPECT_EQ(value(" ", "'").front(), '?');
  EXPECT_EQ(value(" ", "(1000 + 255) / 256"), "4");
  EXPECT_EQ(value(" ", "1 << 20 >> 2"), "262144");
  EXPECT_EQ(value(" ", "-7 / 2 * 2 - 7 % 4"), "-9");
  EXPECT_EQ(value(" ", "0x10 + 010 + 1'000ull"), "1024");
  EXPECT_EQ(value(" ", "3 > 2 ? 5 : 6"), "5");
  EXPECT_EQ(value(" ", "sizeof(float) * 4 + sizeof(unsigned int) + sizeof(double*)"), "28");
  EXPECT_EQ(value("typedef float real;\n", "10 * sizeof(real)"), "40");
  EXPECT_EQ(value("using real = double;\n#define SMALL half\n", "sizeof(real) + sizeof(SMALL)"), "10");
  EXPECT_EQ(value(" ", "(int)ceil((float)1000 / 256)"), "4");
  EXPECT_EQ(value(" ", "(int)ceil(sqrt((10000 + 256 - 1.) / 256))"), "7");
  EXPECT_EQ(value(" ", "1 << (int)std::ceil(std::log2(1000.f))"), "1024");
  EXPECT_EQ(value(" ", "(int)sqrtf(-1.f)").front(), '?');
  EXPECT_EQ(value("cudaDeviceProp prop;", "std::min((1000 + 255) / 256, prop.maxGridSize[0])"), "4");
  EXPECT_EQ(value("cudaDeviceProp prop;", "4 * prop.warpSize"), "128");
  EXPECT_EQ(value("cudaDeviceProp prop;", "prop.multiProcessorCount").front(), '?') << "it depends on the GPU";
  EXPECT_EQ(value(" ", "static_cast<int>(2.9)"), "2");
  EXPECT_EQ(value(" ", "std::min(3, 4) + max(1, 2)"), "5");
  EXPECT_EQ(value(" ", "dim3(2, 3).y"), "3");
  EXPECT_EQ(value(" ", "1 / 0").front(), '?');
  EXPECT_EQ(value(" ", "9223372036854775807 + 1").front(), '?');
}

TEST(HostConstants, EnumeratorsCountOn) {
  const std::string text =
      "enum { TILE = 1 << 4, NEXT, LAST = NEXT * 2, BEHIND };\nenum Colour : unsigned { red, green = 7, blue, };\n"
      "enum class Kind { scoped = 3 };\nenum Later;\nstruct S { enum { inner = 9 }; };\n"
      "void f() { enum { TILE = 2 }; }\nint main() { g(); }\n";
  const std::size_t main = text.find("g();");
  const auto at = [&](const std::string& expression) {
    const HostEvaluation made = HostConstants(text).evaluate(expression, main);
    return made.value ? std::to_string(made.value->whole) : "?";
  };
  EXPECT_EQ(at("TILE"), "16");
  EXPECT_EQ(at("NEXT"), "17");
  EXPECT_EQ(at("LAST + BEHIND"), "69");
  EXPECT_EQ(at("red"), "0");
  EXPECT_EQ(at("blue"), "8");
  EXPECT_EQ(at("scoped"), "?") << "only Kind::scoped is that";
  EXPECT_EQ(at("inner"), "?");
}

TEST(HostConstants, NamesAreWhatTheSourceMakesThem) {
  const std::string text =
      "#define TILE 16\n#define CEIL_DIV(M, N) (((M) + (N) - 1) / (N))\n#define TWICE 1\n#define TWICE 2\n"
      "constexpr int width = 4 * TILE;\nint divup(int a, int b) { return (a + b - 1) / b; }\n"
      "int main() {\n  const unsigned int n = 1000, m = n / 3;\n  int size = n * sizeof(float);\n  int changed = 5;\n  "
      "changed = 6;\n"
      "  int read;\n  scanf(\"%d\", &size2);\n  int size2 = 4;\n  scanf(\"%d\", &size2);\n"
      "  dim3 block(TILE, TILE), grid = dim3(divup(width, TILE), 2);\n  dim3 braced{3};\n  float half_of = 5 / 2;\n  "
      "int cut = 2.9f;\n"
      "  k<<<grid, block>>>(m);\n  const int later = 7;\n}\n";
  EXPECT_EQ(value(text, "width"), "64");
  EXPECT_EQ(value(text, "CEIL_DIV(n, TILE + TILE)"), "32");
  EXPECT_EQ(value(text, "divup(n, 256)"), "4");
  EXPECT_EQ(value(text, "m"), "333");
  EXPECT_EQ(value(text, "size"), "4000");
  EXPECT_EQ(value(text, "grid"), "4,2,1");
  EXPECT_EQ(value(text, "block.x * block.y"), "256");
  EXPECT_EQ(value(text, "braced"), "3,1,1");
  EXPECT_EQ(value(text, "half_of"), "2.000000");
  EXPECT_EQ(value(text, "cut"), "2");
  EXPECT_EQ(value(text, "changed"), "? `changed` may change on line 11");
  EXPECT_EQ(value(text, "size2"), "? `size2` may change on line 15");
  EXPECT_EQ(value(text, "read"), "? `read` is given at run time");
  EXPECT_EQ(value(text, "later"), "? `later` is not known");
  EXPECT_EQ(value(text, "TWICE"), "? `TWICE` is defined more than once");
  EXPECT_EQ(value(text, "atoi(x)"), "? `x` is not known");
}

// A generated file: its 10,000 functions have a parameter of one name each. To search the whole text for each of them
// took a minute, before which the window showed nothing.
TEST(HostConstants, AFileOf30000LinesIsReadAtOnce) {
  std::string text;
  for (int k = 0; k < 10'000; ++k)
    text += "__device__ inline float f" + std::to_string(k) + "(float x) {\n  return x * 2.0f;\n}\n";
  text += "int main() {\n  int n = 64, blocks = 4;\n  blocks = 5;\n  k<<<blocks, n>>>();\n}\n";
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(value(text, "n"), "64");
  EXPECT_EQ(value(text, "blocks"), "? `blocks` may change on line 30003");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
}

TEST(HostConstants, AReferenceMayChangeAVariable) {
  const auto at_launch = [](const std::string& statement) {
    return value("void f() { int n = 4, m = 2; " + statement + " k<<<n, 1>>>(); }\n", "n");
  };
  EXPECT_EQ(at_launch("int& other = n; other = 3;"), "? `n` may change on line 1");
  EXPECT_EQ(at_launch("std::swap(n, m);"), "? `n` may change on line 1");
  EXPECT_EQ(at_launch("swap(m, n);"), "? `n` may change on line 1");
  EXPECT_EQ(at_launch("const int& other = n;"), "4");
  EXPECT_EQ(at_launch("int other = m & n;"), "4");
  EXPECT_EQ(at_launch("bool other = m == 2 && n > 3;"), "4");
  EXPECT_EQ(at_launch("bool other = m&&n;"), "4");
  EXPECT_EQ(at_launch("bool other = m == 2 && &n;"), "? `n` may change on line 1");
  EXPECT_EQ(at_launch("bool other = m&&&n;"), "? `n` may change on line 1");
}

// A variable of the same name in another function is not meant.
TEST(HostConstants, ANameIsThatOfItsScope) {
  EXPECT_EQ(value("const int n = 1;\nvoid f() { int n = 2; }\nvoid g() { k<<<n, 1>>>(); }\n", "n"), "1");
  EXPECT_EQ(value("void f() { int n = 2; }\nvoid g(int n) { k<<<n, 1>>>(); }\n", "n"), "? `n` is given at run time");
  EXPECT_EQ(value("const int B = 8;\ntemplate <int B> void g() { k<<<1, B>>>(); }\n", "B"),
            "? `B` is given at run time");
  EXPECT_EQ(value("void g() { int n = 1; { int n = 2; k<<<n, 1>>>(); } }\n", "n"), "2");
  EXPECT_EQ(value("void g() { for (int n = 1; n < 9; n++) { k<<<n, 1>>>(); } }\n", "n").front(), '?');
}

TEST(HostConstants, ANamespaceWithoutANameHidesNothing) {
  EXPECT_EQ(value("namespace {\nconstexpr int N = 128;\nvoid f() { int N = 3; }\n}\nvoid g() { k<<<N, 1>>>(); }", "N"),
            "128");
  EXPECT_EQ(value("extern \"C\" {\nconstexpr int N = 64;\n}\nvoid g() { k<<<N, 1>>>(); }", "N"), "64");
  EXPECT_EQ(value("namespace one {\nconstexpr int N = 64;\n}\nvoid g() { k<<<N, 1>>>(); }", "N"), "? `N` is not known");
  EXPECT_EQ(value("void f() { int n = 4; }\nnamespace {\nvoid g() { k<<<n, 1>>>(); }\n}\n", "n"), "? `n` is not known");
}

TEST(HostConstants, AnExtentMayBeSetMemberByMember) {
  const std::string text =
      "void f(dim3 given) {\n  dim3 grid, block(1, 1);\n  grid.x = 64 / 4;\n  grid.y = grid.x / 2;\n"
      "  block.x = 32;\n  dim3 twice;\n  twice.x = 2;\n  twice.x = 3;\n  dim3 maybe;\n  if (grid.x) maybe.x = 5;\n"
      "  dim3 plain;\n  k<<<grid, block>>>();\n  block.y = 9;\n}\n";
  EXPECT_EQ(value(text, "grid"), "16,8,1");
  EXPECT_EQ(value(text, "block"), "32,1,1") << "block.y is set after the launch";
  EXPECT_EQ(value(text, "plain"), "1,1,1");
  EXPECT_EQ(value(text, "twice"), "? `twice` may change on line 8");
  EXPECT_EQ(value(text, "maybe"), "? `maybe` may change on line 10");
  EXPECT_EQ(value(text, "given"), "? `given` is given at run time");
  EXPECT_EQ(value("void f() { dim3 g; for (int i = 1; i < 3; ++i) { g.x = i; k<<<g, 1>>>(); } }\n", "g").front(), '?');
}

TEST(HostConstants, AnOwnerTellsWhichNameIsMeant) {
  const std::string text =
      "struct Small { static constexpr int block = 64; enum Kind { tile = 8 }; };\n"
      "struct Large { static const unsigned block = 2 * Small::block; };\n"
      "template <int N> struct Each { static constexpr int block = N; };\n"
      "template <> struct Each<2> { static constexpr int block = 5; };\n"
      "namespace ns { constexpr int block = 3; }\nenum Mode { fast = 7 };\n"
      "template <class T> void g() { int block = 1; k<<<T::block, 1>>>(); }\n";
  EXPECT_EQ(value(text, "Small::block"), "64");
  EXPECT_EQ(value(text, "Large::block"), "128");
  EXPECT_EQ(value(text, "ns::block"), "3");
  EXPECT_EQ(value(text, "Mode::fast + Small::tile"), "15");
  EXPECT_EQ(value(text, "block"), "1");
  EXPECT_EQ(value(text, "T::block"), "? `block` is not known") << "not the local one";
  EXPECT_EQ(value(text, "Each::block").front(), '?');
}

TEST(HostConstants, AVariableHasTheSizeOfItsType) {
  const std::string text =
      "#define N 10\nvoid f(float given[N]) {\n  float a[N], m[4][N / 2];\n  unsigned char *p, open[] = {1, 2};\n"
      "  double d;\n  k<<<1, 1>>>();\n}\n";
  EXPECT_EQ(value(text, "sizeof(a)"), "40");
  EXPECT_EQ(value(text, "sizeof(m) / sizeof(float)"), "20");
  EXPECT_EQ(value(text, "sizeof(p) + sizeof(d)"), "16");
  EXPECT_EQ(value(text, "sizeof(open)").front(), '?');
  EXPECT_EQ(value(text, "sizeof(given)").front(), '?') << "a parameter is a pointer";
  EXPECT_EQ(value(text, "sizeof(unknown)"), "? `sizeof(unknown)` is not known");
}

}  // namespace
}  // namespace lanescope::compile
