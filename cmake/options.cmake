# Compiler settings that every target of the project shares, as one interface target: weft::options.
include(GNUInstallDirs)

# Warnings differ between compilers, and sanitizers add some; only those of the main compiler (Debian 12's) are errors.
set(weft_checked_compiler OFF)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 12 AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13 AND NOT WEFT_SANITIZE)
  set(weft_checked_compiler ON)
endif()
option(WEFT_WERROR "Warnings are errors" ${weft_checked_compiler})

add_library(weft-options INTERFACE)
add_library(weft::options ALIAS weft-options)
target_compile_options(weft-options INTERFACE -Wall -Wextra -Wno-unused-parameter
  # GCC 12 gives false warnings about its own inlined std::string, std::vector and std::variant.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-array-bounds;-Wno-maybe-uninitialized;-Wno-stringop-overflow;-Wno-stringop-overread>
  $<$<BOOL:${WEFT_WERROR}>:-Werror>)

# Optimisation is CMake's for the build type (-O3 in Release); what needs other settings says so beside its sources. Denormals are handled per thread at run
# time, never by -ffast-math.
if(WEFT_SANITIZE)
  string(REPLACE "," ";" weft_sanitizers "${WEFT_SANITIZE}")
  foreach(s ${weft_sanitizers})
    target_compile_options(weft-options INTERFACE -fsanitize=${s} -fno-omit-frame-pointer -g1)
    target_link_options(weft-options INTERFACE -fsanitize=${s})
  endforeach()
  # Python is not built with the sanitizer but loads the engine, so the runtime is a shared library, passed to tests as WEFT_SANITIZER_RUNTIME.
  set(runtime)
  if("address" IN_LIST weft_sanitizers)
    set(runtime asan)
  elseif("thread" IN_LIST weft_sanitizers)
    set(runtime tsan)
  endif()
  if(runtime)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
      set(runtime libclang_rt.${runtime}-${CMAKE_SYSTEM_PROCESSOR}.so)
      add_link_options(-shared-libsan)
    else()
      set(runtime lib${runtime}.so)
    endif()
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=${runtime} OUTPUT_VARIABLE WEFT_SANITIZER_RUNTIME OUTPUT_STRIP_TRAILING_WHITESPACE)
    get_filename_component(runtimeFolder ${WEFT_SANITIZER_RUNTIME} DIRECTORY)
    list(APPEND CMAKE_BUILD_RPATH ${runtimeFolder})
  endif()
  # Out-of-range casts to integers keep the processor's result, which TensorFlow gives too.
  target_compile_options(weft-options INTERFACE $<$<CXX_COMPILER_ID:Clang>:-fno-sanitize=float-cast-overflow>)
  if("thread" IN_LIST weft_sanitizers)
    target_compile_definitions(weft-options INTERFACE WEFT_TSAN=1)
  endif()
endif()

find_program(WEFT_CCACHE ccache)
if(WEFT_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Paths are relative to the top of the tree, so that clones and work trees share the compiler cache.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${WEFT_CCACHE})
endif()
find_program(WEFT_MOLD mold)
if(WEFT_MOLD AND NOT WEFT_SANITIZE)
  add_link_options(-fuse-ld=mold)
endif()
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)
# The libraries are Weft's alone (no headers are installed): they and the Python modules are in a folder of their own.
set(WEFT_INSTALL_LIBRARIES ${CMAKE_INSTALL_LIBDIR}/weft)
set(CMAKE_INSTALL_RPATH "$ORIGIN/../${WEFT_INSTALL_LIBRARIES}" ${runtimeFolder})
