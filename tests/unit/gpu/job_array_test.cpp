// `record --array`: with a Slurm of shell scripts, and with a real one where it is installed. The pretended driver
// stands for the nodes' GPUs.

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>

#include "cli/program.h"
#include "compile/fixture.h"
#include "compile/toolchain.h"
#include "gpu/job_array.h"
#include "job/lesson/recording.h"
#include "lesson/lesson_fixture.h"
#include "test_paths.h"

namespace lanescope::gpu {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

// Starts the tasks one after another in the background, with the GPU of a node. `only`, `refuses` and `pretend` are
// files with which a test changes what happens.
constexpr const char* sbatch_script = R"x(#!/bin/sh
here=$(dirname "$0")
[ -e "$here/refuses" ] && { echo "sbatch: error: Batch job submission failed: invalid partition specified" >&2; exit 1; }
for word; do
  case $word in
    --job-name=*) name=${word#*=};;
    --array=0-*) last=${word#--array=0-};;
    --output=*) out=${word#*=};;
    --wrap=*) script=${word#*=};;
  esac
done
echo "$*" >>"$here/submitted"
echo 1 >>"$here/times"
task=0
while [ $task -le $last ]; do : >"$here/jobs/$name.$task"; task=$((task + 1)); done
(
  task=0
  while [ $task -le $last ]; do
    log=$(echo "$out" | sed "s/%a/$task/")
    if [ -e "$here/only" ] && [ $task != "$(cat "$here/only")" ]; then
      echo "slurmstepd: error: *** JOB 42 ON node1 CANCELLED DUE TO TIME LIMIT ***" >>"$log"
    else
      LD_LIBRARY_PATH=$(cat "$here/driver") LANESCOPE_PRETEND=$(cat "$here/pretend") SLURM_ARRAY_TASK_ID=$task sh -c "$script" >>"$log" 2>&1
    fi
    rm -f "$here/jobs/$name.$task"
    task=$((task + 1))
  done
) >/dev/null 2>&1 </dev/null &
echo 42
)x";
constexpr const char* squeue_script = R"x(#!/bin/sh
here=$(dirname "$0")
for word; do case $word in --name=*) name=${word#*=};; esac; done
for one in "$here/jobs/$name".*; do [ -e "$one" ] && echo "R None"; done
exit 0
)x";

class JobArrayTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!compile::find_toolchain()) GTEST_SKIP() << "no compiler";
    fs::create_directories(folder_ / "lessons/small");
    fs::create_directories(folder_ / "bin/jobs");
    test::write_small_lesson(folder_ / "lessons/small");
    // The pretended GPU computes nothing, so there is no rule about the result.
    std::string toml = test::replaced(test::small_lesson, "max = 32\nvalue = 8", "max = 3\nvalue = 2");
    toml = test::replaced(toml, "[[variant.check]]\nelements = \"out[i] == in[i * stride]\"\ncount = \"n\"\n", "");
    test::write_file(folder_ / "lessons/small/lesson.toml", toml);
    test::write_file(folder_ / "bin/driver", driver_);
    test::write_file(folder_ / "bin/pretend", "");
    script("sbatch", sbatch_script);
    script("squeue", squeue_script);
  }
  void script(const std::string& name, const std::string& text) const {
    test::write_file(folder_ / "bin" / name, text);
    fs::permissions(folder_ / "bin" / name, fs::perms::owner_all);
  }
  std::vector<std::string> record(const std::vector<std::string>& more) const {
    return test::with({"record", "small", "-o", made_, "--seconds", "0.01", "--samples", "5"}, more);
  }
  test::Ran run(const std::vector<std::string>& more, std::string path = "") const {
    if (path.empty()) path = (folder_ / "bin").string() + ":/usr/bin:/bin";
    return test::lanescope(record(more), {"LANESCOPE_ROOT=" + folder_.path().string() + " PATH=" + path, "", "", ""});
  }
  job::LessonRecording made() const {
    Result<job::LessonRecording> recording = job::open_recording(made_);
    if (!recording) ADD_FAILURE() << format(recording.errors().front());
    return recording ? std::move(*recording) : job::LessonRecording{};
  }
  // What one GPU records without Slurm.
  job::LessonRecording alone() const {
    const std::string file = (folder_ / "alone.json").string();
    const test::Ran ran =
        test::lanescope({"record", "small", "-o", file, "--seconds", "0.01", "--samples", "5"},
                        {"LANESCOPE_ROOT=" + folder_.path().string() + " LD_LIBRARY_PATH=" + driver_, "", "", ""});
    EXPECT_EQ(ran.code, 0) << ran.err;
    Result<job::LessonRecording> recording = job::open_recording(file);
    return recording ? std::move(*recording) : job::LessonRecording{};
  }
  static void expect_same_runs(const job::LessonRecording& one, const job::LessonRecording& other) {
    EXPECT_EQ(one.device.name, "Pretended");
    EXPECT_EQ(one.compiler, other.compiler);
    EXPECT_TRUE(one.empty_launch);
    EXPECT_EQ(one.sass.size(), other.sass.size());
    ASSERT_EQ(one.runs.size(), other.runs.size());
    ASSERT_GT(one.runs.size(), 4u);
    for (std::size_t i = 0; i < one.runs.size(); ++i) {
      EXPECT_EQ(one.runs[i].controls, other.runs[i].controls);
      EXPECT_EQ(one.runs[i].size, other.runs[i].size);
      EXPECT_TRUE(one.runs[i].timing);
    }
  }
  bool parts_are_left() const { return fs::exists(made_ + ".parts"); }

  test::TempFolder folder_;
  const std::string driver_ = LANESCOPE_PRETENDED "/driver";
  const std::string made_ = (folder_ / "made.json").string();
};

