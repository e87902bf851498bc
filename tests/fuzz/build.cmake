# Feeds bytes to the parsers of untrusted input (tests/fuzz/targets.h). With LANESCOPE_FUZZ, which needs clang, this is a
# libFuzzer program; otherwise a program that replays the corpus, with one ctest test per target.
set(fuzz_sources tests/fuzz/targets.cpp tests/fuzz/programs.cpp tests/fuzz/texts.cpp tests/fuzz/binaries.cpp
  app/gui/state/state_store.cpp)
if(LANESCOPE_FUZZ)
  add_executable(lanescope_fuzz ${fuzz_sources} tests/fuzz/libfuzzer.cpp)
  target_link_options(lanescope_fuzz PRIVATE -fsanitize=fuzzer)
else()
  add_executable(lanescope_fuzz ${fuzz_sources} tests/fuzz/replay.cpp)
  file(GLOB fuzz_targets RELATIVE ${CMAKE_SOURCE_DIR}/tests/fuzz/corpus CONFIGURE_DEPENDS tests/fuzz/corpus/*)
  foreach(target ${fuzz_targets})
    add_test(NAME fuzz_${target} COMMAND lanescope_fuzz ${target} ${CMAKE_SOURCE_DIR}/tests/fuzz/corpus/${target})
    set_tests_properties(fuzz_${target} PROPERTIES TIMEOUT 120)
  endforeach()
endif()
target_include_directories(lanescope_fuzz PRIVATE tests app)
target_link_libraries(lanescope_fuzz PRIVATE lanescope_engine)
target_compile_options(lanescope_fuzz PRIVATE $<$<CONFIG:Release>:-O0>)
lanescope_warnings(lanescope_fuzz)
