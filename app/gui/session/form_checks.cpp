#include "gui/session/form_checks.h"

#include <memory>
#include <utility>

#include "job/request/form_trial.h"
#include "job/request/launch_completion.h"

namespace lanescope::gui {
namespace {

// A form with what only its compiled kernel tells.
struct Known {
  job::LaunchForm form;
  bool compiled = false;
};

// If these are the first values, sizes that a trial shows to be too small grow.
Known found_out(const job::LaunchForm& form, const job::FormKernel& kernel, const compile::Source& source, bool first,
                sim::Progress& progress) {
  const job::CompiledParameters compiled = job::compiled_parameters(form, source, &progress);
  Known known{job::completed(form, kernel, compiled), !has_error(compiled.problems)};
  if (first && known.compiled && kernel.origin.kind != job::FormOrigin::Kind::run_line)
    known.form = job::fitted(known.form, source, job::given_by(kernel.origin), &progress);
  return known;
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

// Then the form is checked again.
Worker::Completion FormChecks::take_folders(const KernelFile& file, const std::string& text,
                                            const std::vector<std::string>& folders) {
  return [this, id = file.lesson.id, text, next = with_folders(file, text, folders)] {
    const KernelFile* now = selection_.kernel_file();
    if (next == nullptr || now == nullptr || now->lesson.id != id) return;
    if (selection_.source() == text)
      selection_.take_kernels(next);
    else
      checked_for_.clear();  // it was edited meanwhile
    changes_.mark();
  };
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
  const job::LaunchForm& form = selection_.form();
  problems_ = job::check_form(job::with_a_byte(form));
  changes_.mark();
  worker_.cancel("check");
  if (problems_.any()) return;
  const bool first = !file.of_program && selection_.forms().can_settle(kernel);
  worker_.post("check",
               [this, &file, wanted, kernel, form, first, text = selection_.form_text(),
                of = file.kernels[selection_.variant_index()],
                source = file.source(selection_.source())](sim::Progress& progress) -> Worker::Completion {
                 if (first)
                   if (const auto folders = job::folders_of_headers(form, source, &progress); !folders.empty())
                     return take_folders(file, source.text, folders);
                 auto found =
                     std::make_shared<job::FormProblems>(job::check_form(job::with_a_byte(form), source, &progress));
                 auto known = std::make_shared<Known>(found_out(form, of, source, first && !found->any(), progress));
                 return [this, wanted, kernel, text, first, known, found] {
                   if (wanted != checked_for_) return;
                   problems_ = std::move(*found);
                   changes_.mark();
                   if (kernel != selection_.id() || text != selection_.form_text()) return;
                   if (first && known->compiled && !problems_.any())
                     selection_.settle_form(std::move(known->form));
                   else
                     selection_.set_form(std::move(known->form));
                 };
               });
}

}  // namespace lanescope::gui
