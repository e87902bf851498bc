# Every product and sum is rounded separately, as PTX says; fma is called explicitly.
target_compile_options(lanescope_engine_inner_loops PRIVATE -ffp-contract=off)
# Each function begins a line of the instruction cache. Otherwise a change anywhere moves them all, which made `matmul` up to
# 7 % slower or faster.
target_compile_options(lanescope_engine_inner_loops PRIVATE -falign-functions=64)
# zig keeps the frame pointer, a register that these loops need.
target_compile_options(lanescope_engine_inner_loops PRIVATE $<$<CONFIG:Release>:-fomit-frame-pointer>)

# The interpreter's handlers exist once for each instruction set; isa() chooses when the program starts.
# NAME_avx2.cpp and NAME_avx512.cpp in these folders are compiled for these sets.
file(GLOB_RECURSE sim_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/engine/sim/*.cpp)
foreach(source IN LISTS sim_sources)
  set(options "")
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    if(source MATCHES "/alu_lanes\\.cpp$")
      list(APPEND options $<$<CONFIG:Release>:-Og>)  # for processors older than 2013: not worth the compile time
    elseif(source MATCHES "_avx2\\.cpp$")
      list(APPEND options -mavx2 -mfma -mf16c -mbmi -mbmi2 -mlzcnt -mpopcnt)
    elseif(source MATCHES "_avx512\\.cpp$")
      list(APPEND options -mavx2 -mfma -mf16c -mbmi -mbmi2 -mlzcnt -mpopcnt
           -mavx512f -mavx512bw -mavx512dq -mavx512vl -mavx512cd -mprefer-vector-width=512)
    endif()
  endif()
  if(source MATCHES "/alu[^/]*\\.cpp$")
    # Loops over lanes are optimised in debug builds too; otherwise the tests take minutes. Neither errno nor traps are used.
    list(APPEND options $<$<CONFIG:Debug>:-O2> -fno-math-errno -fno-trapping-math)
  endif()
  if(options)
    set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "${options}")
  endif()
endforeach()

# In a short build, only files of the same room are compiled together: a warp's inner loops are inlined across its files, and a
# new file elsewhere does not change the generated code.
if(LANESCOPE_SHORT_BUILD)
  set_target_properties(lanescope_engine_inner_loops PROPERTIES UNITY_BUILD_MODE GROUP)
  foreach(source IN LISTS sim_sources)
    get_source_file_property(options ${source} COMPILE_OPTIONS)
    if(options)
      continue()
    elseif(source MATCHES "/sim/warp/")
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP warp)
    else()
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP others)
    endif()
  endforeach()
  set_source_files_properties(${CMAKE_SOURCE_DIR}/engine/metrics/request_cost.cpp PROPERTIES UNITY_GROUP others)
endif()
