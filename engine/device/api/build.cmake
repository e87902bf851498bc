# The CUDA libraries that `lanescope exec` loads into a program: build/*/exec/. Their entry points come from CUDA's own headers.
if(NOT CMAKE_SYSTEM_NAME STREQUAL "Linux")  # the loader there searches such libraries before a program's own
  return()
endif()
set(exec_folder ${CMAKE_BINARY_DIR}/exec)
set(entries_folder ${CMAKE_BINARY_DIR}/entries)
set(cuda_include ${LANESCOPE_DEPS}/cuda/include)
if(NOT EXISTS ${cuda_include}/cuda_runtime_api.h)
  message(STATUS "CUDA's headers are not in ${LANESCOPE_DEPS}: no `lanescope exec`")
  return()
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/nvcc.sh ${exec_folder}/bin/nvcc COPYONLY)
configure_file(${CMAKE_CURRENT_LIST_DIR}/ptxas.sh ${exec_folder}/triton/ptxas COPYONLY)
# PyCUDA looks for it beside the nvcc that it finds, which is the one above, or in LD_LIBRARY_PATH. The linker reads only that it
# is an archive (image.h).
file(CONFIGURE OUTPUT ${exec_folder}/libcudadevrt.a CONTENT "!<arch>\n" @ONLY NEWLINE_STYLE UNIX)
find_program(PYTHON3 python3 REQUIRED)
set(entries_script ${CMAKE_CURRENT_LIST_DIR}/entries.py)
set(made "")
foreach(name renames.h missing.inc entries.inc redirected.inc versions.inc runtime_errors.inc driver_errors.inc
    libcudart.so.13.S libcudart.so.12.S libcuda.so.1.S libcudart.so.13.map libcudart.so.12.map libcuda.so.1.map
    libnvJitLink.so.13.S libnvJitLink.so.12.S libnvJitLink.so.13.map libnvJitLink.so.12.map)
  list(APPEND made ${entries_folder}/${name})
endforeach()
add_custom_command(OUTPUT ${made} VERBATIM DEPENDS ${entries_script} ${cuda_include}/cuda.h ${cuda_include}/cuda_runtime_api.h
  COMMAND ${PYTHON3} ${entries_script} ${cuda_include} ${entries_folder})
add_custom_target(lanescope_exec_entries DEPENDS ${made})

# One library contains the device, so a program that calls both APIs uses one device; the others only jump into it.
file(GLOB_RECURSE api_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.cpp)
list(FILTER api_sources EXCLUDE REGEX "/inside/")
add_library(lanescope_device SHARED ${api_sources})
add_dependencies(lanescope_device lanescope_exec_entries)
target_include_directories(lanescope_device PRIVATE ${entries_folder})
target_include_directories(lanescope_device SYSTEM PRIVATE ${cuda_include})
target_link_libraries(lanescope_device PRIVATE lanescope_engine)
lanescope_warnings(lanescope_device)
if(LANESCOPE_SANITIZE)
  # A program may pass any int where the API's C header says enum.
  target_compile_options(lanescope_device PRIVATE -fno-sanitize=enum)
endif()
lanescope_short_build(lanescope_device 30)
# Each API is compiled separately: some names of one are macros or other types in the other. Files without a group are compiled alone.
set_target_properties(lanescope_device PROPERTIES UNITY_BUILD_MODE GROUP)
foreach(source IN LISTS api_sources)
  if(source MATCHES "/(runtime)_[a-z_]+\\.cpp$")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${CMAKE_MATCH_1})
  endif()
endforeach()
target_compile_options(lanescope_device PRIVATE $<$<CONFIG:Release>:-Og>)
set(device_map ${CMAKE_CURRENT_LIST_DIR}/device.map)
# It stays loaded: NVIDIA's runtime in a stripped program opens and closes the driver, and the C library of the wheel's compiler
# keeps this library's functions for exit() even then.
target_link_options(lanescope_device PRIVATE -static-libstdc++ -static-libgcc -Wl,--version-script=${device_map} -Wl,-z,defs -Wl,-z,nodelete)
set_target_properties(lanescope_device PROPERTIES OUTPUT_NAME lanescope-device LIBRARY_OUTPUT_DIRECTORY ${exec_folder}
  LINK_DEPENDS ${device_map})

enable_language(ASM)
function(lanescope_cuda_library target name)
  add_library(${target} SHARED ${entries_folder}/${name}.S)
  target_link_libraries(${target} PRIVATE lanescope_device)
  target_link_options(${target} PRIVATE -nostdlib -Wl,-soname,${name})
  if(NOT name STREQUAL "libcuda.so.1")  # NVIDIA's has no versions
    target_link_options(${target} PRIVATE -Wl,--version-script=${entries_folder}/${name}.map)
  endif()
  set_target_properties(${target} PROPERTIES PREFIX "" OUTPUT_NAME ${name} SUFFIX "" NO_SONAME ON LINKER_LANGUAGE CXX
    LIBRARY_OUTPUT_DIRECTORY ${exec_folder} BUILD_RPATH "$ORIGIN" INSTALL_RPATH "$ORIGIN" BUILD_RPATH_USE_ORIGIN ON)
  add_dependencies(${target} lanescope_exec_entries)
endfunction()
lanescope_cuda_library(lanescope_cudart_13 libcudart.so.13)
lanescope_cuda_library(lanescope_cudart_12 libcudart.so.12)
lanescope_cuda_library(lanescope_cuda_1 libcuda.so.1)
lanescope_cuda_library(lanescope_jit_link_13 libnvJitLink.so.13)
lanescope_cuda_library(lanescope_jit_link_12 libnvJitLink.so.12)
# Python packages look for nvJitLink beside themselves, but use one that is already loaded, so the driver loads it.
target_link_options(lanescope_cuda_1 PRIVATE -Wl,--no-as-needed)
target_link_libraries(lanescope_cuda_1 PRIVATE lanescope_jit_link_13 lanescope_jit_link_12)
add_custom_target(lanescope_exec ALL DEPENDS lanescope_cudart_13 lanescope_cudart_12 lanescope_cuda_1)

# The loader gives it its own copy of every library that it needs: the C library alone.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  add_library(lanescope_inside SHARED ${CMAKE_CURRENT_LIST_DIR}/inside/redirect.cpp)
  add_dependencies(lanescope_inside lanescope_exec_entries)
  target_include_directories(lanescope_inside PRIVATE ${entries_folder})
  target_compile_options(lanescope_inside PRIVATE -fvisibility=hidden -fno-exceptions -fno-rtti -fno-threadsafe-statics -fno-sanitize=all)
  target_link_options(lanescope_inside PRIVATE -nodefaultlibs -fno-sanitize=all)
  target_link_libraries(lanescope_inside PRIVATE c gcc ${CMAKE_DL_LIBS})
  lanescope_warnings(lanescope_inside)
  set_target_properties(lanescope_inside PROPERTIES OUTPUT_NAME lanescope-inside LIBRARY_OUTPUT_DIRECTORY ${exec_folder})
  add_dependencies(lanescope_exec lanescope_inside)
endif()
