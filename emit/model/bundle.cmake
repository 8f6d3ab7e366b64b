# Writes the sources of the runtime into a C table (bundle.h). As a script:
#   cmake -DOUT=bundle_table.c -DDIR=runtime -P bundle.cmake
# (TABLE, HEADER, PATTERNS: another table of other files.)
# Included: adds the table to the library rung_emit.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(bundle_out ${CMAKE_BINARY_DIR}/bundle_table.c)
  file(GLOB_RECURSE bundle_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/runtime/*.c
                                                   ${CMAKE_SOURCE_DIR}/runtime/*.h)
  add_custom_command(
    OUTPUT ${bundle_out}
    COMMAND ${CMAKE_COMMAND} -DOUT=${bundle_out} -DDIR=${CMAKE_SOURCE_DIR}/runtime
            -P ${CMAKE_SOURCE_DIR}/emit/model/bundle.cmake
    DEPENDS ${bundle_files} ${CMAKE_SOURCE_DIR}/runtime/LICENSE
            ${CMAKE_SOURCE_DIR}/emit/model/bundle.cmake)
  target_sources(rung_emit PRIVATE ${bundle_out})
  return()
endif()

if(NOT TABLE)
  set(TABLE bundle)
  set(HEADER emit/model/bundle.h)
  set(PATTERNS "*/*.c;*/*.h;LICENSE")
endif()
# The table is flat: files are named without their sub-folders, as an emitted folder has them.
set(files "")
foreach(pattern ${PATTERNS})
  file(GLOB found RELATIVE ${DIR} ${DIR}/${pattern})
  list(APPEND files ${found})
endforeach()
set(names "")
foreach(file ${files})
  get_filename_component(name ${file} NAME)
  list(APPEND names ${name})
  set(path_of_${name} ${file})
endforeach()
list(FILTER names EXCLUDE REGEX "^by_(ida|cvode|sundials|sundials_parts)\\.")
list(SORT names)
set(tables "")
set(rows "")
set(k 0)
foreach(name ${names})
  file(READ ${DIR}/${path_of_${name}} hex HEX)
  string(LENGTH "${hex}" size)
  math(EXPR size "${size} / 2")
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
  string(APPEND tables "static const unsigned char file_${k}[] = {${bytes}0};\n")
  string(APPEND rows "    {\"${name}\", (const char *)file_${k}, ${size}},\n")
  math(EXPR k "${k} + 1")
endforeach()
file(WRITE ${OUT} "#include \"${HEADER}\"\n\n${tables}\nconst BundleFile ${TABLE}[] = {\n${rows}"
                  "    {0, 0, 0}};\n")
