// A correct lesson with one defect: `lanescope check` names the file, the line and a cure, and exits with 1.

#include <gmock/gmock.h>

#include "cli/program.h"
#include "test_paths.h"

namespace lanescope::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;

struct Mutation {
  const char* name;
  const char* file;
  const char* from;
  const char* to;
  const char* place;  // the place to name, such as "text.md:65"
  const char* said;
};

void PrintTo(const Mutation& mutation, std::ostream* out) {
  *out << mutation.name;
}

class LessonMutation : public testing::TestWithParam<Mutation> {};

std::string spoilt(std::string text, const Mutation& mutation) {
  const std::size_t at = text.find(mutation.from);
  EXPECT_NE(at, std::string::npos) << mutation.from;
  return at == std::string::npos ? text : text.replace(at, std::string(mutation.from).size(), mutation.to);
}

TEST_P(LessonMutation, IsFound) {
  const Mutation& mutation = GetParam();
  TempFolder folder;
  const fs::path lesson = folder / "lesson";
  fs::copy(fs::path(LANESCOPE_SOURCE_DIR) / "lessons/02_divergence", lesson, fs::copy_options::recursive);
  write_file(lesson / mutation.file, spoilt(read_file(lesson / mutation.file), mutation));
  const Ran ran = lanescope({"check", lesson.string()});
  EXPECT_EQ(ran.code, 1) << ran.err;
  EXPECT_THAT(ran.err, AllOf(HasSubstr(std::string("lesson/") + mutation.place + ":"), HasSubstr(mutation.said),
                             HasSubstr("cure: ")));
}

const Mutation mutations[] = {
    {"wrong_number_in_a_text", "text.md", "[[8 = reduce_modulo@add[1].warps]]", "[[7 = reduce_modulo@add[1].warps]]",
     "text.md", "The text states 7, but `reduce_modulo@add[1].warps` is 8"},
    {"unknown_number_in_a_text", "text.md", "{{reduce_modulo@test.divergent}}", "{{reduce_modulo@test.divergents}}",
     "text.md", "There is no number `divergents`"},
    {"false_check_in_a_text", "text.md", "== 47 * (n / block)", "== 46 * (n / block)", "text.md", "does not hold"},
    {"swapped_kernel", "lesson.toml", "file = \"reduce_sequential.cu\"", "file = \"reduce_strided.cu\"",
     "reduce_sequential.cu", "No variant uses this file."},
    {"kernel_with_another_access", "reduce_sequential.cu", "partial[t] += partial[t + half]",
     "partial[t] += partial[t + half - 1]", "lesson.toml",
     "Variant `reduce_sequential`: the check `block_sums[i] == sum"},
    {"variant_without_a_kernel", "lesson.toml", "kernel = \"reduce_modulo\"", "kernel = \"reduce_moduli\"",
     "lesson.toml:47", "there is no kernel `reduce_moduli`"},
    {"removed_barrier", "reduce_sequential.cu", "    __syncthreads();\n", "", "lesson.toml",
     "Variant `reduce_sequential`"},
    {"broken_solution", "tasks/pad.solution.cu", "return i + i / 32;", "return i;", "lesson.toml",
     "The solution of task `pad` (tasks/pad.solution.cu): the check `shared_load.bank_conflicts == 0` does not hold."},
    {"solution_that_does_not_compile", "tasks/pad.solution.cu", "return i + i / 32;", "return i + j / 32;",
     "tasks/pad.solution.cu:2", "The solution of task `pad`"},
    {"start_that_passes", "lesson.toml", "solution = \"tasks/pad.solution.cu\"",
     "start = \"tasks/pad.solution.cu\"\nsolution = \"tasks/pad.solution.cu\"", "lesson.toml", "passes already"},
    {"task_of_no_variant", "lesson.toml", "variant = \"reduce_strided\"\nsolution",
     "variant = \"reduce_stride\"\nsolution", "lesson.toml", "There is no variant `reduce_stride`."},
    {"languages_that_disagree", "text.zh-CN.md", "[[8 = reduce_modulo@add[1].warps]]",
     "[[4 = reduce_strided@add[1].warps]]", "text.md", "`[[8 = reduce_modulo@add[1].warps]]` appears here"},
    {"string_without_chinese", "lesson.toml", "title = { en = \"modulo\", zh-CN = \"取模\" }", "title = \"modulo\"",
     "lesson.toml", "has no Chinese"},
    {"prediction_of_an_unknown_number", "lesson.toml", "answer = \"@add[5].warps\"", "answer = \"@add[5].wraps\"",
     "lesson.toml:187", "`@add[5].wraps`"},
    {"prediction_of_an_unknown_mark", "lesson.toml", "answer = \"@add[1, 0]\"", "answer = \"@ad[1, 0]\"", "lesson.toml",
     "the mark `ad`"},
    {"misunderstanding_that_nobody_has", "lesson.toml", "when = \"answer == right / 2\"", "when = \"answer == right\"",
     "lesson.toml", "no wrong answer shows the misunderstanding \"halved with the threads\""},
    {"misunderstanding_behind_another", "lesson.toml", "when = \"answer == right / 2\"",
     "when = \"answer == 1 && right > 2\"", "lesson.toml", "no wrong answer shows"},
    {"pattern_that_is_none", "lesson.toml", "matches(\\\"all\\\")", "matches(\\\"al\\\")", "lesson.toml",
     "There is no pattern `al`"},
    {"unknown_name_in_a_misunderstanding", "lesson.toml", "when = \"answer == right / 2\"",
     "when = \"answer == wrong / 2\"", "lesson.toml", "`wrong`"},
};

