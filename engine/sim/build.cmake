# Every product and sum is rounded by itself, as PTX says; fma is asked for by name.
target_compile_options(lanescope_engine_inner_loops PRIVATE -ffp-contract=off)

# The interpreter's handlers exist once for each instruction set; isa() chooses when the program starts.
# NAME_avx2.cpp and NAME_avx512.cpp in these folders are compiled for theirs.
file(GLOB_RECURSE sim_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/engine/sim/*.cpp)
foreach(source IN LISTS sim_sources)
  set(options "")
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    if(source MATCHES "/alu_lanes\\.cpp$")
      list(APPEND options $<$<CONFIG:Release>:-Og>)  # for processors of before 2013: not worth the wait
    elseif(source MATCHES "_avx2\\.cpp$")
      list(APPEND options -mavx2 -mfma -mf16c -mbmi -mbmi2 -mlzcnt -mpopcnt)
    elseif(source MATCHES "_avx512\\.cpp$")
      list(APPEND options -mavx2 -mfma -mf16c -mbmi -mbmi2 -mlzcnt -mpopcnt
           -mavx512f -mavx512bw -mavx512dq -mavx512vl -mavx512cd -mprefer-vector-width=512)
    endif()
  endif()
  if(source MATCHES "/alu[^/]*\\.cpp$")
    # Loops over lanes: optimised in a debug build too, or its tests take minutes. No errno and no trap is looked at.
    list(APPEND options $<$<CONFIG:Debug>:-O2> -fno-math-errno -fno-trapping-math)
  endif()
  if(options)
    set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "${options}")
  endif()
endforeach()

# In a short build the files of a room are compiled together, and no others: what a warp does all the time is inlined across
# its files, and a new file elsewhere does not change what the compiler makes of them.
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
