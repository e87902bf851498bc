#include "job/request/pointed_buffers.h"

#include <algorithm>

#include "compile/host/definitions.h"
#include "core/worded.h"
#include "job/request/kernel_signature.h"

namespace lanescope::job {

namespace {

using Pointers = std::vector<Recipe::Bytes::Pointer>;

const Recipe::Bytes* struct_in(const RequestedArgument& argument) {
  const Recipe::Bytes* bytes = argument.recipe() ? argument.recipe()->bytes() : nullptr;
  return bytes != nullptr && !bytes->pointers.empty() ? bytes : nullptr;
}

// Replaces the pointers of a struct. `place_own` and `place_same` return the number of an argument, or an error.
template <typename PlaceOwn, typename PlaceSame>
Diagnostics place(RequestedArgument& argument, PlaceOwn place_own, const PlaceSame& place_same) {
  const Recipe::Bytes* bytes = struct_in(argument);
  if (bytes == nullptr) return {};
  Pointers placed;
  for (Recipe::Bytes::Pointer one : bytes->pointers) {
    if (one.own) {
      one.number = static_cast<std::int32_t>(place_own(bytes->buffers[static_cast<std::size_t>(one.number)]));
      one.own = false;
    } else if (Diagnostics problems = place_same(one); !problems.empty()) {
      return problems;
    }
    placed.push_back(one);
  }
  argument = argument.with(std::move(placed));
  return {};
}

// The kernel's parameters as the source declares them; none if they are unknown.
std::vector<KernelParameter> parameters_of(const Request& request) {
  if (request.source.name.ends_with(".ptx")) return {};
  const SourceKernels kernels(compile::with_definitions(request.source.text, request.source.defines));
  const std::string& kernel = request.first().kernel;
  const KernelSignature* signature = kernels.find(kernel);
  return signature == nullptr ? std::vector<KernelParameter>()
                              : kernels.parameters(*signature, template_arguments(kernel));
}

// "A.elements": one for each buffer of the struct that is passed for this parameter; "" where the source does not tell.
std::vector<std::string> names_of_own(const KernelParameter& parameter, const Recipe::Bytes& bytes) {
  std::vector<std::string> all;
  for (const KernelParameter& member : parameter.members)
    if (member.pointer) all.push_back(parameter.name + "." + member.name);
  if (all.size() != bytes.pointers.size()) all.assign(bytes.pointers.size(), "");
  std::vector<std::string> own;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (bytes.pointers[i].own) own.push_back(all[i]);
  return own;
}

bool is_buffer(const Request& request, const std::vector<RequestedArgument>& new_buffers, std::size_t place) {
  const std::size_t own = request.arguments.size(), all = own + request.buffers.size();
  const RequestedArgument& argument = place < own   ? request.arguments[place]
                                      : place < all ? request.buffers[place - own]
                                                    : new_buffers[place - all];
  return !argument.recipe() || (argument.recipe()->buffer() && argument.recipe()->texture == nullptr);
}

Diagnostic not_a_buffer(const RequestedArgument& argument, std::size_t place) {
  return {Severity::error,
          "argument.no_such",
          {},
          worded("`{}`: argument {} is not a buffer.", argument.text(), place),
          "Name an argument that is a buffer. Arguments are numbered from 0."};
}

// The position of a buffer among the launch's parameters; it is added at their end if it is not there.
std::size_t position_of(RequestedLaunch& next, std::size_t buffer) {
  const auto found = std::ranges::find(next.parameters, static_cast<int>(buffer), &RequestedLaunch::Parameter::buffer);
  const auto position = static_cast<std::size_t>(found - next.parameters.begin());
  if (found == next.parameters.end()) {
    next.parameters.push_back({static_cast<int>(buffer), {}, 0});
    ++next.pointed_at;
  }
  return position;
}

}  // namespace

Result<BufferPlace> buffer_at(const Request& request, BufferPlace place, std::size_t known, const std::string& text) {
  const std::size_t own = request.arguments.size();
  for (std::size_t steps = 0; place.argument < own && steps <= own; ++steps) {
    const Result<Recipe>& recipe = request.arguments[place.argument].recipe();
    const Recipe::Same* further = recipe ? recipe->same() : nullptr;
    if (further == nullptr) break;
    place = {static_cast<std::size_t>(further->argument), further->offset + place.offset};
  }
  if (place.argument < known) return place;
  return Diagnostic{Severity::error,
                    "argument.no_such",
                    {},
                    worded("`{}`: there is no argument {}.", text, place.argument),
                    known == 0 ? Wording("Give the buffer itself, as in f32[64]=iota.")
                               : worded("Use an argument number from 0 to {}.", known - 1)};
}

Diagnostics place_pointed_buffers(Request& request) {
  const std::size_t own = request.arguments.size();
  if (std::ranges::none_of(request.arguments, [](const auto& one) { return struct_in(one) != nullptr; })) {
    request.first().pointed_at = request.buffers.size();
    return {};
  }
  std::vector<KernelParameter> parameters = parameters_of(request);
  parameters.resize(std::max(parameters.size(), own));
  for (std::size_t i = 0; i < own; ++i) {
    RequestedArgument& argument = request.arguments[i];
    if (struct_in(argument) == nullptr) continue;
    const std::vector<std::string> names = names_of_own(parameters[i], *struct_in(argument));
    const auto place_own = [&, next = names.begin()](const std::string& text) mutable {
      request.buffers.emplace_back(text, *next++);
      return own + request.buffers.size() - 1;
    };
    const auto place_same = [&](Recipe::Bytes::Pointer& one) -> Diagnostics {
      const Result<BufferPlace> found =
          buffer_at(request, {static_cast<std::size_t>(one.number), one.offset}, own, argument.text());
      if (!found) return found.errors();
      if (!is_buffer(request, {}, found->argument)) return {not_a_buffer(argument, found->argument)};
      one.number = static_cast<std::int32_t>(found->argument);
      one.offset = found->offset;
      return {};
    };
    if (Diagnostics problems = place(argument, place_own, place_same); !problems.empty()) return problems;
  }
  request.first().pointed_at = request.buffers.size();
  return {};
}

Diagnostics place_pointed_buffers(const Request& request, std::vector<RequestedArgument>& new_buffers,
                                  RequestedLaunch& next) {
  const std::size_t parameters = next.parameters.size(), before = request.arguments.size() + request.buffers.size();
  for (std::size_t i = 0; i < parameters; ++i) {
    RequestedArgument argument = next.parameters[i].scalar;
    const auto place_own = [&](const std::string& text) {
      new_buffers.emplace_back(text, "");
      return position_of(next, before + new_buffers.size() - 1);
    };
    const auto place_same = [&](Recipe::Bytes::Pointer& one) -> Diagnostics {
      const Result<BufferPlace> found = buffer_at(request, {static_cast<std::size_t>(one.number), one.offset},
                                                  before + new_buffers.size(), argument.text());
      if (!found) return found.errors();
      if (!is_buffer(request, new_buffers, found->argument)) return {not_a_buffer(argument, found->argument)};
      const std::size_t position = position_of(next, found->argument);
      one.number = static_cast<std::int32_t>(position);
      // A parameter may pass a pointer further on in the buffer. The difference wraps around, and so does its sum.
      one.offset = found->offset - next.parameters[position].offset;
      return {};
    };
    if (Diagnostics problems = place(argument, place_own, place_same); !problems.empty()) return problems;
    next.parameters[i].scalar = std::move(argument);
  }
  return {};
}

}  // namespace lanescope::job
