#include "job/request/struct_arrangement.h"

#include <algorithm>
#include <cstring>

#include "compile/host/definitions.h"
#include "compile/host/source_scan.h"
#include "core/text.h"

namespace lanescope::job {

namespace {

using GivenNumber = Recipe::Bytes::Number;

const Recipe::Bytes* members_of_argument(const RequestedArgument& argument) {
  return argument.recipe() ? argument.recipe()->members() : nullptr;
}

// Whether these are the numbers of some structs of this layout, in order.
bool are_numbers_of(const std::vector<GivenNumber>& given, const StructLayout& layout) {
  const std::size_t each = layout.numbers.size();
  if (each == 0 || given.empty() || given.size() % each != 0) return false;
  for (std::size_t i = 0; i < given.size(); ++i)
    if (static_cast<std::int64_t>(given[i].bytes) != layout.numbers[i % each].bytes) return false;
  return true;
}

Recipe::Bytes in_layout(const Recipe::Bytes& given, const StructLayout& layout) {
  const std::size_t each = layout.numbers.size();
  Recipe::Bytes made = given;
  made.bytes.assign(given.numbers.size() / each * static_cast<std::size_t>(layout.bytes), std::byte{0});
  made.alignment = static_cast<std::size_t>(layout.alignment);
  auto pointer = made.pointers.begin();
  for (std::size_t i = 0; i < given.numbers.size(); ++i) {
    const GivenNumber& from = given.numbers[i];
    GivenNumber& to = made.numbers[i];
    to.at = i / each * static_cast<std::size_t>(layout.bytes) + static_cast<std::size_t>(layout.numbers[i % each].at);
    std::memcpy(made.bytes.data() + to.at, given.bytes.data() + from.at, from.bytes);
    if (pointer != made.pointers.end() && pointer->at == from.at) (pointer++)->at = to.at;
  }
  return made;
}

bool has_members(const RequestedArgument& argument) {
  return members_of_argument(argument) != nullptr;
}

SourceKernels kernels_of(const compile::Source& source) {
  return SourceKernels(compile::with_definitions(source.text, source.defines));
}

}  // namespace

void arrange(RequestedArgument& argument, const StructLayout& layout) {
  const Recipe::Bytes* given = members_of_argument(argument);
  if (given == nullptr || !are_numbers_of(given->numbers, layout)) return;
  Recipe::Bytes made = in_layout(*given, layout);
  if (made.bytes.size() == given->bytes.size() &&
      std::ranges::equal(made.numbers, given->numbers, {}, &GivenNumber::at, &GivenNumber::at))
    return;
  argument = argument.with(std::move(made));
}

void arrange_structs(Request& request) {
  if (std::ranges::any_of(request.arguments, has_members)) {
    const std::vector<KernelParameter> parameters = declared_parameters(request, request.first().kernel);
    for (std::size_t i = 0; i < std::min(parameters.size(), request.arguments.size()); ++i)
      arrange(request.arguments[i], parameters[i].layout);
  }
  for (RequestedArgument& symbol : request.symbols)
    if (has_members(symbol)) arrange(symbol, declared_variable(request.source, symbol.name()).layout);
}

void arrange_structs(const Request& request, std::vector<RequestedArgument>& new_buffers, RequestedLaunch& next) {
  const std::size_t before = request.arguments.size() + request.buffers.size();
  std::vector<RequestedArgument*> given;
  for (RequestedLaunch::Parameter& one : next.parameters) {
    const auto place = static_cast<std::size_t>(one.buffer);
    const bool is_new = one.buffer >= 0 && place >= before;
    given.push_back(one.buffer < 0 ? &one.scalar : is_new ? &new_buffers[place - before] : nullptr);
  }
  const auto concerned = [](const RequestedArgument* one) { return one != nullptr && has_members(*one); };
  if (std::ranges::none_of(given, concerned)) return;
  const std::vector<KernelParameter> parameters = declared_parameters(request, next.kernel);
  for (std::size_t i = 0; i < std::min(parameters.size(), given.size()); ++i)
    if (concerned(given[i])) arrange(*given[i], parameters[i].layout);
}

KernelParameter declared_variable(const compile::Source& source, const std::string& name) {
  if (source.name.ends_with(".ptx")) return {};
  const std::string text = compile::with_definitions(source.text, source.defines);
  for (const compile::ScannedDeclaration& one : compile::scan_declarations(text)) {
    if (!one.is_device || one.kind != compile::ScannedDeclaration::Kind::variable || one.name != name) continue;
    std::string declaration;
    const std::string_view before_name = std::string_view(text).substr(one.begin, one.name_offset - one.begin);
    for (const std::string_view word : split(before_name, ' ')) {
      const bool qualifier = word.starts_with("__") || word == "static" || word == "extern";
      if (!qualifier) declaration += std::string(word) + " ";
    }
    return kernels_of(source).declared(declaration + name.substr(name.rfind(':') + 1));
  }
  return {};
}

std::vector<KernelParameter> declared_parameters(const Request& request, const std::string& kernel) {
  if (request.source.name.ends_with(".ptx")) return {};
  const SourceKernels kernels = kernels_of(request.source);
  const KernelSignature* signature = kernels.find(kernel);
  return signature == nullptr ? std::vector<KernelParameter>()
                              : kernels.parameters(*signature, template_arguments(kernel));
}

}  // namespace lanescope::job
