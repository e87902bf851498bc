#include "gui/kit/kept_shapes.h"

#include <algorithm>

#include "imgui_internal.h"

namespace lanescope::gui {

void KeptShapes::draw(ImDrawList* list, std::vector<double> what, const std::function<void()>& paint) {
  // A larger font texture moves the white pixel that shapes are painted with.
  const ImVec2 white = list->_Data->TexUvWhitePixel;
  what.insert(what.end(), {white.x, white.y, static_cast<double>(list->Flags), list->_FringeScale});
  const auto count = static_cast<unsigned>(vertices_.size());
  // An index has 16 bits: with more vertices, Dear ImGui begins to count again.
  const bool fits = list->_VtxCurrentIdx + count < (1u << 16);
  if (fits && count > 0 && what == what_) {
    list->PrimReserve(static_cast<int>(indices_.size()), static_cast<int>(count));
    std::ranges::copy(vertices_, list->_VtxWritePtr);
    const unsigned base = list->_VtxCurrentIdx;
    std::ranges::transform(indices_, list->_IdxWritePtr,
                           [base](ImDrawIdx index) { return static_cast<ImDrawIdx>(base + index); });
    list->_VtxWritePtr += vertices_.size(), list->_IdxWritePtr += indices_.size();
    list->_VtxCurrentIdx += count;
    return;
  }
  what_ = std::move(what);
  const int commands = list->CmdBuffer.Size, first_vertex = list->VtxBuffer.Size, first_index = list->IdxBuffer.Size;
  const unsigned base = list->_VtxCurrentIdx;
  paint();
  vertices_.clear(), indices_.clear();
  const auto added = static_cast<unsigned>(list->VtxBuffer.Size - first_vertex);
  if (list->CmdBuffer.Size == commands && list->_VtxCurrentIdx == base + added)
    keep(*list, first_vertex, first_index, base);
}

void KeptShapes::keep(const ImDrawList& list, int first_vertex, int first_index, unsigned base) {
  vertices_.assign(list.VtxBuffer.begin() + first_vertex, list.VtxBuffer.end());
  indices_.assign(list.IdxBuffer.begin() + first_index, list.IdxBuffer.end());
  for (ImDrawIdx& index : indices_) index = static_cast<ImDrawIdx>(index - base);
}

}  // namespace lanescope::gui
