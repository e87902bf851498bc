# Tests, found by glob: tests/unit/**/*.cpp (engine and command line), tests/gui/**/*.cpp (the window, on a virtual display),
# tests/gpu/*.cpp (they skip themselves without a GPU), and the checks of the source tree itself.
enable_testing()
find_program(PYTHON3 python3 REQUIRED)
if(WIN32)  # Debian's package `googletest` has the sources
  find_path(GOOGLETEST_SOURCES googletest/src/gtest-all.cc PATHS /usr/src/googletest NO_CMAKE_FIND_ROOT_PATH REQUIRED)
  set(INSTALL_GTEST OFF)
  add_subdirectory(${GOOGLETEST_SOURCES} ${CMAKE_BINARY_DIR}/third_party/googletest EXCLUDE_FROM_ALL SYSTEM)
  foreach(name gtest gtest_main gmock)
    target_compile_options(${name} PRIVATE -w $<$<CONFIG:Release>:-O0>)
  endforeach()
else()
  find_package(GTest REQUIRED)
endif()
# wine shows the files of the machine that builds as drive Z.
set(drive "")
if(WIN32 AND CMAKE_CROSSCOMPILING)
  set(drive "Z:")
endif()

# The paths of the tree and the program for the tests. They are in a header instead of a definition on the command line, so
# that tests that do not use them compile to the same object in every checkout, and a compiler cache serves them all.
# LANESCOPE_TESTED and LANESCOPE_TESTED_EXEC name an installed program and its libraries instead (./test --installed).
file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/test_paths/test_paths.h CONTENT
"#pragma once
#include <cstdlib>
namespace lanescope::test {
inline const char* path_or(const char* variable, const char* built) {
  const char* const named = std::getenv(variable);
  return named != nullptr ? named : built;
}
}
#define LANESCOPE_SOURCE_DIR \"${drive}${CMAKE_SOURCE_DIR}\"
#define LANESCOPE_BUILT \"$<$<TARGET_EXISTS:lanescope>:${drive}$<TARGET_FILE:lanescope>>\"
#define LANESCOPE_BUILT_EXEC \"$<$<TARGET_EXISTS:lanescope_device>:$<TARGET_FILE_DIR:lanescope_device>>\"
#define LANESCOPE_BINARY ::lanescope::test::path_or(\"LANESCOPE_TESTED\", LANESCOPE_BUILT)
#define LANESCOPE_EXEC_FOLDER ::lanescope::test::path_or(\"LANESCOPE_TESTED_EXEC\", LANESCOPE_BUILT_EXEC)
#define LANESCOPE_PRETENDED \"${CMAKE_BINARY_DIR}/pretended\"
")

# Tests are compiled for a fast build; the code that they test is optimised as usual. The linker keeps the first copy of an
# inline function that it sees, so the engine precedes the tests' own objects.
function(lanescope_test_program target batch)
  target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR}/tests ${CMAKE_SOURCE_DIR}/tests/unit ${CMAKE_BINARY_DIR}/test_paths)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O0>)
  if(WIN32)  # a batch has more sections than 32768
    target_compile_options(${target} PRIVATE -Wa,-mbig-obj)
    target_link_options(${target} PRIVATE "SHELL:-wrapper ${CMAKE_SOURCE_DIR}/cmake/link_by_lld")
  endif()
  lanescope_warnings(${target})
  lanescope_short_build(${target} ${batch})
  target_link_options(${target} PRIVATE
    -Wl,--whole-archive,$<TARGET_FILE:lanescope_engine>,--no-whole-archive)
  target_link_libraries(${target} PRIVATE GTest::gtest GTest::gmock)
endfunction()

# Many tests compile the same kernels in separate processes. Within one run of ctest, compiler results are stored for the
# other tests (engine/compile/kept_outcomes.h). Each run starts without stored results.
set(kept ${CMAKE_BINARY_DIR}/kept)
add_test(NAME nothing_is_kept_yet COMMAND sh -c "rm -rf \"$0\" && mkdir \"$0\"" ${kept})
set_tests_properties(nothing_is_kept_yet PROPERTIES FIXTURES_SETUP kept)

# LANESCOPE_BINARY must exist before the tests run, but add_dependencies() would require it before they compile.
function(lanescope_runs_the_program target)
  if(TARGET lanescope)
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS $<TARGET_FILE:lanescope>)
  endif()
endfunction()

