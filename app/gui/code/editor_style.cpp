#include "gui/code/editor_style.h"

namespace lanescope::gui {
namespace {

const TextEditor::Language* cuda_language() {
  static const TextEditor::Language language = [] {
    TextEditor::Language cuda = *TextEditor::Language::Cpp();
    cuda.name = "CUDA C++";
    for (const char* word : {"__global__", "__device__", "__host__", "__shared__", "__constant__", "__restrict__",
                             "__launch_bounds__", "__forceinline__", "__noinline__"})
      cuda.keywords.insert(word);
    for (const char* word :
         {"half", "half2", "__half", "__half2", "float2", "float4", "double2", "int2", "int4", "uint2", "uint4", "dim3",
          "size_t", "int8_t", "uint8_t", "int32_t", "uint32_t", "int64_t", "uint64_t"})
      cuda.declarations.insert(word);
    for (const char* word : {"threadIdx",      "blockIdx",        "blockDim",
                             "gridDim",        "warpSize",        "__syncthreads",
                             "__syncwarp",     "__shfl_sync",     "__shfl_down_sync",
                             "__shfl_up_sync", "__shfl_xor_sync", "__ballot_sync",
                             "__activemask",   "__any_sync",      "__all_sync",
                             "atomicAdd",      "atomicMax",       "atomicMin",
                             "atomicCAS",      "atomicExch",      "__ldg"})
      cuda.identifiers.insert(word);
    return cuda;
  }();
  return &language;
}

}  // namespace

void configure_editor(TextEditor& editor) {
  editor.SetLanguage(cuda_language());
  editor.SetFindReplaceEnabled(false);  // the window has its own search for text and code
  editor.SetTabSize(2);
  editor.SetInsertSpacesOnTabs(true);
  editor.SetWordWrapEnabled(true);
  editor.SetLineSpacing(1.25f);
  editor.SetShowWhitespacesEnabled(false);
  editor.SetShowMatchingBrackets(false);
  editor.SetCompletePairedGlyphs(false);
  editor.SetShowScrollbarMiniMapEnabled(false);
  editor.SetShowMiniMapEnabled(false);
  editor.SetShowCurrentLineHighlightEnabled(false);
  editor.SetLineNumberLeftMargin(1);
  editor.SetTextLeftMargin(2);
}

std::string as_edited(const std::string& text) {
  TextEditor editor;
  configure_editor(editor);
  editor.SetText(text);
  return editor.GetText();
}

TextEditor::Palette editor_palette(const Palette& p) {
  const bool dark = p.theme == Theme::dark;
  TextEditor::Palette palette;
  const auto set = [&](TextEditor::Color slot, ImU32 colour) { palette[static_cast<std::size_t>(slot)] = colour; };
  using C = TextEditor::Color;
  const ImU32 word = dark ? to_im(0x82B4F8) : to_im(0x1659B4);
  const ImU32 literal = dark ? to_im(0xE0A95C) : to_im(0x85500A);
  palette.fill(p.text);
  set(C::text, p.text);
  set(C::keyword, word);
  set(C::declaration, word);
  set(C::number, literal);
  set(C::string, literal);
  set(C::punctuation, p.text);
  set(C::preprocessor, p.dim);
  set(C::identifier, p.text);
  set(C::knownIdentifier, p.text);
  set(C::comment, p.dim);
  set(C::background, with_alpha(p.panel, 0));  // line marks are drawn below the text
  set(C::cursor, p.accent);
  set(C::selection, with_alpha(p.accent, 0.28f));
  set(C::whitespace, p.faint);
  set(C::matchingBracketBackground, with_alpha(p.accent, 0.2f));
  set(C::matchingBracketActive, p.accent);
  set(C::matchingBracketLevel1, p.text);
  set(C::matchingBracketLevel2, p.text);
  set(C::matchingBracketLevel3, p.text);
  set(C::matchingBracketError, p.conflict);
  set(C::lineNumber, p.dim);
  set(C::currentLineNumber, p.text);
  set(C::currentLineHighlight, p.hover);
  set(C::currentLineHighlightBorder, with_alpha(p.line, 0));
  return palette;
}

}  // namespace lanescope::gui
