# The script and style of pages that show mechanisms, and three.js with its controls (Debian's
# libjs-three), as tables in the compiler (viewer.h).
set(viewer_dir ${CMAKE_SOURCE_DIR}/emit/picture/viewer)
file(GLOB viewer_files CONFIGURE_DEPENDS ${viewer_dir}/*.js ${viewer_dir}/*.css)
set(viewer_out ${CMAKE_BINARY_DIR}/viewer_table.c)
add_custom_command(
  OUTPUT ${viewer_out}
  COMMAND ${CMAKE_COMMAND} -DOUT=${viewer_out} -DDIR=${viewer_dir} -DTABLE=viewer
          -DHEADER=emit/picture/viewer.h "-DPATTERNS=*.js\\;*.css"
          -P ${CMAKE_SOURCE_DIR}/emit/model/bundle.cmake
  DEPENDS ${viewer_files} ${CMAKE_SOURCE_DIR}/emit/model/bundle.cmake)

find_path(THREE_DIR three.min.js PATHS /usr/share/javascript/three REQUIRED NO_DEFAULT_PATH)
set(three_dir ${CMAKE_BINARY_DIR}/three)
file(MAKE_DIRECTORY ${three_dir})
foreach(file three.min.js examples/js/controls/OrbitControls.js)
  get_filename_component(real ${THREE_DIR}/${file} REALPATH)
  get_filename_component(name ${file} NAME)
  configure_file(${real} ${three_dir}/${name} COPYONLY)
endforeach()
configure_file(${THREE_DIR}/../../doc/libjs-three/copyright ${three_dir}/LICENSE COPYONLY)
set(three_out ${CMAKE_BINARY_DIR}/three_table.c)
add_custom_command(
  OUTPUT ${three_out}
  COMMAND ${CMAKE_COMMAND} -DOUT=${three_out} -DDIR=${three_dir} -DTABLE=three
          -DHEADER=emit/picture/viewer.h "-DPATTERNS=*.js\\;LICENSE"
          -P ${CMAKE_SOURCE_DIR}/emit/model/bundle.cmake
  DEPENDS ${three_dir}/three.min.js ${CMAKE_SOURCE_DIR}/emit/model/bundle.cmake)
target_sources(rung_emit PRIVATE ${viewer_out} ${three_out})
