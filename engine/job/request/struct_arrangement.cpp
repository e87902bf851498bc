#include "job/request/struct_arrangement.h"

#include <algorithm>
#include <cstring>

#include "compile/host/definitions.h"
#include "compile/host/include_tree.h"
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

KernelParameter declared_variable(const compile::Source& source, const std::string& name) {
  const std::optional<compile::DeviceVariable> found = compile::find_device_variable(source, name);
  if (!found) return {};
  std::string declaration;
  for (const std::string_view word : split(found->before_name, ' ')) {
    const bool qualifier = word.starts_with("__") || word == "static" || word == "extern";
    if (!qualifier) declaration += std::string(word) + " ";
  }
  declaration += name.substr(name.rfind(':') + 1);
  SourceKernels kernels(compile::with_definitions(source.text, source.defines));
  KernelParameter made = kernels.declared(declaration);
  if (!made.has_unknown_layout()) return made;
  add_types_of_headers(kernels, source);
  return kernels.declared(declaration);
}

std::vector<KernelParameter> declared_parameters(const Request& request, const std::string& kernel) {
  if (request.source.name.ends_with(".ptx")) return {};
  const SourceKernels kernels = kernels_of(request.source);
  const KernelSignature* signature = kernels.find(kernel);
  return signature == nullptr ? std::vector<KernelParameter>()
                              : kernels.parameters(*signature, template_arguments(kernel));
}

}  // namespace lanescope::job
