// GPUs on another machine, tested without a GPU and without a network: the test's own `ssh` and `srun` run the remote
// command here, with a driver that computes nothing.

#include <gmock/gmock.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>
#include <tuple>

#include <fmt/format.h>

#include "cli/program.h"
#include "core/os/wire.h"
#include "golden.h"
#include "gpu/where.h"
#include "gpu/wire_ends.h"
#include "test_paths.h"

namespace lanescope::gpu {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(WhereAGpuIs, APlaceIsAWordOfACommandLine) {
  for (const char* text : {"ssh:lab3", "ssh:me@lab3.example.org", "slurm", "slurm:gpu", "gpu"}) {
    const Result<Where> where = where_from(text);
    ASSERT_TRUE(where.ok()) << text;
    EXPECT_EQ(where->is_here() ? "gpu" : where->text(), text);
  }
  for (const char* text : {"", "cpu ", "ssh", "ssh:", "slurm:", "ssh:-oProxyCommand=ls", "ssh:a b", "ssh:$(ls)",
                           "ssh:a;ls", "ssh:a'b", "scp:lab3", "gpu:0"}) {
    const Result<Where> where = where_from(text);
    ASSERT_FALSE(where.ok()) << text;
    EXPECT_EQ(where.errors().front().code, "command.bad_device");
  }
}

// A machine that the test's own `ssh` or `srun` reaches.
class Elsewhere : public testing::Test {
 protected:
  void SetUp() override {
    const fs::path driver = LANESCOPE_PRETENDED "/driver";
    fs::create_directories(folder_ / "there/bin");
    // The remote command gets another home, another PATH, and the GPU.
    const std::string there = "exec env -i HOME=" + test::quoted((folder_ / "there").string()) +
                              " PATH=" + test::quoted((folder_ / "there/bin").string()) +
                              ":/usr/bin:/bin LD_LIBRARY_PATH=" + test::quoted(driver.string()) + " ";
    script("ssh",
           "while [ \"$1\" != -- ]; do shift; done\nhost=$2; shift 2\n"
           "if [ $host = nowhere ]; then echo 'ssh: no such host' >&2; exit 255; fi\n"
           "echo \"Welcome to $host.\"\nif [ $host = ends ]; then (sleep 0.3; kill -9 $$) >/dev/null 2>&1 & fi\n" +
               there + "sh -c \"$*\"\n");
    script("srun",
           "echo 'srun: job 42 queued and waiting for resources' >&2\nsleep 0.2\n"
           "while [ \"${1#-}\" != \"$1\" ]; do shift; done\n" +
               there + "\"$@\"\n");
  }

  void script(const std::string& name, const std::string& body) const {
    test::write_file(folder_ / name, "#!/bin/sh\n" + body);
    fs::permissions(folder_ / name, fs::perms::owner_all);
  }
  void install() const { fs::create_symlink(LANESCOPE_BINARY, folder_ / "there/bin/lanescope"); }
  test::Ran run(const std::vector<std::string>& arguments, const std::string& more = "") const {
    return test::lanescope(arguments,
                           {"PATH=" + test::quoted(folder_.path().string()) + ":/usr/bin:/bin " + more, "", "", ""});
  }

