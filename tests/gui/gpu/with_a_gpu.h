#pragma once
// What the tests of a window with a stand-in for a GPU share.

#include <memory>
#include <string>

#include "driver.h"
#include "gpu/pretend_gpu.h"

namespace lanescope::test {

using gui::GpuResult;
using gui::Session;
using job::GpuStage;
using Mood = PretendGpu::Mood;

inline gui::Options with(const std::shared_ptr<PretendGpu>& gpu) {
  gui::Options options;
  options.gpus = gpu;
  return options;
}

inline bool reached(const Session& s, GpuStage stage) {
  return s.runs.gpu() != nullptr && !s.runs.gpu_stale() && s.runs.gpu()->stage >= stage;
}

inline void turn(ImGuiTestContext& ui, const char* entry) {
  ui.ItemClick("**/device");
  ui.ItemClick((std::string("//$FOCUSED/") + entry).c_str());
  ui.Yield(2);
}

inline void choose(Session& s, const char* lesson, const char* variant) {
  for (std::size_t i = 0; i < s.selection.lessons().size(); ++i)
    for (std::size_t v = 0; s.selection.lessons()[i].id == lesson && v < s.selection.lessons()[i].variants.size(); ++v)
      if (s.selection.lessons()[i].variants[v].id == variant) s.choose_lesson(i), s.choose_variant(v);
}

}  // namespace lanescope::test
