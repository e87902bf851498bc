#include "job/request/pointed_buffers.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/worded.h"
#include "job/request/struct_arrangement.h"

namespace lanescope::job {

namespace {

using Pointers = std::vector<Recipe::Bytes::Pointer>;

// The members of a struct or a buffer, if pointers are among them.
const Recipe::Bytes* pointers_in(const RequestedArgument& argument) {
  const Recipe::Bytes* bytes = argument.recipe() ? argument.recipe()->members() : nullptr;
  return bytes != nullptr && !bytes->pointers.empty() ? bytes : nullptr;
}

bool has_members(const RequestedArgument& argument) {
  return argument.recipe() && argument.recipe()->members() != nullptr;
}

bool is_table(const RequestedArgument& argument) {
  return pointers_in(argument) != nullptr && argument.recipe()->buffer();
}

// Replaces the pointers among the members. `place_own` and `place_same` return the number of an argument, or an error.
template <typename PlaceOwn, typename PlaceSame>
Diagnostics place(RequestedArgument& argument, PlaceOwn place_own, const PlaceSame& place_same) {
  const Recipe::Bytes* bytes = pointers_in(argument);
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

// "A.elements": one for each buffer of the struct that is passed for this parameter, or that a variable is; "" where
// the source does not tell. "rows[2]": one for each buffer of a table.
std::vector<std::string> names_of_own(const RequestedArgument& argument, const KernelParameter& parameter) {
  const Recipe::Bytes& bytes = *pointers_in(argument);
  const std::string& name = argument.name().empty() ? parameter.name : argument.name();
  const StructLayout& layout = parameter.layout;
  std::vector<std::string> all;
  if (layout.bytes > 0 && bytes.bytes.size() % static_cast<std::size_t>(layout.bytes) == 0) {
    for (const Recipe::Bytes::Pointer& one : bytes.pointers) {
      const auto at = static_cast<std::int64_t>(one.at);
      const auto member = std::ranges::find(layout.numbers, at % layout.bytes, &StructLayout::Number::at);
      if (member == layout.numbers.end()) continue;
      const bool one_of_many = argument.recipe()->buffer() != nullptr;
      all.push_back(name + (one_of_many ? fmt::format("[{}].", at / layout.bytes) : ".") + member->name);
    }
  } else if (!name.empty() && bytes.pointers.size() * sizeof(std::uint64_t) == bytes.bytes.size()) {
    for (std::size_t i = 0; i < bytes.pointers.size(); ++i) all.push_back(fmt::format("{}[{}]", name, i));
  }
  if (all.size() != bytes.pointers.size()) all.assign(bytes.pointers.size(), "");
  std::vector<std::string> own;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (bytes.pointers[i].own) own.push_back(all[i]);
  return own;
}

const RequestedArgument& argument_at(const Request& request, const std::vector<RequestedArgument>& new_buffers,
                                     std::size_t place) {
  const std::size_t own = request.arguments.size(), all = own + request.buffers.size();
  return place < own ? request.arguments[place] : place < all ? request.buffers[place - own] : new_buffers[place - all];
}

bool is_buffer(const Request& request, const std::vector<RequestedArgument>& new_buffers, std::size_t place) {
  const RequestedArgument& argument = argument_at(request, new_buffers, place);
  return !argument.recipe() || (argument.recipe()->buffer() && argument.recipe()->texture == nullptr);
}

// The pointers of a placed table count from the beginnings of buffers, which all launches agree on, not from what an
// argument passes.
void count_from_beginnings(RequestedArgument& table, const Request& request,
                           const std::vector<RequestedArgument>& new_buffers) {
  Pointers pointers = pointers_in(table)->pointers;
  for (Recipe::Bytes::Pointer& one : pointers) {
    const RequestedArgument& to = argument_at(request, new_buffers, static_cast<std::size_t>(one.number));
    if (to.recipe() && to.recipe()->buffer()) one.offset += to.recipe()->buffer()->offset;
  }
  table = table.with(std::move(pointers));
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

constexpr std::size_t most_pointed_buffers = 16384;  // tables in tables multiply

Diagnostic too_many_buffers() {
  return {Severity::error,
          "argument.too_large",
          {},
          worded("the arguments have pointers to more than {} buffers", most_pointed_buffers),
          "Use fewer members."};
}

// Gives the buffers of a later launch their places.
class LaterPointers {
 public:
  LaterPointers(const Request& request, std::vector<RequestedArgument>& new_buffers, RequestedLaunch& next)
      : request_(request), new_buffers_(new_buffers), next_(next) {}
  Diagnostics place_all();

 private:
  void arrange_structs();
  Result<BufferPlace> buffer_named(const Recipe::Bytes::Pointer& one, const RequestedArgument& argument);
  Diagnostics place_struct(std::size_t parameter);
  Diagnostics place_table(std::size_t new_buffer);

  const Request& request_;
  std::vector<RequestedArgument>& new_buffers_;
  RequestedLaunch& next_;
  const std::size_t before_ = request_.arguments.size() + request_.buffers.size();
};

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

namespace {

// Places the pointers of an argument, a buffer or a symbol of launch 1.
Diagnostics place_in_first(Request& request, RequestedArgument& argument, const KernelParameter& parameter) {
  const std::size_t own = request.arguments.size();
  const std::vector<std::string> names = names_of_own(argument, parameter);
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
  if (request.buffers.size() > most_pointed_buffers) return {too_many_buffers()};
  return {};
}

}  // namespace

Diagnostics place_pointed_buffers(Request& request) {
  const std::size_t own = request.arguments.size();
  for (std::size_t i = 0; i < request.symbols.size(); ++i) {
    RequestedArgument symbol = request.symbols[i];
    if (!has_members(symbol)) continue;
    const KernelParameter variable = declared_variable(request.source, symbol.name());
    arrange(symbol, variable.layout);
    if (pointers_in(symbol) != nullptr) {
      if (Diagnostics problems = place_in_first(request, symbol, variable); !problems.empty()) return problems;
      count_from_beginnings(symbol, request, {});
    }
    request.symbols[i] = std::move(symbol);
  }
  std::vector<KernelParameter> parameters;
  if (std::ranges::any_of(request.arguments, has_members))
    parameters = declared_parameters(request, request.first().kernel);
  for (std::size_t i = 0; i < std::min(parameters.size(), own); ++i)
    arrange(request.arguments[i], parameters[i].layout);
  // A buffer that is added may hold pointers too, so the list grows meanwhile.
  for (std::size_t i = 0; i < own + request.buffers.size(); ++i) {
    RequestedArgument argument = argument_at(request, {}, i);
    if (pointers_in(argument) == nullptr) continue;
    const KernelParameter parameter = i < parameters.size() && i < own ? parameters[i] : KernelParameter{};
    if (Diagnostics problems = place_in_first(request, argument, parameter); !problems.empty()) return problems;
    if (is_table(argument)) count_from_beginnings(argument, request, {});
    (i < own ? request.arguments[i] : request.buffers[i - own]) = std::move(argument);
  }
  request.first().pointed_at = request.buffers.size();
  return {};
}

void LaterPointers::arrange_structs() {
  std::vector<RequestedArgument*> given;
  for (RequestedLaunch::Parameter& one : next_.parameters) {
    const auto place = static_cast<std::size_t>(one.buffer);
    const bool is_new = one.buffer >= 0 && place >= before_;
    given.push_back(one.buffer < 0 ? &one.scalar : is_new ? &new_buffers_[place - before_] : nullptr);
  }
  if (std::ranges::none_of(given, [](const RequestedArgument* one) { return one != nullptr && has_members(*one); }))
    return;
  const std::vector<KernelParameter> parameters = declared_parameters(request_, next_.kernel);
  for (std::size_t i = 0; i < std::min(parameters.size(), given.size()); ++i)
    if (given[i] != nullptr) arrange(*given[i], parameters[i].layout);
}

Diagnostics LaterPointers::place_all() {
  arrange_structs();
  for (std::size_t i = 0, own = next_.parameters.size(); i < own; ++i)
    if (Diagnostics problems = place_struct(i); !problems.empty()) return problems;
  for (std::size_t i = 0; i < new_buffers_.size(); ++i)
    if (Diagnostics problems = place_table(i); !problems.empty()) return problems;
  // Whatever a table of the launch points to belongs to the launch, and may be a table too.
  for (std::size_t i = 0; i < next_.parameters.size(); ++i) {
    if (next_.parameters[i].buffer < 0) continue;
    const RequestedArgument table =
        argument_at(request_, new_buffers_, static_cast<std::size_t>(next_.parameters[i].buffer));
    if (!is_table(table)) continue;
    for (const Recipe::Bytes::Pointer& one : pointers_in(table)->pointers)
      position_of(next_, static_cast<std::size_t>(one.number));
  }
  return {};
}

Result<BufferPlace> LaterPointers::buffer_named(const Recipe::Bytes::Pointer& one, const RequestedArgument& argument) {
  Result<BufferPlace> found = buffer_at(request_, {static_cast<std::size_t>(one.number), one.offset},
                                        before_ + new_buffers_.size(), argument.text());
  if (found && !is_buffer(request_, new_buffers_, found->argument)) return not_a_buffer(argument, found->argument);
  return found;
}

// The pointers of a struct by value become positions among the launch's parameters.
Diagnostics LaterPointers::place_struct(std::size_t parameter) {
  RequestedArgument argument = next_.parameters[parameter].scalar;
  const auto place_own = [&](const std::string& text) {
    new_buffers_.emplace_back(text, "");
    return position_of(next_, before_ + new_buffers_.size() - 1);
  };
  const auto place_same = [&](Recipe::Bytes::Pointer& one) -> Diagnostics {
    const Result<BufferPlace> found = buffer_named(one, argument);
    if (!found) return found.errors();
    const std::size_t position = position_of(next_, found->argument);
    one.number = static_cast<std::int32_t>(position);
    // A parameter may pass a pointer further on in the buffer. The difference wraps around, and so does its sum.
    one.offset = found->offset - next_.parameters[position].offset;
    return {};
  };
  if (Diagnostics problems = place(argument, place_own, place_same); !problems.empty()) return problems;
  next_.parameters[parameter].scalar = std::move(argument);
  return {};
}

// Those of a new table become numbers of the request's arguments.
Diagnostics LaterPointers::place_table(std::size_t new_buffer) {
  RequestedArgument table = new_buffers_[new_buffer];
  const auto place_own = [&](const std::string& text) {
    new_buffers_.emplace_back(text, "");
    return before_ + new_buffers_.size() - 1;
  };
  const auto place_same = [&](Recipe::Bytes::Pointer& one) -> Diagnostics {
    const Result<BufferPlace> found = buffer_named(one, table);
    if (!found) return found.errors();
    one.number = static_cast<std::int32_t>(found->argument);
    one.offset = found->offset;
    return {};
  };
  if (pointers_in(table) == nullptr) return {};
  if (Diagnostics problems = place(table, place_own, place_same); !problems.empty()) return problems;
  count_from_beginnings(table, request_, new_buffers_);
  new_buffers_[new_buffer] = std::move(table);
  if (new_buffers_.size() > most_pointed_buffers) return {too_many_buffers()};
  return {};
}

Diagnostics place_pointed_buffers(const Request& request, std::vector<RequestedArgument>& new_buffers,
                                  RequestedLaunch& next) {
  return LaterPointers(request, new_buffers, next).place_all();
}

}  // namespace lanescope::job
