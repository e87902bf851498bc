// What is said if ptxas refuses a program's PTX. The ptxas here is a script.

#include "device/machine_code.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "device/device.h"
#include "device/module.h"
#include "golden.h"
#include "unit/device/device_texts.h"

namespace lanescope::device {
namespace {

class Hearer : public Observer {
 public:
  explicit Hearer(Diagnostics& heard) : heard_(heard) {}
  bool counts(const std::string&) override { return true; }
  void launched(const LaunchReport&) override {}
  void copied(CopyDirection, std::uint64_t) override {}
  void missing(const std::string&, std::uint64_t) override {}
  void said(const Diagnostic& diagnostic) override { heard_.push_back(diagnostic); }

 private:
  Diagnostics& heard_;
};

Diagnostics heard_if_ptxas_does(const std::string& script) {
  const test::TempFolder folder;
  const std::filesystem::path ptxas = folder / "ptxas";
  std::ofstream(ptxas) << "#!/bin/sh\n" << script << "\n";
  std::filesystem::permissions(ptxas, std::filesystem::perms::owner_all);
  Diagnostics heard;
  DeviceSettings settings;
  settings.ptxas = ptxas.string();
  Device device(settings, std::make_unique<Hearer>(heard));
  Status status = Status::unknown;
  Module* const module = device.load(device_test::add_text, "add.ptx", status);
  EXPECT_FALSE(machine_code_of(device, *module->kernel("add")).has_value());
  return heard;
}

Diagnostics heard_if_ptxas_says(const std::string& words) {
  return heard_if_ptxas_does("echo '" + words + "' >&2\nexit 255");
}

// The script answers with what it got. Comments and strings may hold braces.
TEST(MachineCodeOfPtx, OfALargeModuleOneKernelIsAssembled) {
  const std::string other = ".visible .entry other(.param .u64 p)\n{\n// }\n{ ret; }\n}\n";
  const test::TempFolder folder;
  const std::filesystem::path ptxas = folder / "ptxas", got = folder / "got";
  std::ofstream(ptxas) << "#!/bin/sh\ncat \"$3\" > '" << got.string() << "'\nexit 1\n";
  std::filesystem::permissions(ptxas, std::filesystem::perms::owner_all);
  const std::string filler = "/*" + std::string(600000, '{') + "*/\n";
  const std::string text =
      ".version 8.0\n.target sm_90\n.address_size 64\n" + filler + ".visible .entry mine(.param .u64 p)\n{\nret;\n}\n";
  Diagnostics heard;
  DeviceSettings settings;
  settings.ptxas = ptxas.string();
  Device device(settings, std::make_unique<Hearer>(heard));
  Status status = Status::unknown;
  Module* const module = device.load(text + other + "// end\n", "add.ptx", status);
  ASSERT_EQ(status, Status::success);
  machine_code_of(device, *module->kernel("mine"));
  EXPECT_EQ(test::read_file(got.string()), text + "\n// end\n");
  machine_code_of(device, *module->kernel("other"));
  EXPECT_EQ(test::read_file(got.string()).find(".entry mine"), std::string::npos);
}

TEST(MachineCodeOfPtx, ACompilerThatIsNewerThanPtxasIsNamedAsTheReason) {
  const Diagnostics heard = heard_if_ptxas_says("fatal : Unsupported .version 9.4; current version is 9.0");
  ASSERT_EQ(heard.size(), 1u);
  EXPECT_NE(heard[0].message.find("ptxas refuses its PTX: fatal : Unsupported .version 9.4"), std::string::npos);
  EXPECT_EQ(heard[0].cure,
            "The program's compiler is newer than this ptxas: install a CUDA Toolkit as new, and set CUDA_HOME to it.");
}

TEST(MachineCodeOfPtx, OtherRefusalsDoNotAskForAnotherPtxas) {
  const Diagnostics heard = heard_if_ptxas_says("fatal : something else");
  ASSERT_EQ(heard.size(), 1u);
  EXPECT_EQ(heard[0].cure, "Start ptxas by hand to see all that it says of the PTX.");
}

TEST(MachineCodeOfPtx, WhateverElseGoesWrongIsNamed) {
  const auto said = [](const std::string& script) {
    const Diagnostics heard = heard_if_ptxas_does(script);
    return heard.size() == 1 ? std::string(heard[0].message) : std::to_string(heard.size()) + " messages";
  };
  const std::string told = "the program asks how many registers a kernel takes, which only ptxas knows: ";
  EXPECT_EQ(said("kill -9 $$"), told + "a signal ended ptxas. It is told 0");
  EXPECT_EQ(said("exit 0"), told + "ptxas wrote nothing. It is told 0");
  EXPECT_EQ(said("echo not a cubin"), told + "what ptxas wrote has no kernel `add`. It is told 0");
}

}  // namespace
}  // namespace lanescope::device
