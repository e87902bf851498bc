#include "gui/parts/block_picture.h"

#include <utility>

namespace lanescope::gui {

void BlockPicture::make(const trace::Trace& trace, std::uint32_t block, std::vector<const trace::WarpEvent*> events,
                        diagram::Options options) {
  options.tips = false;
  trace_ = &trace;
  events_ = std::move(events);
  scene_ = diagram::block_lanes(trace, block, events_, options);
}

void BlockPicture::show(const Ui& ui, const char* id, Hover& hover, float zoom, float alpha) {
  view_.show(scene_, ui.look, id, hover, ui.motion(), zoom, alpha, [&](std::size_t tag) {
    return diagram::block_lanes_tip(*trace_, events_, tag, ui.window.settings.language);
  });
}

}  // namespace lanescope::gui
