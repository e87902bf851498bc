# How a program for each system is compiled and linked, beyond its sources (engine/core/os/SYSTEM/).
if(NOT WIN32)
  return()
endif()

add_compile_definitions(NOMINMAX WIN32_LEAN_AND_MEAN UNICODE _WIN32_WINNT=0x0A00 __USE_MINGW_ANSI_STDIO=1)
# gcc assumes a stack aligned to 32 and 64 bytes for vectors, which Windows' calls do not guarantee (gcc's bug 54412).
# Unaligned moves avoid this, and cost nothing if the stack is aligned.
add_compile_options(-Wa,-muse-unaligned-vector-move)
# Links everything into one file, with our own mbrtowc(), fma() and fmaf() (utf8_characters.cpp,
# fused_multiply_add.cpp) in place of those of the C library. Threads get stacks as large
# as on Linux, since a parser may recurse deeply.
add_link_options(-static -Wl,--stack,8388608 -Wl,-u,mbrtowc -Wl,-u,fma -Wl,-u,fmaf)
# Texts and paths are UTF-8, including arguments and environment.
set(windows_resources ${CMAKE_SOURCE_DIR}/assets/windows/lanescope.rc)
