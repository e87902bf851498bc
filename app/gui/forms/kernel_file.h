#pragma once
// An open CUDA file without main(), which replaces the lessons. Like a saved run it is represented as a lesson without
// text, questions, controls and times; its variants are its kernels, and a form gives each its launch.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "compile/source.h"
#include "core/result.h"
#include "job/request/launch_form.h"
#include "lesson/lesson.h"

namespace lanescope::gui {

struct KernelFile {
  std::string path;                      // absolute
  std::string scanned;                   // the text that `kernels` are of; lesson.sources has the file's own
  lesson::Lesson lesson;                 // its id is made from the path; a variant's id is the kernel's name
  std::vector<job::FormKernel> kernels;  // one per variant
  // A program that could not be built, open to be corrected: its kernels do not run by themselves.
  bool of_program = false;
  compile::Preprocessor given;  // with which the forms begin; relative folders begin at the file's
  void put_given(job::LaunchForm& form) const;

  // False: the text has no kernel (yet). Then `kernels` has one without a name, which cannot run.
  bool has_kernel() const { return !kernels.front().signature.name.empty(); }

  // What is compiled and run if this is the text on screen.
  compile::Source source(const std::string& text) const;
  // The same with what was given for the whole file; a form has its own.
  compile::Source source_as_given(const std::string& text) const;
};

// Codes: io.cannot_read, kernel_file.too_large.
Result<std::shared_ptr<const KernelFile>> open_kernel_file(const std::string& path, bool of_program = false,
                                                           const compile::Preprocessor& given = {});

// The file with another text on screen: its kernels may be others. `arguments` are the template arguments in the forms,
// by kernel, from which the types of parameters follow. nullptr: its forms have the same fields, or the text has no
// kernel, as while one is being typed.
std::shared_ptr<const KernelFile> with_text(const KernelFile& file, const std::string& text,
                                            const std::map<std::string, std::vector<std::string>>& arguments);

// The file with more folders of headers, from which the types of parameters may follow. nullptr: the text has no
// kernel.
std::shared_ptr<const KernelFile> with_folders(const KernelFile& file, const std::string& text,
                                               const std::vector<std::string>& folders);

}  // namespace lanescope::gui
