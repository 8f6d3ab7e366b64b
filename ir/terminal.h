/* terminal.h -- the outside of a model: its public connectors with their causality, and icons, the
 * model's own and theirs. Only `rung fmu` reads terminals; shapes are those of all drawings of
 * classes.
 *
 *     connector Shaft input Real tau; output Real phi; end Shaft;
 *     Shaft a;                  a terminal 'a' with members tau, phi
 *
 * Icons are the shapes of annotation(Icon(...)) (MLS 18.6), of base classes first, as they are
 * written; coordinates are the icon's.
 */
#ifndef RUNG_IR_TERMINAL_H
#define RUNG_IR_TERMINAL_H

#include "base/name.h"
#include "base/vec.h"
#include "ir/expr.h"

typedef enum IconKind {
    ICON_LINE,
    ICON_POLYGON,
    ICON_RECTANGLE,
    ICON_ELLIPSE,
    ICON_TEXT,
    ICON_BITMAP,
    ICON_KINDS
} IconKind;

/* Fill patterns in the order of MLS 18.6.1.1. */
typedef enum IconFill {
    FILL_NONE,
    FILL_SOLID,
    FILL_HORIZONTAL,
    FILL_VERTICAL,
    FILL_CROSS,
    FILL_FORWARD,
    FILL_BACKWARD,
    FILL_CROSS_DIAG,
    FILL_HORIZONTAL_CYLINDER,
    FILL_VERTICAL_CYLINDER,
    FILL_SPHERE,
    FILL_PATTERNS
} IconFill;

typedef enum IconLine {
    LINE_NONE,
    LINE_SOLID,
    LINE_DASH,
    LINE_DOT,
    LINE_DASH_DOT,
    LINE_DASH_DOT_DOT
} IconLine;

typedef enum IconArrow { ARROW_NONE, ARROW_OPEN, ARROW_FILLED, ARROW_HALF } IconArrow;

typedef struct IconPoint {
    double x, y;
} IconPoint;

typedef struct IconShape {
    IconKind kind;
    IconPoint origin;
    double rotation; /* degrees, about the origin, against the clock */
    uint32_t n;
    const IconPoint *point; /* n: of a line or polygon; else 2: the corners of the extent */
    uint32_t line, fill;    /* 0xrrggbb */
    IconLine line_pattern;
    IconFill fill_pattern;
    double thickness; /* mm */
    double radius;
    double start_angle, end_angle; /* of an ellipse, degrees */
    bool is_smooth;                /* Smooth.Bezier */
    bool is_sector;     /* of an ellipse: closed through its middle, EllipseClosure.Radial */
    bool is_chord;      /* likewise: closed by a chord; neither: open */
    IconArrow arrow[2]; /* of a line, at its first and last point */
    double arrow_size;  /* mm */
    const char *text;   /* of a bitmap: the file or, coded, the picture itself */
    bool is_coded;      /* a bitmap's text is a picture in base64 */
    bool is_bold, is_italic, is_underlined;
    double font_size; /* points; 0: as large as fits */
    int align;        /* -1: left, 0: in the middle, 1: right */
} IconShape;

typedef struct Icon {
    IconPoint extent[2]; /* of its coordinate system */
    VEC(IconShape) shape;
} Icon;

/* A variable, or an array of them, that has a place in a terminal. */
typedef struct TerminalMember {
    const char *name; /* in the terminal; "" where that is the variable itself */
    VarId var;        /* the first of n */
    uint32_t n;
    Name whole; /* of an array: its name */
    bool is_flow;
} TerminalMember;

#define TERMINAL_NONE UINT32_MAX

typedef struct Terminal {
    const char *name; /* in the terminal around it, or in the model */
    const char *class_name, *description;
    bool is_bus;     /* of an expandable connector: some members may be missing */
    uint32_t parent; /* before it in the list; TERMINAL_NONE: of the model itself */
    uint32_t first_member, n_members;
    uint32_t icon; /* TERMINAL_NONE: none */
    bool is_placed;
    IconPoint at[2]; /* in the model's icon */
} Terminal;

typedef struct Terminals {
    VEC(Terminal) terminal;
    VEC(TerminalMember) member;
    VEC(Icon) icon;    /* each class's once */
    uint32_t own_icon; /* the model's; TERMINAL_NONE: it draws nothing */
} Terminals;

#endif
