# A rebuild in seconds, for the preset `dev`: clang where it is there, precompiled headers, batches of a few files, and a quick link
# (short_build.cmake, quick_link.cmake). Clang takes two thirds of g++'s time, and its precompiled headers keep template
# instantiations. This file comes before project(), which chooses the compiler.
option(LANESCOPE_QUICK_REBUILD "Compile and link for a short rebuild" OFF)
if(LANESCOPE_QUICK_REBUILD AND NOT CMAKE_CXX_COMPILER AND NOT DEFINED ENV{CXX})
  find_program(LANESCOPE_CLANG clang)
  find_program(LANESCOPE_CLANGXX clang++)
  if(LANESCOPE_CLANG AND LANESCOPE_CLANGXX)
    set(CMAKE_C_COMPILER ${LANESCOPE_CLANG})
    set(CMAKE_CXX_COMPILER ${LANESCOPE_CLANGXX})
  endif()
endif()
