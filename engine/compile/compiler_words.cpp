#include "compile/compiler_words.h"

#include <optional>
#include <string_view>
#include <vector>

namespace lanescope::compile {
namespace {

struct Translation {
  const char* english;  // "{}": a name or type
  const char* chinese;
};

constexpr Translation translations[] = {
    {"identifier \"{}\" is undefined", "标识符 `{}` 没有定义"},
    {"expected a \"{}\"", "这里应当有 `{}`"},
    {"expected an expression", "这里应当有表达式"},
    {"expected a declaration", "这里应当有声明"},
    {"expected an identifier", "这里应当有名字"},
    {"expected a statement", "这里应当有语句"},
    {"expression must be a modifiable lvalue", "这里要赋值，但左边不能修改"},
    {"expression must have a constant value", "这里要有编译时就知道的值"},
    {"expression must have integral or unscoped enum type", "这里要有整数"},
    {"expression must have arithmetic or unscoped enum type", "这里要有数"},
    {"expression must have pointer-to-object type but it has type \"{}\"", "这里要有指针或数组，但类型是 `{}`"},
    {"expression must have class type but it has type \"{}\"", "点号之前要有结构体，但类型是 `{}`"},
    {"expression has no effect", "这个表达式不起作用"},
    {"class \"{}\" has no member \"{}\"", "`{}` 没有成员 `{}`"},
    {"namespace \"{}\" has no member \"{}\"", "命名空间 `{}` 里没有 `{}`"},
    {"a value of type \"{}\" cannot be assigned to an entity of type \"{}\"", "类型 `{}` 的值不能赋给类型 `{}`"},
    {"a value of type \"{}\" cannot be used to initialize an entity of type \"{}\"", "类型 `{}` 的值不能用来初始化类型 `{}`"},
    {"argument of type \"{}\" is incompatible with parameter of type \"{}\"", "类型 `{}` 的实参与类型 `{}` 的形参不符"},
    {"too many arguments in function call", "调用函数时实参太多"},
    {"too few arguments in function call", "调用函数时实参太少"},
    {"variable \"{}\" was declared but never referenced", "声明了变量 `{}`，但没有用到"},
    {"variable \"{}\" was set but never used", "给变量 `{}` 赋了值，但没有用到"},
    {"variable \"{}\" is used before its value is set", "变量 `{}` 还没有值就用到了"},
    {"\"{}\" has already been declared in the current scope", "`{}` 在这里已经声明过"},
    {"missing closing quote", "缺少结尾的引号"},
    {"unrecognized token", "看不懂这个符号"},
    {"comment unclosed at end of file", "注释到文件末尾还没有结束"},
    {"parsing restarts here after previous syntax error", "前面的语法错误之后，从这里重新开始读"},
    {"cannot open source file \"{}\"", "打不开文件 `{}`"},
    {"no operator \"{}\" matches these operands", "运算符 `{}` 不能用于这些操作数"},
    {"no instance of overloaded function \"{}\" matches the argument list", "没有哪个 `{}` 与这些实参相符"},
    {"statement is unreachable", "这条语句执行不到"},
    {"loop is not reachable", "这个循环执行不到"},
    {"integer conversion resulted in truncation", "整数转换时丢掉了高位"},
    {"integer constant is too large", "整数常量太大"},
    {"division by zero", "除以零"},
    {"the return type of a \"__global__\" function must be \"void\"", "kernel 的返回类型必须是 void"},
};

// The names at the places of a pattern that made the text.
std::optional<std::vector<std::string>> names_in(std::string_view text, std::string_view pattern) {
  std::vector<std::string> names;
  while (true) {
    const std::size_t place = pattern.find("{}");
    if (place == std::string_view::npos) return text == pattern ? std::optional(names) : std::nullopt;
    if (!text.starts_with(pattern.substr(0, place))) return std::nullopt;
    text.remove_prefix(place), pattern.remove_prefix(place + 2);
    const std::size_t end = text.find(pattern.substr(0, 1));  // a quotation mark
    if (end == std::string_view::npos) return std::nullopt;
    names.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

}  // namespace

Wording told_by_compiler(const std::string& message) {
  for (const Translation& row : translations)
    if (const auto names = names_in(message, row.english)) return Wording::bilingual(message, with_values(row.chinese, *names));
  return Wording::bilingual(message, "编译器的原话（英文）：“" + message + "”");
}

}  // namespace lanescope::compile
