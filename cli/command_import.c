/* rung import: a robot file, or an FMU, as a Modelica model. */
#include "cli/command.h"
#include "cli/requests.h"
#include "format/format.h"
#include "import/fmu_model.h"
#include "import/modelica_text.h"
#include "import/robot_file.h"
#include "import/robot_model.h"
#include "study/output.h"

#include <stdio.h>
#include <string.h>

/* The folder of a path, with a final '/'; "" for the working folder. */
static const char *folder_of(const char *path, Arena *mem)
{
    const char *slash = strrchr(path, '/');
    return slash ? arena_copy(mem, path, (size_t)(slash + 1 - path)) : "";
}

/* The name of the file without its folder and ending. */
static const char *stem_of(const char *path, Arena *mem)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path,
               *dot = strrchr(name, '.');
    return arena_copy(mem, name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
}

/* The class name that is wanted; false after an error. NULL: the file's own. */
static bool name_of_class(const Options *o, bool is_file, Arena *mem, Diags *d, const char **name)
{
    *name = o->model ? o->model : is_file ? stem_of(o->output, mem) : NULL;
    if (!*name || strcmp(*name, modelica_name(*name, mem)) == 0)
        return true;
    diag_error(d, SPAN_NONE, "I10",
               "'%s' is no name of a Modelica class: --model gives another one", *name);
    return false;
}

static bool robot_text(const Options *o, bool is_file, Arena *mem, Diags *d, Text *text)
{
    const char *path = o->files.at[0], *name;
    Robot robot;
    bool is_free = strcmp(o->base, "free") == 0;
    if (!robot_read(&robot, path, is_file ? folder_of(o->output, mem) : NULL, mem, d))
        return false;
    if (is_free && robot.is_grounded) {
        diag_error(d, SPAN_NONE, "I11",
                   "--base free is for URDF: in MJCF a <freejoint> makes a body free");
        return false;
    }
    robot_merge_fixed(&robot, mem);
    if (!robot_check_masses(&robot, mem, d))
        return false;
    if (!name_of_class(o, is_file, mem, d, &name))
        return false;
    RobotModelOptions options = {.name = name, .from = path, .is_free = is_free};
    robot_model_write(&robot, &options, mem, text);
    return true;
}

static bool fmu_text(const Options *o, bool is_file, Arena *mem, Diags *d, Text *text)
{
    ImportedFmu f;
    FmuModelOptions options = {.file = fmu_model_path(o->files.at[0], mem)};
    if (!imported_fmu_read(&f, o->files.at[0], mem, d) ||
        !name_of_class(o, is_file, mem, d, &options.name))
        return false;
    options.interface = imported_fmu_interface(&f, fmu_interface_of(o), d);
    if (options.interface == FMU_ANY || !imported_fmu_has_binary(&f, options.interface, mem, d))
        return false;
    fmu_model_write(&f, &options, mem, text);
    return true;
}

static bool import(const Options *o, Arena *mem, Diags *d, Text *formatted)
{
    bool is_file = o->output && strcmp(o->output, "-") != 0;
    Text text = text_new(mem);
    if (!(fmu_model_is_path(o->files.at[0]) ? fmu_text : robot_text)(o, is_file, mem, d, &text))
        return false;
    uint32_t file = diags_add_source(d, is_file ? o->output : "<model>", text.at, (uint32_t)text.n);
    return format_source(mem, d, file, formatted);
}

Exit command_import(const Options *o)
{
    if (o->files.n != 1) {
        fputs("rung: import needs one file, a robot in URDF or MJCF, or an FMU\n", stderr);
        return EXIT_USAGE;
    }
    Arena *mem = arena_new();
    Diags *d = diags_new(mem);
    Text text = text_new(mem);
    bool ok = import(o, mem, d, &text);
    if (strcmp(o->diagnostics, "json") == 0)
        diags_print_json(d, stderr);
    else
        diags_print(d, stderr, false);
    Exit status = !ok                                        ? EXIT_MODEL
                  : output_write(o->output, text.at, text.n) ? EXIT_GOOD
                                                             : EXIT_FILE;
    arena_free(mem);
    return status;
}
