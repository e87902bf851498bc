// Scene → SVG: one self-contained panel, the same picture as in the window.

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "core/utf8.h"
#include "diagram/scene.h"
#include "diagram/words.h"
#include "fmt/format.h"

namespace lanescope::diagram {
namespace {

constexpr float padding = 16, header_height = 36, caption_size = 13, caption_leading = 19;
constexpr const char* sans = "Inter, 'Helvetica Neue', Arial, sans-serif";
constexpr const char* mono = "'JetBrains Mono', 'DejaVu Sans Mono', Menlo, Consolas, monospace";
constexpr const char* sans_chinese = "Inter, 'Noto Sans SC', 'PingFang SC', 'Microsoft YaHei', sans-serif";
constexpr const char* mono_chinese = "'JetBrains Mono', 'Noto Sans SC', 'PingFang SC', 'Microsoft YaHei', monospace";

// Whether a font for code may join two of its characters to one glyph: ">=" to "≥".
bool has_operator(std::string_view text) {
  const auto joins = [](char c) { return std::string_view("-=<>!&|:/*+#._").find(c) != std::string_view::npos; };
  return std::ranges::adjacent_find(text, [&](char a, char b) { return joins(a) && joins(b); }) != text.end();
}

// Returns well-formed XML text for any input: escapes markup and replaces control characters, invalid UTF-8, and U+FFFE
// and U+FFFF.
std::string escaped(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    const std::string_view character = text.substr(at, utf8_character(text.substr(at)));
    if (character.empty() || character == "\xef\xbf\xbe" || character == "\xef\xbf\xbf" ||
        (byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r')) {
      out += "\xef\xbf\xbd";
      ++at;
      continue;
    }
    switch (byte) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += character;
    }
    at += character.size();
  }
  return out;
}

std::string number(float value) {
  std::string text = fmt::format("{:.2f}", value);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string rgb(std::uint32_t colour) {
  return fmt::format("#{:06X}", colour);
}

// The end of the piece from `at` on that must stay on one line: a word with its unit, or a Chinese character with the
// punctuation after it.
std::size_t piece_end(std::string_view text, std::size_t at) {
  constexpr std::string_view closing[] = {"，", "。", "：", "；", "、", "）", "”"};
  const auto wide = [&](std::size_t i) { return static_cast<unsigned char>(text[i]) >= 0xe3; };
  std::size_t end = at;
  if (wide(at)) {
    end += 3;
  } else {
    while (end < text.size() && text[end] != ' ' && !wide(end)) ++end;
    if (text.substr(end).starts_with(" %")) end += 2;
  }
  for (bool more = true; more;) {
    more = false;
    for (const std::string_view mark : closing)
      if (text.substr(end).starts_with(mark)) end += mark.size(), more = true;
  }
  return end;
}

std::vector<std::string> wrapped(std::string_view text, float width, float size) {
  std::vector<std::string> lines;
  std::string line;
  for (std::size_t at = 0; at < text.size();) {
    const bool space = text[at] == ' ';
    const std::size_t from = space ? at + 1 : at;
    const std::size_t end = from < text.size() ? piece_end(text, from) : from;
    const std::string piece(text.substr(from, end - from));
    const std::string longer = line + (space && !line.empty() ? " " : "") + piece;
    if (!line.empty() && text_width(longer, size) > width) {
      lines.push_back(line);
      line = piece;
    } else {
      line = longer;
    }
    at = end;
  }
  if (!line.empty()) lines.push_back(line);
  return lines;
}

class Writer {
 public:
  Writer(const Scene& scene, Theme theme) : scene_(scene), theme_(theme) {}

  std::string document() {
    const bool header = !scene_.title.empty() || !scene_.subtitle.empty();
    // A subtitle that does not fit beside the title goes below it.
    stacked_ = text_width(scene_.title, 13) + 16 + text_width(scene_.subtitle, 12) > scene_.width;
    picture_y_ = padding + (header ? header_height - 8 : 0) + (header && stacked_ ? 18 : 0);
    const float inner = scene_.width;
    const std::vector<std::string> caption = wrapped(scene_.caption, inner - 28, caption_size);
    const float caption_y = picture_y_ + scene_.height + (scene_.height > 0 ? 14 : 0);
    const float caption_height = caption.empty() ? 0 : 24 + caption_leading * static_cast<float>(caption.size()) - 5;
    const float legend_y = caption_y + caption_height + (caption.empty() ? 0 : 12);
    const float legend_height = legend(legend_y, false);
    const float height = legend_y + legend_height + padding - (legend_height == 0 && !caption.empty() ? 12 : 0);
    const float width = inner + 2 * padding;

    out_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
        "{1}\"{2} role=\"img\" "
        "aria-labelledby=\"title description\">\n",
        number(width), number(height), chinese() ? " xml:lang=\"zh-CN\"" : "");
    out_ += fmt::format("<title id=\"title\">{}</title>\n", escaped(scene_.title.empty() ? "Lanescope" : scene_.title));
    out_ += fmt::format("<desc id=\"description\">{}{}{}</desc>\n", escaped(scene_.subtitle),
                        scene_.subtitle.empty() || scene_.caption.empty() ? "" : ". ", escaped(scene_.caption));
    patterns();
    out_ += fmt::format("<rect width=\"{}\" height=\"{}\" rx=\"8\" fill=\"{}\"/>\n", number(width), number(height),
                        paint(Role::panel));
    if (header) heading(width);
    out_ += fmt::format("<g transform=\"translate({} {})\">\n", number(padding), number(picture_y_));
    for (const Rect& rect : scene_.rects) shape(rect);
    for (const Line& line : scene_.lines) stroke(line);
    for (const Label& label : scene_.labels) text(label);
    out_ += "</g>\n";
    if (!caption.empty()) {
      out_ +=
          fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"6\" fill=\"{}\"/>\n", number(padding),
                      number(caption_y), number(inner), number(caption_height), paint(Role::raised));
      float y = caption_y + 12 + caption_leading / 2 - 2.5f;
      for (const std::string& line : caption) {
        write(padding + 14, y, line, caption_size, paint(Role::text), Align::left, Face::sans, false, 1);
        y += caption_leading;
      }
    }
    legend(legend_y, true);
    return std::move(out_) + "</svg>\n";
  }

