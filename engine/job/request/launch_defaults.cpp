// What the source's own launch of a kernel tells about it.

#include <algorithm>
#include <array>
#include <initializer_list>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "compile/host/definitions.h"
#include "compile/host/host_facts.h"
#include "compile/host/include_tree.h"
#include "compile/host/launch_scan.h"
#include "compile/host/source_scan.h"
#include "compile/source_text.h"
#include "core/kernel_name.h"
#include "core/source_name.h"
#include "core/source_types.h"
#include "core/text.h"
#include "core/worded.h"
#include "job/request/host_buffers.h"
#include "job/request/kernel_signature.h"
#include "job/request/launch_argument_types.h"
#include "job/request/launch_constants.h"
#include "job/request/launch_options.h"
#include "job/request/launch_text.h"
#include "job/request/template_names.h"
#include "job/values/element_numbers.h"
#include "lesson/lesson.h"
#include "lesson/nearest.h"
#include "ptx/module.h"

namespace lanescope::job {

namespace {

using compile::HostValue;

class Completion {
 public:
  Completion(Request& request, const GivenLaunch& given)
      : Completion(request, given, request.source.name, request.source.text) {}

  // `text`: of the source or of a header of it, which `file` names.
  Completion(Request& request, const GivenLaunch& given, std::string file, const std::string& text)
      : request_(request),
        given_(given),
        file_(std::move(file)),
        text_(compile::with_definitions(text, request.source.defines)),
        constants_(text_, request.source),
        launches_(compile::scan_launches(text_)) {}

  bool has_launch() { return find_launch() != nullptr; }

  // See own_launch(). Each part by itself: what cannot be evaluated stays empty.
  std::optional<OwnLaunch> alone() {
    launch_ = find_launch();
    if (launch_ == nullptr) return std::nullopt;
    OwnLaunch own;
    own.line = launch_->line;
    own.template_arguments = template_arguments_of(*launch_);
    if (!own.template_arguments.empty()) request_.first().kernel = instance_called_by(*launch_);
    for (const auto& [index, into] : {std::pair<std::size_t, OwnExtent*>{0, &own.grid}, {1, &own.block}})
      if (const std::optional<HostValue> value = configured(index, "grid"))
        into->whole = value->kind == HostValue::Kind::extent ? value->extent
                                                             : Dim3{static_cast<std::uint32_t>(value->whole), 1, 1};
      else if (index < launch_->configuration.size())
        into->parts = parts_of_extent(constants_, text_, launch_->configuration[index], launch_->offset);
    if (launch_->configuration.size() > 2)
      if (const std::optional<HostValue> value = configured(2, "shared memory");
          value && value->kind == HostValue::Kind::whole)
        own.shared_bytes = static_cast<std::uint32_t>(value->whole);
    const std::vector<KernelParameter> wanted = parameters();
    own.arguments.resize(wanted.size());
    for (std::size_t i = 0; i < wanted.size() && launch_->arguments.size() == wanted.size(); ++i) {
      request_.arguments.clear();
      take_argument(i, wanted[i]);
      if (!request_.arguments.empty()) own.arguments[i] = request_.arguments.back().text();
    }
    return own;
  }

  Diagnostics run() {
    if (auto utf16 = compile::refuse_utf16(request_.source.name, request_.source.text)) return {*utf16};
    if (request_.first().kernel.empty() && !name_kernel()) return std::move(said_);
    launch_ = find_launch();
    if (launch_ == nullptr && !(given_.grid && given_.block) && lacks_kernel()) return std::move(said_);
    know_arguments();
    take_configuration();
    if (!has_error(said_)) take_arguments();
    if (!has_error(said_) && !taken_.empty())
      note(launch_->line, is_guess_ ? worded("taken from this launch, which may be another kernel's of this name: {}",
                                             joined(taken_, "{}, {}"))
                                    : worded("taken from this launch: {}", joined(taken_, "{}, {}")));
    return std::move(said_);
  }

 private:
  void fail(const char* code, int line, Wording message, Wording cure) {
    said_.push_back({Severity::error, code, {file_, line, 0}, std::move(message), std::move(cure)});
  }
  void note(int line, Wording message) {
    said_.push_back({Severity::note, "launch.from_source", {file_, line, 0}, std::move(message), ""});
  }

