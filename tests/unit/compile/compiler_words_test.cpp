// NVRTC's messages in Chinese.

#include "compile/compiler_words.h"

#include <gtest/gtest.h>

namespace lanescope::compile {
namespace {

std::string in_chinese(const std::string& said) {
  const Wording told = told_by_compiler(said);
  EXPECT_EQ(static_cast<const std::string&>(told), said) << "in English it stays what the compiler said";
  return told.values().empty() ? "" : static_cast<const std::string&>(told.values().front());
}

TEST(CompilerWords, NamesAndTypesKeepTheirPlaces) {
  EXPECT_EQ(in_chinese("identifier \"strid\" is undefined"), "标识符 `strid` 没有定义");
  EXPECT_EQ(in_chinese("const variable \"c\" requires an initializer"), "const 变量 `c` 必须有初值");
  EXPECT_EQ(in_chinese("no suitable constructor exists to convert from \"const float\" to \"float4\""),
            "`const float` 不能转换成 `float4`");
}

TEST(CompilerWords, WhatStandsWithoutQuotationMarksIsFoundToo) {
  EXPECT_EQ(in_chinese("case label value has already appeared in this switch at line 13"),
            "这个 case 的值在同一个 switch 的第 13 行已经出现过");
  EXPECT_EQ(in_chinese("the value of parameter \"n\" (declared at line 1) cannot be used as a constant"),
            "形参 `n`（声明在第 1 行）的值不能当常量用");
  EXPECT_EQ(in_chinese("no instance of overloaded function \"sqrt\" matches the argument list; argument types are: "
                       "(const float, int)"),
            "没有哪个 `sqrt` 与这些实参相符；实参的类型是：const float, int");
}

TEST(CompilerWords, WhatHasNoChineseIsSaidToBeEnglish) {
  EXPECT_EQ(in_chinese("something new"), "编译器的原话（英文）：“something new”");
  EXPECT_EQ(in_chinese("const variable \"c\" requires"), "编译器的原话（英文）：“const variable \"c\" requires”");
}

}  // namespace
}  // namespace lanescope::compile