 private:
  bool chinese() const { return scene_.language == Language::chinese; }
  std::string paint(Role role) const { return rgb(colour(role, theme_)); }

  void heading(float width) {
    const float y = padding + 8;
    write(padding, y, scene_.title, 13, paint(Role::dim), Align::left, Face::sans, true, 1);
    const float room = stacked_ ? scene_.width : width;
    write(stacked_ ? padding : width - padding, stacked_ ? y + 19 : y, fitted(scene_.subtitle, room, 12), 12,
          paint(Role::dim), stacked_ ? Align::left : Align::right, Face::sans, false, 1);
  }

  // Defines hatching for every role that is drawn hatched.
  void patterns() {
    std::vector<Role> made;
    out_ += "<defs>\n";
    for (const Rect& rect : scene_.rects) {
      if (look_of(rect.pattern).lines == 0 || std::ranges::count(made, rect.role)) continue;
      made.push_back(rect.role);
      out_ += fmt::format(
          "<pattern id=\"hatch-{}\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" "
          "patternTransform=\"rotate(45)\"><path d=\"M0 0V5\" stroke=\"{}\" "
          "stroke-width=\"2\"/></pattern>\n",
          static_cast<int>(rect.role), paint(rect.role));
    }
    out_ += "</defs>\n";
  }

