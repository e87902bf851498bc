# A clean build that is not long to wait for: of what is to be run, not worked on. Not with a compiler cache, which can reuse
# none of it, and not in debug builds: there each file must stand alone, and a change recompiles one.
set(short_build OFF)
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(short_build ON)
endif()
option(LANESCOPE_SHORT_BUILD "Compile several files of a target together" ${short_build})

# The compiler's garbage collector takes a seventh of its time: where each core has the memory, it begins at a gigabyte
# instead of 128 MB.
cmake_host_system_information(RESULT memory_mib QUERY TOTAL_PHYSICAL_MEMORY)
cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
math(EXPR LANESCOPE_MIB_A_CORE "${memory_mib} / ${cores}")
if(LANESCOPE_SHORT_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND LANESCOPE_MIB_A_CORE GREATER_EQUAL 1536)
  add_compile_options("SHELL:--param ggc-min-heapsize=1000000")
endif()

# {fmt}'s checks of format strings by the compiler are a twentieth of the time of files that format: like warnings, they are
# for the builds that are worked on. Text that a format string does not fit would be found by them there.
if(LANESCOPE_SHORT_BUILD)
  add_compile_definitions(FMT_CONSTEVAL=)
endif()

# The files of a target are compiled BATCH at a time: what they have in common, headers and what is made of templates, is a third
# of what is compiled, and compiled once a batch (precompiled headers save nothing beside that). A batch of 64 takes 2.5 GiB, so
# where a core has less memory it is a third as large.
function(lanescope_short_build target batch)
  if(NOT LANESCOPE_SHORT_BUILD)
    return()
  endif()
  if(LANESCOPE_MIB_A_CORE LESS 3072)
    math(EXPR batch "(${batch} + 2) / 3")
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${batch})
  target_compile_options(${target} PRIVATE -Wno-shadow)  # files that meet here alone do not hide each other's names
endfunction()