TEST_F(JobArrayTest, MakesWhatOneGpuMakes) {
  NEEDS_SASS();
  const test::Ran ran = run({"--device", "slurm:teaching", "--array", "3"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("runs on Pretended"));
  expect_same_runs(made(), alone());
  EXPECT_FALSE(parts_are_left());
  EXPECT_THAT(test::read_file(folder_ / "bin/submitted"),
              AllOf(HasSubstr("--array=0-2"), HasSubstr("--gpus=1"), HasSubstr("--partition=teaching")));
}

TEST_F(JobArrayTest, AnInterruptedOneGoesOnWithWhatIsMissing) {
  NEEDS_SASS();
  test::write_file(folder_ / "bin/only", "1");
  const test::Ran first = run({"--device", "slurm", "--array", "2"});
  EXPECT_EQ(first.code, 1);
  EXPECT_THAT(first.err, AllOf(HasSubstr("The jobs have ended, and "), HasSubstr("CANCELLED DUE TO TIME LIMIT"),
                               HasSubstr("it makes only what is missing")));
  EXPECT_FALSE(fs::exists(made_)) << "half a recording is none";
  ASSERT_TRUE(fs::exists(made_ + ".parts/part-0001.json"));
  const std::string kept = test::read_file(made_ + ".parts/part-0001.json");
  fs::remove(folder_ / "bin/only");
  // So that the folder can be looked at, the file cannot be written.
  fs::create_directory(made_);
  EXPECT_EQ(run({"--device", "slurm", "--array", "2"}).code, 1);
  EXPECT_EQ(test::read_file(made_ + ".parts/part-0001.json"), kept) << "it was not measured again";
  EXPECT_THAT(test::read_file(made_ + ".parts/array-0002.json"), Not(HasSubstr("1,")));
  fs::remove(made_);
  const test::Ran last = run({"--device", "slurm", "--array", "2"});
  EXPECT_EQ(last.code, 0) << last.err;
  EXPECT_EQ(test::read_file(folder_ / "bin/times"), "1\n1\n") << "nothing was left to send off";
  expect_same_runs(made(), alone());
  EXPECT_FALSE(parts_are_left());
}

TEST_F(JobArrayTest, ARefusalOfSlurmIsTheReason) {
  NEEDS_SASS();
  test::write_file(folder_ / "bin/refuses", "");
  const test::Ran refused = run({"--device", "slurm:nowhere", "--array", "2"});
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.err, HasSubstr("sbatch on slurm:nowhere failed: sbatch: error: Batch job submission failed: "
                                     "invalid partition specified"));
  fs::remove(folder_ / "bin/refuses");
  EXPECT_EQ(run({"--device", "slurm", "--array", "2"}).code, 0) << "the next one works";
}

