# A fast clean build, for running rather than developing. Not with a compiler cache, which could not reuse its results, and
# not in debug builds, where each file must compile alone and a change recompiles only one.
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
  if(NOT LANESCOPE_SHORT_BUILD)
    return()
  endif()
  if(LANESCOPE_MIB_A_CORE LESS 3072)
    math(EXPR batch "(${batch} + 2) / 3")
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${batch})
  target_compile_options(${target} PRIVATE -Wno-shadow)  # files that are only combined here cannot hide each other's names
endfunction()
