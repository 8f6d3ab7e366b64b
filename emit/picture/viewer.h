/* viewer.h -- the script and the style of the page of view.h, and three.js (MIT licence), inside
 * the compiler. The tables are made by viewer.cmake. */
#ifndef RUNG_EMIT_PICTURE_VIEWER_H
#define RUNG_EMIT_PICTURE_VIEWER_H

#include "emit/model/bundle.h"

extern const BundleFile viewer[]; /* viewer.js, viewer.css, live.js */
extern const BundleFile three[];  /* three.min.js, OrbitControls.js, LICENSE */

#endif