  bool name_kernel() {
    const bool is_ptx = request_.source.name.ends_with(".ptx");
    const std::vector<std::string> kernels = is_ptx ? entries() : compile::scan_kernels(text_);
    if (has_error(said_)) return false;
    std::vector<std::string> bases;
    for (const std::string& kernel : kernels)
      if (const std::string base = kernel_base_name(kernel); std::ranges::find(bases, base) == bases.end())
        bases.push_back(base);
    if (kernels.empty() && !is_ptx)
      if (const std::vector<HeaderKernel> elsewhere = kernels_of_headers(request_.source); !elsewhere.empty()) {
        fail("command.which_kernel", 0, kernels_in_headers(elsewhere), "Say which kernel to run.");
        return false;
      }
    if (bases.size() != 1) {
      std::vector<Wording> names;
      for (const std::string& kernel : kernels) names.emplace_back("`" + kernel + "`");
      fail("command.which_kernel", 0,
           kernels.empty() ? Wording("The file has no kernel.")
                           : worded("The file has {} kernels: {}.", kernels.size(), joined(names, "{}, {}")),
           kernels.empty() ? "Mark a function with __global__." : "Say which kernel to run.");
      return false;
    }
    request_.first().kernel = kernels.front().substr(0, kernels.front().find('<'));
    if (kernels.size() == 1 && kernels.front() == request_.first().kernel) return true;
    request_.first().kernel.clear();
    for (const compile::ScannedLaunch& launch : launches_) {
      if (kernel_base_name(launch.kernel) != bases.front()) continue;
      std::string name = instance_called_by(launch);
      if (name.find('<') == std::string::npos) continue;
      request_.first().kernel = std::move(name);
      note(launch.line, worded("the kernel is `{}`, taken from this launch", request_.first().kernel));
      return true;
    }
    fail("command.which_kernel", 0,
         worded("`{}` is a template, and no launch in the file gives its template arguments.", kernels.front()),
         "Name the kernel with its template arguments, for example 'reduce<float, 4>'.");
    return false;
  }

  // The file neither has a kernel of this name nor launches it: then its name is wrong, not the launch.
  bool lacks_kernel() {
    if (request_.source.name.ends_with(".ptx")) return false;
    if (kernels().all().empty() || kernels().find(request_.first().kernel) != nullptr) return false;
    std::vector<std::string> known;
    for (const KernelSignature& one : kernels().all()) known.push_back(as_signature(one.name));
    const std::string wanted = as_signature(request_.first().kernel);
    fail("command.which_kernel", 0, worded("The file has no kernel `{}`.", wanted),
         worded("{} If a header defines it, give the grid and the block.", lesson::did_you_mean(wanted, known)));
    return true;
  }

  // Says what is wrong with the PTX.
  std::vector<std::string> entries() {
    std::vector<std::string> names;
    Result<ptx::Module> module = ptx::parse(text_, request_.source.name);
    if (!module) {
      said_ = module.take_errors();
      return names;
    }
    for (const ptx::Function& function : module->functions)
      if (function.is_entry && !function.is_declaration) names.push_back(function.name);
    return names;
  }

  // "tile<BLOCK>" with BLOCK replaced by its value, because the compiler looks up the kernel without the host's
  // constants.
  std::string worked_out(const compile::ScannedLaunch& launch) const {
    std::string made = launch.kernel.substr(0, launch.kernel.find('<')) + "<";
    bool first = true;
    for (const std::string& argument : template_arguments(launch.kernel)) {
      const compile::HostEvaluation known = constants_.evaluate(argument, launch.offset);
      const bool number =
          known.value && known.value->kind == HostValue::Kind::whole && argument != "true" && argument != "false";
      made += (first ? "" : ", ") + (number ? std::to_string(known.value->whole) : argument);
      first = false;
    }
    return made + ">";
  }

  // Those that the launch names, worked out, and those that follow from its arguments; none if they are not known.
  std::vector<std::string> template_arguments_of(const compile::ScannedLaunch& launch) {
    std::vector<std::string> named;
    if (launch.kernel.find('<') != std::string::npos) named = template_arguments(worked_out(launch));
    const KernelSignature* const kernel = kernels().find(launch.kernel);
    return kernel == nullptr || kernel->template_parameters.empty()
               ? named
               : with_deduced(std::move(named), launch, text_, kernels(), *kernel);
  }

  // "reduce<float, 4>"; without template arguments if they are not known.
  std::string instance_called_by(const compile::ScannedLaunch& launch) {
    std::string name = launch.kernel.substr(0, launch.kernel.find('<'));
    const std::vector<std::string> arguments = template_arguments_of(launch);
    for (std::size_t i = 0; i < arguments.size(); ++i) name += (i == 0 ? "<" : ", ") + arguments[i];
    return arguments.empty() ? name : name + ">";
  }

