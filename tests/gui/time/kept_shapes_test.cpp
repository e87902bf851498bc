// Shapes that are copied from the last frame are those that would be painted.

#include "gui/kit/kept_shapes.h"

#include "driver.h"
#include "imgui_internal.h"

namespace lanescope::test {
namespace {

// What a list holds after `before` other rectangles and the shapes.
struct Painted {
  std::vector<float> vertices;
  std::vector<ImDrawIdx> indices;
  friend bool operator==(const Painted&, const Painted&) = default;
};

Painted painted(int before, const std::function<void(ImDrawList*)>& shapes) {
  ImDrawList list(ImGui::GetDrawListSharedData());
  list._ResetForNewFrame();
  list.PushTexture(ImGui::GetIO().Fonts->TexRef);
  list.PushClipRect({0, 0}, {500, 500});
  for (int i = 0; i < before; ++i) list.AddRectFilled({1, 1}, {9, 9}, IM_COL32_WHITE);
  shapes(&list);
  list.AddRectFilled({2, 2}, {8, 8}, IM_COL32_WHITE);
  Painted all;
  for (const ImDrawVert& at : list.VtxBuffer)
    all.vertices.insert(all.vertices.end(), {at.pos.x, at.pos.y, at.uv.x, at.uv.y, static_cast<float>(at.col)});
  all.indices.assign(list.IdxBuffer.begin(), list.IdxBuffer.end());
  return all;
}

TEST(KeptShapes, AreThoseThatWouldBePainted) {
  Learner learner;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    int times = 0;
    gui::KeptShapes kept;
    const auto shapes = [&times](ImDrawList* list, float x) {
      ++times;
      for (int i = 0; i < 20; ++i) {
        const float at = x + 7.3f * static_cast<float>(i);
        list->AddRectFilled({at, at}, {at + 3.5f, at + 2}, IM_COL32(200, 100, 50, 90));
      }
    };
    const auto as_kept = [&](int before, float x) {
      return painted(before, [&](ImDrawList* list) { kept.draw(list, {x}, [&] { shapes(list, x); }); });
    };
    const auto as_painted = [&](int before, float x) {
      return painted(before, [&](ImDrawList* list) { shapes(list, x); });
    };
    const Painted first = as_painted(0, 5), later = as_painted(3, 5), moved = as_painted(3, 6);
    times = 0;
    EXPECT_EQ(as_kept(0, 5), first);
    EXPECT_EQ(as_kept(0, 5), first);
    EXPECT_EQ(as_kept(3, 5), later) << "behind other shapes";
    EXPECT_EQ(times, 1) << "painted once, copied twice";
    EXPECT_EQ(as_kept(3, 6), moved);
    EXPECT_EQ(times, 2);
  });
}

}  // namespace
}  // namespace lanescope::test
