// Turns md4c's callbacks into blocks.

#include "gui/parts/markdown.h"

#include <md4c.h>

#include <algorithm>

namespace lanescope::gui {
namespace {

class Builder {
 public:
  std::vector<MarkdownBlock> blocks;

  void enter_block(MD_BLOCKTYPE type, void* detail) {
    using Kind = MarkdownBlock::Kind;
    switch (type) {
      case MD_BLOCK_H:
        open(Kind::heading).level = static_cast<int>(static_cast<MD_BLOCK_H_DETAIL*>(detail)->level);
        break;
      case MD_BLOCK_P:
        if (item_open_)
          item_open_ = false;  // the first paragraph of the item itself
        else
          open(in_list() ? Kind::item : Kind::paragraph).number = in_list() ? -1 : 0;
        break;
      case MD_BLOCK_UL:
        lists_.push_back(0);
        break;
      case MD_BLOCK_OL:
        lists_.push_back(static_cast<int>(static_cast<MD_BLOCK_OL_DETAIL*>(detail)->start));
        break;
      case MD_BLOCK_LI: {
        MarkdownBlock& item = open(Kind::item);
        if (!lists_.empty() && lists_.back() > 0) item.number = lists_.back()++;
        item_open_ = true;
        break;
      }
      case MD_BLOCK_QUOTE:
        ++quotes_;
        break;
      case MD_BLOCK_CODE:
        open(Kind::code);
        break;
      case MD_BLOCK_HR:
        open(Kind::rule);
        break;
      case MD_BLOCK_TABLE:
        open(Kind::table);
        break;
      case MD_BLOCK_TR:
        blocks.back().rows.emplace_back();
        break;
      case MD_BLOCK_TH:
      case MD_BLOCK_TD:
        blocks.back().rows.back().emplace_back();
        in_cell_ = true;
        break;
      default:
        break;
    }
  }
  void leave_block(MD_BLOCKTYPE type) {
    if (type == MD_BLOCK_UL || type == MD_BLOCK_OL) lists_.pop_back();
    if (type == MD_BLOCK_QUOTE) --quotes_;
    if (type == MD_BLOCK_LI) item_open_ = false;
    if (type == MD_BLOCK_TH || type == MD_BLOCK_TD) in_cell_ = false;
  }
  void enter_span(MD_SPANTYPE type, void* detail) {
    if (type == MD_SPAN_STRONG) ++strong_;
    if (type == MD_SPAN_EM) ++emphasis_;
    if (type == MD_SPAN_CODE) ++code_;
    if (type == MD_SPAN_A) {
      const MD_ATTRIBUTE& href = static_cast<MD_SPAN_A_DETAIL*>(detail)->href;
      link_.assign(href.text, href.size);
    }
  }
  void leave_span(MD_SPANTYPE type) {
    if (type == MD_SPAN_STRONG) --strong_;
    if (type == MD_SPAN_EM) --emphasis_;
    if (type == MD_SPAN_CODE) --code_;
    if (type == MD_SPAN_A) link_.clear();
  }
  void text(MD_TEXTTYPE type, std::string_view text) {
    if (blocks.empty() || type == MD_TEXT_HTML) return;
    std::string said(text);
    if (type == MD_TEXT_BR) said = "\n";
    if (type == MD_TEXT_SOFTBR) said = " ";
    if (type == MD_TEXT_NULLCHAR) said = "�";
    if (type == MD_TEXT_ENTITY) said = entity(text);
    auto& into = in_cell_ ? blocks.back().rows.back().back() : blocks.back().spans;
    const MarkdownSpan style{{}, strong_ > 0, emphasis_ > 0, code_ > 0, link_};
    if (!into.empty() && said != "\n" && into.back().text != "\n" && into.back().strong == style.strong &&
        into.back().emphasis == style.emphasis && into.back().code == style.code && into.back().link == style.link) {
      into.back().text += said;
      return;
    }
    into.push_back(style);
    into.back().text = std::move(said);
  }

 private:
  MarkdownBlock& open(MarkdownBlock::Kind kind) {
    item_open_ = false;
    blocks.push_back({});
    blocks.back().kind = kind;
    blocks.back().quoted = quotes_ > 0;
    if (kind == MarkdownBlock::Kind::item) blocks.back().level = static_cast<int>(lists_.size()) - 1;
    return blocks.back();
  }
  bool in_list() const { return !lists_.empty(); }
  static std::string entity(std::string_view name) {
    if (name == "&lt;") return "<";
    if (name == "&gt;") return ">";
    if (name == "&amp;") return "&";
    if (name == "&quot;") return "\"";
    if (name == "&nbsp;") return "\u00a0";
    return std::string(name);
  }

  std::vector<int> lists_;  // next number of an ordered list, 0 for bullets
  int quotes_ = 0, strong_ = 0, emphasis_ = 0, code_ = 0;
  bool item_open_ = false, in_cell_ = false;
  std::string link_;
};

Builder& builder(void* user) {
  return *static_cast<Builder*>(user);
}

}  // namespace

std::vector<MarkdownBlock> parse_markdown(std::string_view markdown) {
  Builder result;
  MD_PARSER parser{};
  parser.flags = MD_FLAG_TABLES | MD_FLAG_NOHTML | MD_FLAG_COLLAPSEWHITESPACE;
  parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* user) {
    builder(user).enter_block(type, detail);
    return 0;
  };
  parser.leave_block = [](MD_BLOCKTYPE type, void*, void* user) {
    builder(user).leave_block(type);
    return 0;
  };
  parser.enter_span = [](MD_SPANTYPE type, void* detail, void* user) {
    builder(user).enter_span(type, detail);
    return 0;
  };
  parser.leave_span = [](MD_SPANTYPE type, void*, void* user) {
    builder(user).leave_span(type);
    return 0;
  };
  parser.text = [](MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* user) {
    builder(user).text(type, {text, size});
    return 0;
  };
  md_parse(markdown.data(), static_cast<MD_SIZE>(markdown.size()), &parser, &result);
  return std::move(result.blocks);
}

}  // namespace lanescope::gui