  void shape(const Rect& rect) {
    const PatternLook look = look_of(rect.pattern);
    const float half = look.border > 0 ? 0.5f : 0;  // strokes lie inside the shape
    const std::string place =
        fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\"", number(rect.x + half),
                    number(rect.y + half), number(std::max(0.0f, rect.width - 2 * half)),
                    number(std::max(0.0f, rect.height - 2 * half)), number(rect.radius));
    const bool tagged = rect.tag > 0 && rect.tag <= scene_.tags.size() && !scene_.tags[rect.tag - 1].text.empty();
    const std::string tip =
        tagged ? fmt::format("><title>{}</title></rect>\n", escaped(scene_.tags[rect.tag - 1].text)) : "/>\n";
    const auto opacity = [&](float of_look) {
      const float value = of_look * rect.alpha;
      return value >= 1 ? std::string() : fmt::format(" opacity=\"{}\"", number(value));
    };
    if (look.ground > 0) out_ += fmt::format("{} fill=\"{}\"{}{}", place, paint(rect.role), opacity(look.ground), tip);
    if (look.lines > 0)
      out_ +=
          fmt::format("{} fill=\"url(#hatch-{})\"{}{}", place, static_cast<int>(rect.role), opacity(look.lines), tip);
    if (look.border > 0)
      out_ += fmt::format("{} fill=\"none\" pointer-events=\"all\" stroke=\"{}\"{}{}{}", place, paint(rect.role),
                          look.dashed ? " stroke-dasharray=\"3 3\"" : "", opacity(look.border), tip);
  }

  void stroke(const Line& line) {
    const std::string faded = line.alpha < 1 ? fmt::format(" opacity=\"{}\"", number(line.alpha)) : "";
    const std::string colour = paint(line.role);
    const std::string path =
        line.bend == 0 ? fmt::format("M{} {}L{} {}", number(line.x0), number(line.y0), number(line.x1), number(line.y1))
                       : fmt::format("M{} {}C{} {} {} {} {} {}", number(line.x0), number(line.y0), number(line.x0),
                                     number(line.y0 + line.bend), number(line.x1), number(line.y1 - line.bend),
                                     number(line.x1), number(line.y1));
    out_ += fmt::format(
        "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" "
        "stroke-linecap=\"round\"{}/>\n",
        path, colour, number(line.thickness), faded);
    if (!line.arrow) return;
    float dx = line.x1 - line.x0, dy = line.y1 - line.y0;
    if (line.bend != 0) dx = 0, dy = line.bend;
    const float length = std::sqrt(dx * dx + dy * dy);
    if (length <= 0) return;
    dx /= length, dy /= length;
    constexpr float head = 4.5f;
    out_ += fmt::format("<path d=\"M{} {}L{} {}L{} {}Z\" fill=\"{}\"{}/>\n", number(line.x1 + dx), number(line.y1 + dy),
                        number(line.x1 - dx * head - dy * head * 0.6f), number(line.y1 - dy * head + dx * head * 0.6f),
                        number(line.x1 - dx * head + dy * head * 0.6f), number(line.y1 - dy * head - dx * head * 0.6f),
                        colour, faded);
  }

  void text(const Label& label) {
    const std::string fill = rgb(label.on_role ? ink(label.role, theme_) : text_colour(label.role, theme_));
    write(label.x, label.y, label.text, label.size, fill, label.align, label.face, label.strong, 1);
  }

  // y is the vertical centre of the capitals.
  void write(float x, float y, const std::string& text, float size, const std::string& fill, Align align, Face face,
             bool strong, float opacity) {
    if (text.empty()) return;
    constexpr const char* anchors[] = {"start", "middle", "end"};
    out_ += fmt::format(
        "<text x=\"{}\" y=\"{}\" font-family=\"{}\" font-size=\"{}\"{} text-anchor=\"{}\" "
        "fill=\"{}\"{} "
        "xml:space=\"preserve\" pointer-events=\"none\"{}>{}</text>\n",
        number(x), number(y + size * 0.36f),
        face == Face::mono ? (chinese() ? mono_chinese : mono) : (chinese() ? sans_chinese : sans), number(size),
        strong ? " font-weight=\"600\"" : "", anchors[static_cast<int>(align)], fill,
        opacity < 1 ? fmt::format(" opacity=\"{}\"", number(opacity)) : "",
        face == Face::mono && has_operator(text) ? " style=\"font-variant-ligatures:none\"" : "", escaped(text));
  }

  // Lays out, and if `draw` is set draws, the meanings of the roles in the picture. Returns the height.
  float legend(float y, bool draw) {
    constexpr float cell = 12, leading = 20;
    float x = padding, row = y;
    bool any = false;
    for (const LegendItem& item : scene_.legend) {
      const float width = cell + 8 + text_width(item.text, 12) + 20;
      if (any && x + width > padding + scene_.width) x = padding, row += leading;
      any = true;
      if (draw) {
        Rect sample;
        sample.role = item.role;
        sample.pattern = item.pattern;
        sample.x = x;
        sample.y = row + 2;
        sample.width = sample.height = cell;
        sample.radius = 3;
        shape(sample);
        write(x + cell + 8, row + 2 + cell / 2, item.text, 12, paint(Role::dim), Align::left, Face::sans, false, 1);
      }
      x += width;
    }
    return any ? row - y + cell + 4 : 0;
  }

  const Scene& scene_;
  Theme theme_;
  float picture_y_ = 0;
  bool stacked_ = false;
  std::string out_;
};

}  // namespace

std::string to_svg(const Scene& scene, Theme theme) {
  return Writer(scene, theme).document();
}

}  // namespace lanescope::diagram
