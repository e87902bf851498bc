#include <gmock/gmock.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <set>
#include <tuple>

#include "core/content_rule.h"
#include "core/half.h"
#include "golden.h"
#include "job/run/job.h"
#include "lesson/lesson.h"
#include "sim/memory/texture.h"

namespace lanescope::job {
namespace {

sim::Argument parsed(const std::string& text) {
  Result<sim::Argument> argument = make_argument({text, ""});
  EXPECT_TRUE(argument.ok()) << text << ": " << (argument ? "" : argument.errors()[0].message);
  const Result<sim::Argument> unfilled = make_argument_unfilled({text, ""});
  EXPECT_TRUE(unfilled.ok()) << text;
  if (argument && unfilled) {
    EXPECT_EQ(unfilled->contents.capacity(), 0u) << text;
    sim::Argument without_contents = *argument;
    without_contents.contents.clear();
    const auto all = [](const sim::Argument& one) {
      return std::tuple(one.type, one.is_buffer, one.scalar_bits, one.contents, one.uninitialised_from, one.base_offset,
                        one.raw_parameter);
    };
    EXPECT_TRUE(all(*unfilled) == all(without_contents)) << text;
  }
  return argument ? std::move(*argument) : sim::Argument{};
}

std::string error_code(const std::string& text) {
  const Result<sim::Argument> argument = make_argument({text, ""});
  const Result<sim::Argument> unfilled = make_argument_unfilled({text, ""});
  EXPECT_EQ(argument.ok(), unfilled.ok()) << text;
  if (argument || unfilled) return "";
  EXPECT_EQ(format(unfilled.errors()[0]), format(argument.errors()[0])) << text;
  EXPECT_FALSE(argument.errors()[0].cure.empty()) << text;
  EXPECT_NE(argument.errors()[0].message.find(text.substr(0, 60)), std::string::npos) << "names what was given";
  return argument.errors()[0].code;
}

template <typename T>
std::vector<T> elements(const sim::Argument& buffer) {
  std::vector<T> values(buffer.contents.size() / sizeof(T));
  std::memcpy(values.data(), buffer.contents.data(), values.size() * sizeof(T));
  return values;
}

TEST(Argument, ReadsTexturesAndSurfaces) {
  const sim::Argument plain = parsed("tex:f32[6,4]=iota");
  ASSERT_NE(plain.texture, nullptr);
  EXPECT_TRUE(plain.is_buffer);
  EXPECT_EQ(plain.contents.size(), 6u * 4 * 4);
  EXPECT_EQ(elements<float>(plain)[7], 7.0f);
  EXPECT_EQ(plain.texture->extent, (std::array<std::uint32_t, 3>{6, 4, 0}));
  EXPECT_FALSE(plain.texture->surface || plain.texture->linear_filter || plain.texture->normalized_coordinates);
  EXPECT_EQ(plain.texture->address[0], sim::AddressMode::clamp);
  const sim::Argument all = parsed("tex:linear,mirror,normalized,float:u8x4[5,3]=random:7");
  ASSERT_NE(all.texture, nullptr);
  EXPECT_TRUE(all.texture->linear_filter && all.texture->normalized_coordinates && all.texture->normalized_float);
  EXPECT_EQ(all.texture->address[1], sim::AddressMode::mirror);
  EXPECT_EQ(all.texture->address[2], sim::AddressMode::clamp) << "there is no third dimension";
  EXPECT_EQ(all.texture->channels, 4);
  EXPECT_EQ(all.texture->kind, sim::ChannelKind::unsigned_integer);
  EXPECT_EQ(all.contents.size(), 60u);
  const sim::Argument layers = parsed("tex:layered:i16x2[8,4,3]");
  EXPECT_EQ(layers.texture->layers, 3u);
  EXPECT_EQ(layers.texture->dimensions(), 2);
  EXPECT_EQ(layers.contents.size(), 8u * 4 * 3 * 4);
  EXPECT_EQ(layers.uninitialised_from, 0u);
  EXPECT_TRUE(parsed("tex:memory:f16[9]=1").texture->linear_memory);
  EXPECT_TRUE(parsed("surf:f32x2[4,4,4]").texture->surface);
  for (const char* text : {"tex:f32", "tex:soft:f32[4]", "surf:linear:f32[4]", "tex:layered:f32[4,4,4,4]",
                           "tex:f32[4]more", "tex:layered:f32[4,3,2,1]"})
    EXPECT_THAT(error_code(text), testing::AnyOf("argument.syntax", "argument.number")) << text;
  for (const char* text : {"tex:f64[4]", "tex:u8x3[4]", "tex:linear:u8[4]", "tex:float:u32[4]", "tex:memory:f32[4,4]"})
    EXPECT_EQ(error_code(text), "argument.type") << text;
  for (const char* text : {"tex:f32[0]", "tex:f32[4,]", "tex:f32[x]", "tex:layered:f32[4]"})
    EXPECT_EQ(error_code(text), "argument.number") << text;
  EXPECT_EQ(error_code("tex:f32x4[100000,100000]"), "argument.too_large");
}

TEST(Argument, ReadsScalars) {
  EXPECT_EQ(parsed("i32=4096").scalar_bits, 4096u);
  EXPECT_EQ(parsed("i32=-1").scalar_bits, 0xffffffffu);
  EXPECT_EQ(parsed("i32=-2147483648").scalar_bits, 0x80000000u);
  EXPECT_EQ(parsed("u32=4294967295").scalar_bits, 0xffffffffu);
  EXPECT_EQ(parsed("u8=0x7f").scalar_bits, 0x7fu);
  EXPECT_EQ(parsed("i64=-5").scalar_bits, ~4ull);
  EXPECT_EQ(parsed("u64=18446744073709551615").scalar_bits, ~0ull);
  EXPECT_EQ(parsed("i16=0xffff").scalar_bits, 0xffffu) << "hexadecimal is a bit pattern";
  EXPECT_EQ(parsed("f32=1.5").scalar_bits, std::bit_cast<std::uint32_t>(1.5f));
  EXPECT_EQ(parsed("f32=0.1").scalar_bits, std::bit_cast<std::uint32_t>(0.1f));
  EXPECT_EQ(parsed("f32=-2e-3").scalar_bits, std::bit_cast<std::uint32_t>(-2e-3f));
  EXPECT_EQ(parsed("f32=0x3f800000").scalar_bits, 0x3f800000u);
  EXPECT_EQ(parsed("f64=-0.1").scalar_bits, std::bit_cast<std::uint64_t>(-0.1));
  EXPECT_EQ(parsed("f32=inf").scalar_bits, 0x7f800000u);
  EXPECT_TRUE(std::isnan(std::bit_cast<double>(parsed("f64=nan").scalar_bits)));
  EXPECT_EQ(parsed("f16=1").scalar_bits, 0x3c00u);
  EXPECT_EQ(parsed("f16=0.1").scalar_bits, 0x2e66u);
  EXPECT_EQ(parsed("bf16=1").scalar_bits, 0x3f80u);
  EXPECT_EQ(parsed("bf16=-0.1").scalar_bits, 0xbdcdu);
  EXPECT_FALSE(parsed("i32=1").is_buffer);
}

TEST(Argument, ATypeAsCudaNamesItIsTold) {
  const auto cure = [](const char* text) {
    const Result<sim::Argument> made = make_argument(RequestedArgument{text, ""});
    return made ? std::string("none") : std::string(made.errors().front().cure);
  };
  EXPECT_THAT(cure("float[64]=iota"), testing::StartsWith("Did you mean `f32`?"));
  EXPECT_THAT(cure("int=3"), testing::StartsWith("Did you mean `i32`?"));
  EXPECT_THAT(cure("unsigned short[4]=1"), testing::StartsWith("Did you mean `u16`?"));
  EXPECT_THAT(cure("size_t=3"), testing::StartsWith("Did you mean `u64`?"));
  EXPECT_THAT(cure("bfloat16[4]=1"), testing::StartsWith("Did you mean `bf16`?"));
  EXPECT_THAT(cure("__nv_bfloat16=1"), testing::StartsWith("Did you mean `bf16`?"));
}

TEST(Argument, ReadsFilledBuffers) {
  EXPECT_EQ(elements<float>(parsed("f32[3]=1.5")), (std::vector<float>{1.5f, 1.5f, 1.5f}));
  EXPECT_EQ(elements<std::int8_t>(parsed("i8[2]=-3")), (std::vector<std::int8_t>{-3, -3}));
  EXPECT_EQ(elements<std::uint64_t>(parsed("u64[1]=0x10")), std::vector<std::uint64_t>{16});
  EXPECT_EQ(elements<std::uint16_t>(parsed("f16[2]=1")), (std::vector<std::uint16_t>{0x3c00, 0x3c00}));
  EXPECT_EQ(elements<std::uint16_t>(parsed("bf16[2]=1.5")), (std::vector<std::uint16_t>{0x3fc0, 0x3fc0}));
  EXPECT_EQ(parsed("f32[3]=0").uninitialised_from, ~0ull) << "zeros were written";
}

TEST(Argument, LeavesABufferWithoutContentsUnwritten) {
  const sim::Argument buffer = parsed("f32[16]");
  EXPECT_TRUE(buffer.is_buffer);
  EXPECT_EQ(buffer.contents.size(), 64u);
  EXPECT_EQ(buffer.uninitialised_from, 0u);
}

TEST(Argument, CountsUp) {
  EXPECT_EQ(elements<float>(parsed("f32[4]=iota")), (std::vector<float>{0, 1, 2, 3}));
  EXPECT_EQ(elements<double>(parsed("f64[3]=iota")), (std::vector<double>{0, 1, 2}));
  const auto bytes = elements<std::uint8_t>(parsed("u8[300]=iota"));
  EXPECT_EQ(bytes[255], 255);
  EXPECT_EQ(bytes[299], 299 - 256) << "integers wrap";
  EXPECT_EQ(elements<std::uint16_t>(parsed("f16[2050]=iota"))[2049], 0x6800) << "2049 rounds to 2048";
  EXPECT_EQ(elements<std::uint16_t>(parsed("bf16[258]=iota"))[257], 0x4380) << "257 rounds to 256";
}

// Reference values of splitmix64 for seed 1234567, from its author's test vectors.
TEST(Argument, RandomNumbersAreSplitmix64) {
  EXPECT_EQ(splitmix64(1234567, 0), 6457827717110365317ull);
  EXPECT_EQ(splitmix64(1234567, 1), 3203168211198807973ull);
  EXPECT_EQ(splitmix64(1234567, 2), 9817491932198370423ull);
  EXPECT_EQ(elements<std::uint64_t>(parsed("u64[2]=random:1234567"))[1], 3203168211198807973ull);
  EXPECT_EQ(elements<std::uint32_t>(parsed("u32[1]=random:1234567"))[0], 6457827717110365317ull >> 32);
  EXPECT_EQ(elements<float>(parsed("f32[1]=random:1234567"))[0],
            static_cast<float>(static_cast<double>(6457827717110365317ull >> 40) / 16777216.0));
}

TEST(Argument, RandomFloatsLieInTheUnitIntervalAndSpread) {
  for (const char* text : {"f32[4096]=random:7", "f64[4096]=random:7", "f16[4096]=random:7", "bf16[512]=random:7"}) {
    const sim::Argument buffer = parsed(text);
    double sum = 0;
    for (std::uint64_t k = 0; k < buffer.count(); ++k) {
      double value = 0;
      if (buffer.type == sim::ElementType::f32)
        value = static_cast<double>(elements<float>(buffer)[k]);
      else if (buffer.type == sim::ElementType::f64)
        value = elements<double>(buffer)[k];
      else if (buffer.type == sim::ElementType::bf16)
        value = bfloat_value(elements<std::uint16_t>(buffer)[k]);
      else
        value = std::ldexp(elements<std::uint16_t>(buffer)[k] & 0x3ff, -10);
      ASSERT_GE(value, 0) << text;
      ASSERT_LT(value, 1) << text;
      sum += value;
      if (buffer.type != sim::ElementType::f64 && k > 500) break;
    }
    EXPECT_GT(sum, 0) << text;
  }
  EXPECT_NE(parsed("f32[64]=random:1").contents, parsed("f32[64]=random:2").contents);
  EXPECT_EQ(parsed("f32[64]=random:1").contents, parsed("f32[64]=random:1").contents);
}

TEST(Argument, RandomNumbersKeepToTheirRange) {
  std::set<std::int32_t> seen;
  for (const std::int32_t value : elements<std::int32_t>(parsed("i32[500]=random:3:-2:2"))) seen.insert(value);
  EXPECT_EQ(seen, (std::set<std::int32_t>{-2, -1, 0, 1, 2}));
  for (const float value : elements<float>(parsed("f32[500]=random:3:-1:1"))) {
    EXPECT_GE(value, -1.0f);
    EXPECT_LT(value, 1.0f);
  }
}

TEST(Argument, APermutationHasEachIndexOnce) {
  const auto order = elements<std::int32_t>(parsed("i32[1000]=permutation:7"));
  EXPECT_EQ(std::set<std::int32_t>(order.begin(), order.end()).size(), 1000u);
  EXPECT_EQ(*std::max_element(order.begin(), order.end()), 999);
  EXPECT_FALSE(std::is_sorted(order.begin(), order.end()));
  EXPECT_EQ(error_code("u8[257]=permutation:1"), "argument.type");
  EXPECT_EQ(error_code("f32[8]=permutation:1"), "argument.type");
}

TEST(Argument, ReadsFiles) {
  test::TempFolder folder;
  test::write_file(folder / "data.bin", std::string("\x01\x00\x00\x00\x02\x00\x00\x00\xff", 9));
  const std::string path = (folder / "data.bin").string();
  EXPECT_EQ(elements<std::int32_t>(parsed("i32[2]=@" + path)), (std::vector<std::int32_t>{1, 2}));
  EXPECT_EQ(error_code("i32[3]=@" + path), "argument.file") << "too short";
  EXPECT_EQ(error_code("i32[1]=@" + (folder / "none").string()), "argument.file");
  EXPECT_EQ(error_code("i32[1]=@" + folder.path().string()), "argument.file") << "a folder";
  EXPECT_EQ(error_code("i32[1]=@"), "argument.file");
  EXPECT_TRUE(make_argument_unfilled({"u8[4]=@/proc/version", ""}).ok()) << "of 0 bytes, as it says itself";
  test::write_file(folder / "empty.bin", "");
  EXPECT_EQ(error_code("u8[1]=@" + (folder / "empty.bin").string()), "argument.file");
}

// A lesson's formula gives the same argument as the text it stands for, and is refused in the same words.
TEST(Argument, OfALessonIsThatOfItsText) {
  const auto same = [](const RequestedArgument& typed) {
    SCOPED_TRACE(typed.text());
    const Result<sim::Argument> made = make_argument(typed), read = make_argument({typed.text(), "x"});
    EXPECT_EQ(made.ok(), read.ok());
    if (!made && !read) {
      EXPECT_EQ(format(made.errors().front()), format(read.errors().front()));
    }
    if (!made || !read) return;
    EXPECT_EQ(made->type, read->type);
    EXPECT_EQ(made->is_buffer, read->is_buffer);
    EXPECT_EQ(made->scalar_bits, read->scalar_bits);
    EXPECT_EQ(made->contents, read->contents);
    EXPECT_EQ(made->base_offset, read->base_offset);
    EXPECT_EQ(made->uninitialised_from, read->uninitialised_from);
  };
  for (const std::string& type : lesson::element_types()) {
    for (const std::int64_t value : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{127}, std::int64_t{128},
                                     std::int64_t{70'000}, std::int64_t{16'777'217}, INT64_MIN, INT64_MAX})
      same(RequestedArgument::scalar(type, value, "x"));
    for (const char* fill : {"", "iota", "1", "-1", "1.5", "random:7", "random:7:0:3", "random:7:3:0", "permutation:7",
                             "?", "@/there/is/none"})
      for (const std::int64_t count : {0, -5, 1, 100})
        for (const std::int64_t offset : {0, 4, 100'000})
          same(RequestedArgument::buffer(type, count, offset, fill, "x"));
  }
  same(RequestedArgument::buffer("f64", INT64_MAX, 0, "", "x"));
}

TEST(Argument, PassesAPointerIntoABuffer) {
  EXPECT_EQ(parsed("f32[64]+4=iota").base_offset, 4u);
  EXPECT_EQ(parsed("f32[64]+2").base_offset, 2u);
  EXPECT_EQ(error_code("f32[64]+256=iota"), "argument.number");
}

TEST(Argument, PassesAStructByValue) {
  EXPECT_EQ(parsed("bytes=0aff").raw_parameter, (std::vector<std::byte>{std::byte{0x0a}, std::byte{0xff}}));
  EXPECT_EQ(error_code("bytes=0af"), "argument.number");
  EXPECT_EQ(error_code("bytes=zz"), "argument.number");
  EXPECT_EQ(error_code("bytes="), "argument.number");
  // Against this compiler's own layout.
  struct Inner {
    std::int8_t a = 1;
    double b = 2.5;
    std::int16_t c = 3;
  };
  struct Outer {
    std::uint16_t first = 7;
    Inner inner;
    float last = 1.5f;
  };
  const sim::Argument outer = parsed("{u16=7, {i8=1,f64=2.5,i16=3}, f32=1.5}");
  ASSERT_EQ(outer.raw_parameter.size(), sizeof(Outer));
  const auto at = [&](std::size_t offset, auto value) {
    EXPECT_EQ(std::memcmp(outer.raw_parameter.data() + offset, &value, sizeof value), 0) << offset;
  };
  at(offsetof(Outer, first), Outer{}.first);
  at(offsetof(Outer, inner) + offsetof(Inner, a), Inner{}.a);
  at(offsetof(Outer, inner) + offsetof(Inner, b), Inner{}.b);
  at(offsetof(Outer, inner) + offsetof(Inner, c), Inner{}.c);
  at(offsetof(Outer, last), Outer{}.last);
  EXPECT_EQ(parsed("{i8=1,bytes=0aff00,i8=2}").raw_parameter.size(), 5u) << "bytes= has no alignment";
  EXPECT_EQ(parsed("{}").raw_parameter, std::vector<std::byte>(1)) << "a struct without members has a byte";
  EXPECT_EQ(parsed("{i32=1,{},f32=2}").raw_parameter.size(), 12u);
  for (const char* text : {"{", "{,}", "{i32=1", "{i32=1,}", "{i32=1}}", "{tex:f32[4,4]=1}", "}", "{i32}"})
    EXPECT_THAT(error_code(text), testing::AnyOf("argument.syntax", "argument.type")) << text;
  EXPECT_EQ(error_code(std::string(100'000, '{') + std::string(100'000, '}')), "argument.syntax");
}

TEST(Argument, RefusesWhatItDoesNotUnderstand) {
  for (const char* text : {"", "=", "f33=1", "float=1", "F32=1", "f33[4]=1"})
    EXPECT_EQ(error_code(text), "argument.type") << text;
  for (const char* text : {"i32", "f32[4", "f32[4]1", "f32[4] =1"})
    EXPECT_EQ(error_code(text), "argument.syntax") << text;
  for (const char* text : {"i32=",
                           "i32=1.5",
                           "i32=2147483648",
                           "i32=-2147483649",
                           "u32=-1",
                           "u8=256",
                           "i8=-129",
                           "u64=18446744073709551616",
                           "i32=1x",
                           "i32= 1",
                           "i32=0x",
                           "i32=0x100000000",
                           "f32=one",
                           "f32=1e99",
                           "f16=70000",
                           "bf16=1e39",
                           "f32=",
                           "f32[]=1",
                           "f32[-1]=1",
                           "f32[0]=1",
                           "f32[4]=",
                           "f32[4]=iotas",
                           "f32[4]=random:",
                           "f32[4]=random:x",
                           "f32[4]=random:1:2",
                           "f32[4]=random:1:2:2",
                           "i32[4]=random:1:5:2",
                           "i32[4]=permutation:",
                           "f32[4]=random:1:0:1x",
                           "f32[4]=random:1:0a:1",
                           "f32[4]=random:1:0:inf",
                           "f64[4]=random:1:-1e308:1e308"})
    EXPECT_EQ(error_code(text), "argument.number") << text;
  EXPECT_EQ(error_code("f32[99999999999]=1"), "argument.too_large");
  EXPECT_EQ(error_code("f64[18446744073709551615]"), "argument.too_large");
}

}  // namespace
}  // namespace lanescope::job
