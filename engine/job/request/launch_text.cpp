#include "job/request/launch_text.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "compile/host/definitions.h"
#include "compile/host/launch_scan.h"
#include "core/comma_list.h"
#include "core/kernel_name.h"
#include "core/text.h"
#include "core/worded.h"
#include "job/request/kernel_signature.h"
#include "job/request/launch_constants.h"
#include "job/request/pointed_buffers.h"

namespace lanescope::job {

namespace {

Diagnostic wrong_text(const std::string& text, Wording why) {
  return {Severity::error,
          "launch.text",
          {},
          worded("`{}` is not a launch: {}.", text, std::move(why)),
          "Write it like 'scale<<<4, 256>>>(same:0, i32=1024)'."};
}

Diagnostics add_parameter(const Request& request, std::vector<RequestedArgument>& new_buffers, RequestedLaunch& next,
                          const std::string& text) {
  const std::size_t own = request.arguments.size(), known = own + request.buffers.size() + new_buffers.size();
  RequestedArgument argument(text, "");
  if (const Result<sim::Argument> made = make_argument_unfilled(argument); !made) return made.errors();
  RequestedLaunch::Parameter& parameter = next.parameters.emplace_back();
  if (argument.recipe()->buffer()) {
    parameter.buffer = static_cast<int>(known);
    new_buffers.push_back(std::move(argument));
    return {};
  }
  const Recipe::Same* same = argument.recipe()->same();
  if (same == nullptr) {
    parameter.scalar = std::move(argument);
    return {};
  }
  const Result<BufferPlace> found =
      buffer_at(request, {static_cast<std::size_t>(same->argument), same->offset}, known, text);
  if (!found) return found.errors();
  parameter.buffer = static_cast<int>(found->argument);
  parameter.offset = found->offset;
  return {};
}

}  // namespace

std::vector<std::string> declared_types(const Request& request, const std::string& kernel) {
  const compile::Source& source = request.source;
  if (source.name.ends_with(".ptx") || !contains(source.text, "\"C\"")) return {};  // mangled names have the types
  return SourceKernels(compile::with_definitions(source.text, source.defines)).declared_types(kernel);
}

Diagnostics add_launch(Request& request, const std::string& text) {
  const std::size_t open = text.find("<<<"), close = text.rfind(">>>");
  if (open == std::string::npos || close == std::string::npos || close < open)
    return {wrong_text(text, "<<<grid, block>>> is missing")};
  const std::string_view behind = trimmed(std::string_view(text).substr(close + 3));
  if (!behind.starts_with('(') || !behind.ends_with(')'))
    return {wrong_text(text, "its arguments in brackets are missing")};
  const std::vector<std::string> configuration = comma_list(std::string_view(text).substr(open + 3, close - open - 3));
  if (configuration.size() < 2 || configuration.size() > 3)
    return {wrong_text(text, "grid, block and perhaps bytes of shared memory belong between <<< and >>>")};
  RequestedLaunch next;
  next.number = static_cast<int>(request.launches.size()) + 1;
  next.kernel = with_cast(trimmed(std::string_view(text).substr(0, open)));
  if (next.kernel.empty()) return {wrong_text(text, "the kernel's name is missing")};
  const std::string source = compile::with_definitions(request.source.text, request.source.defines);
  const LaunchConstants constants(source, request.source);
  const std::size_t place = source.empty() ? 0 : source.size() - 1;
  Dim3* const extents[] = {&next.shape.grid, &next.shape.block};
  for (std::size_t i = 0; i < configuration.size(); ++i) {
    const compile::HostEvaluation made = constants.evaluate(configuration[i], place);
    const bool number = made.value && made.value->kind == compile::HostValue::Kind::whole && made.value->whole >= 0 &&
                        made.value->whole <= 0xffffffffll;
    const bool extent = made.value && made.value->kind == compile::HostValue::Kind::extent && i < 2;
    if (!number && !extent)
      return {{Severity::error,
               "launch.not_constant",
               {},
               worded("`{}` in `{}` cannot be evaluated{}.", configuration[i], text,
                      made.why.empty() ? Wording("") : worded(": {}", made.why)),
               "Write it like 'scale<<<4, 256>>>(same:0, i32=1024)'."}};
    if (i == 2)
      next.shape.dynamic_shared_bytes = static_cast<std::uint32_t>(made.value->whole);
    else
      *extents[i] = extent ? made.value->extent : Dim3{static_cast<std::uint32_t>(made.value->whole), 1, 1};
  }
  next.declared = declared_types(request, next.kernel);
  std::vector<RequestedArgument> new_buffers;
  for (const std::string& argument : comma_list(behind.substr(1, behind.size() - 2)))
    if (Diagnostics problems = add_parameter(request, new_buffers, next, argument); has_error(problems))
      return problems;
  if (Diagnostics problems = place_pointed_buffers(request, new_buffers, next); has_error(problems)) return problems;
  request.buffers.insert(request.buffers.end(), new_buffers.begin(), new_buffers.end());
  request.launches.push_back(std::move(next));
  return {};
}

}  // namespace lanescope::job
