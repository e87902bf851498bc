#pragma once
// Translates Diagnostics and other messages: messages.def maps their patterns to Chinese.

#include <span>
#include <string>

#include "core/diagnostic.h"
#include "core/wording.h"
#include "words/language.h"

namespace lanescope::diagram {

// Its values are translated in turn. In English, and where its pattern has no row, what it says itself.
std::string translated(const Wording& wording, Language language);
// Its message and its cure.
Diagnostic translated(Diagnostic diagnostic, Language language);

// The form that compilers use and editors understand: "file:7:3: error: what happened\n  cure: what to do". With the
// line of `text` and a caret where the place lies in it.
std::string told(const Diagnostic& diagnostic, Language language, const std::string* text = nullptr);

// The rows of messages.def: the pattern as core/worded.h was given it, and what it is in Chinese.
std::span<const Bilingual> messages();

}  // namespace lanescope::diagram
