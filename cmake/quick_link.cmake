# Every change links the program and two test programs, so linking must be fast in a development build.
option(LANESCOPE_QUICK_LINK "Link for a short rebuild: lld where it is there, debug information left beside the objects" OFF)
if(NOT LANESCOPE_QUICK_LINK OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  return()
endif()

add_compile_options(-gsplit-dwarf)
# Thin archives contain the names of objects instead of copies.
foreach(language C CXX)
  set(CMAKE_${language}_ARCHIVE_CREATE "<CMAKE_AR> qcT <TARGET> <LINK_FLAGS> <OBJECTS>")
  set(CMAKE_${language}_ARCHIVE_APPEND "<CMAKE_AR> qT <TARGET> <LINK_FLAGS> <OBJECTS>")
endforeach()
find_program(LANESCOPE_LLD ld.lld)
if(LANESCOPE_LLD)
  add_link_options(-fuse-ld=lld)
endif()
