// Reads program files: ELF files made here, and bytes that are not ELF.

#include "device/program_file.h"

#include <elf.h>

#include <gtest/gtest.h>

#include <cstring>

namespace lanescope::device {
namespace {

// An ELF file with sections .nv_fatbin and .dynamic as asked, and `text` somewhere in it.
std::string elf(bool cuda_code, const std::string& library, const std::string& text, std::uint16_t machine = EM_X86_64,
                unsigned char bits = ELFCLASS64) {
  const std::string names = std::string("\0.shstrtab\0.nv_fatbin\0.dynamic\0", 31) + library + '\0';
  Elf64_Ehdr head{};
  std::memcpy(head.e_ident, ELFMAG, SELFMAG);
  head.e_ident[EI_CLASS] = bits;
  head.e_machine = machine;
  head.e_shentsize = sizeof(Elf64_Shdr);
  head.e_shnum = 4;
  head.e_shstrndx = 1;
  Elf64_Dyn dynamic[2]{};
  dynamic[0].d_tag = library.empty() ? DT_NULL : DT_NEEDED;
  dynamic[0].d_un.d_val = 31;
  const std::uint64_t names_at = sizeof head, dynamic_at = names_at + names.size(),
                      text_at = dynamic_at + sizeof dynamic;
  head.e_shoff = text_at + text.size();
  Elf64_Shdr sections[4]{};
  sections[1].sh_name = 1;
  sections[1].sh_type = SHT_STRTAB;
  sections[1].sh_offset = names_at;
  sections[2].sh_name = cuda_code ? 11 : 0;
  sections[3].sh_name = 22;
  sections[3].sh_type = SHT_DYNAMIC;
  sections[3].sh_offset = dynamic_at;
  sections[3].sh_size = sizeof dynamic;
  sections[3].sh_link = 1;
  const auto bytes_of = [](const auto& value) {
    return std::string(reinterpret_cast<const char*>(&value), sizeof value);
  };
  return bytes_of(head) + names + bytes_of(dynamic) + text + bytes_of(sections);
}

std::string why(const std::string& bytes) {
  const auto file = look_at_program_bytes("p", bytes);
  return file.ok() ? why_nothing_was_launched(*file, "p").code : file.errors().front().code;
}

TEST(ProgramFile, TheReasonFollowsFromTheFile) {
  EXPECT_EQ(why(elf(true, "", "libcuda.so.1 cudart")), "program.static_runtime");
  EXPECT_EQ(why(elf(true, "libc.so.6", "libcuda.so.1 cudart")), "program.no_launch");
  EXPECT_EQ(why(elf(true, "libcudart.so.13", "libcuda.so.1 cudart")), "program.no_launch");
  EXPECT_EQ(why(elf(true, "libcudart.so.11.0", "")), "program.old_runtime");
  EXPECT_EQ(why(elf(false, "libc.so.6", "")), "program.no_cuda");
  EXPECT_EQ(why(elf(false, "libcuda.so.1", "")), "program.no_launch");
  EXPECT_EQ(why("#!/bin/sh\n"), "program.no_launch");
}

TEST(ProgramFile, OtherMachinesAreRefused) {
  EXPECT_EQ(why(elf(true, "", "", EM_AARCH64)), "program.other_machine");
  EXPECT_EQ(why(elf(true, "", "", EM_386, ELFCLASS32)), "program.other_machine");
}

// The header, one segment of 100 bytes behind it, and what is there of them.
TEST(ProgramFile, OneThatLacksAPartIsCutOff) {
  Elf64_Ehdr head{};
  std::memcpy(head.e_ident, ELFMAG, SELFMAG);
  head.e_ident[EI_CLASS] = ELFCLASS64;
  head.e_machine = EM_X86_64;
  head.e_phoff = sizeof head;
  head.e_phentsize = sizeof(Elf64_Phdr);
  head.e_phnum = 2;
  Elf64_Phdr segments[2]{};
  segments[0].p_type = PT_LOAD;
  segments[0].p_offset = sizeof head + sizeof segments;
  segments[0].p_filesz = 100;
  segments[1].p_type = PT_NOTE;  // not loaded
  segments[1].p_offset = 4096;
  segments[1].p_filesz = 1;
  std::string bytes(sizeof head + sizeof segments + 100, 'x');
  std::memcpy(bytes.data(), &head, sizeof head);
  std::memcpy(bytes.data() + sizeof head, segments, sizeof segments);
  EXPECT_EQ(why(bytes), "program.no_cuda");
  bytes.pop_back();
  EXPECT_EQ(why(bytes), "program.cut_off");
}

TEST(ProgramFile, CutOffAnywhereIsReadAsFarAsItGoes) {
  const std::string whole = elf(true, "libcudart.so.13", "libcuda.so.1 cudart");
  for (std::size_t length = 0; length < whole.size(); ++length) EXPECT_FALSE(why(whole.substr(0, length)).empty());
}

}  // namespace
}  // namespace lanescope::device
