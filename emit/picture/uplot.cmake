# uPlot (MIT licence) for pages of curves: its files as a table in the compiler (uplot.h). Taken from
# npm when the build is configured, once, this version and no other; without npm, or where it cannot
# reach a registry, the table is empty and pages hold an SVG.
set(uplot_version 1.6.32)
set(uplot_sha512
    2883159c6ebccefbb95d751b0b82d010f9e1c0ec41b8bc96d401eda66e882935c89a46cb824332fa369b8cb8122cc6ac36e186cd09bf7a9ded3a4c93c6989023)
option(RUNG_UPLOT "pages of curves with zoom and cursor, by uPlot from npm" ON)
set(uplot_dir ${CMAKE_BINARY_DIR}/uplot)
set(uplot_file ${uplot_dir}/uplot-${uplot_version}.tgz)
file(MAKE_DIRECTORY ${uplot_dir}/files)
find_program(NPM_PROGRAM npm)
if(RUNG_UPLOT AND NPM_PROGRAM AND NOT EXISTS ${uplot_file})
  execute_process(COMMAND ${NPM_PROGRAM} pack --silent --fetch-retries=0 --fetch-timeout=15000
                          uplot@${uplot_version}
                  WORKING_DIRECTORY ${uplot_dir} TIMEOUT 20 OUTPUT_QUIET ERROR_QUIET)
endif()
set(uplot_found "")
if(RUNG_UPLOT AND EXISTS ${uplot_file})
  file(SHA512 ${uplot_file} uplot_found)
  if(uplot_found STREQUAL uplot_sha512)
    file(ARCHIVE_EXTRACT INPUT ${uplot_file} DESTINATION ${uplot_dir})
    file(COPY ${uplot_dir}/package/dist/uPlot.iife.min.js ${uplot_dir}/package/dist/uPlot.min.css
              ${uplot_dir}/package/LICENSE DESTINATION ${uplot_dir}/files)
  else()
    message(WARNING "${uplot_file} is not the file that was looked at; pages do without uPlot")
    file(REMOVE ${uplot_file})
  endif()
endif()
if(NOT uplot_found STREQUAL uplot_sha512)
  message(STATUS "uPlot was not to be had (npm): pages of curves hold an SVG")
  file(REMOVE_RECURSE ${uplot_dir}/files)
endif()
set(uplot_out ${CMAKE_BINARY_DIR}/uplot_table.c)
execute_process(COMMAND ${CMAKE_COMMAND} -DOUT=${uplot_out} -DDIR=${uplot_dir}/files -DTABLE=uplot
                        -DHEADER=emit/picture/uplot.h "-DPATTERNS=*.js;*.css;LICENSE"
                        -P ${CMAKE_SOURCE_DIR}/emit/model/bundle.cmake)
target_sources(rung_emit PRIVATE ${uplot_out})
