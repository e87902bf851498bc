#include "compile/compiler_words.h"

#include <optional>
#include <string_view>
#include <vector>

namespace lanescope::compile {
namespace {

struct Translation {
  const char* english;  // "{}" stands for a name or type
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
    {"name must be a namespace name", "这里要有命名空间的名字"},
    {"expression must have integral or unscoped enum type", "这里要有整数"},
    {"expression must have arithmetic or unscoped enum type", "这里要有数"},
    {"expression must have pointer-to-object type but it has type \"{}\"", "这里要有指针或数组，但类型是 `{}`"},
    {"expression must have class type but it has type \"{}\"", "点号之前要有结构体，但类型是 `{}`"},
    {"expression has no effect", "这个表达式不起作用"},
    {"class \"{}\" has no member \"{}\"", "`{}` 没有成员 `{}`"},
    {"namespace \"{}\" has no member \"{}\"", "命名空间 `{}` 里没有 `{}`"},
    {"a value of type \"{}\" cannot be assigned to an entity of type \"{}\"", "类型 `{}` 的值不能赋给类型 `{}`"},
    {"a value of type \"{}\" cannot be used to initialize an entity of type \"{}\"",
     "类型 `{}` 的值不能用来初始化类型 `{}`"},
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
    {"operand of \"*\" must be a pointer but has type \"{}\"", "`*` 之后要有指针，但类型是 `{}`"},
    {"multicharacter character literal (potential portability problem)", "单引号里只能有一个字符"},
    {"too many initializer values", "初值太多"},
    {"case label value has already appeared in this switch at line {}",
     "这个 case 的值在同一个 switch 的第 {} 行已经出现过"},
    {"missing initializer", "缺少初值"},
    {"initializer not allowed for __shared__ variable", "__shared__ 变量不能有初值"},
    {"no instance of overloaded function \"{}\" matches the argument list; argument types are: ({})",
     "没有哪个 `{}` 与这些实参相符；实参的类型是：{}"},
    {"number of parameters of function \"{}\" does not match the call", "函数 `{}` 的形参个数与这次调用不符"},
    {"the format string requires additional arguments", "格式串还需要更多的实参"},
    {"the format string ends before this argument", "格式串里没有给这个实参的位置"},
    {"invalid octal digit", "以 0 开头的是八进制数，里面不能有这个数字"},
    {"extra text after expected end of number", "数已经结束，后面多了字符"},
    {"label \"{}\" was referenced but not defined", "用到了标号 `{}`，但没有定义"},
    {"type name is not allowed", "这里不能写类型名"},
    {"reference variable \"{}\" requires an initializer", "引用 `{}` 必须有初值"},
    {"const variable \"{}\" requires an initializer", "const 变量 `{}` 必须有初值"},
    {"cannot deduce \"auto\" type (initializer required)", "auto 变量必须有初值，才知道类型"},
    {"invalid type conversion", "不能这样转换类型"},
    {"integer conversion resulted in a change of sign", "整数转换时变了符号"},
    {"pointless comparison of unsigned integer with zero", "无符号整数不会小于零，这样比较没有意义"},
    {"invalid combination of type specifiers", "这些类型名不能写在一起"},
    {"a case label may only be used within a switch", "case 只能写在 switch 里"},
    {"a break statement may only be used within a loop or switch", "break 只能写在循环或 switch 里"},
    {"a continue statement may only be used within a loop", "continue 只能写在循环里"},
    {"the value of parameter \"{}\" (declared at line {}) cannot be used as a constant",
     "形参 `{}`（声明在第 {} 行）的值不能当常量用"},
    {"the value of variable \"{}\" (declared at line {}) cannot be used as a constant",
     "变量 `{}`（声明在第 {} 行）的值不能当常量用"},
    {"attempt to access run-time storage", "这个值运行时才有"},
    {"parameter \"{}\" was set but never used", "给形参 `{}` 赋了值，但没有用到"},
    {"parameter \"{}\" was declared but never referenced", "声明了形参 `{}`，但没有用到"},
    {"return value type does not match the function type", "返回值的类型与函数的返回类型不符"},
    {"expression preceding parentheses of apparent call must have (pointer-to-) function type",
     "括号之前不是函数，不能调用"},
    {"no suitable constructor exists to convert from \"{}\" to \"{}\"", "`{}` 不能转换成 `{}`"},
    {"no suitable conversion function from \"{}\" to \"{}\" exists", "`{}` 不能转换成 `{}`"},
    {"a __global__ function must have a void return type", "kernel 的返回类型必须是 void"},
    {"missing return statement at end of non-void function \"{}\"", "函数 `{}` 要返回值，末尾却没有 return"},
    {"static assertion failed with \"{}\"", "静态断言不成立：“{}”"},
    {"explicit type is missing (\"int\" assumed)", "缺少类型（按 int 处理）"},
    {"the return type of a \"__global__\" function must be \"void\"", "kernel 的返回类型必须是 void"},
};

// The texts that the pattern's "{}" match; nullopt if the text does not match the pattern.
std::optional<std::vector<std::string>> names_in(std::string_view text, std::string_view pattern) {
  std::vector<std::string> names;
  while (true) {
    const std::size_t place = pattern.find("{}");
    if (place == std::string_view::npos) return text == pattern ? std::optional(names) : std::nullopt;
    if (!text.starts_with(pattern.substr(0, place))) return std::nullopt;
    text.remove_prefix(place), pattern.remove_prefix(place + 2);
    // The closing quotation mark.
    const std::size_t end = pattern.empty() ? text.size() : text.find(pattern.substr(0, 1));
    if (end == std::string_view::npos) return std::nullopt;
    names.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

}  // namespace

Wording told_by_compiler(const std::string& message) {
  for (const Translation& row : translations)
    if (const auto names = names_in(message, row.english))
      return Wording::bilingual(message, with_values(row.chinese, *names));
  return Wording::bilingual(message, "编译器的原话（英文）：“" + message + "”");
}

}  // namespace lanescope::compile
