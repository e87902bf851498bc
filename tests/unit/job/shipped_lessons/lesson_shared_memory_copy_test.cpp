// The figures of lesson 4: in the interpreter, and in the SASS that the bundled compiler makes.

#include <string>

#include "compile/compiler.h"
#include "compile/fixture.h"
#include "job/lesson/lesson_request.h"
#include "job/shipped_lessons/lesson_run.h"
#include "test_paths.h"

namespace lanescope::shared_memory_copy {
namespace {

using nlohmann::json;

const char* const folder = LANESCOPE_SOURCE_DIR "/lessons/04_shared_memory_copy/";

// Settings as on the command line: "tile=8".
json run(const std::string& variant, const std::vector<std::string>& settings = {}) {
  lesson::ControlValues controls;
  for (const std::string& setting : settings)
    controls[setting.substr(0, setting.find('='))] = std::stoll(setting.substr(setting.find('=') + 1));
  return json::parse(
      job::to_json(test::run_variant(test::lesson_in("04_shared_memory_copy"), variant, controls).outcome));
}

// n doubles are 8 n bytes, 32 per sector. A warp's request takes 256 bytes, or 512 for double2.
TEST(LessonSharedMemoryCopy, EveryVariantMovesTheSameSectors) {
  const int n = 262144;
  for (const char* variant : {"copy_row", "copy_row_restrict", "copy_shared", "copy_register", "copy_register_n",
                              "copy_double2", "copy_async"}) {
    const json totals = run(variant)["totals"];
    const int requests = variant == std::string("copy_double2") ? n / 64 : n / 32;
    for (const char* group : {"global_load", "global_store"}) {
      EXPECT_EQ(totals[group]["sectors"], 8 * n / 32) << variant;
      EXPECT_EQ(totals[group]["requests"], requests) << variant;
      EXPECT_EQ(totals[group]["efficiency"], 1.0) << variant;
    }
    EXPECT_EQ(totals["divergent_branches"], 0) << variant;
    EXPECT_EQ(totals["barriers"], 0) << variant << ": every thread reads back only what it wrote";
  }
}

// 32 lanes × 8 bytes are two wavefronts of 128 bytes: the minimum, so no conflict.
TEST(LessonSharedMemoryCopy, TwoWavefrontsOfADoubleAreNoConflict) {
  for (const char* variant : {"copy_shared", "copy_async"}) {
    const json totals = run(variant)["totals"];
    for (const char* group : {"shared_store", "shared_load"}) {
      const json& shared = totals[group];
      EXPECT_GT(shared["requests"], 0) << variant;
      EXPECT_EQ(shared["wavefronts"].get<int>(), 2 * shared["requests"].get<int>()) << variant << ' ' << group;
      EXPECT_EQ(shared["ideal_wavefronts"], shared["wavefronts"]) << variant << ' ' << group;
      EXPECT_EQ(shared["bank_conflicts"], 0) << variant << ' ' << group;
    }
  }
}

// The kernel reads two values back; the compiler kept one of the reads, as the source's own listing shows.
TEST(LessonSharedMemoryCopy, HalfOfTheDetourIsGone) {
  const json shared = run("copy_shared")["totals"], async = run("copy_async")["totals"];
  EXPECT_EQ(shared["shared_store"]["requests"], 262144 / 32);
  EXPECT_EQ(shared["shared_load"]["requests"], 262144 / 64);
  EXPECT_EQ(async["shared_load"]["requests"], 262144 / 32) << "cp.async leaves nothing in a register";
}

TEST(LessonSharedMemoryCopy, EveryLegalControlValueHolds) {
  for (const char* variant :
       {"copy_row", "copy_row_restrict", "copy_shared", "copy_register", "copy_double2", "copy_async"})
    for (const char* block : {"block=32", "block=256", "block=1024"})
      for (const char* n : {"n=16384", "n=49152"}) run(variant, {n, block});
  for (const char* per_thread : {"per_thread=2", "per_thread=4", "per_thread=8", "per_thread=16"})
    for (const char* block : {"block=32", "block=1024"}) run("copy_register_n", {"n=49152", block, per_thread});
}

// 4096 × 4096 doubles, 2 elements per thread: the source text's size. Its blocks had 1024 threads, ours have 256.
TEST(LessonSharedMemoryCopy, FullSizeIsTheSources) {
  const lesson::Lesson& lesson = test::lesson_in("04_shared_memory_copy");
  const lesson::Variant& variant = *lesson.find_variant("copy_register");
  const lesson::ControlValues full = lesson.defaults(variant, true);
  EXPECT_EQ(full.at("n"), 4096 * 4096);
  EXPECT_EQ(full.at("block"), 256);
  const Result<job::Request> request = job::from_lesson(lesson, variant, full);
  ASSERT_TRUE(request.ok());
  EXPECT_EQ(request->first().shape.grid.x, 4096 * 4096 / 256 / 2);
}

// --- SASS: what the text says about its order and about registers ----------------------------------------------------

Result<compile::Sass> sass_of(const std::string& file, const std::string& kernel) {
  compile::Options options;
  options.arch = "sm_90";
  options.name_expressions = {kernel};
  auto ptx = compile::compile({file, test::read_file(folder + file), {}}, options);
  if (!ptx) return ptx.take_errors();
  return compile::to_sass(ptx->text, ptx->mangled[kernel], options.arch);
}

// The loads and stores in code order, such as "LDG LDG STG STG", without those that no lane executes.
std::string order_of(const compile::Sass& sass) {
  std::string order;
  for (const compile::SassInstruction& instruction : sass.instructions) {
    if (instruction.predicate == "@!PT") continue;
    for (const char* opcode : {"LDG.", "STG.", "LDS.", "STS.", "LDGSTS."})
      if (instruction.text.starts_with(opcode))
        order += (order.empty() ? "" : " ") + std::string(opcode, std::string_view(opcode).size() - 1);
  }
  return order;
}

TEST(LessonSharedMemoryCopy, TheOrderInSassIsAsTheTextSays) {
  NEEDS_SASS();
  struct Row {
    const char *kernel, *title, *order;
  };
  for (const Row& row :
       {Row{"copy_row", "row", "LDG STG LDG STG"}, Row{"copy_row_restrict", "row, restrict", "LDG LDG STG STG"},
        Row{"copy_register", "register", "LDG LDG STG STG"},
        Row{"copy_shared", "shared", "LDG LDG STS STS LDS STG STG"}, Row{"copy_double2", "double2", "LDG STG"},
        Row{"copy_async", "async", "LDGSTS LDGSTS LDS LDS STG STG"}}) {
    const auto sass = sass_of(std::string(row.kernel) + ".cu", row.kernel);
    ASSERT_TRUE(sass.ok()) << format(sass.errors().front());
    EXPECT_EQ(order_of(*sass), row.order) << row.kernel;
    for (const char* file : {"text.md", "text.zh-CN.md"})
      EXPECT_NE(
          test::read_file(std::string(folder) + file).find("| `" + std::string(row.title) + "` | " + row.order + " |"),
          std::string::npos)
          << file << ", " << row.kernel;
  }
}

// 40 registers at n = 16, as the source's compiler found. A multiprocessor has 65,536.
TEST(LessonSharedMemoryCopy, SixteenElementsNeedFortyRegisters) {
  NEEDS_SASS();
  const std::pair<int, int> blocks_that_fit[] = {{2, 2}, {4, 2}, {8, 2}, {16, 1}};
  for (const auto& [elements, fitting] : blocks_that_fit) {
    const auto sass = sass_of("copy_register_n.cu", "copy_register_n<" + std::to_string(elements) + ">");
    ASSERT_TRUE(sass.ok()) << format(sass.errors().front());
    const int registers = (sass->registers_per_thread + 7) / 8 * 8;  // allocated in units of 256 per warp, 8 per thread
    EXPECT_EQ(std::min(2048 / 1024, 65536 / (1024 * registers)), fitting) << elements << " elements";
    if (elements == 8) {
      EXPECT_EQ(sass->registers_per_thread, 32);
    }
    if (elements == 16) {
      EXPECT_EQ(sass->registers_per_thread, 40);
    }
    EXPECT_EQ(sass->local_bytes, 0u) << "the array lies in registers";
    std::string order;
    for (int i = 0; i < elements; ++i) order += "LDG ";
    for (int i = 0; i < elements; ++i) order += i == 0 ? "STG" : " STG";
    EXPECT_EQ(order_of(*sass), order);
  }
}

TEST(LessonSharedMemoryCopy, TheSourcesTimesStandInTheText) {
  for (const char* file : {"text.md", "text.zh-CN.md"}) {
    const std::string text = test::read_file(std::string(folder) + file);
    EXPECT_NE(text.find("A800 80 GB"), std::string::npos) << file;
    for (const char* figure :
         {"157,423.7", "153,495.7", "153,583.1", "156,340.2", "154,622.2", "154,866.8", "153,569.1"})
      EXPECT_NE(text.find(figure), std::string::npos) << file << ' ' << figure;
  }
}

}  // namespace
}  // namespace lanescope::shared_memory_copy
