#include <array>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <memory>
#include <new>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/os/bulk_memory.h"

namespace lanescope {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool replaced = false;
#else
constexpr bool replaced = true;
#endif

// The flags of the mapping that has this address ("rd wr mr mw me ac hg").
std::string flags_of(const void* address) {
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  std::ifstream maps("/proc/self/smaps");
  bool here = false;
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t begin = 0, end = 0;
    char dash = 0;
    std::istringstream words(line);
    if (words >> std::hex >> begin >> dash >> end && dash == '-') here = wanted >= begin && wanted < end;
    if (here && line.starts_with("VmFlags:")) return line;
  }
  return "";
}

TEST(LargeNew, BuffersOfMebibytesLieInLargePages) {
  if (!replaced) GTEST_SKIP() << "AddressSanitizer has its own operator new";
  const std::vector<std::byte> buffer(std::size_t{9} << 20);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % bulk_memory::large_page, 0u);
  if (flags_of(buffer.data()).empty()) GTEST_SKIP() << "the system does not tell the flags of mappings";
  EXPECT_NE(flags_of(buffer.data()).find(" hg"), std::string::npos);
}

TEST(LargeNew, EveryFormOfNewAndDeleteFits) {
  constexpr std::size_t five_mebibytes = std::size_t{5} << 20;
  const std::unique_ptr<std::byte[]> many(new std::byte[five_mebibytes]);
  const std::unique_ptr<std::array<std::byte, five_mebibytes>> one(new std::array<std::byte, five_mebibytes>);
  const std::unique_ptr<std::byte[]> maybe(new (std::nothrow) std::byte[five_mebibytes]);
  many[five_mebibytes - 1] = (*one)[five_mebibytes - 1] = maybe[five_mebibytes - 1] = std::byte{1};
  volatile std::size_t too_many = SIZE_MAX / 4;  // volatile: the compiler refuses such numbers
  EXPECT_THROW((void)::operator new(too_many), std::bad_alloc);
  too_many = SIZE_MAX - 100;
  EXPECT_EQ(::operator new(too_many, std::nothrow), nullptr);
  ::operator delete(::operator new(0));
}

}  // namespace
}  // namespace lanescope
