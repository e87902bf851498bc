#include "on_screen.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "gui/numbers/numbers.h"
#include "imgui.h"
#include "imgui_internal.h"
#include "job/lesson/lesson_request.h"
#include "job/run/job.h"

namespace lanescope::test {

using gui::NumberRow;
using gui::Session;

namespace {

// The same request, run directly.
std::vector<metrics::Measurement> directly(const Session& s) {
  const gui::RunKey key = s.selection.wanted();
  auto request = job::from_lesson(s.selection.lesson(), s.selection.variant(), key.controls);
  EXPECT_TRUE(request) << format(request.errors()[0]);
  request->source.text = key.source;
  const job::Outcome outcome = job::run(*request, &s.selection.variant());
  EXPECT_TRUE(outcome.completed);
  return metrics::report(outcome.first().trace);
}

}  // namespace

void expect_numbers_equal(const Session& s) {
  ASSERT_NE(s.runs.shown(), nullptr);
  EXPECT_FALSE(s.runs.stale());
  const auto direct = directly(s);
  const std::vector<NumberRow> rows = gui::number_rows(*s.runs.shown());
  EXPECT_GE(rows.size(), 4u);
  for (const NumberRow& row : rows) {
    const auto found = std::ranges::find(direct, row.name, &metrics::Measurement::name);
    ASSERT_NE(found, direct.end()) << row.name;
    EXPECT_EQ(row.value, gui::number_text(*found)) << row.name;
    if (found->ideal >= 0) {
      EXPECT_EQ(row.ideal, gui::number_text(found->ideal, found->unit)) << row.name;
    }
  }
}

const ImGuiWindow* window_of_part(const std::string& name) {
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
    if (window->WasActive && std::string(window->Name).find("/" + name + "_") != std::string::npos) return window;
  return nullptr;
}

bool part_is_shown(const std::string& name) {
  return window_of_part(name) != nullptr;
}

double sectors_per_request(const Session& s) {
  return metrics::find(s.runs.shown()->outcome.first().trace, "global_load.sectors_per_request").value;
}

}  // namespace lanescope::test