INSTANTIATE_TEST_SUITE_P(Divergence, LessonMutation, testing::ValuesIn(mutations),
                         [](const testing::TestParamInfo<Mutation>& mutation) { return mutation.param.name; });

// `check lessons/08_mine`, as a contributor types it: other lessons are not checked, but their ids count as taken.
TEST(LessonBesideOthers, NeedsANameAndAPlaceOfItsOwn) {
  TempFolder root;
  const fs::path lessons = root / "lessons";
  fs::create_directories(lessons);
  for (const char* name : {"02_divergence", "07_transpose"})
    fs::copy(fs::path(LANESCOPE_SOURCE_DIR) / "lessons" / name, lessons / name, fs::copy_options::recursive);
  const std::string toml = read_file(lessons / "07_transpose/lesson.toml");
  const auto checked = [&](const std::string& from, const std::string& to) {
    write_file(lessons / "07_transpose/lesson.toml", spoilt(toml, {"", "", from.c_str(), to.c_str(), "", ""}));
    return lanescope({"check", (lessons / "07_transpose").string()},
                     {"LANESCOPE_ROOT=" + root.path().string(), "", "", ""});
  };
  const Ran alone = checked("order = 7", "order = 8");
  EXPECT_EQ(alone.code, 0) << alone.err;
  for (const Ran& ran : {checked("order = 7", "order = 2"), checked("id = \"transpose\"", "id = \"divergence\"")}) {
    EXPECT_EQ(ran.code, 1);
    EXPECT_THAT(ran.err, AllOf(HasSubstr("07_transpose/lesson.toml: error: "), HasSubstr("has the same id or order as"),
                               HasSubstr("02_divergence"), HasSubstr("cure: ")));
  }
}

// Grading from a script.
TEST(Tasks, AreGradedByTheExitCode) {
  const std::string solution = std::string(LANESCOPE_SOURCE_DIR) + "/lessons/02_divergence/tasks/pad.solution.cu";
  const Ran start = lanescope({"run", "divergence", "--task", "pad", "--check", "--json"});
  EXPECT_EQ(start.code, 1);
  EXPECT_EQ(start.json()["task"]["solved"], false);
  const Ran solved = lanescope({"run", "divergence", "--task", "pad", "--source", solution, "--check", "--json"});
  EXPECT_EQ(solved.code, 0) << solved.err;
  EXPECT_EQ(solved.json()["task"]["solved"], true);
  EXPECT_EQ(solved.json()["checks"].size(), 3u) << "the variant's rule for elements, and the task's two";
  EXPECT_EQ(solved.json()["task"].dump().find("i / 32"), std::string::npos) << "the solution is never shown";
  EXPECT_EQ(lanescope({"run", "divergence", "--task", "pat"}).code, 2);
  EXPECT_EQ(lanescope({"run", "divergence", "--task", "pad", "--source", "/nowhere.cu"}).code, 2);
  EXPECT_EQ(lanescope({"run", "divergence", "--task", "pad", "--variant", "reduce_strided"}).code, 2);
}

TEST(Predictions, ArePrintedForTeachers) {
  const Ran ran = lanescope({"run", "divergence", "--variant", "reduce_modulo", "--questions", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const auto right = [](const Ran& of, const std::string& id) -> nlohmann::json {
    const nlohmann::json questions = of.json()["questions"];
    for (const nlohmann::json& question : questions)
      if (question["id"] == id) return question["right"];
    ADD_FAILURE() << id << " is not asked";
    return nlohmann::json();
  };
  nlohmann::json even = nlohmann::json::array();
  for (int i = 0; i < 16; ++i) even.push_back(2 * i);
  EXPECT_EQ(right(ran, "modulo_lanes"), even);
  EXPECT_EQ(right(ran, "modulo_warps"), 8);
  EXPECT_EQ(right(ran, "least_issued"), nlohmann::json::array({"last_warp"}));
  const Ran told = lanescope({"run", "divergence", "--variant", "reduce_modulo", "--questions"});
  EXPECT_THAT(told.out, HasSubstr("question modulo_warps: `modulo`, fifth halving"));
  EXPECT_THAT(told.out, HasSubstr("  right: 8\n  answer == 1: few threads, so one warp. The few threads that work"));
  // They follow the controls: 64 threads are two warps.
  const Ran small =
      lanescope({"run", "divergence", "--variant", "reduce_modulo", "--set", "block=64", "--questions", "--json"});
  EXPECT_EQ(right(small, "modulo_warps"), 2);
}

}  // namespace
}  // namespace lanescope::test
