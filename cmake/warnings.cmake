option(LANESCOPE_WERROR "Treat warnings as errors" OFF)
# A short build omits warnings: they take 3 % of its time.
function(lanescope_warnings target)
  if(LANESCOPE_SHORT_BUILD AND NOT LANESCOPE_WERROR)
    return()
  endif()
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
    -Wno-sign-conversion -Wnon-virtual-dtor -Wno-missing-field-initializers)
  if(LANESCOPE_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()
