// `open` on a CUDA file without main(): its kernels, and a command that launches each.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "core/os/program_name.h"
#include "program.h"

namespace lanescope::test {
namespace {

// What a shell of this system, cmd.exe on Windows, takes around a word.
std::string in_quotes(const std::string& word) {
  const char* const quote = on_posix() ? "'" : "\"";
  return quote + word + quote;
}

TEST(OpenKernels, ListsACommandForEachKernelAndItRuns) {
  const TempFolder folder;
  const std::string file = (folder / "own.cu").string();
  std::ofstream(file) << "__global__ void first(float* out, int n) {\n"
                         "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                         "  if (i < n) out[i] = 1;\n"
                         "}\n"
                         "// run: --grid 1 --block 32 --arg f32[32]\n"
                         "__global__ void second(float* out) { out[threadIdx.x] = 2; }\n";
  const Ran listed = lanescope({"open", file, "--list"});
  EXPECT_EQ(listed.code, 0);
  EXPECT_EQ(listed.out, "# first, guessed: the file does not launch this kernel\nlanescope trace " + file +
                            " --kernel first --grid 16 --block 256 --arg " + in_quotes("f32[4000]=0") + " --arg " +
                            in_quotes("i32=4000") +
                            "\n\n"
                            "# second, from the // run: line 5\nlanescope trace " +
                            file + " --kernel second --grid 1 --block 32 --arg " + in_quotes("f32[32]") + "\n");
  const Ran ran = lanescope({"trace", file, "--kernel", "first", "--grid", "16", "--block", "256", "--arg",
                             "f32[4000]=0", "--arg", "i32=4000", "--json"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.json()["buffers"][0]["sum"], 4000.0);
  const nlohmann::json json = lanescope({"open", file, "--json"}).json();
  ASSERT_EQ(json["kernels"].size(), 2u);
  EXPECT_EQ(json["kernels"][0]["values"], "guessed");
  EXPECT_EQ(json["kernels"][1]["line"], 6);
}

// A header that lies in a folder beside the file's: the command has -I, and what the header declares is known.
TEST(OpenKernels, FoldersOfHeadersAreFound) {
  const TempFolder folder;
  for (const char* sub : {"include", "src"}) std::filesystem::create_directory(folder / sub);
  std::ofstream(folder / "include" / "points.h") << "struct Points { int count; float* x; };\n";
  const std::string file = (folder / "src" / "move.cu").generic_string();
  std::ofstream(file) << "#include \"points.h\"\n"
                         "__global__ void move(Points points, float by) {\n"
                         "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                         "  if (i < points.count) points.x[i] += by;\n"
                         "}\n";
  const Ran listed = lanescope({"open", file, "--list"});
  EXPECT_NE(listed.out.find(" -I "), std::string::npos) << listed.out;
  EXPECT_NE(listed.out.find("/include --kernel move "), std::string::npos) << listed.out;
  EXPECT_NE(listed.out.find(" --arg " + in_quotes("{i32=4000,f32[4000]=0}")), std::string::npos) << listed.out;
  const Ran hint = lanescope({"trace", file});
  EXPECT_NE(hint.err.find("/include --kernel move "), std::string::npos) << hint.err;
}

TEST(OpenKernels, AStructIsWrittenAsItsMembersAndOthersGetTheirBytes) {
  const TempFolder folder;
  const std::string file = (folder / "own.cu").string();
  std::ofstream(file) << "enum Mode { plain, twice };\n"
                         "struct Range { int first; double step; };\n"
                         "__global__ void fill(float* out, Range range, Mode mode) {\n"
                         "  out[threadIdx.x] = range.first + range.step + mode;\n"
                         "}\n";
  const Ran listed = lanescope({"open", file, "--list"});
  EXPECT_NE(listed.out.find(" --arg " + in_quotes("{i32=0,f64=1}") + " --arg " + in_quotes("bytes=00000000") + "\n"),
            std::string::npos)
      << listed.out;
  const Ran ran = lanescope({"trace", file, "--kernel", "fill", "--grid", "1", "--block", "256", "--arg", "f32[4096]=0",
                             "--arg", "{i32=0,f64=1}", "--arg", "bytes=00000000"});
  EXPECT_EQ(ran.code, 0) << ran.err;
}

TEST(OpenKernels, TheCommandOfAKernelThatDoesNotCompileSaysWhy) {
  const TempFolder folder;
  const std::string file = (folder / "own.cu").string();
  std::ofstream(file) << "#include \"nobody_has_this.cuh\"\n"
                         "__global__ void fill(float* out, Range range) { out[0] = range.first; }\n";
  const Ran listed = lanescope({"open", file, "--list"});
  EXPECT_EQ(listed.code, 0);
  EXPECT_NE(listed.out.find("--arg " + in_quotes("bytes=00") + "\n"), std::string::npos) << listed.out;
  EXPECT_NE(listed.out.find("# The file does not compile, so how many bytes its structs have is not known:\n"
                            "#   " +
                            file + ":1: error: cannot open source file \"nobody_has_this.cuh\""),
            std::string::npos)
      << listed.out;
  const Ran ran = lanescope(
      {"trace", file, "--kernel", "fill", "--grid", "1", "--block", "1", "--arg", "f32[1]=0", "--arg", "bytes=00"});
  EXPECT_NE(ran.err.find("cannot open source file \"nobody_has_this.cuh\""), std::string::npos) << ran.err;
}

// The commands have the folders and macros that they were listed with.
TEST(OpenKernels, TakesFoldersOfHeadersAndMacros) {
  const TempFolder folder;
  const std::string file = (folder / "own.cu").string(), headers = (folder / "inc").string();
  std::filesystem::create_directory(headers);
  std::ofstream(headers + "/range.cuh") << "struct Range { int first; double step; };\n";
  std::ofstream(file) << "#include <range.cuh>\n"
                         "__global__ void fill(float* out, Range range) { out[threadIdx.x] = range.first + BY; }\n";
  const Ran listed = lanescope({"open", file, "--list", "-I", headers, "-D", "BY=2"});
  EXPECT_EQ(listed.code, 0) << listed.err;
  EXPECT_NE(listed.out.find("lanescope trace " + file + " -I " + headers + " --kernel fill"), std::string::npos)
      << listed.out;
  EXPECT_NE(listed.out.find(" -D " + in_quotes("BY=2")), std::string::npos) << listed.out;
  EXPECT_NE(listed.out.find("--arg " + in_quotes("{i32=0,f64=1}")), std::string::npos) << "declared in the header";
}

TEST(OpenKernels, SaysWhichNumbersOfALaunchItGuesses) {
  const TempFolder folder;
  const std::string file = (folder / "own.cu").string();
  std::ofstream(file) << "__global__ void fill(float* out) { out[threadIdx.x] = 1; }\n"
                         "void host(float* out, int lanes, int jobs) {\n"
                         "  dim3 grid(4, jobs +\n    1);\n"
                         "  fill<<<grid, dim3(32, lanes, 2)>>>(out);\n"
                         "}\n";
  const Ran listed = lanescope({"open", file, "--list"});
  EXPECT_NE(listed.out.find("# fill, from the launch in line 5; what it leaves open is guessed, among it y of the "
                            "grid, which is `jobs + 1`, y of the block, which is `lanes`\n"),
            std::string::npos)
      << listed.out;
  EXPECT_NE(listed.out.find(" --grid 4 --block " + as_typed("32,1,2") + " "), std::string::npos) << listed.out;
}

// The parameters of a template are not its arguments.
TEST(OpenKernels, ATemplateOfAHeaderIsNamedWithoutItsParameters) {
  const TempFolder folder;
  const std::string file = (folder / "none.cu").string();
  std::ofstream((folder / "k.cuh").string()) << "template <class T> __global__ void fill(T* out) { out[0] = 1; }\n";
  std::ofstream(file) << "#include \"k.cuh\"\n";
  const Ran ran = lanescope({"open", file, "--list"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find("Name one of them, with template arguments for the …: `lanescope trace " + file +
                         " --kernel " + in_quotes("fill<…>") + "`"),
            std::string::npos)
      << ran.err;
}

TEST(OpenKernels, AFileWithoutAKernelIsRefused) {
  const TempFolder folder;
  const std::string file = (folder / "none.cu").string();
  std::ofstream(file) << "void host() {}\n";
  const Ran ran = lanescope({"open", file, "--list"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find("The file has no kernel."), std::string::npos);
}

TEST(OpenKernels, AFileWhoseHeadersHaveTheKernelsNamesThem) {
  const TempFolder folder;
  const std::string file = (folder / "all.cu").string();
  std::ofstream(folder / "pack.h") << "__global__ void pack(int* x) {}\n";
  std::ofstream(file) << "#include \"pack.h\"\nvoid host() {}\n";
  const Ran ran = lanescope({"open", file, "--list"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find("headers that it includes have: `pack` ("), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("--kernel pack"), std::string::npos) << ran.err;
}

}  // namespace
}  // namespace lanescope::test