  // The first launch of this kernel, preferably one with the same template arguments, else one that may have them. Of a
  // kernel whose name others have too: the first whose arguments' types are its own, else the first that may be its
  // own.
  const compile::ScannedLaunch* find_launch() {
    const compile::ScannedLaunch *found = nullptr, *doubtful = nullptr;
    const Overloads overloads = others_of_this_name();
    const std::vector<std::string> wanted = template_arguments(request_.first().kernel);
    for (const compile::ScannedLaunch& launch : launches_) {
      if (!may_be_same_kernel(launch.kernel, request_.first().kernel)) continue;
      const Instance instance = wanted.empty() ? Instance::may_be : instance_of(launch, wanted);
      if (instance == Instance::same) return &launch;
      if (found != nullptr || instance == Instance::other) continue;
      const OverloadFit fit = overloads.others.empty()
                                  ? OverloadFit::this_one
                                  : fit_of_overload(launch, text_, overloads.own, overloads.others);
      if (fit == OverloadFit::this_one) found = &launch;
      if (fit == OverloadFit::unknown && doubtful == nullptr) doubtful = &launch;
    }
    is_guess_ = found == nullptr && doubtful != nullptr;
    return found != nullptr ? found : doubtful;
  }

  // Namespaces are not compared: code in a namespace leaves it out.
  enum class Instance : std::uint8_t { same, may_be, other };
  Instance instance_of(const compile::ScannedLaunch& launch, const std::vector<std::string>& wanted) {
    const std::size_t named = template_arguments(launch.kernel).size();
    const std::vector<std::string> given = template_arguments_of(launch);
    if (named > wanted.size()) return Instance::other;
    Instance instance = given.size() >= wanted.size() ? Instance::same : Instance::may_be;
    for (std::size_t i = 0; i < std::min(given.size(), wanted.size()); ++i) {
      if (without_blanks(given[i]) == without_blanks(wanted[i])) continue;
      if (!template_names_) template_names_ = template_names(text_);
      if (i < named && !mentions_one_of(given[i], *template_names_)) return Instance::other;
      instance = Instance::may_be;  // `k<T><<<…>>>` in a template of T, or a guess from the arguments
    }
    return instance;
  }

  struct Overloads {
    std::vector<KernelParameter> own;
    std::vector<std::vector<KernelParameter>> others;
  };
  Overloads others_of_this_name() {
    const KernelSignature* const kernel = kernels().find(request_.first().kernel);
    Overloads found;
    if (kernel == nullptr || !kernel->template_parameters.empty()) return found;
    for (const KernelSignature& one : kernels().all())
      if (&one != kernel && one.template_parameters.empty() && without_cast(one.name) == without_cast(kernel->name))
        found.others.push_back(kernels().parameters(one, {}));
    found.own = kernels().parameters(*kernel, {});
    return found;
  }

  // A launch of the same template with other arguments.
  const compile::ScannedLaunch* other_instance() const {
    if (request_.first().kernel.find('<') == std::string::npos) return nullptr;
    for (const compile::ScannedLaunch& launch : launches_)
      if (launch.kernel.find('<') != std::string::npos && may_be_same_kernel(launch.kernel, request_.first().kernel))
        return &launch;
    return nullptr;
  }

  static Wording cure_of_unknown(std::size_t index) {
    return index == 0   ? "Specify the grid of the launch."
           : index == 1 ? "Specify the block of the launch."
                        : "Specify the bytes of shared memory of the launch.";
  }

  std::optional<HostValue> configured(std::size_t index, const char* what) {
    if (launch_ == nullptr) {
      const compile::ScannedLaunch* const other = other_instance();
      fail("launch.not_given", other ? other->line : 0,
           other ? worded("The {} is not given: the file launches `{}`, not `{}`.", Wording(what), worked_out(*other),
                          request_.first().kernel)
                 : worded("The {} is not given, and the file does not launch `{}`.", Wording(what),
                          request_.first().kernel),
           cure_of_unknown(index));
      return std::nullopt;
    }
    compile::HostEvaluation made = constants_.evaluate(launch_->configuration[index], launch_->offset);
    constexpr double most = 0xffffffff;
    if (made.value && made.value->kind == HostValue::Kind::real && made.value->real >= 0 && made.value->real <= most) {
      made.value->kind = HostValue::Kind::whole;  // ceil(n / 256.0)
      made.value->whole = static_cast<std::int64_t>(made.value->real);
    }
    if (made.value && made.value->kind != HostValue::Kind::real &&
        (made.value->kind == HostValue::Kind::extent || (made.value->whole >= 0 && made.value->whole <= 0xffffffffll)))
      return made.value;
    fail("launch.not_constant", launch_->line,
         worded("The {} of this launch, `{}`, cannot be evaluated{}.", Wording(what), launch_->configuration[index],
                made.why.empty() ? Wording("") : worded(": {}", made.why)),
         cure_of_unknown(index));
    return std::nullopt;
  }

