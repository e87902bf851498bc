// Kernels by the names that people give, and sources whose encoding hides them.

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "compile/compiler.h"
#include "compile/diagnose.h"
#include "compile/fixture.h"
#include "golden.h"

namespace lanescope::compile {
namespace {

TEST(KernelNames, ANameThatLacksItsNamespacesIsFoundIfOnlyOneKernelHasIt) {
  NEEDS_NVRTC();
  const std::string text =
      "namespace n { namespace m { __global__ void b(int* p) { *p = 2; }\n"
      "template <typename T> __global__ void t(T* p) { *p = 1; } }\n"
      "__global__ void both(int* p) { *p = 1; } }\nnamespace o { __global__ void both(int* p) { *p = 2; }\n"
      "__global__ void hidden(int* p) { *p = 2; } }\n"
      "template <int N> __global__ void hidden(int* p) { *p = N; }\n";
  Options options;
  for (const auto& [name, mangled] : std::map<std::string, std::string>{{"b", "_ZN1n1m1bEPi"},
                                                                        {"(void (*)(int*))b", "_ZN1n1m1bEPi"},
                                                                        {"m::b", "_ZN1n1m1bEPi"},
                                                                        {"t<float>", "_ZN1n1m1tIfEEvPT_"}}) {
    options.name_expressions = {name};
    const auto ptx = compile({"k.cu", text, {}}, options);
    ASSERT_TRUE(ptx.ok()) << name << ": " << format(ptx.errors().front());
    EXPECT_EQ(ptx->mangled.at(name), mangled);
  }
  for (const char* name : {"both", "hidden", "x::b", "n::t<float>", "t"}) {
    options.name_expressions = {name};
    const auto ptx = compile({"k.cu", text, {}}, options);
    ASSERT_FALSE(ptx.ok()) << name;
    EXPECT_EQ(ptx.errors().front().code, "compile.no_such_kernel") << name;
  }
}

// As a launch beside the kernel, within its namespaces, names them.
TEST(KernelNames, TemplateArgumentsAreLookedUpInTheKernelsNamespaces) {
  NEEDS_NVRTC();
  const std::string text =
      "namespace a { enum E { one, two };\nstruct Out { static constexpr int v = 7; };\n"
      "namespace b { struct In { static constexpr int v = 3; };\n"
      "template <class A, class B, E e> __global__ void k(int* p) { *p = A::v * 100 + B::v * 10 + e; } } }\n";
  Options options;
  for (const char* name : {"a::b::k<Out, In, two>", "a::b::k<a::Out, a::b::In, two>", "k<Out,In,two>"}) {
    options.name_expressions = {name};
    const auto ptx = compile({"k.cu", text, {}}, options);
    ASSERT_TRUE(ptx.ok()) << name << ": " << format(ptx.errors().front());
    EXPECT_EQ(ptx->mangled.at(name), "_ZN1a1b1kINS_3OutENS0_2InELNS_1EE1EEEvPi");
  }
  options.name_expressions = {"a::b::k<Out, Elsewhere, two>"};
  const auto ptx = compile({"k.cu", text, {}}, options);
  ASSERT_FALSE(ptx.ok());
  EXPECT_EQ(ptx.errors().front().code, "compile.no_such_kernel");
  EXPECT_NE(ptx.errors().front().message.find("`a::b::k<Out, Elsewhere, two>`"), std::string::npos)
      << ptx.errors().front().message;
}

TEST(KernelNames, TheFileThatDefinesADeclaredKernelIsNamed) {
  const test::TempFolder folder;
  test::write_file(folder / "a.cu", "__global__ void scale(int* p);\n");
  test::write_file(folder / "b.cu", "#include <cstdio>\n__global__ void scale(int* p) {\n  *p = 2;\n}\n");
  const std::string main = (folder / "main.cu").string();
  const Diagnostic found = undefined_kernel({main, "__global__ void scale(int* p);\n", {}}, "scale");
  EXPECT_EQ(found.cure, "`" + (folder / "b.cu").generic_string() + "` defines it: run that file, or include it here.");
  EXPECT_EQ(undefined_kernel({main, "__global__ void other(int* p);\n", {}}, "other").cure,
            "Run the file that defines it, or include that file here.");
}

TEST(KernelNames, ASourceInUtf16IsRefusedByItsEncoding) {
  NEEDS_NVRTC();
  const auto ptx = compile({"k.cu", std::string("\xff\xfe_\0_\0\n\0", 8), {}}, {});
  ASSERT_FALSE(ptx.ok());
  EXPECT_NE(std::string(ptx.errors().front().message).find("UTF-16"), std::string::npos);
}

}  // namespace
}  // namespace lanescope::compile