  test::TempFolder folder_;
};

TEST_F(Elsewhere, ItsGpuIsListedWithItsPlace) {
  install();
  const test::Ran ssh = run({"doctor", "--device", "ssh:lab"});
  EXPECT_EQ(ssh.code, 0) << ssh.err;
  EXPECT_THAT(ssh.out, HasSubstr("0: Pretended (ssh:lab), sm_90"));
  const test::Ran slurm = run({"doctor", "--device", "slurm:teaching"});
  EXPECT_THAT(slurm.out, HasSubstr("0: Pretended (slurm:teaching), sm_90"));
  EXPECT_THAT(slurm.err, HasSubstr("job 42 queued")) << "who waits is told for what";
}

TEST_F(Elsewhere, ALessonRunsThereAndItsOriginSaysWhere) {
  install();
  const test::Ran ran = run({"run", "coalescing", "--device", "ssh:lab"});
  EXPECT_THAT(ran.out, HasSubstr("On Pretended (ssh:lab)"));
  const test::Ran json = run({"run", "coalescing", "--device", "ssh:lab", "--json"});
  EXPECT_EQ(json.json().at("gpu").at("where"), "ssh:lab");
}

// A second connection would take a second, and a second job would wait in Slurm's queue.
TEST_F(Elsewhere, ACommandConnectsOnce) {
  install();
  const std::string log = (folder_ / "connections").string();
  fs::rename(folder_ / "ssh", folder_ / "the ssh");
  script("ssh", "echo connected >>" + test::quoted(log) + "\nexec " + test::quoted((folder_ / "the ssh").string()) +
                    " \"$@\"\n");
  const test::Ran compared = run({"compare", "coalescing", "stride", "packed4", "--device", "ssh:lab"});
  EXPECT_THAT(compared.out, HasSubstr("Pretended (ssh:lab)")) << compared.err;
  EXPECT_EQ(test::read_file(log), "connected\n");
}

// While ssh connects, kernels are compiled for the GPU that was there the last time: this `ssh` waits for two compiled
// results, the interpreter's PTX and the machine code, before it starts the worker.
TEST_F(Elsewhere, KernelsAreCompiledWhileItConnects) {
  install();
  const auto here = [&](const char* compiled) {
    fs::create_directories(folder_ / compiled);
    return "XDG_CACHE_HOME=" + test::quoted((folder_ / "cache").string()) +
           " LANESCOPE_COMPILED=" + test::quoted((folder_ / compiled).string());
  };
  const std::vector<std::string> command{"run", "coalescing", "--device", "ssh:lab"};
  EXPECT_THAT(run(command, here("first")).out, HasSubstr("On Pretended (ssh:lab)"));
  fs::rename(folder_ / "ssh", folder_ / "the ssh");
  script("ssh", "for i in $(seq 600); do [ $(ls " + test::quoted((folder_ / "second").string()) +
                    " | wc -l) -ge 2 ] && exec " + test::quoted((folder_ / "the ssh").string()) +
                    " \"$@\"; sleep 0.1; done\necho 'nothing was compiled' >&2\nexit 1\n");
  const test::Ran again = run(command, here("second"));
  EXPECT_THAT(again.out, HasSubstr("On Pretended (ssh:lab)")) << again.err;
}

// Buffers of 104 MiB, of which only one follows no rule and has to be sent. Both directions are counted.
TEST_F(Elsewhere, OnlyWhatIsNeededTravels) {
  install();
  fs::rename(folder_ / "ssh", folder_ / "the ssh");
  script("ssh", "tee " + test::quoted((folder_ / "sent").string()) + " | " +
                    test::quoted((folder_ / "the ssh").string()) + " \"$@\" | tee " +
                    test::quoted((folder_ / "returned").string()) + "\n");
  test::write_file(folder_ / "k.cu",
                   "__global__ void k(const float* a, const int* order, const unsigned char* b, float* out) {\n"
                   "  int i = blockIdx.x * 64 + threadIdx.x;\n"
                   "  out[i] = a[order[i]] + b[i];\n}\n");
  const Bytes other = test::noise(40u << 20, 1);
  test::write_file(folder_ / "b", {reinterpret_cast<const char*>(other.data()), other.size()});
  const test::Ran ran =
      run({"trace", (folder_ / "k.cu").string(), "--grid", "2", "--block", "64", "--arg",
           "f32[4194304]=random:5000:-1:1", "--arg", "i32[4194304]=permutation:3", "--arg",
           "u8[41943040]=@" + (folder_ / "b").string(), "--arg", "f32[8388608]=1.5", "--device", "ssh:lab"});
  EXPECT_THAT(ran.out, HasSubstr("On Pretended (ssh:lab)")) << ran.err;
  constexpr std::uint64_t most = 1 << 20;
  EXPECT_GT(fs::file_size(folder_ / "sent"), other.size());
  EXPECT_LT(fs::file_size(folder_ / "sent"), other.size() + most);
  EXPECT_LT(fs::file_size(folder_ / "returned"), most);
}

TEST_F(Elsewhere, AProgramThatIsMissingThereIsCopied) {
  const test::Ran missing = run({"doctor", "--device", "ssh:lab"});
  EXPECT_EQ(missing.code, 3);
  EXPECT_THAT(missing.out, AllOf(HasSubstr("No worker answers on ssh:lab: lanescope: command not found"),
                                 HasSubstr("doctor --device ssh:HOST --install")));
  EXPECT_EQ(run({"doctor", "--device", "ssh:lab", "--install"}).code, 0);
  EXPECT_EQ(run({"doctor", "--device", "ssh:lab"}).code, 0) << "it is there to stay";
}

TEST_F(Elsewhere, WhatSshSaysIsTheReason) {
  const test::Ran ran = run({"run", "coalescing", "--device", "ssh:nowhere"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_THAT(ran.err, AllOf(HasSubstr("No worker answers on ssh:nowhere: ssh: no such host"),
                             HasSubstr("Try `ssh nowhere true` in a terminal")));
}

TEST_F(Elsewhere, AnotherVersionIsNamed) {
  test::write_file(folder_ / "there/bin/lanescope", "#!/bin/sh\necho lanescope-worker 999 7.0\ncat >/dev/null\n");
  fs::permissions(folder_ / "there/bin/lanescope", fs::perms::owner_all);
  const test::Ran ran = run({"doctor", "--device", "ssh:lab"});
  EXPECT_EQ(ran.code, 3);
  EXPECT_THAT(ran.out, HasSubstr("Lanescope on ssh:lab is version 7.0 with messages of form 999, which this one ("));
}

TEST_F(Elsewhere, ALostLineEndsTheRunWithAReason) {
  install();
  const test::Ran ran = run({"run", "coalescing", "--full", "--device", "ssh:ends"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_THAT(ran.err, testing::AnyOf(HasSubstr("The connection to ssh:ends ended in the middle of this run"),
                                      HasSubstr("No worker answers on ssh:ends")));
}

TEST_F(Elsewhere, WhatIsMissingThereIsNotMissingHere) {
  test::write_file(folder_ / "there/bin/lanescope",
                   "#!/bin/sh\nLANESCOPE_PRETEND=devices=0 exec " + test::quoted(LANESCOPE_BINARY) + " \"$@\"\n");
  fs::permissions(folder_ / "there/bin/lanescope", fs::perms::owner_all);
  const std::vector<std::string> command{"run", "coalescing", "--device", "ssh:lab3"};
  EXPECT_THAT(run(command).err, HasSubstr("error: On ssh:lab3: The NVIDIA driver is there but sees no GPU.\n"));
  EXPECT_THAT(run(test::with(command, {"--language", "zh-CN"})).err, HasSubstr("在 ssh:lab3 上："));
}

TEST_F(Elsewhere, ATimeLimitIsTheReason) {
  script("srun",
         "echo 'slurmstepd-n1: error: *** STEP 13.0 ON n1 CANCELLED AT 2026-11-27T22:18:05 DUE TO TIME LIMIT ***' >&2\n"
         "echo 'srun: error: n1: task 0: Terminated' >&2\nexit 143\n");
  const test::Ran ran = run({"run", "coalescing", "--device", "slurm:brief"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_THAT(ran.err, AllOf(HasSubstr("No worker answers on slurm:brief: slurmstepd-n1: error: *** STEP 13.0 ON n1 "
                                       "CANCELLED AT 2026-11-27T22:18:05 DUE TO TIME LIMIT ***\n"),
                             HasSubstr("Set SLURM_TIMELIMIT to more minutes")));
}

TEST_F(Elsewhere, AJobThatWaitsEndsWithTheProgram) {
  script("srun", "cd '" + folder_.path().string() +
                     "'\ntrap 'echo >asked; exit 1' TERM\necho >waits\nwhile :; do sleep 0.05; done\n");
  const std::string command = "PATH=" + test::quoted(folder_.path().string()) +
                              ":/usr/bin:/bin LANESCOPE_ROOT=" + test::quoted(LANESCOPE_SOURCE_DIR) + " " +
                              test::quoted(LANESCOPE_BINARY) + " run coalescing --device slurm >/dev/null 2>&1 & " +
                              "until [ -e waits ]; do sleep 0.05; done; kill -KILL $!; wait $!";
  std::ignore = std::system(("cd " + test::quoted(folder_.path().string()) + "; " + command).c_str());
  for (int i = 0; i < 200 && !fs::exists(folder_ / "asked"); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_TRUE(fs::exists(folder_ / "asked")) << "it waits for ever";
}

TEST_F(Elsewhere, NoSshAndNoSlurmAreNamed) {
  for (const auto& [device, cure] : {std::pair{"ssh:lab", "Install ssh, OpenSSH's client."}, {"slurm", "login node"}}) {
    const test::Ran ran = test::lanescope({"doctor", "--device", device}, {"PATH=/nowhere", "", "", ""});
    EXPECT_EQ(ran.code, 3);
    EXPECT_THAT(ran.out, HasSubstr(cure));
  }
}

// A remote worker that answers anything: no crash, no hang, a reason.
TEST_F(Elsewhere, AnAnswerThatIsNoneIsALostWorker) {
  for (const char* answer :
       {"", "head -c 100000 /dev/zero", "head -c 70000 /dev/zero | tr '\\0' x",
        "echo lanescope-worker 1 0.1.0; echo garbage garbage garbage", "echo lanescope-worker x y"}) {
    test::write_file(folder_ / "there/bin/lanescope", std::string("#!/bin/sh\n") + answer + "\n");
    fs::permissions(folder_ / "there/bin/lanescope", fs::perms::owner_all);
    const test::Ran ran = run({"doctor", "--device", "ssh:lab"});
    EXPECT_EQ(ran.code, 3) << answer;
    EXPECT_THAT(ran.out, HasSubstr("ssh:lab")) << answer;
  }
}

// A worker that greets and answers the first request with these bytes, whatever it was asked.
std::string answering(const Message& head, const std::string& block = "") {
  const std::vector<std::uint8_t> text = Message::to_cbor(head);
  const std::uint64_t lengths[2] = {text.size(), block.empty() ? 0u : 1u};
  std::string bytes(reinterpret_cast<const char*>(lengths), sizeof lengths);
  bytes.append(reinterpret_cast<const char*>(text.data()), text.size());
  std::string octal;
  for (const char c : bytes + block) octal += fmt::format("\\0{:03o}", static_cast<unsigned char>(c));
  return fmt::format("#!/bin/sh\necho lanescope-worker {} 0\nprintf '%b' '{}'\ncat >/dev/null\n", protocol, octal);
}

// An answer that is a message, but not the one that was asked for.
TEST_F(Elsewhere, ADamagedAnswerIsAReason) {
  const Message devices{{"devices", {{{"index", 0}, {"name", "half a device"}}}}};
  const Message note{{"errors", {{{"severity", 1}}}}};
  for (const Message& head : {Message{}, Message{{"devices", 7}}, Message{{"device", Message::object()}}, devices, note,
                              Message{{"errors", Message::array()}}, Message{{"errors", 3}}}) {
    test::write_file(folder_ / "there/bin/lanescope", answering(head));
    fs::permissions(folder_ / "there/bin/lanescope", fs::perms::owner_all);
    const test::Ran listed = run({"doctor", "--device", "ssh:lab"});
    EXPECT_EQ(listed.code, 3) << head;
    EXPECT_THAT(listed.out, HasSubstr("The answer of the worker on ssh:lab is damaged")) << head;
    const test::Ran ran = run({"run", "coalescing", "--device", "ssh:lab"});
    EXPECT_EQ(ran.code, 1) << head;
    EXPECT_THAT(ran.err, AllOf(HasSubstr("The answer of the worker on ssh:lab is damaged"),
                               HasSubstr("doctor --device ssh:HOST --install")))
        << head;
  }
}

// The answer to a question without buffers names 1 GiB of equal elements.
TEST_F(Elsewhere, AnAnswerTakesNoMemoryThatNobodyAskedFor) {
  const std::uint64_t block[] = {1ull << 30, ~2ull, 0, 1, 0, 0, 0, 0};
  test::write_file(folder_ / "there/bin/lanescope",
                   answering({{"devices", Message::array()}}, {reinterpret_cast<const char*>(block), sizeof block}));
  fs::permissions(folder_ / "there/bin/lanescope", fs::perms::owner_all);
  const test::Ran ran = run({"doctor", "--device", "ssh:lab"});
  EXPECT_EQ(ran.code, 3);
  EXPECT_THAT(ran.out, HasSubstr("The connection to ssh:lab ended"));
}

}  // namespace
}  // namespace lanescope::gpu
