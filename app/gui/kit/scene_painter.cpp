#include "gui/kit/scene_painter.h"

#include <algorithm>
#include <cmath>

#include "gui/kit/widgets.h"
#include "imgui_internal.h"

namespace lanescope::gui {
namespace {

using diagram::Pattern;
using diagram::Rect;
using diagram::Scene;

// Diagonals x + y = c through a rectangle, `step` apart, anchored to the rectangle so that all rectangles look alike.
void hatch(ImDrawList* list, ImVec2 a, ImVec2 b, ImU32 colour, float step, float thickness) {
  const float span = (b.x - a.x) + (b.y - a.y);
  for (float c = step * 0.75f; c < span; c += step) {
    ImVec2 from{a.x + std::min(c, b.x - a.x), a.y + std::max(0.0f, c - (b.x - a.x))};
    ImVec2 to{a.x + std::max(0.0f, c - (b.y - a.y)), a.y + std::min(c, b.y - a.y)};
    list->AddLine(from, to, colour, thickness);
  }
}

void dashes(ImDrawList* list, ImVec2 a, ImVec2 b, ImU32 colour, float thickness, float dash) {
  const float length = std::hypot(b.x - a.x, b.y - a.y);
  if (length <= 0) return;
  const ImVec2 unit{(b.x - a.x) / length, (b.y - a.y) / length};
  for (float at = 0; at < length; at += 2 * dash) {
    const float end = std::min(length, at + dash);
    list->AddLine({a.x + unit.x * at, a.y + unit.y * at}, {a.x + unit.x * end, a.y + unit.y * end}, colour, thickness);
  }
}

bool same(const Scene& a, const Scene& b) {
  const auto rect = [](const Rect& x, const Rect& y) {
    return x.x == y.x && x.y == y.y && x.width == y.width && x.height == y.height && x.role == y.role &&
           x.pattern == y.pattern;
  };
  const auto line = [](const diagram::Line& x, const diagram::Line& y) {
    return x.x0 == y.x0 && x.y0 == y.y0 && x.x1 == y.x1 && x.y1 == y.y1 && x.role == y.role;
  };
  const auto label = [](const diagram::Label& x, const diagram::Label& y) {
    return x.x == y.x && x.y == y.y && x.text == y.text && x.role == y.role;
  };
  return a.width == b.width && std::ranges::equal(a.rects, b.rects, rect) &&
         std::ranges::equal(a.lines, b.lines, line) && std::ranges::equal(a.labels, b.labels, label);
}

// A change that keeps all rectangles and only changes colours is faded. Other changes are immediate.
bool same_places(const Scene& a, const Scene& b) {
  return a.rects.size() == b.rects.size() && a.width == b.width &&
         std::ranges::equal(a.rects, b.rects, [](const Rect& x, const Rect& y) {
           return x.x == y.x && x.y == y.y && x.width == y.width && x.height == y.height;
         });
}

bool linked(const Scene& scene, const Rect& rect, const HoverLink& link) {
  return link.any() && rect.tag != 0 && rect.tag <= scene.tags.size() && lights_up(scene.tags[rect.tag - 1], link);
}

class Painter {
 public:
  Painter(ImDrawList* list, const Look& look, ImVec2 origin, float zoom, float alpha)
      : list_(list),
        look_(look),
        origin_(origin),
        k_(look.scale() * zoom),
        alpha_(alpha),
        clip_min_(list->GetClipRectMin()),
        clip_max_(list->GetClipRectMax()) {}

  void rect(const Scene& scene, const Rect& r, const HoverLink& link) const {
    // Snapped to pixels, so that all cells look alike.
    const ImVec2 a{rounded(origin_.x + r.x * k_), rounded(origin_.y + r.y * k_)};
    ImVec2 b{rounded(origin_.x + (r.x + r.width) * k_), rounded(origin_.y + (r.y + r.height) * k_)};
    // The gap below a thin stripe must not be rounded away.
    if (r.height * k_ < 4) b.y = std::max(a.y + 1, std::floor(origin_.y + (r.y + r.height) * k_));
    if (hidden(a, b)) return;
    paint_cell(list_, look_, r.role, r.pattern, a, b, r.radius * k_, alpha_ * r.alpha, k_);
    if (!linked(scene, r, link)) return;
    if (r.role == diagram::Role::panel || r.role == diagram::Role::selected) {  // the ground of a row
      list_->AddRectFilled(a, b, with_alpha(look_.colours().accent, 0.14f * alpha_));
    } else {
      const float grow = std::max(1.0f, look_.px(1));
      list_->AddRect({a.x - grow, a.y - grow}, {b.x + grow, b.y + grow}, look_.colours().text, r.radius * k_ + grow,
                     look_.px(2));
    }
  }

