#include "gui/session/form_checks.h"

#include <memory>
#include <utility>

#include "job/request/launch_completion.h"

namespace lanescope::gui {
namespace {

constexpr const char* no_bytes = "bytes=";  // a struct by value

void complete_form(Selection& selection, const job::CompiledParameters& compiled) {
  const job::FormKernel& kernel = selection.kernel_file()->kernels[selection.variant_index()];
  selection.set_form(job::completed(selection.form(), kernel, compiled));
}

}  // namespace

FormChecks::FormChecks(Selection& selection, Changes& changes, const std::function<void()>& wake)
    : selection_(selection), changes_(changes), worker_(wake) {}

void FormChecks::update() {
  if (selection_.kernel_file() == nullptr) return;
  read_text();
  check();
}

bool FormChecks::done() const {
  return selection_.kernel_file() != nullptr && worker_.idle() && checked_for_ == key_of_form();
}

std::string FormChecks::key_of_form() const {
  const KernelFile& file = *selection_.kernel_file();
  return file.lesson.id + '\0' + selection_.form_text() + '\0' +
         file.kernels[selection_.variant_index()].signature.parameters;
}

// The kernels follow the text, and the types of their parameters the template arguments.
void FormChecks::read_text() {
  const KernelFile& file = *selection_.kernel_file();
  const std::string& text = selection_.source();
  auto arguments = selection_.forms().template_arguments(file);
  if (read_.file == file.lesson.id && read_.text == text && read_.arguments == arguments) return;
  const bool first = read_.file != file.lesson.id;
  read_ = {file.lesson.id, text, arguments};
  if (first && text == file.scanned) return;
  worker_.post("read", [this, &file, text, arguments](sim::Progress&) {
    std::shared_ptr<const KernelFile> next = with_text(file, text, arguments);
    return [this, next, id = file.lesson.id] {
      const KernelFile* now = selection_.kernel_file();
      if (next != nullptr && now != nullptr && now->lesson.id == id) selection_.take_kernels(next);
      changes_.mark();
    };
  });
}

void FormChecks::check() {
  const KernelFile& file = *selection_.kernel_file();
  const VariantId kernel = selection_.id();
  const std::string wanted = key_of_form();
  if (wanted == checked_for_) return;
  checked_for_ = wanted;
  if (!file.has_kernel()) {
    problems_ = {};
    worker_.cancel("check");
    return;
  }
  job::LaunchForm form = selection_.form();
  for (job::FormArgument& argument : form.arguments)
    if (argument.text() == no_bytes) argument.value += "00";  // its size is not known yet
  problems_ = job::check_form(form);
  changes_.mark();
  worker_.cancel("check");
  if (problems_.any()) return;
  worker_.post("check", [this, wanted, kernel, form, text = selection_.form_text(),
                         source = file.source(selection_.source())](sim::Progress& progress) {
    auto found = std::make_shared<job::FormProblems>(job::check_form(form, source, &progress));
    auto compiled = std::make_shared<job::CompiledParameters>(job::compiled_parameters(form, source, &progress));
    return [this, wanted, kernel, text, compiled, found] {
      if (wanted != checked_for_) return;
      problems_ = std::move(*found);
      changes_.mark();
      if (kernel == selection_.id() && text == selection_.form_text()) complete_form(selection_, *compiled);
    };
  });
}

}  // namespace lanescope::gui
