# The .deb (cmake/debian/README.md). `cpack -G DEB` in the build folder packs what is built; the target `deb` builds it first.
set(WEFT_PACKAGE_MAINTAINER "Weft <weft@weft.invalid>" CACHE STRING "Name and address in the package, of whoever builds it")
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME weft)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT ${WEFT_PACKAGE_MAINTAINER})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "IDE for TensorFlow 1.x dataflow graphs")
set(CPACK_PACKAGE_DESCRIPTION "Weft Studio draws, trains, debugs, profiles and inspects dataflow graphs
of TensorFlow 1.x on an engine of its own. It reads and writes TensorFlow's
graphs, checkpoints, SavedModels and event files, and models of Keras, ONNX
and TensorFlow Lite.
.
The command weft does the same without a window, and runs Python programs
for TensorFlow 1.x.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 0)  # as many as there are cores
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/debian/finish_tree.cmake)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/cmake/debian/postinst ${PROJECT_SOURCE_DIR}/cmake/debian/prerm ${PROJECT_SOURCE_DIR}/cmake/debian/postrm)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
# The window's fonts, its pictures, and what `weft py` and logs of other machines need.
set(recommended fonts-inter fonts-jetbrains-mono fonts-wqy-microhei qt6-qpa-plugins openssh-client)
if(NOT WEFT_PYTHON_MISSING)
  math(EXPR next_minor "${WEFT_PYTHON_MINOR} + 1")
  list(APPEND recommended "python3 (>= 3.${WEFT_PYTHON_MINOR}~)" "python3 (<< 3.${next_minor}~)" python3-numpy python3-protobuf)
endif()
list(JOIN recommended ", " CPACK_DEBIAN_PACKAGE_RECOMMENDS)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3-h5py, tensorboard, qt6-wayland")
include(CPack)

if(WEFT_STUDIO)
  add_custom_target(deb COMMAND ${CMAKE_CPACK_COMMAND} -G DEB COMMENT "The package is in ${CMAKE_BINARY_DIR}" VERBATIM)
  add_dependencies(deb weft-product)
endif()