  void line(const diagram::Line& l) const {
    const ImVec2 a = at(l.x0, l.y0), b = at(l.x1, l.y1);
    const ImU32 colour = with_alpha(look_.role(l.role), alpha_ * l.alpha);
    const float thickness = std::max(1.0f, l.thickness * k_);
    ImVec2 tangent{b.x - a.x, b.y - a.y};
    if (l.bend != 0) {
      const float reach = l.bend * k_;
      list_->AddBezierCubic(a, {a.x, a.y + reach}, {b.x, b.y - reach}, b, colour, thickness);
      tangent = {0, reach};
    } else {
      list_->AddLine(a, b, colour, thickness);
    }
    const float length = std::hypot(tangent.x, tangent.y);
    if (!l.arrow || length <= 0) return;
    const ImVec2 u{tangent.x / length, tangent.y / length};
    const float head = 4.5f * k_;
    list_->AddTriangleFilled({b.x + u.x, b.y + u.y},
                             {b.x - u.x * head - u.y * head * 0.6f, b.y - u.y * head + u.x * head * 0.6f},
                             {b.x - u.x * head + u.y * head * 0.6f, b.y - u.y * head - u.x * head * 0.6f}, colour);
  }

  void label(const diagram::Label& l) const {
    const bool mono = l.face == diagram::Face::mono;
    const TypeStyle style{mono                    ? (l.strong ? Face::mono_bold : Face::mono)
                          : l.strong || l.on_role ? Face::semibold
                                                  : Face::regular,
                          l.size * k_ / look_.scale()};
    const ImVec2 p = at(l.x, l.y);
    const float reach = look_.size(style);
    if (p.y + reach < clip_min_.y || p.y - reach > clip_max_.y) return;
    const ImU32 colour = with_alpha(l.on_role ? look_.ink(l.role) : look_.text_role(l.role), alpha_);
    const HAlign align = l.align == diagram::Align::left     ? HAlign::left
                         : l.align == diagram::Align::centre ? HAlign::centre
                                                             : HAlign::right;
    draw_text(list_, look_, style, colour, p, l.text, align);
  }

 private:
  // std::round without a call for what is in sight: thousands a frame.
  static float rounded(float x) { return x >= 0 ? static_cast<float>(static_cast<int>(x + 0.5f)) : std::round(x); }
  ImVec2 at(float x, float y) const { return {origin_.x + x * k_, origin_.y + y * k_}; }
  bool hidden(ImVec2 a, ImVec2 b) const {
    return b.x < clip_min_.x || a.x > clip_max_.x || b.y < clip_min_.y || a.y > clip_max_.y;
  }

