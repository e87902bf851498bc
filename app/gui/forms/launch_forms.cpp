#include "gui/forms/launch_forms.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "job/report/json.h"

namespace lanescope::gui {
namespace {

constexpr std::size_t most_ran = 8;

// The fields of `old` for the parameters of `next`.
job::LaunchForm fitted(const job::LaunchForm& old, const std::vector<job::KernelParameter>& before,
                       const job::FormKernel& next) {
  job::LaunchForm form = old;
  form.kernel = next.signature.name;
  if (form.template_arguments.size() != next.form.template_arguments.size())
    form.template_arguments = next.form.template_arguments;
  form.arguments = next.form.arguments;
  for (std::size_t i = 0; i < next.parameters.size() && i < form.arguments.size(); ++i) {
    const job::KernelParameter& parameter = next.parameters[i];
    const auto same = std::ranges::find_if(before, [&](const job::KernelParameter& one) {
      return one.name == parameter.name && one.pointer == parameter.pointer && one.declared == parameter.declared;
    });
    const auto at = static_cast<std::size_t>(same - before.begin());
    if (same == before.end() || at >= old.arguments.size()) continue;
    form.arguments[i] = old.arguments[at];
    // Another template argument makes it another type.
    if (same->element() != parameter.element() && form.arguments[i].type == same->element())
      form.arguments[i].type = parameter.element();
  }
  return form;
}

}  // namespace

void LaunchForms::take(const KernelFile& file, const std::string& kept) {
  const nlohmann::ordered_json json = kept.empty() ? nlohmann::ordered_json() : job::parsed_json(kept);
  for (const job::FormKernel& next : file.kernels) {
    const KernelId id{file.lesson.id, next.signature.name};
    const auto known = kernels_.find(id);
    Kernel& kernel = kernels_[id];
    if (known != kernels_.end()) {
      kernel.form = fitted(kernel.form, kernel.parameters, next);
    } else {
      kernel.form = next.form;
      if (json.is_object())
        if (const auto of = json.find(next.signature.name); of != json.end() && of->is_object()) {
          const auto now = of->find("now"), ran = of->find("ran");
          if (now != of->end() && now->is_string())
            if (job::LaunchForm form = job::form_from(now->get<std::string>());
                form.arguments.size() == next.form.arguments.size() && form.kernel == next.signature.name)
              kernel.form = std::move(form);
          if (ran != of->end() && ran->is_array())
            for (const auto& one : *ran)
              if (one.is_string() && kernel.ran.size() < most_ran) kernel.ran.push_back(one.get<std::string>());
        }
      // What the command line says now comes before what an earlier session kept.
      file.put_given(kernel.form);
      kernel.form.template_arguments.resize(next.form.template_arguments.size());
    }
    if (known == kernels_.end() || kernel.of_file != next.form) {
      kernel.of_file = kernel.first = next.form;
      kernel.settled = false;
      file.put_given(kernel.first);
    }
    kernel.parameters = next.parameters;
    kernel.text = job::text_of(kernel.form);
  }
}

std::string LaunchForms::as_text(const std::string& lesson) const {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const auto& [id, kernel] : kernels_)
    if (id.first == lesson) json[id.second] = {{"now", kernel.text}, {"ran", kernel.ran}};
  return job::dumped(json, true) + "\n";
}

bool LaunchForms::set(const KernelId& of, job::LaunchForm form) {
  Kernel& kernel = kernels_.at(of);
  if (kernel.form == form) return false;
  kernel.form = std::move(form);
  kernel.text = job::text_of(kernel.form);
  return true;
}

bool LaunchForms::can_settle(const KernelId& of) const {
  const Kernel& kernel = kernels_.at(of);
  return !kernel.settled && kernel.form == kernel.first;
}

void LaunchForms::settle(const KernelId& of, job::LaunchForm first) {
  Kernel& kernel = kernels_.at(of);
  kernel.first = first;
  kernel.settled = true;
  set(of, std::move(first));
}

bool LaunchForms::note_run(const KernelId& of, const std::string& text) {
  std::vector<std::string>& ran = kernels_.at(of).ran;
  if (!ran.empty() && ran.front() == text) return false;
  std::erase(ran, text);
  ran.insert(ran.begin(), text);
  if (ran.size() > most_ran) ran.resize(most_ran);
  return true;
}

std::map<std::string, std::vector<std::string>> LaunchForms::template_arguments(const KernelFile& file) const {
  std::map<std::string, std::vector<std::string>> made;
  for (const job::FormKernel& kernel : file.kernels)
    if (const auto known = kernels_.find({file.lesson.id, kernel.signature.name}); known != kernels_.end())
      made[kernel.signature.name] = known->second.form.template_arguments;
  return made;
}

}  // namespace lanescope::gui
