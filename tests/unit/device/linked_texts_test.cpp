// nvJitLink as Python packages find it: it links PTX to PTX.

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "unit/device/exec_libraries.h"

namespace lanescope {
namespace {

using device_test::ExecLibraries;

// Numba links cudadevrt, a library of machine code, for grid.sync(). Each block reads what the next one wrote before
// the sync.
TEST_F(ExecLibraries, GridsMeetWhereCudadevrtIsLinked) {
  void* const linker = dlopen((std::filesystem::path(LANESCOPE_EXEC_FOLDER) / "libnvJitLink.so.13").c_str(), RTLD_NOW);
  ASSERT_NE(linker, nullptr) << dlerror();
  const auto link = [&]<typename... T>(const char* name, T... arguments) {
    return reinterpret_cast<int (*)(T...)>(dlsym(linker, name))(arguments...);
  };
  const std::string ptx =
      ".version 8.0\n.target sm_70\n.address_size 64\n"
      R"(
.extern .func (.param .b64 r) cudaCGGetIntrinsicHandle(.param .b32 s);
.extern .func (.param .b32 r) cudaCGSynchronize(.param .b64 h, .param .b32 f);
.visible .entry meet(.param .u64 out)
{
  .reg .pred %p1; .reg .b32 %r<6>; .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %ctaid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd2, %rd1, %rd2;
  add.u32 %r2, %r1, 7;
  st.global.u32 [%rd2], %r2;
  { .param .b32 s; .param .b64 r; st.param.b32 [s], 1; call.uni (r), cudaCGGetIntrinsicHandle, (s); ld.param.b64 %rd3, [r]; }
  { .param .b64 h; .param .b32 f, r; st.param.b64 [h], %rd3; st.param.b32 [f], 0;
    call.uni (r), cudaCGSynchronize, (h, f); ld.param.b32 %r3, [r]; }
  add.u32 %r1, %r1, 1;
  rem.u32 %r1, %r1, 5;
  mul.wide.u32 %rd4, %r1, 4;
  add.u64 %rd4, %rd1, %rd4;
  ld.global.u32 %r4, [%rd4];
  st.global.u32 [%rd2+20], %r4;
  ret;
}
)";
  void *made = nullptr, *context = nullptr, *module = nullptr, *kernel = nullptr, *stream = nullptr;
  const char* const library = "!<arch>\nmachine code";
  const char* options[] = {"-arch=sm_90", "-maxrregcount=38"};
  ASSERT_EQ(link("nvJitLinkCreate", &made, 2u, static_cast<const char**>(options)), 0);
  EXPECT_EQ(link("nvJitLinkAddData", made, 5, static_cast<const void*>(library), std::strlen(library), "cudadevrt"), 0);
  // As PTX, and again as the "machine code" that NVRTC returns under `exec`.
  for (const int type : {2, 1})
    EXPECT_EQ(link("nvJitLinkAddData", made, type, static_cast<const void*>(ptx.c_str()), ptx.size(), "meet"), 0);
  std::size_t bytes = 0;
  ASSERT_EQ(link("nvJitLinkComplete", made) + link("nvJitLinkGetLinkedCubinSize", made, &bytes), 0);
  std::string image(bytes, ' ');
  ASSERT_EQ(link("nvJitLinkGetLinkedCubin", made, static_cast<void*>(image.data())), 0);
  EXPECT_EQ(image.substr(0, 18), "// -maxrregcount=3") << "for ptxas";
  EXPECT_EQ(image.find(".extern"), std::string::npos) << "ptxas refuses it beside the definition";
  ASSERT_EQ(call("cuInit", 0u) + call("cuCtxCreate_v2", &context, 0u, 0), 0);
  ASSERT_EQ(call("cuModuleLoadData", &module, static_cast<const void*>(image.c_str())), 0);
  ASSERT_EQ(call("cuModuleGetFunction", &kernel, module, "meet"), 0);
  std::uint64_t at = 0;
  ASSERT_EQ(call("cuMemAlloc_v2", &at, std::size_t{40}), 0);
  void* arguments[] = {&at};
  EXPECT_EQ(
      call("cuLaunchCooperativeKernel", kernel, 5u, 1u, 1u, 1u, 1u, 1u, 0u, stream, static_cast<void**>(arguments)), 0);
  std::vector<std::uint32_t> back(10);
  EXPECT_EQ(call("cuMemcpyDtoH_v2", static_cast<void*>(back.data()), at, std::size_t{40}), 0);
  EXPECT_EQ(back, (std::vector<std::uint32_t>{7, 8, 9, 10, 11, 8, 9, 10, 11, 7}));
  EXPECT_EQ(call("cuCtxDestroy_v2", context), 0);
}

TEST_F(ExecLibraries, WhatIsLinkedIsDeclaredAsItIsDefined) {
  void* const linker = dlopen((std::filesystem::path(LANESCOPE_EXEC_FOLDER) / "libnvJitLink.so.13").c_str(), RTLD_NOW);
  ASSERT_NE(linker, nullptr) << dlerror();
  const auto link = [&]<typename... T>(const char* name, T... arguments) {
    return reinterpret_cast<int (*)(T...)>(dlsym(linker, name))(arguments...);
  };
  const std::string head = ".version 8.0\n.target sm_70\n.address_size 64\n";
  const std::string uses = head +
                           ".extern .func (.param .b32 r) one\n(\n  .param .b32 x\n)\n;\n.extern .func far();\n"
                           ".visible .entry k(.param .u64 out) { ret; }\n";
  const std::string defines = head + ".weak .func (.param .b32 r) one(.param .b32 x) { ret; }\n";
  void* made = nullptr;
  const char* options[] = {"-arch=sm_90"};
  ASSERT_EQ(link("nvJitLinkCreate", &made, 1u, static_cast<const char**>(options)), 0);
  for (const std::string& text : {uses, defines})
    EXPECT_EQ(link("nvJitLinkAddData", made, 2, static_cast<const void*>(text.c_str()), text.size(), "part"), 0);
  std::size_t bytes = 0;
  ASSERT_EQ(link("nvJitLinkComplete", made) + link("nvJitLinkGetLinkedCubinSize", made, &bytes), 0);
  std::string image(bytes, ' ');
  ASSERT_EQ(link("nvJitLinkGetLinkedCubin", made, static_cast<void*>(image.data())), 0);
  EXPECT_NE(image.find(".weak .func (.param .b32 r) one\n(\n  .param .b32 x\n)\n;"), std::string::npos) << image;
  EXPECT_NE(image.find(".extern .func far();"), std::string::npos) << "nothing defines it\n" << image;
}

// As of a program of a dozen files with -rdc=true and -lineinfo: each text numbers its files from 1.
TEST_F(ExecLibraries, ADozenTextsWithLineNumbersAreLinked) {
  void* const linker = dlopen((std::filesystem::path(LANESCOPE_EXEC_FOLDER) / "libnvJitLink.so.13").c_str(), RTLD_NOW);
  ASSERT_NE(linker, nullptr) << dlerror();
  const auto link = [&]<typename... T>(const char* name, T... arguments) {
    return reinterpret_cast<int (*)(T...)>(dlsym(linker, name))(arguments...);
  };
  void *made = nullptr, *context = nullptr, *module = nullptr, *kernel = nullptr;
  const char* options[] = {"-arch=sm_90"};
  ASSERT_EQ(link("nvJitLinkCreate", &made, 1u, static_cast<const char**>(options)), 0);
  for (int i = 0; i < 12; ++i) {
    const std::string number = std::to_string(i);
    const std::string text = ".version 8.0\n.target sm_70\n.address_size 64\n.visible .entry k" + number +
                             "()\n{\n\t.loc\t2 7 3, function_name $L__info_string0, inlined_at 1 5 3\n\tret;\n}\n"
                             "\t.section\t.debug_str\n{\n$L__info_string0:\n.b8 102,0\n}\n\t.file\t1 \"own" +
                             number + ".cu\"\n\t.file\t2 \"other" + number + ".cuh\"\n";
    EXPECT_EQ(link("nvJitLinkAddData", made, 2, static_cast<const void*>(text.c_str()), text.size(), "part"), 0);
  }
  std::size_t bytes = 0;
  ASSERT_EQ(link("nvJitLinkComplete", made) + link("nvJitLinkGetLinkedCubinSize", made, &bytes), 0);
  std::string image(bytes, ' ');
  ASSERT_EQ(link("nvJitLinkGetLinkedCubin", made, static_cast<void*>(image.data())), 0);
  EXPECT_NE(image.find(".loc\t24 7 3, function_name $L__of11_info_string0, inlined_at 23 5 3\n"), std::string::npos)
      << image;
  EXPECT_NE(image.find(".file\t24 \"other11.cuh\"\n"), std::string::npos) << image;
  ASSERT_EQ(call("cuInit", 0u) + call("cuCtxCreate_v2", &context, 0u, 0), 0);
  ASSERT_EQ(call("cuModuleLoadData", &module, static_cast<const void*>(image.c_str())), 0);
  EXPECT_EQ(call("cuModuleGetFunction", &kernel, module, "k11"), 0);
  EXPECT_EQ(call("cuCtxDestroy_v2", context), 0);
}

}  // namespace
}  // namespace lanescope
