# A fast clean build, for running rather than developing. Not with a compiler cache, which could not reuse its results, and
# not in debug builds, where a change should recompile little: those of LANESCOPE_QUICK_REBUILD have small batches instead, and
# those for the sanitizers compile each file alone.
set(short_build OFF)
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(short_build ON)
endif()
option(LANESCOPE_SHORT_BUILD "Compile several files of a target together" ${short_build})

# The compiler's garbage collector takes a seventh of the time. If there is enough memory per core, it starts at one gigabyte
# instead of 128 MB.
cmake_host_system_information(RESULT memory_mib QUERY TOTAL_PHYSICAL_MEMORY)
cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
math(EXPR LANESCOPE_MIB_A_CORE "${memory_mib} / ${cores}")
if(LANESCOPE_SHORT_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND LANESCOPE_MIB_A_CORE GREATER_EQUAL 1536)
  add_compile_options("SHELL:--param ggc-min-heapsize=1000000")
endif()

# {fmt}'s compile-time checks of format strings take a twentieth of the compile time of files that use them. Like warnings,
# they are left to development builds, which find wrong format strings.
if(LANESCOPE_SHORT_BUILD)
  add_compile_definitions(FMT_CONSTEVAL=)
endif()

# Compiles the files of a target in batches of BATCH. Headers and templates that files share are a third of the compile time
# and are then compiled once per batch (precompiled headers would save nothing more). A batch of 64 needs 2.5 GiB, so with
# less memory per core a batch has a third of the size.
function(lanescope_short_build target batch)
  if(LANESCOPE_QUICK_REBUILD AND CMAKE_CURRENT_SOURCE_DIR STREQUAL CMAKE_SOURCE_DIR)  # what is fetched stays as it is
    cmake_language(EVAL CODE "cmake_language(DEFER CALL lanescope_quick_rebuild ${target})")  # when all properties are set
  endif()
  if(NOT LANESCOPE_SHORT_BUILD)
    return()
  endif()
  if(LANESCOPE_MIB_A_CORE LESS 3072)
    math(EXPR batch "(${batch} + 2) / 3")
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${batch})
  target_compile_options(${target} PRIVATE -Wno-shadow)  # files that are only combined here cannot hide each other's names
endfunction()

# For LANESCOPE_QUICK_REBUILD. Small batches: a change of one file recompiles its batch, which takes seconds, and a change of a
# header that most files include takes a fraction of what it takes file by file. A batch has 8 to 20 neighbours; after the eighth,
# each file whose path has a certain hash begins another. So a new file changes its own batch and at most the next. Files that name
# opcodes are together, because a new row recompiles them all. CMake leaves files with options of their own alone.
function(lanescope_quick_rebuild target)
  get_target_property(sources ${target} SOURCES)
  get_target_property(mode ${target} UNITY_BUILD_MODE)
  set(place 0)
  foreach(source IN LISTS sources)
    get_source_file_property(options ${source} COMPILE_OPTIONS)
    if(options)
      set_source_files_properties(${source} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
    elseif(source MATCHES "\\.cpp$" AND NOT mode STREQUAL "GROUP")  # else it has its groups
      file(STRINGS ${source} opcodes REGEX "#include \"ptx/opcode\\.h\"" LIMIT_COUNT 1)
      if(opcodes)
        set_source_files_properties(${source} PROPERTIES UNITY_GROUP opcodes)
        continue()
      endif()
      cmake_path(ABSOLUTE_PATH source OUTPUT_VARIABLE path)
      file(RELATIVE_PATH path ${CMAKE_SOURCE_DIR} ${path})
      string(MD5 hash ${path})
      if(place EQUAL 0 OR place EQUAL 20 OR (place GREATER_EQUAL 8 AND hash MATCHES "^[01]"))
        string(REGEX REPLACE "[^a-z0-9]" "_" group ${path})  # the batch is named after its first file
        set(place 0)
      endif()
      math(EXPR place "${place} + 1")
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  target_compile_options(${target} PRIVATE -Wno-shadow)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND NOT CMAKE_CXX_COMPILER_LAUNCHER)  # with g++ they would save a fifth
    target_precompile_headers(${target} PRIVATE <algorithm> <array> <atomic> <bit> <charconv> <chrono> <cmath> <cstdint> <cstring>
      <deque> <filesystem> <fstream> <functional> <future> <limits> <map> <memory> <mutex> <optional> <random> <set> <span> <sstream>
      <string> <string_view> <thread> <tuple> <unordered_map> <utility> <variant> <vector>
      <fmt/format.h> <fmt/ranges.h> <nlohmann/json.hpp>)
    get_target_property(libraries ${target} LINK_LIBRARIES)
    if("GTest::gtest" IN_LIST libraries)
      target_precompile_headers(${target} PRIVATE <gmock/gmock.h> <gtest/gtest.h>)
    endif()
  endif()
endfunction()
