// The SVG writer: well-formed XML for any scene, and accessible.

#include <gtest/gtest.h>

#include <vector>

#include "gallery.h"

namespace lanescope::diagram {
namespace {

// A strict enough XML check for such a document: balanced tags, quoted attributes, valid names, no raw markup or
// control characters in text. Returns the problem, or "".
std::string malformed(const std::string& xml) {
  std::vector<std::string> open;
  std::size_t at = 0;
  const auto text_fault = [](std::string_view text) -> std::string {
    for (std::size_t i = 0; i < text.size(); ++i) {
      const auto c = static_cast<unsigned char>(text[i]);
      if (c < 0x20 && c != '\n' && c != '\t' && c != '\r') return "control character";
      if (c == '&') {
        const std::string_view rest = text.substr(i);
        bool known = false;
        for (const char* entity : {"&amp;", "&lt;", "&gt;", "&quot;"}) known |= rest.starts_with(entity);
        if (!known) return "bare &";
      }
    }
    return "";
  };
  while (at < xml.size()) {
    const std::size_t tag = xml.find('<', at);
    if (std::string fault = text_fault(xml.substr(at, tag == std::string::npos ? tag : tag - at)); !fault.empty())
      return fault;
    if (tag == std::string::npos) break;
    const std::size_t end = xml.find('>', tag);
    if (end == std::string::npos) return "unclosed tag";
    std::string inside = xml.substr(tag + 1, end - tag - 1);
    at = end + 1;
    if (inside.starts_with("/")) {
      if (open.empty() || open.back() != inside.substr(1)) return "unbalanced " + inside;
      open.pop_back();
      continue;
    }
    const bool closed = inside.ends_with("/");
    if (closed) inside.pop_back();
    const std::size_t name_end = std::min(inside.find(' '), inside.size());
    std::size_t i = name_end;
    while (i < inside.size()) {  // name="value"
      if (inside[i] == ' ') {
        ++i;
        continue;
      }
      const std::size_t equals = inside.find("=\"", i);
      if (equals == std::string::npos) return "attribute without a value in " + inside;
      const std::size_t quote = inside.find('"', equals + 2);
      if (quote == std::string::npos) return "unquoted attribute in " + inside;
      if (inside.substr(equals + 2, quote - equals - 2).find('<') != std::string::npos) return "< in an attribute";
      i = quote + 1;
    }
    if (!closed) open.push_back(inside.substr(0, name_end));
  }
  return open.empty() ? "" : "unclosed " + open.back();
}

TEST(Svg, WellFormedForEveryPicture) {
  for (const test::Example& example : test::gallery())
    for (const Theme theme : {Theme::dark, Theme::light})
      for (const float width : {200.f, 520.f})
        EXPECT_EQ(malformed(to_svg(example.draw({width, 0}), theme)), "") << example.name;
  EXPECT_EQ(malformed(to_svg(Scene{}, Theme::dark)), "");
}

TEST(Svg, TheCheckCanFail) {
  EXPECT_NE(malformed("<a><b></a>"), "");
  EXPECT_NE(malformed("<a>&</a>"), "");
  EXPECT_NE(malformed("<a x=1/>"), "");
  EXPECT_EQ(malformed("<a x=\"1\"><b/>&amp;</a>"), "");
}

TEST(Svg, EscapesWhatItIsGiven) {
  Scene scene;
  scene.width = 200;
  scene.height = 40;
  scene.title = "a<b> & \"c\"";
  scene.caption =
      "control \x01 char, broken \xff utf8, cut \xe2\x80, overlong \xc0\xaf, surrogate "
      "\xed\xa0\x80";
  scene.subtitle = "</svg>";
  Label label;
  label.text = "ld<shared>";
  scene.labels.push_back(label);
  Rect rect;
  rect.width = rect.height = 10;
  rect.tag = 1;
  scene.rects.push_back(rect);
  scene.tags.push_back({"x < y", -1, 0, 0, -1});
  const std::string svg = to_svg(scene, Theme::light);
  EXPECT_EQ(malformed(svg), "");
  EXPECT_NE(svg.find("<title id=\"title\">a&lt;b&gt; &amp; &quot;c&quot;</title>"), std::string::npos);
  EXPECT_NE(svg.find("ld&lt;shared&gt;"), std::string::npos);
  EXPECT_NE(svg.find("x &lt; y"), std::string::npos);
  for (const char bad : {'\x01', '\xff', '\xc0', '\xed'}) EXPECT_EQ(svg.find(bad), std::string::npos);
}

TEST(Svg, IsReadAloudAndSized) {
  for (const test::Example& example : test::gallery()) {
    if (example.name != "sectors_stride_8") continue;
    const Scene scene = example.draw({});
    const std::string svg = to_svg(scene, Theme::dark);
    EXPECT_NE(svg.find("role=\"img\""), std::string::npos);
    EXPECT_NE(svg.find("<desc id=\"description\">8 lines · 32 sectors · a cell is a 4-byte word. "
                       "Every lane has"),
              std::string::npos);
    EXPECT_NE(svg.find("width=\"552\""), std::string::npos);  // the picture and 16 on either side
    EXPECT_NE(svg.find("font-family=\"Inter,"), std::string::npos);
    EXPECT_NE(svg.find("'JetBrains Mono'"), std::string::npos);
    EXPECT_NE(svg.find("#56B4E9"), std::string::npos);
    EXPECT_NE(svg.find("url(#hatch-"), std::string::npos);
    EXPECT_EQ(to_svg(scene, Theme::light).find("#56B4E9"), std::string::npos);
  }
}

}  // namespace
}  // namespace lanescope::diagram
