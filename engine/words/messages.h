#pragma once
// Translates Diagnostics and other messages; messages.def maps their patterns to Chinese.

#include <span>
#include <string>

#include "core/diagnostic.h"
#include "core/wording.h"
#include "words/language.h"

namespace lanescope::diagram {

// Translates the values too. Returns the text unchanged in English, or if the pattern has no row.
std::string translated(const Wording& wording, Language language);
// Translates message and cure.
Diagnostic translated(Diagnostic diagnostic, Language language);

// The form of compiler messages, which editors understand: "file:7:3: error: what happened
//   cure: what to do". Adds the line of `text` and a caret if the place is in it.
std::string told(const Diagnostic& diagnostic, Language language, const std::string* text = nullptr);

// The rows of messages.def: the pattern as in core/worded.h, and its Chinese.
std::span<const Bilingual> messages();

}  // namespace lanescope::diagram
