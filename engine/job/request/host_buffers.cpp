#include "job/request/host_buffers.h"

#include <algorithm>
#include <initializer_list>

#include "compile/host/launch_scan.h"
#include "core/kernel_name.h"
#include "core/text.h"
#include "job/request/kernel_signature.h"
#include "job/request/launch_constants.h"
#include "job/run/job.h"

namespace lanescope::job {

namespace {

// True if the expression names the pointer: "(void**)&d_a" names "d_a".
bool names_pointer(std::string_view expression, std::string_view pointer) {
  if (pointer.empty() || !std::ranges::all_of(pointer, is_name_char) || !expression.ends_with(pointer)) return false;
  const std::size_t before = expression.size() - pointer.size();
  return before == 0 || !is_name_char(expression[before - 1]);
}

// `n * sizeof(*d)` with the bytes of what the parameter's pointer points to, if its type is known.
std::string with_element_size(std::string expression, const std::string& pointer, const KernelParameter* parameter) {
  if (parameter == nullptr || parameter->element().empty()) return expression;
  const Result<sim::Argument> one = make_argument_unfilled({parameter->element() + "[1]", ""});
  if (!one) return expression;
  const std::string bytes = std::to_string(sim::bytes_of(one->type) * parameter->elements_each());
  for (const std::string& form : {"sizeof(*" + pointer + ")", "sizeof(" + pointer + "[0])", "sizeof *" + pointer})
    for (std::size_t at = expression.find(form); at != std::string::npos; at = expression.find(form)) {
      const std::size_t end = at + form.size();
      if (end < expression.size() && is_name_char(expression[end])) break;
      expression.replace(at, form.size(), bytes);
    }
  return expression;
}

}  // namespace

std::optional<HostMemory> HostBuffers::memory_of(const std::string& pointer, const std::string& element,
                                                 const KernelParameter* parameter, std::size_t before) const {
  const Result<sim::Argument> one = make_argument_unfilled({element + "[1]", ""});
  if (!one) return std::nullopt;
  const auto bytes_each = static_cast<std::uint64_t>(sim::bytes_of(one->type));
  std::optional<HostMemory> found;
  for (const char* function : {"cudaMalloc", "cudaMallocManaged", "cudaMallocAsync"})
    for (const compile::ScannedCall& call : compile::scan_calls(text_, function)) {
      if (call.arguments.size() < 2 || !names_pointer(call.arguments[0], pointer) || call.offset > before) continue;
      const compile::HostEvaluation bytes =
          constants_.evaluate(with_element_size(call.arguments[1], pointer, parameter), call.offset);
      if (!bytes.value || bytes.value->kind != compile::HostValue::Kind::whole ||
          bytes.value->whole < static_cast<std::int64_t>(bytes_each))
        return std::nullopt;
      found = HostMemory{static_cast<std::uint64_t>(bytes.value->whole) / bytes_each, call.line,
                         std::string_view(function) == "cudaMallocManaged"};
    }
  return found;
}

bool HostBuffers::is_zeroed(const std::string& pointer, std::size_t before) const {
  return std::ranges::any_of(compile::scan_calls(text_, "cudaMemset"), [&](const compile::ScannedCall& call) {
    return call.offset < before && call.arguments.size() > 1 && names_pointer(call.arguments[0], pointer) &&
           call.arguments[1] == "0";
  });
}

bool HostBuffers::is_copied_to(const std::string& pointer, std::size_t before) const {
  return std::ranges::any_of(
      std::initializer_list<const char*>{"cudaMemcpy", "cudaMemcpyAsync", "cudaMemcpy2D", "cudaMemcpy2DAsync"},
      [&](const char* function) {
        return std::ranges::any_of(compile::scan_calls(text_, function), [&](const compile::ScannedCall& call) {
          return call.offset < before && !call.arguments.empty() && names_pointer(call.arguments[0], pointer);
        });
      });
}

bool HostBuffers::is_passed_before(const std::string& pointer, const compile::ScannedLaunch& launch,
                                   const std::vector<compile::ScannedLaunch>& all) const {
  return std::ranges::any_of(all, [&](const compile::ScannedLaunch& one) {
    return one.offset < launch.offset && !may_be_same_kernel(one.kernel, launch.kernel) &&
           std::ranges::find(one.arguments, pointer) != one.arguments.end();
  });
}

}  // namespace lanescope::job
