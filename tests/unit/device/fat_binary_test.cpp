// Fat binaries that nvcc 13.0.88 made of two kernels: PTX for compute_75 and compute_90, machine code for sm_90.

#include "device/fat_binary.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>

#include "test_paths.h"

namespace lanescope::device {
namespace {

std::string container(const std::string& name) {
  std::ifstream file(LANESCOPE_SOURCE_DIR "/tests/fuzz/corpus/fat_binary/" + name, std::ios::binary);
  EXPECT_TRUE(file) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

Result<std::vector<FatEntry>> entries_of(const std::string& bytes) {
  return read_fat_binary(reinterpret_cast<const std::byte*>(bytes.data()), bytes.size());
}

std::string code_of(const auto& result) {
  return result.ok() ? "" : result.errors().front().code;
}

TEST(FatBinary, PlainEntriesAreReadInOrder) {
  const auto entries = entries_of(container("plain"));
  ASSERT_TRUE(entries.ok());
  ASSERT_EQ(entries->size(), 3u);
  EXPECT_EQ((*entries)[0].kind, FatEntry::Kind::ptx);
  EXPECT_EQ((*entries)[0].arch, 75);
  EXPECT_NE((*entries)[0].text.find(".target sm_75"), std::string::npos);
  EXPECT_NE((*entries)[0].text.find(".entry _Z3addPfi("), std::string::npos);
  EXPECT_EQ((*entries)[0].text.find('\0'), std::string::npos);
  EXPECT_EQ((*entries)[1].kind, FatEntry::Kind::machine_code);
  EXPECT_EQ((*entries)[1].arch, 90);
  EXPECT_TRUE((*entries)[1].text.empty());
  EXPECT_EQ((*entries)[2].arch, 90);
  EXPECT_NE((*entries)[2].text.find(".target sm_90"), std::string::npos);
}

// nvcc's default, -Xfatbin -compress-all, -compress-mode=speed.
TEST(FatBinary, CompressedTextIsThePlainOne) {
  const auto plain = entries_of(container("plain"));
  for (const char* name : {"zstd", "zstd_all", "lz4"}) {
    const auto packed = entries_of(container(name));
    ASSERT_TRUE(packed.ok()) << name;
    ASSERT_EQ(packed->size(), 3u) << name;
    const auto from_version = [](const std::string& text) { return text.substr(text.find(".version")); };
    for (const std::size_t i : {0, 2})
      EXPECT_EQ(from_version((*packed)[i].text), from_version((*plain)[i].text)) << name;
  }
}

TEST(FatBinary, DeviceTakesTheHighestPtxUpToItsOwn) {
  const auto entries = entries_of(container("zstd"));
  for (const auto& [arch, target] : {std::pair{75, "sm_75"}, {89, "sm_75"}, {90, "sm_90"}, {120, "sm_90"}}) {
    const auto ptx = ptx_for(*entries, arch);
    ASSERT_TRUE(ptx.ok()) << arch;
    EXPECT_NE(ptx->find(std::string(".target ") + target), std::string::npos) << arch;
  }
  const auto too_new = ptx_for(*entries, 70);
  EXPECT_EQ(code_of(too_new), "program.ptx_too_new");
  EXPECT_NE(too_new.errors().front().cure.find("compute_70"), std::string::npos);
}

TEST(FatBinary, PtxOfOneArchitectureRunsOnNoOther) {
  const std::vector<FatEntry> entries{{FatEntry::Kind::ptx, 80, ".version 8.0\n.target sm_80\n"},
                                      {FatEntry::Kind::ptx, 90, ".version 8.0\n.target sm_90a\n"}};
  EXPECT_NE(ptx_for(entries, 90)->find("sm_90a"), std::string::npos);
  EXPECT_NE(ptx_for(entries, 100)->find("sm_80"), std::string::npos);
}

TEST(FatBinary, MachineCodeAloneNamesTheOptionThatCuresIt) {
  const auto entries = entries_of(container("machine_code_only"));
  ASSERT_TRUE(entries.ok());
  const auto none = ptx_for(*entries, 90);
  ASSERT_EQ(code_of(none), "program.machine_code_only");
  EXPECT_NE(none.errors().front().cure.find("-gencode arch=compute_90,code=compute_90"), std::string::npos);
}

TEST(FatBinary, CutOffAnywhereIsToldAndNothingBehindTheEndIsRead) {
  for (const char* name : {"plain", "zstd", "lz4"}) {
    const std::string whole = container(name);
    for (std::size_t length = 0; length < whole.size(); length += length < 400 ? 1 : 37) {
      const std::unique_ptr<std::byte[]> own(new std::byte[length]);  // ASan watches its end
      std::memcpy(own.get(), whole.data(), length);
      EXPECT_EQ(code_of(read_fat_binary(own.get(), length)), "program.fat_binary_cut") << name << " " << length;
    }
  }
}

TEST(FatBinary, WhatIsDamagedIsTold) {
  for (const char* name : {"claims_all", "claims_128_mib", "lz4_claims_more", "lz4_damaged", "short_head"})
    EXPECT_EQ(code_of(entries_of(container(name))), "program.fat_binary_cut") << name;
  EXPECT_EQ(code_of(entries_of("\x7f"
                               "ELF, sixteen bytes")),
            "program.fat_binary_unknown");
}

TEST(FatBinary, TheWrapperLeadsToTheContainer) {
  const std::string bytes = container("zstd");
  const auto* begin = reinterpret_cast<const std::byte*>(bytes.data());
  const struct {
    std::uint32_t magic = 0x466243B1, version = 1;
    const void* data;
    void* file = nullptr;
  } wrapper{.data = begin};
  EXPECT_EQ(fat_binary_in(&wrapper), begin);
  EXPECT_EQ(fat_binary_in(begin), begin);
  EXPECT_EQ(fat_binary_bytes(begin), bytes.size());
  EXPECT_EQ(fat_binary_in(".version 8.0 is PTX"), nullptr);
  EXPECT_EQ(fat_binary_in(nullptr), nullptr);
}

}  // namespace
}  // namespace lanescope::device
