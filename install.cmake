# What an installation has (cmake --install build, DESTDIR too) and the Debian package (cpack -G DEB).
#
#   bin/rung                 finds the rest from where it is itself
#   lib/rung/                modules: MPI
#   share/rung/library/      rung's Modelica library
#   share/rung/editors/      the extension for VS Code, to be packaged (docs/editors.md)
#   share/rung/python/       the Python package: pip install PREFIX/share/rung/python
#   share/man/man1/          the man pages, written by the program from the text of its help
#   share/doc/rung/linkage/  the reference of rung's library, as pages
#   share/bash-completion, share/zsh, share/doc/rung
include(GNUInstallDirs)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME rung)

# A build folder elsewhere, or one that was moved, has the library beside the program, too.
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/library ${CMAKE_BINARY_DIR}/library SYMBOLIC)

set(man ${CMAKE_BINARY_DIR}/man)
set(completion ${CMAKE_BINARY_DIR}/completion)
file(MAKE_DIRECTORY ${completion})
add_custom_command(
  OUTPUT ${man}/rung.1 ${completion}/rung ${completion}/_rung
  COMMAND rung manual -o ${man}
  COMMAND rung completion bash -o ${completion}/rung
  COMMAND rung completion zsh -o ${completion}/_rung
  DEPENDS rung)
set(reference ${CMAKE_BINARY_DIR}/linkage_reference)
file(GLOB_RECURSE library_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/library/Linkage/*.mo
     ${CMAKE_SOURCE_DIR}/library/Linkage/package.order)
add_custom_command(
  OUTPUT ${reference}/index.html
  COMMAND rung doc ${CMAKE_SOURCE_DIR}/library/Linkage -o ${reference}
  DEPENDS rung ${library_files})
add_custom_target(rung_texts ALL DEPENDS ${man}/rung.1 ${completion}/rung ${completion}/_rung ${reference}/index.html)

install(TARGETS rung RUNTIME DESTINATION bin)
install(DIRECTORY library DESTINATION share/rung)
install(DIRECTORY python DESTINATION share/rung
  FILES_MATCHING PATTERN "*.py" PATTERN "*.c" PATTERN "py.typed" PATTERN "*.toml" PATTERN "*.md"
  PATTERN "build" EXCLUDE PATTERN "*.egg-info" EXCLUDE PATTERN "__pycache__" EXCLUDE)
install(DIRECTORY editors DESTINATION share/rung
  PATTERN "node_modules" EXCLUDE PATTERN "*.vsix" EXCLUDE PATTERN "package-lock.json" EXCLUDE)
install(DIRECTORY ${man}/ DESTINATION share/man/man1 FILES_MATCHING PATTERN "*.1")
install(FILES ${completion}/rung DESTINATION share/bash-completion/completions)
install(FILES ${completion}/_rung DESTINATION share/zsh/site-functions)
install(DIRECTORY ${reference}/ DESTINATION share/doc/rung/linkage)
install(FILES README.md LICENSE DESTINATION share/doc/rung)
install(FILES runtime/LICENSE DESTINATION share/doc/rung RENAME LICENSE.runtime)
if(TARGET rung_mpi)
  install(TARGETS rung_mpi LIBRARY DESTINATION lib/rung COMPONENT mpi)
endif()

# Two packages: the second one needs MPI. What the programs are linked with is found by dpkg-shlibdeps.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME rung)
set(CPACK_PACKAGE_CONTACT "the authors of rung <rung@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "compiler from Modelica to fast C")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_RUNG_PACKAGE_NAME rung)
set(CPACK_DEBIAN_RUNG_PACKAGE_DEPENDS "gcc | c-compiler, libc6-dev")
set(CPACK_DEBIAN_RUNG_PACKAGE_SUGGESTS "rung-mpi, make, librsvg2-2, libnlopt0")
set(CPACK_DEBIAN_MPI_PACKAGE_NAME rung-mpi)
set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "rung (= ${PROJECT_VERSION}), openmpi-bin")
set(CPACK_COMPONENT_RUNG_DESCRIPTION
    "Compiles equation-based models (Modelica) to C, with the cost of a multibody model linear in its
bodies, and simulates them.")
set(CPACK_COMPONENT_MPI_DESCRIPTION "Runs of `rung sweep` by the ranks of mpirun.")
set(CPACK_COMPONENTS_ALL rung)
if(TARGET rung_mpi)
  list(APPEND CPACK_COMPONENTS_ALL mpi)
endif()
include(CPack)
