# What a program for one system is compiled and linked with, beyond its sources (engine/core/os/SYSTEM/).
if(NOT WIN32)
  return()
endif()

add_compile_definitions(NOMINMAX WIN32_LEAN_AND_MEAN UNICODE _WIN32_WINNT=0x0A00 __USE_MINGW_ANSI_STDIO=1)
# gcc takes the stack to be aligned to 32 and 64 bytes for vectors, which Windows' calls do not keep (gcc's bug 54412): moves
# that need no alignment, which cost nothing where it is there.
add_compile_options(-Wa,-muse-unaligned-vector-move)
# Everything in one file, with mbrtowc() of utf8_characters.cpp for the C++ library; and threads as deep as on Linux, where a parser may call itself so often.
add_link_options(-static -Wl,--stack,8388608 -Wl,-u,mbrtowc)
# Texts and paths are UTF-8, arguments and environment included.
set(windows_resources ${CMAKE_SOURCE_DIR}/assets/windows/lanescope.rc)
