// Reads a source without a compiler: kernels by name, extents of declarations, includes.

#include "compile/host/source_scan.h"

#include <gmock/gmock.h>

#include "compile/host/host_slice.h"

namespace lanescope::compile {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(CompilerScan, NamesKernelsAsAUserWould) {
  EXPECT_THAT(scan_kernels("__global__ void copy(float* a) {}"), ElementsAre("copy"));
  EXPECT_THAT(scan_kernels("static __global__ __launch_bounds__(256, 2) void bounded(int) {}"), ElementsAre("bounded"));
  EXPECT_THAT(scan_kernels("void __global__ __launch_bounds__(256) late(int) {}"), ElementsAre("late"));
  EXPECT_THAT(scan_kernels("extern \"C\" __global__ void c_name(int) {} extern \"C\" { __global__ void other() {} }"),
              ElementsAre("c_name", "other"));
  EXPECT_THAT(scan_kernels("namespace a { inline namespace b { namespace c::d { __global__ void k() {} } } }"),
              ElementsAre("a::b::c::d::k"));
  EXPECT_THAT(scan_kernels("namespace { __global__ void hidden() {} }"), ElementsAre("hidden"));
}

TEST(CompilerScan, ShowsTemplateParametersByName) {
  EXPECT_THAT(scan_kernels("template <typename T, int N = 4, class... Rest> __global__ void k(T*) {}"),
              ElementsAre("k<T, N, Rest>"));
  EXPECT_THAT(scan_kernels("template <template <class> class Box, bool> __global__ void k() {}"),
              ElementsAre("k<Box, _>"));
  EXPECT_THAT(scan_kernels("template <typename T = Pair<int, 3>, unsigned = sizeof(int)> __global__ void k() {}"),
              ElementsAre("k<T, _>"));
}

TEST(CompilerScan, ListsSpecialisationsAndInstantiations) {
  EXPECT_THAT(scan_kernels("template <class T> __global__ void k(T*) {}\n"
                           "template <> __global__ void k<int>(int*) {}\n"
                           "template __global__ void k<Pair<float, 2>>(Pair<float, 2>*);\n"),
              ElementsAre("k<T>", "k<int>", "k<Pair<float, 2>>"));
}

TEST(CompilerScan, SeesOnlyCode) {
  EXPECT_THAT(scan_kernels("// __global__ void a() {}\n/* __global__ void b() {} */\n"
                           "const char* s = \"__global__ void c() {}\";\n"
                           "const char* r = R\"x(__global__ void d() {} )\" )x\";\n"
                           "#if 0\n__global__ void e() {}\n#endif\n"
                           "#define F __global__ void f() {}\n"
                           "// a comment that goes on \\\n__global__ void g() {}\n"),
              IsEmpty());
  EXPECT_THAT(scan_kernels("#ifdef A\n__global__ void k(int a) {\n#else\n__global__ void k(float a) {\n#endif\n}\n"
                           "__global__ void after() {}"),
              ElementsAre("k", "after"));
  EXPECT_THAT(scan_kernels("int a = 1'000'000; char q = '\"'; char b = '\\''; __global__ void k() {}"),
              ElementsAre("k"));
}

TEST(CompilerScan, KnowsAnnotationsBehindMacros) {
  EXPECT_THAT(
      scan_kernels(
          "#define KERNEL extern \"C\" __global__\n#define ALIAS KERNEL\nKERNEL void a() {}\nALIAS void b() {}"),
      ElementsAre("a", "b"));
  EXPECT_THAT(scan_kernels("#define HD __host__ __device__\nHD void a() {}"), IsEmpty());
}

TEST(CompilerScan, SeesKernelsThatMacrosDeclare) {
  const std::string text =
      "#define KERNEL(name, T) __global__ void name(T* x, const int n) { if (n) x[0] = T(1); }\n"
      "#define HEAD(name) extern \"C\" __global__ void name\n"
      "#define JOIN(a, b) a##_##b\n"
      "#define BOTH(op, ...) \\\n  __global__ void JOIN(op, f32)(float* x, __VA_ARGS__) {} \\\n"
      "  template <typename T> __global__ void op##_any(T x) { say(#op); }\n"
      "#define ALL(op) BOTH(op, int n, int m)\n"
      "#define TWICE(f) __device__ float f(float x) { return 2 * x; }\n"
      "KERNEL(add, float)\nKERNEL(wide, unsigned long long);\nHEAD(copy)(float *to, const float* from) { to[0] = 1; }\n"
      "ALL(mul)\nTWICE(twice)\nint main() { KERNEL; }\n";
  EXPECT_THAT(scan_kernels(text), ElementsAre("add", "wide", "copy", "mul_f32", "mul_any<T>"));
  std::vector<std::string> told;
  for (const ScannedDeclaration& one : scan_declarations(text))
    if (!one.name.empty())
      told.push_back(one.name + ":" + std::to_string(one.line) + " (" + one.parameters + ") " +
                     text.substr(one.begin, one.end - one.begin));
  EXPECT_THAT(told, ElementsAre("add:9 (float* x, const int n) KERNEL(add, float)",
                                "wide:10 (unsigned long long* x, const int n) KERNEL(wide, unsigned long long)",
                                "copy:11 (float *to, const float* from) HEAD(copy)(float *to, const float* from) { "
                                "to[0] = 1; }",
                                "mul_f32:12 (float* x, int n, int m) ALL(mul)", "mul_any:12 (T x) ALL(mul)",
                                "twice:13 (float x) TWICE(twice)", "main:14 () int main() { KERNEL; }"));
}

TEST(CompilerScan, ACallOfAMacroStandsAndFallsAsAWhole) {
  const auto found = scan_declarations(
      "#define WITH_HOST(n) __global__ void n##_kernel() {} void n() { call(n##_kernel); }\nWITH_HOST(k)\nvoid f() "
      "{}\n");
  ASSERT_EQ(found.size(), 3u);
  EXPECT_TRUE(found[0].is_kernel);
  EXPECT_EQ(found[1].name, "k");
  EXPECT_TRUE(found[1].is_device) << "it would take the kernel with it";
  EXPECT_FALSE(found[2].is_device);
}

// What a macro cannot be replaced by, or what would never end, stays as it is.
TEST(CompilerScan, SurvivesAnyMacro) {
  const std::string kernel = "\n__global__ void k() {}\n";
  for (const char* text :
       {"#define A(x) __global__ B(x)\n#define B(x) A(x) A(x)\nA(1)", "#define A(x, y) __global__\nA(1)\nA(\nA)",
        "#define A() __global__ void a() {}\nA()\nA(x)\n", "#define A(...) __global__ __VA_ARGS__ #__VA_ARGS__\nA()",
        "#define A(x) __device__ #x##x\nA(\"\")"})
    EXPECT_FALSE(scan_declarations(text + kernel).empty()) << text;
  // Brackets and quotes that stay open.
  for (const char* text : {"#define A(x) __global__ ## x ## ## x #\nA() A(()\n", "#define A __device__ )(\nA(",
                           "#define A(x\n__global__ A(3", "#define A(x) __global__ 'x\nA(')"})
    scan_declarations(text + kernel);
  std::string bomb = "#define M0(x) __device__ x x\n";
  for (int i = 1; i < 40; ++i)
    bomb +=
        "#define M" + std::to_string(i) + "(x) M" + std::to_string(i - 1) + "(x) M" + std::to_string(i - 1) + "(x)\n";
  EXPECT_THAT(scan_kernels(bomb + "M39(int a;)" + kernel), ElementsAre("k"));
}

TEST(CompilerScan, ADeclarationAndItsDefinitionAreOneKernel) {
  EXPECT_THAT(scan_kernels("__global__ void k(int);\n__global__ void k(int) {}"), ElementsAre("k"));
}

TEST(CompilerScan, GivesTheExtentOfEachDeclaration) {
  const std::string text =
      "#include <vector>\n"
      "struct P { float x; float get() const { return x; } };\n"
      "static int counter = 0;\n"
      "template <typename T>\nT helper(std::vector<T> v) { return v[0]; }\n"
      "__device__ int f(int a) { return a; }\n"
      "constexpr int twice(int a) { return 2 * a; }\n"
      "P table[2] = {{1}, {2}};\n"
      "int main() { f(1); }\n";
  const auto found = scan_declarations(text);
  std::vector<std::string> told;
  for (const auto& d : found)
    told.push_back(d.name + " at " + std::to_string(d.line) + ": " +
                   text.substr(d.begin, d.end - d.begin).substr(0, 24));
  EXPECT_THAT(told, ElementsAre("P at 2: struct P { float x; floa", "counter at 3: static int counter = 0;",
                                "helper at 5: template <typename T>\nT ", "f at 6: __device__ int f(int a) ",
                                "twice at 7: constexpr int twice(int ", "table at 8: P table[2] = {{1}, {2}};",
                                "main at 9: int main() { f(1); }"));
  using Kind = ScannedDeclaration::Kind;
  EXPECT_EQ(found[0].kind, Kind::type);
  EXPECT_EQ(found[1].kind, Kind::variable);
  EXPECT_EQ(found[2].kind, Kind::function);
  EXPECT_TRUE(found[3].is_device);
  EXPECT_TRUE(found[4].is_constexpr);
  EXPECT_EQ(found[5].kind, Kind::variable);
}

TEST(CompilerScan, SurvivesAnyText) {
  for (const char* text : {"",
                           "}",
                           "}}}} __global__ void k() {}",
                           "{{{{",
                           "template <",
                           "template <<<>>> ((",
                           "#",
                           "#if",
                           "\"",
                           "R\"",
                           "R\"abc(",
                           "/*",
                           "'",
                           "namespace",
                           "namespace a",
                           "extern \"C\"",
                           "operator()",
                           "= {",
                           "\\",
                           "#define",
                           "#define X \\",
                           "__global__",
                           "class {",
                           "((((((",
                           "]]]]",
                           "using",
                           "template <> template"})
    scan_kernels(text);
  EXPECT_THAT(scan_kernels("}} __global__ void k() {}"), ElementsAre("k"));
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "namespace n{";
  scan_kernels(deep);
}

TEST(CompilerScan, SeesAliases) {
  std::vector<std::string> names;
  for (const auto& d : scan_declarations(
           "typedef unsigned int word;\nusing Real = float;\nusing std::cout;\nusing namespace std;\n"
           "typedef void (CALLED *Hook)(int mode);\ntypedef struct Node { int n; } NodeType;\nint after;"))
    names.push_back(d.name + (d.kind == ScannedDeclaration::Kind::alias ? " alias" : ""));
  EXPECT_THAT(names,
              ElementsAre("word alias", "Real alias", "cout alias", " alias", "Hook alias", "NodeType alias", "after"));
}

TEST(CompilerScan, SeesMembersWhereTheyStand) {
  const std::string text =
      "int before;\nclass Box {\n public:\n  Box() : n(0) {}\n  __device__ int get() const { return n; }\n"
      "  friend bool operator==(Box a, Box b) { return a.n == b.n; }\n private:\n  int n;\n};\nint after;";
  const auto all = scan_declarations(text);
  ASSERT_EQ(all.size(), 3u);
  std::vector<std::string> told;
  for (const auto& d : scan_members(text, all[1]))
    told.push_back(text.substr(d.begin, 12) + (d.is_device ? " device" : "") + " " + std::to_string(d.line));
  EXPECT_THAT(told, ElementsAre("Box() : n(0) 4", "__device__ i device 5", "friend bool  6", "int n;\n};\nin 8"));
}

TEST(CompilerScan, AnOperatorIsAFunctionWhateverItsSign) {
  for (const char* sign : {"==", "=", "^=", "<", "<<", "()", "[]", "->", ",", " bool", " new", "\"\"_km"}) {
    const std::string text = "__device__ int operator" + std::string(sign) + "(A a) { return 1; }\nint after;";
    const auto all = scan_declarations(text);
    ASSERT_EQ(all.size(), 2u) << sign;
    EXPECT_EQ(all[0].kind, ScannedDeclaration::Kind::function) << sign;
    EXPECT_EQ(all[0].name, "operator") << sign;
    EXPECT_TRUE(all[0].is_device) << sign;
    EXPECT_EQ(all[1].name, "after") << sign;
  }
}

TEST(CompilerScan, AConstructorGoesToTheEndOfItsBody) {
  for (const char* values : {"a(1)", "a{1}", "a{1}, b(2)", "b(2), a{1}", "std::vector<int>{1}, a{{2, 3}}"}) {
    const std::string constructor = "template <class T> V<T>::V(int n) : " + std::string(values) + " { fill(n); }";
    const auto all = scan_declarations(constructor + "\nint after;");
    ASSERT_EQ(all.size(), 2u) << values;
    EXPECT_EQ(all[0].end, constructor.size()) << values;
  }
}

TEST(CompilerScan, LeavesOutWhatIsForOtherSystems) {
  EXPECT_THAT(
      scan_kernels(
          "#ifdef _WIN32\n__global__ void a() {}\n#else\n__global__ void b() {}\n#endif\n"
          "#if defined(_MSC_VER)\n__global__ void c() {}\n#endif\n"
          "#ifndef _WIN32\n__global__ void d() {}\n#endif\n#if !defined(WIN32)\n__global__ void e() {}\n#endif"),
      ElementsAre("b", "d", "e"));
}

TEST(CompilerScan, LeavesOutWhatIsForOtherVendors) {
  EXPECT_THAT(scan_kernels("#if USE_HIP\n__global__ void a() {}\n#elif defined(GGML_USE_MUSA)\n__global__ void b() {}\n"
                           "#else\n__global__ void c() {}\n#endif\n"
                           "#ifndef USE_ROCM\n__global__ void d() {}\n#endif\n"
                           "#if defined(__CUDACC__) || defined(__HIPCC__)\n__global__ void e() {}\n#endif\n"
                           "#ifdef CHIP_SHIPPED\n__global__ void f() {}\n#endif\n"
                           "#ifdef X\n__global__ void g() {}\n#elif 1\n__global__ void h() {}\n#endif"),
              ElementsAre("c", "d", "e", "f", "g"));
}

TEST(CompilerSlice, KeepsWhatKernelsReachAndDirectives) {
  std::string source =
      "#define HALF(n) half_of(n)\nint lost(int a) {\n#ifdef X\n  return a;\n#else\n  return 1;\n#endif\n}\n"
      "constexpr int SIZE = 4, OTHER = 5;\nint half_of(int n);\n"
      "__global__ void k(int* p) { p[0] = HALF(OTHER) + from_header(); }\n";
  std::string header = "int from_header();\nstruct Unused { int x; };\n";
  const std::string before = source;
  std::vector<std::string> left_out;
  EXPECT_TRUE(leave_out_unreached({&source, &header}, left_out));
  EXPECT_THAT(left_out, ElementsAre("lost", "Unused"));
  EXPECT_EQ(source.size(), before.size());
  EXPECT_EQ(source.find("#ifdef X\n           \n#else\n"), before.find("#ifdef X\n  return a;"));
  EXPECT_NE(source.find("constexpr int SIZE = 4, OTHER = 5;\nint half_of(int n);"), std::string::npos);
  EXPECT_EQ(header, "int from_header();\n                         \n");
  std::string unpaired = "int a() {\n__global__ void k() {}\n";
  EXPECT_FALSE(leave_out_unreached({&unpaired}, left_out));
}

TEST(CompilerScan, ANumberMayHaveOneSeparator) {
  const std::string text =
      "constexpr int SIZE = 1'024;\n"
      "__global__ void first(unsigned* x) { x[0] = 0xffff'ffff; }\n"
      "template <int N> __global__ void second(int* x) { x[0] = N + 0b1'0; }\n"
      "void host(int* x) { second<4><<<1, 0x2'0>>>(x); }\n";
  EXPECT_THAT(scan_kernels(text), ElementsAre("first", "second<N>"));
  EXPECT_EQ(blank_non_code(text), text);
  EXPECT_EQ(blank_non_code("f(u'x', L'0', 'a');"), "f(u' ', L' ', ' ');");
}

TEST(CompilerScan, BlankingKeepsPlaces) {
  const std::string text = "int a; // x\r\n/* y\nz */ int b; \"s\"\n#define Q 1\nint c;";
  const std::string code = blank_non_code(text);
  ASSERT_EQ(code.size(), text.size());
  EXPECT_EQ(code, "int a;     \r\n    \n     int b; \" \"\n           \nint c;");
}

TEST(CompilerScan, FindsIncludes) {
  bool computed = true;
  const auto found = scan_includes(
      "#include <a.h>\n // #include <no.h>\n  #  include \"b/c d.cuh\" // x\n/* \n#include <no.h>\n*/\n#include <e>\n",
      &computed);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].name, "a.h");
  EXPECT_TRUE(found[0].angled);
  EXPECT_EQ(found[1].name, "b/c d.cuh");
  EXPECT_FALSE(found[1].angled);
  EXPECT_EQ(found[1].line, 3);
  EXPECT_EQ(found[2].line, 7);
  EXPECT_FALSE(computed);
  scan_includes("#include HEADER\n", &computed);
  EXPECT_TRUE(computed);
}

TEST(CompilerScan, MeasuresNesting) {
  EXPECT_EQ(bracket_depth("a(b[c{d}])"), 3u);
  EXPECT_EQ(bracket_depth("((( \"((((((\" // (((("), 3u);
  EXPECT_EQ(bracket_depth(")))(()"), 2u);
}

}  // namespace
}  // namespace lanescope::compile
