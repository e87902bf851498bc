#include "sim/launch_check.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "core/clusters.h"
#include "core/worded.h"
#include "ptx/module.h"
#include "sim/decode/decode.h"
#include "sim/pointer_tables.h"

namespace lanescope::sim {

namespace {

Diagnostic error(std::string code, Wording message, Wording cure) {
  return {Severity::error, std::move(code), {}, std::move(message), std::move(cure)};
}

std::string text_of(Dim3 dim) {
  return fmt::format("{} × {} × {}", dim.x, dim.y, dim.z);
}

Wording type_text(const ptx::Parameter& parameter) {
  if (parameter.is_array) return worded("a struct of {} bytes", parameter.bytes());
  switch (parameter.type) {
    case ptx::Type::u64:
    case ptx::Type::b64:
    case ptx::Type::s64:
      return "a pointer or a 64-bit integer";
    case ptx::Type::u32:
    case ptx::Type::s32:
    case ptx::Type::b32:
      return "a 32-bit integer";
    case ptx::Type::f32:
      return "an f32";
    case ptx::Type::f64:
      return "an f64";
    case ptx::Type::u16:
    case ptx::Type::s16:
    case ptx::Type::b16:
      return "a 16-bit value";
    case ptx::Type::u8:
    case ptx::Type::s8:
    case ptx::Type::b8:
      return "an 8-bit integer";
    default:
      return worded("a {}", ptx::name_of(parameter.type));
  }
}

bool fits(const ptx::Parameter& parameter, const Argument& argument) {
  const std::uint64_t bytes = parameter.bytes();
  if (!argument.raw_parameter.empty()) return argument.raw_parameter.size() == bytes;
  if (argument.is_buffer) return bytes == 8 && parameter.type != ptx::Type::f64;  // an array: `__grid_constant__`
  if (static_cast<std::uint64_t>(bytes_of(argument.type)) != bytes) return false;
  if (parameter.is_array) return true;  // a small struct such as __half
  const bool declared_float = parameter.type == ptx::Type::f32 || parameter.type == ptx::Type::f64;
  const bool untyped =
      parameter.type == ptx::Type::b16 || parameter.type == ptx::Type::b32 || parameter.type == ptx::Type::b64;
  return untyped || bytes == 2 || declared_float == is_floating(argument.type);
}

void check_extents(const ptx::Function& kernel, const trace::Launch& launch, Diagnostics& errors) {
  const auto bad = [](Dim3 dim) { return dim.x == 0 || dim.y == 0 || dim.z == 0; };
  if (bad(launch.grid) || bad(launch.block)) {
    errors.push_back(
        error("launch.empty",
              worded("a grid of {} blocks of {} threads is empty", text_of(launch.grid), text_of(launch.block)),
              "Make every dimension of grid and block at least 1."));
    return;
  }
  const Dim3 block = launch.block;
  if (block.count() > MemoryModel::max_block_threads || block.x > 1024 || block.y > 1024 || block.z > 64)
    errors.push_back(error("launch.block_too_large", worded("a block of {} threads is too large", text_of(block)),
                           worded("Use at most {} threads per block: at most 1024 in x and y, and 64 in z.",
                                  MemoryModel::max_block_threads)));
  const Dim3 grid = launch.grid;
  if (grid.x > 0x7fffffffu || grid.y > 65535 || grid.z > 65535 ||
      grid.count() > std::numeric_limits<std::uint32_t>::max())
    errors.push_back(error("launch.grid_too_large", worded("a grid of {} blocks is too large", text_of(grid)),
                           "Use at most 2147483647 blocks in x, and 65535 in y and z."));
  // .maxntid and .reqntid come from __launch_bounds__ and similar attributes.
  for (const std::string& directive : kernel.directives) {
    const bool exact = directive.starts_with(".reqntid");
    if (!exact && !directive.starts_with(".maxntid")) continue;
    std::uint64_t limit = 1;
    const char* at = directive.data();
    const char* const end = at + directive.size();
    while (at < end) {
      unsigned value = 0;
      const auto [stop, status] = std::from_chars(at, end, value);
      if (status == std::errc{}) limit *= value;
      at = status == std::errc{} ? stop : at + 1;
    }
    if (block.count() > limit || (exact && block.count() != limit))
      errors.push_back(error(
          "launch.block_too_large",
          exact ? worded("a block of {} threads, but the kernel is declared for {}", block.count(), limit)
                : worded("a block of {} threads, but the kernel is declared for at most {}", block.count(), limit),
          "Change the block size, or the kernel's __launch_bounds__."));
  }
}

void check_cluster(const ptx::Function& kernel, const LaunchRequest& request, const trace::Launch& launch,
                   Diagnostics& errors) {
  const Dim3 declared = declared_cluster(kernel), given = request.launch.cluster, size = launch.cluster;
  if (std::ranges::any_of(kernel.directives, [](const auto& one) { return one.starts_with(".blocksareclusters"); })) {
    errors.push_back(error("launch.blocks_are_clusters",
                           "the kernel is declared with __block_size__(…), which makes the grid one of clusters: the "
                           "interpreter does not support that",
                           "Declare the kernel with __cluster_dims__ and give the grid in blocks."));
    return;
  }
  if (size.count() == 0)
    return errors.push_back(error("launch.empty_cluster", worded("a cluster of {} blocks is empty", text_of(size)),
                                  "Make every dimension of the cluster at least 1."));
  if (declared.count() != 0 && (request.cluster_given || given != Dim3{}) && given != declared)
    return errors.push_back(error("launch.cluster_not_as_declared",
                                  worded("clusters of {} blocks, but the kernel is declared for clusters of {}",
                                         text_of(given), text_of(declared)),
                                  "Launch with the clusters of the kernel's __cluster_dims__, or do not declare it."));
  if (size.count() > most_blocks_of_a_cluster)
    return errors.push_back(
        error("launch.cluster_too_large",
              worded("a cluster of {} blocks is too large; the limit is {}", size.count(), most_blocks_of_a_cluster),
              "Use at most 8 blocks per cluster, which every GPU with clusters can run."));
  const Dim3 grid = launch.grid;
  if (grid.x % size.x != 0 || grid.y % size.y != 0 || grid.z % size.z != 0)
    errors.push_back(
        error("launch.cluster_does_not_divide",
              worded("a grid of {} blocks does not divide into clusters of {}", text_of(grid), text_of(size)),
              "Make each dimension of the grid a multiple of the cluster's: round the grid up, and let "
              "blocks without work skip the work."));
}

// The index of the argument that a pointer in this one names.
std::optional<std::size_t> target_of(const std::vector<Argument>& arguments, const Argument& argument,
                                     const Argument::Pointer& one) {
  if (argument.is_buffer) return index_of_number(arguments, one.argument);
  return one.argument < arguments.size() ? std::optional<std::size_t>(one.argument) : std::nullopt;
}

// Whether all arguments from `first` on are buffers to which others, variables or earlier launches' stores point.
bool are_pointed_at(const LaunchRequest& request, std::size_t first) {
  const std::vector<Argument>& arguments = request.arguments;
  if (arguments.size() == first) return true;
  std::vector<bool> reached(arguments.size());
  const std::vector<std::uint64_t> addresses = addresses_of(arguments);
  for (const auto& [name, contents] : request.variables)
    for (const Argument::Pointer& one : pointers_in(contents, arguments, addresses)) reached[one.argument] = true;
  for (std::size_t i = first; i < arguments.size(); ++i) reached[i] = reached[i] || arguments[i].address != 0;
  for (const Argument& argument : arguments)
    for (const Argument::Pointer& one : argument.pointers)
      if (const auto target = target_of(arguments, argument, one)) reached[*target] = true;
  for (std::size_t i = first; i < arguments.size(); ++i)
    if (!reached[i] || !arguments[i].is_buffer || arguments[i].texture != nullptr) return false;
  return true;
}

void check_pointers(const std::vector<Argument>& arguments, std::size_t index, Diagnostics& errors) {
  const Argument& argument = arguments[index];
  const std::size_t bytes = argument.is_buffer ? argument.contents.size() : argument.raw_parameter.size();
  for (const Argument::Pointer& one : argument.pointers) {
    const bool inside = bytes >= 8 && one.at <= bytes - 8;
    const std::optional<std::size_t> target = target_of(arguments, argument, one);
    if (inside && target && arguments[*target].is_buffer) continue;
    errors.push_back(error("launch.argument_type",
                           worded("argument {} refers to argument {}, which is not a buffer", index, one.argument),
                           "Name an argument that is a buffer."));
  }
}

void check_arguments(const ptx::Function& kernel, const LaunchRequest& request, Diagnostics& errors) {
  const std::size_t wanted = kernel.parameters.size(), given = request.arguments.size();
  std::vector<Wording> expected;
  for (const ptx::Parameter& parameter : kernel.parameters) expected.push_back(type_text(parameter));
  if (given < wanted || !are_pointed_at(request, wanted)) {
    errors.push_back(error("launch.argument_count",
                           worded("the kernel has {} parameter{}, but {} argument{} given", wanted,
                                  wanted == 1 ? "" : "s", given, given == 1 ? " was" : "s were"),
                           wanted == 0
                               ? "Remove the arguments: this kernel takes none."
                               : worded("Pass these arguments, in this order: {}.", joined(expected, "{}, {}"))));
    return;
  }
  for (std::size_t i = 0; i < given; ++i) check_pointers(request.arguments, i, errors);
  for (std::size_t i = 0; i < wanted; ++i) {
    const Argument& argument = request.arguments[i];
    const auto other = static_cast<std::size_t>(std::max(argument.same_as, 0));
    if (argument.same_as >= 0 && (other >= given || !request.arguments[other].is_buffer)) {
      errors.push_back(error("launch.argument_type",
                             worded("argument {} refers to argument {}, which is not a buffer", i, argument.same_as),
                             "Name an argument that is a buffer."));
      continue;
    }
    if (fits(kernel.parameters[i], argument)) {
      if (argument.is_buffer && argument.base_offset > argument.contents.size())
        errors.push_back(error("launch.argument_type",
                               worded("argument {} starts {} bytes into a buffer of {}", i, argument.base_offset,
                                      argument.contents.size()),
                               "Use an offset inside the buffer."));
      continue;
    }
    Wording what =
        argument.is_buffer ? worded("a buffer of {}", name_of(argument.type)) : worded("an {}", name_of(argument.type));
    if (!argument.raw_parameter.empty()) what = worded("{} raw bytes", argument.raw_parameter.size());
    errors.push_back(
        error("launch.argument_type",
              worded("argument {} is {}, but the kernel's parameter is {}", i, what, type_text(kernel.parameters[i])),
              worded("Pass {} as argument {}.", type_text(kernel.parameters[i]), i)));
  }
}

}  // namespace

Dim3 declared_cluster(const ptx::Function& kernel) {
  constexpr std::string_view name = ".reqnctapercluster";
  Dim3 size{0, 0, 0};
  for (const std::string& directive : kernel.directives) {
    if (!directive.starts_with(name)) continue;
    std::uint32_t* const extents[] = {&size.x, &size.y, &size.z};
    size = {1, 1, 1};
    const char* at = directive.data() + name.size();
    const char* const end = directive.data() + directive.size();
    for (std::size_t axis = 0; at < end && axis < 3;) {
      const auto [stop, status] = std::from_chars(at, end, *extents[axis]);
      axis += status == std::errc{};
      at = status == std::errc{} ? stop : at + 1;
    }
  }
  return size;
}

trace::Launch whole_launch(const Program& program, const LaunchRequest& request) {
  return whole_launch(program, request.launch, request.cluster_given);
}

trace::Launch whole_launch(const Program& program, const trace::Launch& launch, bool cluster_given) {
  trace::Launch whole = launch;
  whole.static_shared_bytes = program.static_shared_bytes;
  const Dim3 declared = declared_cluster(*program.kernel);
  if (!cluster_given && launch.cluster == Dim3{} && declared.count() != 0) whole.cluster = declared;
  return whole;
}

std::uint64_t resident_blocks(const MultiprocessorLimits& limits, const trace::Launch& launch,
                              std::uint32_t multiprocessors) {
  const std::uint64_t shared = std::uint64_t{launch.static_shared_bytes} + launch.dynamic_shared_bytes;
  std::uint64_t each = std::min<std::uint64_t>(static_cast<std::uint64_t>(limits.warps) / launch.warps_per_block(),
                                               static_cast<std::uint64_t>(limits.blocks));
  if (const std::uint64_t taken = limits.shared_bytes_taken(shared); taken > 0)
    each = std::min(each, limits.shared_bytes / taken);
  return each * multiprocessors;
}

Diagnostics check_shape(const ptx::Function& kernel, const LaunchRequest& request, const trace::Launch& launch) {
  Diagnostics errors;
  check_extents(kernel, launch, errors);
  if (errors.empty()) check_cluster(kernel, request, launch, errors);
  const MultiprocessorLimits limits =
      multiprocessor_limits(request.arch).value_or(*multiprocessor_limits(imitated_gpu::arch));
  const std::uint64_t shared = std::uint64_t{launch.static_shared_bytes} + launch.dynamic_shared_bytes;
  if (launch.static_shared_bytes > MemoryModel::max_static_shared_bytes)
    errors.push_back(error("launch.shared_too_large",
                           worded("the kernel declares {} bytes of shared memory; the limit is {}",
                                  launch.static_shared_bytes, MemoryModel::max_static_shared_bytes),
                           "Declare less shared memory, or use extern __shared__ and pass its size at launch."));
  else if (shared > limits.block_shared_bytes)
    errors.push_back(
        error("launch.shared_too_large",
              worded("a block uses {} bytes of shared memory ({} declared, {} passed); the limit is {} on {}", shared,
                     launch.static_shared_bytes, launch.dynamic_shared_bytes, limits.block_shared_bytes, request.arch),
              "Use less shared memory per block, for example a smaller tile."));
  if (errors.empty() && launch.cooperative) {
    const std::uint64_t resident = resident_blocks(limits, launch, request.multiprocessors);
    if (launch.grid.count() > resident)
      errors.push_back(
          error("launch.cooperative_too_large",
                worded("a cooperative launch needs all its blocks resident at once, but of {} blocks only {} fit: {} "
                       "multiprocessors with {} blocks of {} threads and {} bytes of shared memory each",
                       launch.grid.count(), resident, request.multiprocessors, resident / request.multiprocessors,
                       launch.block.count(), shared),
                worded("Launch at most {} blocks, and let each do more of the work in a loop.", resident)));
  }
  return errors;
}

Diagnostics check_launch(const ptx::Function& kernel, const LaunchRequest& request, const trace::Launch& launch) {
  Diagnostics errors = check_shape(kernel, request, launch);
  if (request.parameters) {
    assert(request.arguments.empty() && request.parameters->size() == kernel.parameter_bytes);
    return errors;
  }
  check_arguments(kernel, request, errors);
  return errors;
}

}  // namespace lanescope::sim