  ImDrawList* list_;
  const Look& look_;
  ImVec2 origin_;
  float k_, alpha_;
  ImVec2 clip_min_, clip_max_;
};

}  // namespace

bool lights_up(const diagram::Tag& tag, const HoverLink& link) {
  if (link.line > 0 || tag.line > 0) return tag.line == link.line;
  if (link.lane >= 0 && tag.lane >= 0) return tag.lane == link.lane;
  return link.bytes > 0 && tag.bytes > 0 && tag.first_byte < link.first_byte + link.bytes &&
         link.first_byte < tag.first_byte + tag.bytes;
}

void paint_cell(ImDrawList* list, const Look& look, Role role, Pattern pattern, ImVec2 a, ImVec2 b, float radius,
                float alpha, float grain) {
  if (grain <= 0) grain = look.scale();
  const ImU32 base = look.role(role);
  const ImU32 colour = with_alpha(base, alpha);
  const float thin = std::max(1.0f, std::round(grain));
  if (pattern == Pattern::solid) return list->AddRectFilled(a, b, colour, radius);
  const diagram::PatternLook how = diagram::look_of(pattern);
  if (how.ground > 0) list->AddRectFilled(a, b, with_alpha(base, alpha * how.ground), radius);
  if (how.lines > 0)
    hatch(list, a, b, with_alpha(base, alpha * how.lines), std::max(3.0f, std::round(5 * grain)), thin);
  if (how.border <= 0) return;
  const ImU32 edge = with_alpha(base, alpha * how.border);
  if (!how.dashed) return list->AddRect(a, b, edge, radius, thin);
  const float dash = std::max(2.0f, std::round(3 * grain));
  dashes(list, a, {b.x, a.y}, edge, thin, dash);
  dashes(list, {b.x, a.y}, b, edge, thin, dash);
  dashes(list, b, {a.x, b.y}, edge, thin, dash);
  dashes(list, {a.x, b.y}, a, edge, thin, dash);
}

void paint_scene(const Scene& scene, ImDrawList* list, const Look& look, ImVec2 origin, float zoom, float alpha,
                 const HoverLink& link) {
  const Painter painter(list, look, origin, zoom, alpha);
  for (const Rect& r : scene.rects) painter.rect(scene, r, link);
  for (const diagram::Line& l : scene.lines) painter.line(l);
  for (const diagram::Label& l : scene.labels) painter.label(l);
}

int tag_at(const Scene& scene, const Look& look, ImVec2 origin, float zoom, ImVec2 point) {
  const float k = look.scale() * zoom;
  const float x = (point.x - origin.x) / k, y = (point.y - origin.y) / k;
  for (auto r = scene.rects.rbegin(); r != scene.rects.rend(); ++r)
    if (r->tag != 0 && r->tag <= scene.tags.size() && x >= r->x && x < r->x + r->width && y >= r->y &&
        y < r->y + r->height)
      return static_cast<int>(r->tag) - 1;
  return -1;
}

namespace {

// The shape with a tag that is next to `at` (the picture's units) in this direction: a unit vector, or {0, 0} for the
// one that is nearest. Null: there is none.
const Rect* next_shape(const Scene& scene, ImVec2 at, ImVec2 way) {
  constexpr float aside_costs = 4;  // a shape in line is next, although one beside the line is closer
  const bool nearest = way.x == 0 && way.y == 0;
  const Rect* best = nullptr;
  float least = 0;
  for (const Rect& rect : scene.rects) {
    if (rect.tag == 0 || rect.tag > scene.tags.size()) continue;
    const float dx = rect.x + rect.width / 2 - at.x, dy = rect.y + rect.height / 2 - at.y;
    const float along = dx * way.x + dy * way.y;
    if (!nearest && along < 0.5f) continue;
    const float cost = nearest ? std::hypot(dx, dy) : along + aside_costs * std::abs(dx * way.y - dy * way.x);
    if (best == nullptr || cost < least) best = &rect, least = cost;
  }
  return best;
}

// For a picture that has the focus: the tag of the shape that the arrow keys have reached; −1: there is none. The keys
// stay where they are when the picture changes.
int tag_by_keys(const Scene& scene) {
  const auto across = static_cast<float>(keys_of_item(ImGuiKey_LeftArrow, ImGuiKey_RightArrow));
  const auto down = static_cast<float>(keys_of_item(ImGuiKey_UpArrow, ImGuiKey_DownArrow));
  ImGuiStorage& kept = *ImGui::GetStateStorage();
  const ImGuiID id = ImGui::GetItemID();
  float& x = *kept.GetFloatRef(id + 1, 0);
  float& y = *kept.GetFloatRef(id + 2, 0);
  const auto centre = [](const Rect& rect) { return ImVec2{rect.x + rect.width / 2, rect.y + rect.height / 2}; };
  const Rect* at = next_shape(scene, {x, y}, {0, 0});
  if (at == nullptr) return -1;
  const ImVec2 from = centre(*at);
  for (const ImVec2 way : {ImVec2{across, 0}, ImVec2{0, down}})
    if (way.x != 0 || way.y != 0)
      if (const Rect* next = next_shape(scene, from, way)) at = next;
  x = centre(*at).x, y = centre(*at).y;
  // The pointer may lie on the picture: what was moved last shows where it is.
  if (across != 0 || down != 0) ImGui::GetCurrentContext()->NavHighlightItemUnderNav = true;
  return static_cast<int>(at->tag) - 1;
}

}  // namespace

int SceneView::show(const Scene& scene, const Look& look, const char* id, Hover& hover, bool motion, float zoom,
                    float alpha, const Tip& tip) {
  constexpr float fade_seconds = 0.15f;
  if (!motion) {
    has_current_ = false;
    fade_ = 1;
  } else if (!has_current_ || !same(scene, current_)) {
    const bool fade = has_current_ && same_places(scene, current_);
    previous_ = std::move(current_);
    current_ = scene;
    fade_ = fade ? 0.0f : 1.0f;
    has_current_ = true;
  } else if (fade_ < 1) {
    fade_ = std::min(1.0f, fade_ + ImGui::GetIO().DeltaTime / fade_seconds);
  }
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float k = look.scale() * zoom;
  const bool pressed = pressable(id, {std::max(1.0f, scene.width * k), std::max(1.0f, scene.height * k)});
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  const bool by_keys = ImGui::IsItemFocused() && g.NavCursorVisible;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float eased = 1 - (1 - fade_) * (1 - fade_);
  if (fade_ < 1) paint_scene(previous_, list, look, origin, zoom, alpha);
  paint_scene(scene, list, look, origin, zoom, fade_ < 1 ? eased * alpha : alpha, hover.shown);

  // The arrow keys of a film step.
  const bool is_film = std::ranges::any_of(scene.tags, [](const diagram::Tag& tag) { return tag.step >= 0; });
  const int reached = by_keys && !is_film ? tag_by_keys(scene) : -1;
  const bool by_pointer = ImGui::IsItemHovered() && !g.NavHighlightItemUnderNav && !(pressed && by_keys);
  const int tag = by_pointer ? tag_at(scene, look, origin, zoom, ImGui::GetIO().MousePos) : reached;
  if (tag < 0) return -1;
  const diagram::Tag& what = scene.tags[static_cast<std::size_t>(tag)];
  hover.next = {what.lane, what.first_byte, what.bytes, what.line};
  const std::string text = what.text.empty() && tip ? tip(static_cast<std::size_t>(tag)) : what.text;
  if (!text.empty()) show_hint(look, text);
  return pressed ? tag : -1;
}

}  // namespace lanescope::gui