# A driver, a CUPTI and an nvJitLink that compute nothing and fail the calls that a test names; the program loads them from their own
# folders.
set(pretended ${CMAKE_BINARY_DIR}/pretended)
function(lanescope_pretended target file soname folder)
  add_library(${target} SHARED tests/tools/pretend_driver/${file})
  target_include_directories(${target} PRIVATE ${LANESCOPE_DEPS}/cuda/include)
  target_compile_options(${target} PRIVATE -O0)
  target_link_options(${target} PRIVATE -static-libstdc++ -static-libgcc)
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${soname} SUFFIX "" PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${pretended}/${folder}
    CXX_VISIBILITY_PRESET default)
  lanescope_warnings(${target})
endfunction()
set(pretended_libraries "")
if(NOT WIN32)  # no GPU is used there
  lanescope_pretended(pretended_driver cuda.cpp libcuda.so.1 driver)
  lanescope_pretended(pretended_old_driver cuda.cpp libcuda.so.1 old_driver)
  target_compile_definitions(pretended_old_driver PRIVATE LANESCOPE_BEFORE_CUDA_12_8)
  lanescope_pretended(pretended_cupti cupti.cpp libcupti.so.13 cupti)
  lanescope_pretended(pretended_linker nvjitlink.cpp libnvJitLink.so.13 linker)
  set(pretended_libraries pretended_driver pretended_old_driver pretended_cupti pretended_linker)
  foreach(version 12 13)
    add_executable(own_runtime_${version} tests/tools/pretend_driver/own_runtime.cpp)
    target_compile_definitions(own_runtime_${version} PRIVATE LANESCOPE_OF_CUDA_${version})
    set_target_properties(own_runtime_${version} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${pretended})
    lanescope_warnings(own_runtime_${version})
    list(APPEND pretended_libraries own_runtime_${version})
  endforeach()
endif()

