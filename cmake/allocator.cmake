# mimalloc in place of the C library's malloc in the programs (the engine as a library leaves the choice to its user): graphs are many small
# allocations on two threads. Not under a sanitizer, which brings an allocator of its own.
if(NOT WEFT_SANITIZE)
  find_library(WEFT_MIMALLOC mimalloc)
endif()
function(weft_use_fast_allocator target)
  if(NOT WEFT_SANITIZE AND WEFT_MIMALLOC)
    # Nothing references it by name; linked before the C library it provides malloc.
    target_link_libraries(${target} PRIVATE -Wl,--push-state,--no-as-needed ${WEFT_MIMALLOC} -Wl,--pop-state)
  endif()
endfunction()