TEST_F(JobArrayTest, NodesWithoutAGpuAreTheReason) {
  test::write_file(folder_ / "bin/pretend", "devices=0");  // a real driver of this machine would be found in its place
  const test::Ran ran = run({"--device", "slurm", "--array", "2"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_THAT(ran.err, AllOf(HasSubstr("The jobs have ended, and "), HasSubstr("measurements are missing: "),
                             HasSubstr("sees no GPU")));
  EXPECT_FALSE(fs::exists(made_));
}

TEST_F(JobArrayTest, WhatCannotBeMeantIsRefused) {
  const test::Ran by_ssh = run({"--device", "ssh:lab", "--array", "2"});
  EXPECT_EQ(by_ssh.code, 2);
  EXPECT_THAT(by_ssh.err, HasSubstr("A job array runs in Slurm, not on ssh:lab."));
  EXPECT_EQ(run({"--array", "2"}).code, 2);
  EXPECT_EQ(run({"--device", "slurm", "--array", "0"}).code, 2);
  EXPECT_EQ(run({"--device", "slurm", "--array", "2", "--sweep-seconds", "5"}).code, 2);
  const test::Ran no_slurm = run({"--device", "slurm", "--array", "2"}, "/nowhere");
  EXPECT_EQ(no_slurm.code, 1);
  EXPECT_THAT(no_slurm.err, HasSubstr("such as on the cluster's login node"));
}

// The same with Slurm itself: a whole one; a collector that is killed while its jobs go on; jobs that are cancelled.
TEST_F(JobArrayTest, OfARealSlurm) {
  NEEDS_SASS();
  const std::string cluster = LANESCOPE_SOURCE_DIR "/tests/tools/slurm_of_one";
  const auto shell = [&](const std::string& text) {
    test::write_file(folder_ / "steps", "set -u\nexport PATH=/usr/sbin:/usr/bin:/bin LANESCOPE_ROOT=" +
                                            test::quoted(folder_.path().string()) +
                                            " LD_LIBRARY_PATH=" + test::quoted(driver_) + "\nrecord() { exec " +
                                            LANESCOPE_BINARY + " record small -o " + test::quoted(made_) +
                                            " --seconds 0.01 --samples 5 --device slurm:$1 --array $2; }\n" + text);
    return std::system((test::quoted(cluster) + " bash " + test::quoted((folder_ / "steps").string()) + " >" +
                        test::quoted((folder_ / "said").string()) + " 2>&1")
                           .c_str());
  };
  const std::string file = test::quoted(made_);
  const int code =
      shell("(record teaching 2) || exit 1\nmv " + file + " " + file + ".whole\n" +
            "(record teaching 4) & sleep 1.5; kill -9 $!; wait $!\n" +  // the collector dies, and its jobs go on
            "(record teaching 4) || exit 2\nmv " + file + " " + file + ".killed\n" +
            "(record teaching 4) & sleep 1.5; scancel --me; wait $!; echo cancelled: $?\n" +  // the jobs die
            "(record teaching 4) || exit 3\n" + "(record nowhere 1); echo refused: $?\n");
  const std::string said = test::read_file(folder_ / "said");
  if (WEXITSTATUS(code) == 77) GTEST_SKIP() << "no Slurm: " << said;
  ASSERT_EQ(code, 0) << said;
  EXPECT_THAT(said, AllOf(HasSubstr("cancelled: 1"), HasSubstr("The jobs have ended, and "), HasSubstr("refused: 1"),
                          HasSubstr("sbatch on slurm:nowhere failed: ")));
  const job::LessonRecording whole = alone();
  for (const std::string& made : {made_ + ".whole", made_ + ".killed", made_}) {
    const Result<job::LessonRecording> recording = job::open_recording(made);
    ASSERT_TRUE(recording.ok()) << made;
    expect_same_runs(*recording, whole);
  }
}

}  // namespace
}  // namespace lanescope::gpu
