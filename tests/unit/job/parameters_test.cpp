#include "job/run/parameters.h"

#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compile/compiler.h"
#include "core/source_types.h"
#include "job/run/job.h"

namespace lanescope::job {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

TEST(Parameters, ReadsTypesFromMangledNames) {
  EXPECT_THAT(parameter_types("_Z4copyPKfPfi"), ElementsAre("float const*", "float*", "int"));
  EXPECT_THAT(parameter_types("_Z6reduceIfLi4EEvPKT_PS0_y"),
              ElementsAre("float const*", "float*", "unsigned long long"));
  EXPECT_THAT(parameter_types("_Z1kv"), IsEmpty());
  EXPECT_THAT(parameter_types("plain_c_name"), IsEmpty());
}

// The sizes are those of this compiler, the names those that a demangler writes.
static_assert(bytes_of_type("unsignedlonglong") == sizeof(unsigned long long) &&
              bytes_of_type("unsignedlong") == sizeof(unsigned long) && bytes_of_type("short") == sizeof(short) &&
              bytes_of_type("bool") == sizeof(bool) && bytes_of_type("Point*") == sizeof(void*));
static_assert(bytes_of_type("float4") == 16 && bytes_of_type("half2") == 4 && bytes_of_type("uchar3") == 3 &&
              bytes_of_type("Point") == 0);

TEST(Parameters, NamesTheElementsBehindAPointer) {
  for (const auto& [type, element] : {std::pair{"float const*", "f32"},
                                      {"uint2 const*", "u32"},
                                      {"unsigned char volatile*", "u8"},
                                      {"int (*) [32]", "i32"},
                                      {"__nv_bfloat162*", "bf16"},
                                      {"__half2 const volatile*", "f16"},
                                      {"unsigned short&", "u16"},
                                      {"Point*", ""},
                                      {"void*", ""},
                                      {"float**", ""},
                                      {"float", ""}})
    EXPECT_EQ(element_behind(type), element) << type;
  EXPECT_EQ(pointed_at("unsigned int*"), sim::ElementType::i32);
  EXPECT_EQ(pointed_at("unsigned char*"), std::nullopt);
}

ptx::Parameter parameter(ptx::Type type, std::uint64_t elements = 1, bool is_array = false) {
  ptx::Parameter made;
  made.type = type;
  made.elements = elements;
  made.is_array = is_array;
  return made;
}

// __global__ void copy(const float* in, float* out, int n)
ptx::Function copy_kernel() {
  ptx::Function function;
  function.name = "_Z4copyPKfPfi";
  function.parameters = {parameter(ptx::Type::u64), parameter(ptx::Type::u64), parameter(ptx::Type::u32)};
  return function;
}

Diagnostics problems(const ptx::Function& kernel, const std::vector<std::string>& texts) {
  std::vector<RequestedArgument> given;
  std::vector<sim::Argument> arguments;
  for (const std::string& text : texts) {
    given.push_back({text, ""});
    arguments.push_back(make_argument(given.back()).value());
  }
  return check_arguments(kernel, arguments, given);
}

TEST(Parameters, AcceptsWhatFits) {
  EXPECT_THAT(problems(copy_kernel(), {"f32[8]=1", "f32[8]", "i32=8"}), IsEmpty());
  EXPECT_THAT(problems(copy_kernel(), {"u64=0", "i64=0", "u32=8"}), IsEmpty()) << "an address may be given as a number";
}

TEST(Parameters, APointerToRowsTakesABuffer) {
  ptx::Function rows = copy_kernel();
  rows.name = "_Z4rowsPA32_iPA4_A8_KfPFiiE";  // int (*)[32], const float (*)[4][8], int (*)(int)
  rows.parameters = {parameter(ptx::Type::u64), parameter(ptx::Type::u64), parameter(ptx::Type::u64)};
  EXPECT_THAT(problems(rows, {"i32[64]=iota", "f32[64]=iota", "u64=0"}), IsEmpty());
  const Diagnostics other = problems(rows, {"f32[64]=iota", "f32[64]=iota", "u64=0"});
  ASSERT_EQ(other.size(), 1u);
  EXPECT_EQ(other[0].code, "argument.other_elements");
  EXPECT_FALSE(problems(rows, {"i32[64]", "f32[64]", "i32[64]"}).empty()) << "a function is not a buffer";
}

TEST(Parameters, CountsArguments) {
  const Diagnostics few = problems(copy_kernel(), {"f32[8]=1", "f32[8]"});
  ASSERT_EQ(few.size(), 1u);
  EXPECT_EQ(few[0].code, "argument.too_few");
  EXPECT_THAT(few[0].cure, HasSubstr("parameter 2 (int (.u32 in PTX))"));
  EXPECT_THAT(few[0].cure, HasSubstr("Parameters, from 0: 0 float const* (.u64 in PTX)"));
  const Diagnostics many = problems(copy_kernel(), {"f32[8]=1", "f32[8]", "i32=8", "i32=9"});
  ASSERT_EQ(many.size(), 1u);
  EXPECT_EQ(many[0].code, "argument.too_many");
  EXPECT_THAT(many[0].cure, HasSubstr("`i32=9`"));
}

TEST(Parameters, TellsALearnerWhatTheLessonGives) {
  const std::vector<RequestedArgument> given{{"f32[8]=1", "in"}, {"f32[8]", "out"}};
  std::vector<sim::Argument> arguments;
  for (const RequestedArgument& one : given) arguments.push_back(make_argument(one).value());
  const Diagnostics few = check_arguments(copy_kernel(), arguments, given);
  ASSERT_EQ(few.size(), 1u);
  EXPECT_EQ(few[0].cure, "The lesson passes `in`, `out`: declare these parameters, in this order.");
}

TEST(Parameters, NamesTheParameterThatDoesNotFit) {
  const std::vector<std::pair<std::vector<std::string>, const char*>> cases = {
      {{"f32[8]=1", "f32[8]", "f32=8"}, "Parameter 2 of `copy` is int (.u32 in PTX), but was given `f32=8`"},
      {{"f32[8]=1", "f32[8]", "i64=8"}, "Parameter 2"},
      {{"f32[8]=1", "f32[8]", "i32[8]=1"}, "Parameter 2"},
      {{"f32[8]=1", "i32=4", "i32=8"}, "Parameter 1 of `copy` is float* (.u64 in PTX), but was given `i32=4`"},
      {{"f64=1", "f32[8]", "i32=8"}, "Parameter 0"},
      {{"f32[8]=1", "f32[8]", "bytes=00"}, "Parameter 2"}};
  for (const auto& [texts, message] : cases) {
    const Diagnostics found = problems(copy_kernel(), texts);
    ASSERT_EQ(found.size(), 1u) << message;
    EXPECT_EQ(found[0].code, "argument.mismatch");
    EXPECT_THAT(found[0].message, HasSubstr(message));
  }
}

// A buffer of bytes may hold any type. The elements of a type that is not CUDA's own are unknown.
TEST(Parameters, WarnsOfABufferWhoseNumbersAreOthersToTheKernel) {
  const auto warned = [](const char* mangled, const std::string& buffer) {
    ptx::Function kernel;
    kernel.name = mangled;
    kernel.parameters = {parameter(ptx::Type::u64)};
    const Diagnostics found = problems(kernel, {buffer});
    EXPECT_FALSE(has_error(found)) << mangled;
    if (found.empty()) return std::string();
    EXPECT_EQ(found[0].code, "argument.other_elements");
    return std::string(found[0].cure);
  };
  EXPECT_THAT(warned("_Z1kPf", "f64[8]=1"), HasSubstr("f32[1024]"));
  EXPECT_THAT(warned("_Z1kPVKd", "f32[8]=1"), HasSubstr("f64[1024]")) << "const volatile";
  EXPECT_THAT(warned("_Z1kPi", "f32[8]=1"), HasSubstr("i32[1024]"));
  EXPECT_THAT(warned("_Z1kPs", "i32[8]=1"), HasSubstr("i16[1024]"));
  EXPECT_THAT(warned("_Z1kPx", "i32[8]=1"), HasSubstr("i64[1024]"));
  EXPECT_THAT(warned("_Z1kPy", "i32[8]=1"), HasSubstr("u64[1024]"));
  EXPECT_THAT(warned("_Z1kPK5uint2", "f32[8]=1"), HasSubstr("u32[1024]"));
  EXPECT_THAT(warned("_Z1kP6__half", "f32[8]=1"), HasSubstr("f16[1024]"));
  EXPECT_THAT(warned("_Z1kPK6float4", "f64[8]=1"), HasSubstr("f32[1024]"));
  EXPECT_THAT(warned("_Z1kPK14__nv_bfloat162", "f32[8]=1"), HasSubstr("bf16[1024]"));
  EXPECT_THAT(warned("_Z1kP13__nv_bfloat16", "f16[8]=1"), HasSubstr("bf16[1024]"));
  EXPECT_THAT(warned("_Z1kP6__half", "bf16[8]=1"), HasSubstr("f16[1024]"));
  for (const auto& [mangled, buffer] :
       std::initializer_list<std::pair<const char*, const char*>>{{"_Z1kPf", "f32[8]"},
                                                                  {"_Z1kPf", "u8[32]"},
                                                                  {"_Z1kPj", "i32[8]"},
                                                                  {"_Z1kPK6float4", "f32[8]"},
                                                                  {"_Z1kP7double2", "f64[8]"},
                                                                  {"_Z1kP7__half2", "f16[8]"},
                                                                  {"_Z1kPh", "f32[8]"},
                                                                  {"_Z1kPv", "f32[8]"},
                                                                  {"_Z1kP1S", "f32[8]"},
                                                                  {"_Z1kPPf", "u64[8]"},
                                                                  {"_Z1kP13__nv_bfloat16", "u16[8]"},
                                                                  {"_Z1kP13__nv_bfloat16", "bf16[8]"},
                                                                  {"_Z1kPK14__nv_bfloat162", "bf16[8]"},
                                                                  {"k", "f32[8]"},
                                                                  {"_Z1kPm", bytes_of_long == 8 ? "u64[8]" : "u32[8]"}})
    EXPECT_EQ(warned(mangled, buffer), "") << mangled << " " << buffer;
}

TEST(Parameters, TellsAValueOf64BitsFromAPointerWhereTheNameDoes) {
  ptx::Function kernel;
  kernel.name = "_Z1kPfx";  // k(float*, long long)
  kernel.parameters = {parameter(ptx::Type::u64), parameter(ptx::Type::u64)};
  EXPECT_THAT(problems(kernel, {"f32[8]=1", "i64=8"}), IsEmpty());
  EXPECT_EQ(problems(kernel, {"f32[8]=1", "f32[8]=1"})[0].code, "argument.mismatch");
  kernel.name = "k";  // extern "C": nothing is known
  EXPECT_THAT(problems(kernel, {"f32[8]=1", "f32[8]=1"}), IsEmpty());
}

TEST(Parameters, KnowsHalvesStructsAndSmallTypes) {
  ptx::Function kernel;
  kernel.name = "_Z1k6__half1Scbd";  // k(__half, S, char, bool, double)
  kernel.parameters = {parameter(ptx::Type::b8, 2, true), parameter(ptx::Type::b8, 8, true), parameter(ptx::Type::u8),
                       parameter(ptx::Type::u8), parameter(ptx::Type::f64)};
  EXPECT_THAT(problems(kernel, {"f16=1", "bytes=0000000000000000", "i8=-1", "u8=1", "f64=2"}), IsEmpty());
  EXPECT_EQ(problems(kernel, {"f32=1", "bytes=00000000", "i32=-1", "u16=1", "f32=2"}).size(), 5u);
  EXPECT_EQ(problems(kernel, {"bf16=1", "bytes=0000000000000000", "i8=-1", "u8=1", "f64=2"}).size(), 1u);
  kernel.name = "_Z1k13__nv_bfloat161Scbd";
  EXPECT_THAT(problems(kernel, {"bf16=1", "bytes=0000000000000000", "i8=-1", "u8=1", "f64=2"}), IsEmpty());
  EXPECT_THAT(problems(kernel, {"u16=0x3f80", "bytes=0000000000000000", "i8=-1", "u8=1", "f64=2"}), IsEmpty());
  EXPECT_EQ(problems(kernel, {"f16=1", "bytes=0000000000000000", "i8=-1", "u8=1", "f64=2"}).size(), 1u);
}

// PTX declares every `__grid_constant__` parameter as an array of bytes, as it does a struct.
TEST(Parameters, GridConstantsAreWhatTheSourceSays) {
  ptx::Function kernel;
  kernel.name = "_Z1kPKffi1S";  // k(const float*, float, int, S)
  kernel.parameters = {parameter(ptx::Type::b8, 8, true), parameter(ptx::Type::b8, 4, true),
                       parameter(ptx::Type::b8, 4, true), parameter(ptx::Type::b8, 8, true)};
  EXPECT_THAT(problems(kernel, {"f32[8]=1", "f32=2", "i32=3", "{i32=1,i32=2}"}), IsEmpty());
  EXPECT_THAT(problems(kernel, {"u64=0", "f32=2", "u32=3", "{f32[4]}"}), IsEmpty());
  const Diagnostics wrong = problems(kernel, {"f32=1", "i32=2", "f32=3", "f32[8]=1"});
  ASSERT_EQ(wrong.size(), 4u);
  EXPECT_THAT(wrong[0].cure, StartsWith("Pass a buffer such as f32[1024]=iota."));
  EXPECT_THAT(wrong[1].cure, StartsWith("Pass f32=…."));
  EXPECT_THAT(wrong[2].cure, StartsWith("Pass i32=… or u32=…."));
  EXPECT_THAT(wrong[3].cure, StartsWith("Pass a struct of 8 bytes"));
}

// k(Square, float*), where Square is a functor.
TEST(Parameters, AStructWithoutMembersIsWrittenSo) {
  ptx::Function kernel;
  kernel.name = "_Z1k6SquarePf";
  kernel.parameters = {parameter(ptx::Type::b8, 1, true), parameter(ptx::Type::u64)};
  EXPECT_THAT(problems(kernel, {"{}", "f32[8]=1"}), IsEmpty());
  EXPECT_THAT(problems(kernel, {"{u8=1}", "f32[8]=1"}), IsEmpty());
  const Diagnostics wrong = problems(kernel, {"i32=1", "f32[8]=1"});
  ASSERT_EQ(wrong.size(), 1u);
  EXPECT_THAT(wrong[0].cure, StartsWith("Pass a struct of 1 byte such as {u8=1}, or {} if it has no members."));
}

TEST(Parameters, GridConstantsRun) {
  if (!compile::find_toolchain().ok()) GTEST_SKIP() << "no compiler";
  Request request;
  request.source = {"a.cu",
                    "__global__ void k(__grid_constant__ float* const out, __grid_constant__ const float* const in,\n"
                    "                  __grid_constant__ const float by, __grid_constant__ const int add) {\n"
                    "  out[threadIdx.x] = in[threadIdx.x] * by + add;\n}\n",
                    {}};
  request.first().kernel = "k";
  request.first().shape.block = {4, 1, 1};
  request.arguments = {{"f32[4]", ""}, {"f32[4]=iota", ""}, {"f32=2.5", ""}, {"i32=-3", ""}};
  const Outcome outcome = run(request);
  ASSERT_TRUE(outcome.completed) << format(outcome.diagnostics.front());
  float made[4];
  std::memcpy(made, outcome.arguments[0].contents.data(), sizeof made);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(made[i], static_cast<float>(i) * 2.5f - 3) << i;
}

// `struct { float4 o; float t; }`: the struct's size is a multiple of its alignment, which its floats alone do not
// have.
TEST(Parameters, SaysHowAnAlignedStructIsPadded) {
  ptx::Function kernel;
  kernel.name = "_Z1k1S";
  kernel.parameters = {parameter(ptx::Type::b8, 32, true)};
  kernel.parameters[0].alignment = 16;
  const Diagnostics found = problems(kernel, {"{4*f32=1,f32=2}"});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].message, "Parameter 0 of `k` is S (.b8[32] in PTX), but `{4*f32=1,f32=2}` has 20 bytes.");
  EXPECT_THAT(found[0].cure, HasSubstr("aligned to 16 bytes"));
  EXPECT_THAT(problems(kernel, {"{4*f32=1,f32=2,3*f32=0}"}), IsEmpty());
}

}  // namespace
}  // namespace lanescope::job
