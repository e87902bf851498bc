#include "device/device_runtime.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/text.h"

namespace lanescope::device {

namespace {

// Bodies, on one line each. $0, $1, … are the parameters, $r is the result, $v the variable with the launches.
struct Definition {
  std::string_view name;
  std::size_t parameters;
  std::string_view body;
};

constexpr std::string_view succeed = ".reg .b32 %z; mov.b32 %z, 0; st.param.b32 [$r], %z; ret;";
constexpr std::string_view new_handle =
    ".reg .b32 %z, %n; .reg .b64 %at, %new; ld.param.b64 %at, [$0]; atom.global.add.u32 %n, [$v+8], 1; "
    "add.u32 %n, %n, 256; cvt.u64.u32 %new, %n; st.b64 [%at], %new; mov.b32 %z, 0; st.param.b32 [$r], %z; ret;";
// The numbers are those of ChildLaunch and child_launches.
constexpr std::string_view get_buffer =
    ".reg .pred %full; .reg .b32 %n, %x; .reg .b64 %at, %y; atom.global.add.u32 %n, [$v], 1; "
    "setp.ge.u32 %full, %n, 8192; @%full bra NONE; mul.wide.u32 %y, %n, 4224; mov.b64 %at, $v; add.u64 %at, %at, %y; "
    "add.u64 %at, %at, 128; ld.param.b64 %y, [$0]; st.global.b64 [%at], %y; "
    "ld.param.b32 %x, [$1]; st.global.b32 [%at+8], %x; ld.param.b32 %x, [$1+4]; st.global.b32 [%at+12], %x; "
    "ld.param.b32 %x, [$1+8]; st.global.b32 [%at+16], %x; ld.param.b32 %x, [$2]; st.global.b32 [%at+20], %x; "
    "ld.param.b32 %x, [$2+4]; st.global.b32 [%at+24], %x; ld.param.b32 %x, [$2+8]; st.global.b32 [%at+28], %x; "
    "ld.param.b32 %x, [$3]; st.global.b32 [%at+32], %x; add.u64 %at, %at, 128; st.param.b64 [$r], %at; ret; "
    "NONE: mov.b64 %at, 0; st.param.b64 [$r], %at; ret;";
constexpr std::string_view launch_buffer =
    ".reg .b32 %n; .reg .b64 %at, %y; ld.param.b64 %at, [$0]; ld.param.b64 %y, [$1]; st.global.b64 [%at-88], %y; "
    "atom.global.add.u32 %n, [$v+4], 1; add.u32 %n, %n, 1; st.global.b32 [%at-92], %n; mov.b32 %n, 0; "
    "st.param.b32 [$r], %n; ret;";
static_assert(offsetof(ChildLaunch, block) == 20 && offsetof(ChildLaunch, dynamic_shared_bytes) == 32 &&
              offsetof(ChildLaunch, number) == 128 - 92 && offsetof(ChildLaunch, stream) == 128 - 88);
static_assert(child_launches::parameters_at == 128 && child_launches::first_at == 128 && child_launches::each == 4224 &&
              child_launches::most == 8192);

// `$k` is the number in place of a function, `$s` the parameter with the stream.
constexpr std::string_view copy_or_fill =
    ".reg .pred %full; .reg .b32 %n; .reg .b64 %at, %y; atom.global.add.u32 %n, [$v], 1; "
    "setp.ge.u32 %full, %n, 8192; @%full bra NONE; mul.wide.u32 %y, %n, 4224; mov.b64 %at, $v; add.u64 %at, %at, %y; "
    "add.u64 %at, %at, 128; mov.b64 %y, $k; st.global.b64 [%at], %y; ld.param.b64 %y, [$s]; st.global.b64 [%at+40], "
    "%y; "
    "ld.param.b64 %y, [$0]; st.global.b64 [%at+128], %y; ld.param.$w %y, [$1]; st.global.b64 [%at+136], %y; "
    "ld.param.b64 %y, [$2]; st.global.b64 [%at+144], %y; atom.global.add.u32 %n, [$v+4], 1; add.u32 %n, %n, 1; "
    "st.global.b32 [%at+36], %n; NONE: mov.b32 %n, 0; st.param.b32 [$r], %n; ret;";
// "no error", "out of memory" for 2, and what CUDA says of other numbers.
constexpr std::string_view text_of_error =
    ".reg .pred %p; .reg .b32 %n; .reg .b64 %good, %bad; ld.param.b32 %n, [$0]; mov.b64 %good, lanescope_no_error; "
    "mov.b64 %bad, lanescope_no_memory; setp.eq.u32 %p, %n, 2; selp.b64 %good, %bad, %good, %p; "
    "mov.b64 %bad, lanescope_no_such_error; setp.eq.u32 %p, %n, 0; @%p bra KNOWN; setp.eq.u32 %p, %n, 2; "
    "selp.b64 %good, %good, %bad, %p; KNOWN: cvta.global.u64 %good, %good; st.param.b64 [$r], %good; ret;";
constexpr std::string_view allocate =
    ".reg .pred %none; .reg .b32 %z; .reg .b64 %at, %new; ld.param.b64 %at, [$0]; ld.param.b64 %new, [$1]; "
    "{ .param .b64 size; .param .b64 new; st.param.b64 [size], %new; call.uni (new), malloc, (size); "
    "ld.param.b64 %new, [new]; } st.b64 [%at], %new; setp.eq.u64 %none, %new, 0; "
    "selp.b32 %z, 2, 0, %none; st.param.b32 [$r], %z; ret;";  // 2: cudaErrorMemoryAllocation
constexpr std::string_view release =
    ".reg .b32 %z; .reg .b64 %at; ld.param.b64 %at, [$0]; { .param .b64 old; st.param.b64 [old], %at; "
    "call.uni free, (old); } mov.b32 %z, 0; st.param.b32 [$r], %z; ret;";

// What bodies need, and the name of the function that the PTX may declare itself.
struct Callee {
  std::string_view call, name, declaration;
};
constexpr Callee callees[] = {
    {" malloc,", "malloc", ".extern .func (.param .b64 new) malloc (.param .b64 size); "},
    {" free,", "free", ".extern .func free (.param .b64 old); "},
    {"lanescope_no_error", "",
     ".global .align 1 .b8 lanescope_no_error[9] = {110,111,32,101,114,114,111,114,0}; "
     ".global .align 1 .b8 lanescope_no_memory[14] = {111,117,116,32,111,102,32,109,101,109,111,114,121,0}; "
     ".global .align 1 .b8 lanescope_no_such_error[24] = "
     "{117,110,114,101,99,111,103,110,105,122,101,100,32,101,114,114,111,114,32,99,111,100,101,0}; "},
};

constexpr Definition definitions[] = {
    {"cudaGraphSetConditional", 2,
     ".reg .b64 %handle; .reg .b32 %value; ld.param.b64 %handle, [$0]; ld.param.b32 %value, [$1]; "
     "st.global.b32 [%handle], %value; ret;"},
    {"__cudaCDP2GetParameterBufferV2", 4, get_buffer},
    {"__cudaCDP2LaunchDeviceV2", 2, launch_buffer},
    {"__cudaCDP2LaunchDeviceV2_ptsz", 2, launch_buffer},
    {"__cudaCDP2MemcpyAsync", 5, copy_or_fill},
    {"__cudaCDP2MemcpyAsync_ptsz", 5, copy_or_fill},
    {"__cudaCDP2MemsetAsync", 4, copy_or_fill},
    {"__cudaCDP2MemsetAsync_ptsz", 4, copy_or_fill},
    {"__cudaCDP2GetErrorString", 1, text_of_error},
    {"__cudaCDP2Malloc", 2, allocate},
    {"__cudaCDP2Free", 1, release},
    {"__cudaCDP2GetLastError", 0, succeed},
    {"__cudaCDP2PeekAtLastError", 0, succeed},
    {"__cudaCDP2StreamCreateWithFlags", 2, new_handle},
    {"__cudaCDP2StreamDestroy", 1, succeed},
    {"__cudaCDP2StreamWaitEvent", 3, succeed},
    {"__cudaCDP2StreamWaitEvent_ptsz", 3, succeed},
    {"__cudaCDP2EventCreateWithFlags", 2, new_handle},
    {"__cudaCDP2EventDestroy", 1, succeed},
    {"__cudaCDP2EventRecord", 2, succeed},
    {"__cudaCDP2EventRecord_ptsz", 2, succeed},
    {"__cudaCDP2EventRecordWithFlags", 3, succeed},
    {"__cudaCDP2EventRecordWithFlags_ptsz", 3, succeed},
};

// The last word of a parameter's declaration, as in ".param .align 4 .b8 NAME[12]".
std::string last_word(std::string_view text) {
  text = trimmed(text);
  text = text.substr(text.find_last_of(" \t\r\n") + 1);
  return std::string(text.substr(0, text.find('[')));
}

// `.extern .func (RESULT) NAME ( PARAMETERS ) ;`
struct Declaration {
  std::size_t begin = 0, end = 0;  // of the text, with the semicolon
  std::string_view heading;        // without `.extern` and the semicolon
  std::string result;              // the result's name
  std::string_view name;
  std::vector<std::string> parameters;
};

constexpr std::string_view declared = ".extern .func";

// Reads the declaration at `begin`; false if it is cut off.
bool read_declaration(std::string_view ptx, std::size_t begin, Declaration& to) {
  const std::size_t semicolon = ptx.find(';', begin);
  if (semicolon == std::string_view::npos) return false;
  to.begin = begin;
  to.end = semicolon + 1;
  to.heading = ptx.substr(begin + 8, semicolon - begin - 8);  // behind ".extern "
  std::string_view rest = trimmed(ptx.substr(begin + declared.size(), semicolon - begin - declared.size()));
  to.result.clear();
  if (rest.starts_with('(')) {
    const std::size_t close = rest.find(')');
    if (close == std::string_view::npos) return false;
    to.result = last_word(rest.substr(1, close - 1));
    rest = trimmed(rest.substr(close + 1));
  }
  const std::size_t open = rest.find('('), close = rest.find(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return false;
  to.name = rest.substr(0, rest.find_first_of(" \t\r\n("));
  to.parameters.clear();
  const std::string_view inside = rest.substr(open + 1, close - open - 1);
  if (!trimmed(inside).empty())
    for (const auto& one : split(inside, ',')) to.parameters.push_back(last_word(one));
  return true;
}

bool declares(std::string_view ptx, std::string_view name) {
  Declaration declaration;
  for (std::size_t at = ptx.find(declared); at != std::string_view::npos; at = ptx.find(declared, at + 1))
    if (read_declaration(ptx, at, declaration) && declaration.name == name) return true;
  return false;
}

std::string body_of(const Definition& definition, const Declaration& declaration) {
  std::string body;
  for (std::size_t i = 0; i < definition.body.size(); ++i) {
    if (definition.body[i] != '$') {
      body += definition.body[i];
      continue;
    }
    const char which = definition.body[++i];
    const bool copies = declaration.parameters.size() == 5;
    if (which == 'r')
      body += declaration.result;
    else if (which == 'v')
      body += child_launches::variable;
    else if (which == 'k')
      body += std::to_string(copies ? child_launches::copy : child_launches::fill);
    else if (which == 's')
      body += declaration.parameters.back();
    else if (which == 'w')
      body += copies ? "b64" : "u32";  // a value of 32 bits
    else
      body += declaration.parameters[static_cast<std::size_t>(which - '0')];
  }
  return body;
}

}  // namespace

std::string with_device_runtime(std::string_view ptx) {
  std::string made;
  std::vector<std::string_view> defined;
  bool needs_variable = false;
  std::size_t copied = 0;
  Declaration declaration;
  for (std::size_t at = ptx.find(declared); at != std::string_view::npos; at = ptx.find(declared, at + 1)) {
    if (!read_declaration(ptx, at, declaration)) break;
    const auto* const definition = std::ranges::find(definitions, declaration.name, &Definition::name);
    if (definition == std::end(definitions) || definition->parameters != declaration.parameters.size()) continue;
    made += ptx.substr(copied, declaration.begin - copied);
    copied = declaration.end;
    // Linked texts may declare it several times.
    if (std::ranges::find(defined, declaration.name) != defined.end()) {
      made.append(static_cast<std::size_t>(std::ranges::count(ptx.substr(at, copied - at), '\n')), '\n');
      continue;
    }
    defined.push_back(declaration.name);
    if (!needs_variable && definition->body.find("$v") != std::string_view::npos) {
      needs_variable = true;
      made += ".global .align 128 .b8 " + std::string(child_launches::variable) + "[" +
              std::to_string(child_launches::first_at + child_launches::most * child_launches::each) + "]; ";
    }
    for (const Callee& callee : callees)
      if (definition->body.find(callee.call) != std::string_view::npos && !declares(ptx, callee.name))
        made += callee.declaration;
    made += std::string(declaration.heading) + "{ " + body_of(*definition, declaration) + " }";
  }
  made += ptx.substr(copied);
  return made;
}

bool is_device_runtime(std::string_view ptx) {
  constexpr std::string_view defined = ".visible .func";
  for (std::size_t at = ptx.find(defined); at != std::string_view::npos; at = ptx.find(defined, at + 1))
    if (ptx.substr(at, ptx.find('\n', at) - at).find("__cudaCDP2LaunchDeviceV2(") != std::string_view::npos)
      return true;
  return false;
}

}  // namespace lanescope::device
