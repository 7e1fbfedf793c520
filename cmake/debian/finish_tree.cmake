# Run by CPack when the tree is installed below CPACK_TEMPORARY_DIRECTORY: adds what Debian's policy asks for.
set(root ${CPACK_TEMPORARY_DIRECTORY}${CPACK_PACKAGING_INSTALL_PREFIX})
set(documents ${root}/share/doc/${CPACK_PACKAGE_NAME})
file(REMOVE ${documents}/LICENSE)  # Debian has the text in /usr/share/common-licenses
file(COPY ${CMAKE_CURRENT_LIST_DIR}/copyright DESTINATION ${documents})
string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC)  # that of SOURCE_DATE_EPOCH, if it is set
file(WRITE ${documents}/changelog "${CPACK_PACKAGE_NAME} (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium\n\n  * CHANGELOG.md beside this file lists the changes.\n\n -- ${CPACK_PACKAGE_CONTACT}  ${now}\n")
file(GLOB pages ${root}/share/man/man1/*.1)
execute_process(COMMAND gzip -9nf ${documents}/changelog ${pages} COMMAND_ERROR_IS_FATAL ANY)
