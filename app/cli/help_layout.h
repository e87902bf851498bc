#pragma once
// The layout of help, in the language of the command line: the same with each version of CLI11.

#include <memory>

#include "words/language.h"

namespace CLI {
class FormatterBase;
}

namespace lanescope::command {

std::shared_ptr<CLI::FormatterBase> help_layout(diagram::Language language);

}  // namespace lanescope::command