  void take_extent(std::size_t index, const char* what, Dim3& into) {
    const std::optional<HostValue> value = configured(index, what);
    if (!value) return;
    into =
        value->kind == HostValue::Kind::extent ? value->extent : Dim3{static_cast<std::uint32_t>(value->whole), 1, 1};
    taken_.push_back(worded("{} {}", Wording(what), extent_text(into)));
  }

  // `k<<<(n + 255) / 256, 256>>>(data, n)` in a function: n is what the user passes.
  void know_arguments() {
    if (launch_ == nullptr || launch_->arguments.size() != request_.arguments.size()) return;
    for (std::size_t i = 0; i < request_.arguments.size(); ++i) {
      const std::string& name = launch_->arguments[i];
      if (name.empty() || !std::ranges::all_of(name, is_name_char)) continue;
      const Result<sim::Argument> given = make_argument_unfilled(request_.arguments[i]);
      const bool number = given && !given->is_buffer && given->same_as < 0 && given->raw_parameter.empty();
      if (!number || is_floating(given->type)) continue;
      const int unused = 64 - 8 * sim::bytes_of(given->type);
      const auto bits = static_cast<std::int64_t>(given->scalar_bits << unused);
      constants_.know(name, launch_->offset,
                      is_signed(given->type) ? bits >> unused : static_cast<std::int64_t>(given->scalar_bits));
    }
  }

  void take_configuration() {
    if (!given_.grid) take_extent(0, "grid", request_.first().shape.grid);
    if (!given_.block) take_extent(1, "block", request_.first().shape.block);
    if (given_.shared || launch_ == nullptr || launch_->configuration.size() < 3) return;
    const std::size_t before = said_.size();
    const std::optional<HostValue> value = configured(2, "shared memory");
    if (!value) {
      if (given_.grid && given_.block) said_.resize(before);  // the user gave the whole launch, so nothing was taken
      return;
    }
    if (value->kind != HostValue::Kind::whole || value->whole == 0) return;
    request_.first().shape.dynamic_shared_bytes = static_cast<std::uint32_t>(value->whole);
    taken_.push_back(worded("{} bytes of shared memory", value->whole));
  }

  const SourceKernels& kernels() {
    if (!kernels_) kernels_.emplace(text_);
    return *kernels_;
  }

  std::vector<KernelParameter> parameters() {
    const KernelSignature* kernel = kernels().find(request_.first().kernel);
    return kernel == nullptr ? std::vector<KernelParameter>()
                             : kernels().parameters(*kernel, template_arguments(request_.first().kernel));
  }

  void take_arguments() {
    if (!request_.arguments.empty()) {
      for (std::size_t i = 0; i < request_.arguments.size() && !has_error(said_); ++i)
        if (const std::size_t hole = request_.arguments[i].text().find("[]"); hole != std::string::npos) {
          std::string text = request_.arguments[i].text();
          const std::optional<HostMemory> memory =
              launch_ ? memory_of(i, text.substr(0, hole), parameters()) : std::nullopt;
          if (memory)
            request_.arguments[i] = {text.insert(hole + 1, std::to_string(memory->elements)), ""};
          else
            no_size(i, text);
          if (memory)
            note(memory->line,
                 worded("argument {} has {} elements: the size comes from this call", i, memory->elements));
        }
      return;
    }
    const std::vector<KernelParameter> wanted = parameters();
    if (wanted.empty()) return;
    if (launch_ == nullptr) return;  // check_arguments() reports what is missing
    if (launch_->arguments.size() != wanted.size())
      return fail("argument.not_constant", launch_->line,
                  worded("This launch passes {} arguments, but `{}` has {} parameters.", launch_->arguments.size(),
                         request_.first().kernel, wanted.size()),
                  "Specify the arguments yourself.");
    for (std::size_t i = 0; i < wanted.size() && !has_error(said_); ++i) take_argument(i, wanted[i]);
  }

  void no_size(std::size_t index, const std::string& text) {
    fail("argument.not_constant", launch_ ? launch_->line : 0,
         worded("The file does not tell how many elements `{}` "
                "(argument {}) has.",
                text, index),
         "Give the number of elements, for example f32[1024]=iota.");
  }

