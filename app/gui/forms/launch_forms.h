#pragma once
// The forms of the kernels of files that are or were open: their fields, and the launches that ran. Kept as text.

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "gui/forms/kernel_file.h"

namespace lanescope::gui {

using KernelId = std::pair<std::string, std::string>;  // the file's lesson id and the kernel's name

class LaunchForms {
 public:
  // Takes a file's kernels: their fields keep their values where parameters keep their name and type; others begin with
  // the file's. `kept`: what as_text() gave in an earlier session; empty: nothing.
  void take(const KernelFile& file, const std::string& kept = {});
  std::string as_text(const std::string& lesson) const;

  // Of a kernel that was taken.
  const job::LaunchForm& form(const KernelId& kernel) const { return kernels_.at(kernel).form; }
  const std::string& text(const KernelId& kernel) const { return kernels_.at(kernel).text; }  // job::text_of()
  const std::vector<std::string>& ran(const KernelId& kernel) const { return kernels_.at(kernel).ran; }
  // What the fields begin with: the file's values, or what settle() put in their place.
  const job::LaunchForm& first(const KernelId& kernel) const { return kernels_.at(kernel).first; }
  // The fields are those that they began with, and these can still become better.
  bool can_settle(const KernelId& kernel) const;
  // Replaces the first values, and the fields.
  void settle(const KernelId& kernel, job::LaunchForm first);
  // Returns false if nothing changes.
  bool set(const KernelId& kernel, job::LaunchForm form);
  // This launch ran: it is the first of ran(). Returns false if it was that already.
  bool note_run(const KernelId& kernel, const std::string& text);
  std::map<std::string, std::vector<std::string>> template_arguments(const KernelFile& file) const;

 private:
  struct Kernel {
    job::LaunchForm form;
    std::string text;
    job::LaunchForm of_file, first;
    bool settled = false;
    std::vector<std::string> ran;                  // texts of launches that ran, the latest first
    std::vector<job::KernelParameter> parameters;  // those that the form has fields for
  };
  std::map<KernelId, Kernel> kernels_;
};

}  // namespace lanescope::gui
