# Every change links the program and two test programs, so linking must be fast in a development build: lld where it is there,
# and debug information left beside the objects.
if(NOT LANESCOPE_QUICK_REBUILD)
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