  void take_argument(std::size_t index, const KernelParameter& parameter) {
    const std::string& expression = launch_->arguments[index];
    const std::string element = parameter.element();
    if (parameter.pointer) return take_buffer(index, expression, element.empty() ? "u8" : element);
    const compile::HostEvaluation made = constants_.evaluate(expression, launch_->offset);
    const bool floating = lesson::is_real_type(element);
    if (element.empty() || !made.value || made.value->kind == HostValue::Kind::extent ||
        (!floating && made.value->kind == HostValue::Kind::real))
      return fail("argument.not_constant", launch_->line,
                  worded("`{}`, argument {} of this launch, cannot be evaluated{}.", expression, index,
                         element.empty()    ? worded(": its type `{}` is not known", parameter.type)
                         : made.why.empty() ? Wording("")
                                            : worded(": {}", made.why)),
                  parameter.members.empty() ? "Specify the arguments yourself."
                                            : "Specify the arguments yourself, a struct as its members: "
                                              "{i32=16,f32[256]=iota}.");
    request_.arguments.push_back({made.value->kind == HostValue::Kind::real
                                      ? fmt::format("{}={}", element, made.value->real)
                                      : fmt::format("{}={}", element, made.value->whole),
                                  ""});
    taken_.emplace_back(request_.arguments.back().text());
  }

  std::optional<HostMemory> memory_of(std::size_t index, const std::string& element,
                                      const std::vector<KernelParameter>& wanted) const {
    if (index >= launch_->arguments.size()) return std::nullopt;
    return HostBuffers(text_, constants_)
        .memory_of(launch_->arguments[index], element, index < wanted.size() ? &wanted[index] : nullptr,
                   launch_->offset);
  }

  void take_buffer(std::size_t index, const std::string& expression, const std::string& element) {
    if (expression == "nullptr" || expression == "NULL" || expression == "0") {
      request_.arguments.push_back({"u64=0", ""});
      return;
    }
    const std::optional<HostMemory> memory = memory_of(index, element, parameters());
    if (!memory)
      return fail("argument.not_constant", launch_->line,
                  worded("The file does not tell how many bytes `{}`, argument {} of "
                         "this launch, points to.",
                         expression, index),
                  "Specify the arguments yourself.");
    const HostBuffers buffers(text_, constants_);
    const bool copied = memory->managed || buffers.is_copied_to(expression, launch_->offset);
    const bool zeroed = !copied && buffers.is_zeroed(expression, launch_->offset);
    const bool passed = !copied && !zeroed && buffers.is_passed_before(expression, *launch_, launches_);
    request_.arguments.push_back({fmt::format("{}[{}]{}", element, memory->elements,
                                              copied || passed ? "=iota"
                                              : zeroed         ? "=0"
                                                               : ""),
                                  ""});
    note(memory->line,
         passed ? worded("argument {} is {}: the size comes from this call; what the kernels before this one write "
                         "there is unknown, so it holds 0, 1, 2, …",
                         index, request_.arguments.back().text())
         : copied
             ? worded("argument {} is {}: the size comes from this call; the data that the host copies there "
                      "is unknown, so it holds 0, 1, 2, …",
                      index, request_.arguments.back().text())
             : worded("argument {} is {}: the size comes from this call", index, request_.arguments.back().text()));
  }

  Request& request_;
  const GivenLaunch given_;
  const std::string file_, text_;
  LaunchConstants constants_;
  const std::vector<compile::ScannedLaunch> launches_;
  const compile::ScannedLaunch* launch_ = nullptr;
  bool is_guess_ = false;                        // launch_ may be one of another kernel of this name
  std::optional<TemplateNames> template_names_;  // of text_; not yet looked for if empty
  std::optional<SourceKernels> kernels_;         // likewise
  std::vector<Wording> taken_;
  Diagnostics said_;
};

}  // namespace

std::optional<OwnLaunch> own_launch(const compile::Source& source, const std::string& kernel) {
  Request request;
  request.source = source;
  request.first().kernel = kernel;
  return Completion(request, {}).alone();
}

Diagnostics complete_from_source(Request& request, const GivenLaunch& given) {
  Completion own(request, given);
  const bool whole = given.grid && given.block && !request.arguments.empty();
  if (request.first().kernel.empty() || whole || request.source.name.ends_with(".ptx") || own.has_launch())
    return own.run();
  for (const compile::IncludedFile& header : compile::user_includes(request.source, {}).files)
    if (contains(header.content, "<<<"))
      if (Completion there(request, given, header.path, header.content); there.has_launch()) return there.run();
  return own.run();
}

}  // namespace lanescope::job