file(GLOB_RECURSE unit_sources CONFIGURE_DEPENDS tests/unit/*.cpp tests/gpu/*.cpp)
# NAME_linux.cpp, NAME_linux_test.cpp, NAME_windows.cpp: for one system.
set(other_systems linux windows)
list(REMOVE_ITEM other_systems ${this_system})
list(FILTER unit_sources EXCLUDE REGEX "_(${other_systems})(_test)?\\.cpp$")
if(WIN32)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS tests/not_for_windows.txt)
  file(STRINGS tests/not_for_windows.txt left_out REGEX "^[^#]")
  foreach(line IN LISTS left_out)  # reason: file file …
    string(REGEX REPLACE "^.*: " "" files "${line}")
    string(REPLACE " " ";" files "${files}")
    foreach(file IN LISTS files)
      if(NOT EXISTS ${CMAKE_SOURCE_DIR}/tests/${file}.cpp)
        message(FATAL_ERROR "tests/not_for_windows.txt names ${file}, which is not a test")
      endif()
      list(REMOVE_ITEM unit_sources ${CMAKE_SOURCE_DIR}/tests/${file}.cpp)
    endforeach()
  endforeach()
  find_program(LANESCOPE_LLD ld.lld REQUIRED)
endif()
if(unit_sources)
  add_executable(lanescope_tests ${unit_sources} ${program_sources})
  target_link_libraries(lanescope_tests PRIVATE lanescope_engine GTest::gtest_main)
  lanescope_test_program(lanescope_tests 64)
  lanescope_runs_the_program(lanescope_tests)
  if(TARGET lanescope_exec)
    add_dependencies(lanescope_tests lanescope_exec)
  endif()
  foreach(library IN LISTS pretended_libraries)
    set_property(TARGET lanescope_tests APPEND PROPERTY LINK_DEPENDS $<TARGET_FILE:${library}>)
  endforeach()
  # The libraries of `exec` need the sanitizer's runtime, which must come first in the program that loads them: nvcc
  # links it into the programs that the tests build.
  set(sanitized_programs "")
  if(LANESCOPE_SANITIZE)
    set(sanitized_programs ";NVCC_APPEND_FLAGS=-Xcompiler=-fsanitize=address")
  endif()
  # One ctest test per suite: a process per case would load the CUDA compiler again and again.
  set(suites ${CMAKE_BINARY_DIR}/suites.cmake)
  if(NOT EXISTS ${suites})
    file(WRITE ${suites} "add_test(lanescope_tests_NOT_BUILT lanescope_tests_NOT_BUILT)\n")
  endif()
  if(NOT CMAKE_CROSSCOMPILING)
  add_custom_command(TARGET lanescope_tests POST_BUILD BYPRODUCTS ${suites} VERBATIM
    COMMAND ${PYTHON3} ${CMAKE_SOURCE_DIR}/cmake/list_suites.py $<TARGET_FILE:lanescope_tests> ${suites}
            TIMEOUT 900 FIXTURES_REQUIRED kept
            ENVIRONMENT "LSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/cmake/leaks_of_others.txt;LANESCOPE_COMPILED=${kept}${sanitized_programs}")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${suites})
  endif()
endif()

# These count bit by bit and element by element, so they need optimisation.
set_source_files_properties(tests/unit/sim/alu/alu_exact.cpp tests/unit/sim/alu/alu_cases.cpp tests/unit/sim/alu/alu_values.cpp
  tests/unit/metrics/request_cost_test.cpp
  PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Release>:-O1>)

file(GLOB_RECURSE gui_test_sources CONFIGURE_DEPENDS tests/gui/*.cpp)
if(LANESCOPE_GUI AND gui_test_sources AND TARGET lanescope_gui AND NOT WIN32)
  add_executable(lanescope_gui_tests ${gui_test_sources} tests/unit/english.cpp tests/unit/expressions.cpp tests/unit/compile_worker.cpp
    tests/unit/cli/program_linux.cpp tests/unit/golden.cpp)
  target_include_directories(lanescope_gui_tests PRIVATE app tests/gui)
  target_link_libraries(lanescope_gui_tests PRIVATE lanescope_gui lanescope_imgui_test)
  lanescope_test_program(lanescope_gui_tests 11)
  lanescope_runs_the_program(lanescope_gui_tests)  # it starts the program as its worker, and programs with it
  if(TARGET lanescope_exec)
    add_dependencies(lanescope_gui_tests lanescope_exec)
  endif()
  # Split into three parts and started first, because these tests take longest. LeakSanitizer is off, because Mesa keeps
  # memory until the process ends.
  set(part_may_take 600)
  set(sanitized_window "")
  if(LANESCOPE_SANITIZE)
    set(part_may_take 3600)
    set(sanitized_window ";ASAN_OPTIONS=detect_leaks=0")
  endif()
  foreach(part 0 1 2)
    add_test(NAME gui_${part} COMMAND ${CMAKE_SOURCE_DIR}/tests/tools/on_a_virtual_display $<TARGET_FILE:lanescope_gui_tests>)
    set_tests_properties(gui_${part} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT ${part_may_take} COST 1000 FIXTURES_REQUIRED kept
      ENVIRONMENT "LANESCOPE_COMPILED=${kept};GTEST_TOTAL_SHARDS=3;GTEST_SHARD_INDEX=${part}${sanitized_window}")
    if(EXISTS /dev/nvidiactl)  # one program at a time can have the GPU's counters
      set_tests_properties(gui_${part} PROPERTIES RESOURCE_LOCK gpu)
    endif()
  endforeach()
endif()

if(LANESCOPE_GUI AND TARGET lanescope_gui AND NOT WIN32)
  add_test(NAME window_without_libgl COMMAND ${CMAKE_SOURCE_DIR}/tests/tools/on_a_virtual_display
    ${CMAKE_SOURCE_DIR}/tests/tools/window_without_libgl $<TARGET_FILE:lanescope>)
  set_tests_properties(window_without_libgl PROPERTIES SKIP_RETURN_CODE 77 FIXTURES_REQUIRED kept ENVIRONMENT "LANESCOPE_COMPILED=${kept}${sanitized_window}")
endif()

add_test(NAME format COMMAND ${PYTHON3} ${CMAKE_SOURCE_DIR}/tests/tools/format)
set_tests_properties(format PROPERTIES ENVIRONMENT LANESCOPE_DEPS=${LANESCOPE_DEPS})
add_test(NAME layering COMMAND ${PYTHON3} ${CMAKE_SOURCE_DIR}/cmake/check_layering.py
  ${CMAKE_SOURCE_DIR}/engine ${CMAKE_SOURCE_DIR}/app ${CMAKE_SOURCE_DIR}/tests/unit ${CMAKE_SOURCE_DIR}/tests/gui)
add_test(NAME layering_check_itself COMMAND ${PYTHON3} ${CMAKE_SOURCE_DIR}/tests/tools/check_layering_test.py)
add_test(NAME systems COMMAND ${PYTHON3} ${CMAKE_SOURCE_DIR}/cmake/check_systems.py ${CMAKE_SOURCE_DIR})
add_test(NAME systems_check_itself COMMAND ${PYTHON3} ${CMAKE_SOURCE_DIR}/tests/tools/check_systems_test.py)
add_test(NAME twins COMMAND ${PYTHON3} ${CMAKE_SOURCE_DIR}/cmake/check_twins.py ${CMAKE_SOURCE_DIR})
add_test(NAME twins_check_itself COMMAND ${PYTHON3} ${CMAKE_SOURCE_DIR}/tests/tools/check_twins_test.py)
add_test(NAME recipes_check_itself COMMAND ${PYTHON3} ${CMAKE_SOURCE_DIR}/tests/tools/check_recipes_test.py)
add_test(NAME recipes COMMAND ${PYTHON3} ${CMAKE_SOURCE_DIR}/cmake/check_recipes.py ${CMAKE_SOURCE_DIR})
add_test(NAME headers_compile_alone COMMAND ${PYTHON3} ${CMAKE_SOURCE_DIR}/cmake/check_headers.py ${CMAKE_SOURCE_DIR}
  $<IF:$<TARGET_EXISTS:lanescope_imgui>,engine$<COMMA>app,engine$<COMMA>app/cli>
  ${CMAKE_CXX_COMPILER} -std=c++20 -I${CMAKE_SOURCE_DIR}/engine -I${CMAKE_SOURCE_DIR}/app -I${LANESCOPE_DEPS}/cuda/include
  "$<$<TARGET_EXISTS:lanescope_imgui>:-I$<JOIN:$<TARGET_PROPERTY:lanescope_imgui,INTERFACE_INCLUDE_DIRECTORIES>,;-I>>"
  COMMAND_EXPAND_LISTS)
set_tests_properties(headers_compile_alone PROPERTIES COST 900)  # takes long, so it must not run last and alone
add_test(NAME sum_up COMMAND ${PYTHON3} ${CMAKE_SOURCE_DIR}/tests/tools/sum_up_test.py)
add_test(NAME fetch COMMAND ${PYTHON3} ${CMAKE_SOURCE_DIR}/tests/tools/fetch_test.py)
add_test(NAME packaging COMMAND ${PYTHON3} ${CMAKE_SOURCE_DIR}/tests/tools/packaging_test.py)
add_test(NAME setup COMMAND ${CMAKE_SOURCE_DIR}/tests/tools/setup_test.sh)
set_tests_properties(fetch PROPERTIES ENVIRONMENT LANESCOPE_FETCHED=${LANESCOPE_DEPS})
if(TARGET lanescope)
  add_test(NAME python_package COMMAND ${PYTHON3} ${CMAKE_SOURCE_DIR}/tests/python/package_test.py $<TARGET_FILE:lanescope>)
  set_tests_properties(python_package PROPERTIES SKIP_RETURN_CODE 77 FIXTURES_REQUIRED kept ENVIRONMENT "LANESCOPE_COMPILED=${kept};LANESCOPE_DEPS=${LANESCOPE_DEPS}")
endif()
# Under the sanitizers, these errors must end a program.
if(LANESCOPE_SANITIZE)
  add_executable(overflows tests/sanitizers/overflows.cpp)
  target_compile_options(overflows PRIVATE -O2)
  foreach(error sum shift beyond)
    add_test(NAME sanitizers_end_at_${error} COMMAND overflows ${error})
    set_tests_properties(sanitizers_end_at_${error} PROPERTIES WILL_FAIL ON)
  endforeach()
  add_test(NAME sanitizers_end_nothing_else COMMAND overflows)
endif()

if(TARGET lanescope AND NOT LANESCOPE_SANITIZE)
  add_test(NAME arithmetic COMMAND ${PYTHON3} ${CMAKE_SOURCE_DIR}/tests/tools/arithmetic_test.py $<TARGET_FILE:lanescope>)
  set_tests_properties(arithmetic PROPERTIES COST 300 FIXTURES_REQUIRED kept ENVIRONMENT "LANESCOPE_COMPILED=${kept};LANESCOPE_DEPS=${LANESCOPE_DEPS}")
  add_test(NAME needs_only_libc COMMAND ${PYTHON3} ${CMAKE_SOURCE_DIR}/tests/tools/needs_only_libc.py $<TARGET_FILE:lanescope>)
endif()
