/* rung manual: the man pages, from the text of `rung help`. */
#include "cli/command.h"
#include "cli/topics.h"
#include "study/output.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

/* Text of roff: escapes the characters that begin a request or an escape, and hyphens. */
static void put_text(FILE *f, const char *text, size_t n)
{
    if (n > 0 && (*text == '.' || *text == '\''))
        fputs("\\&", f);
    for (size_t k = 0; k < n; k++) {
        if (text[k] == '\\')
            fputs("\\e", f);
        else if (text[k] == '-')
            fputs("\\-", f);
        else if (text[k] == '\'')
            fputs("\\(aq", f);
        else if (text[k] == '`')
            fputs("\\(ga", f);
        else if (text[k] == '^')
            fputs("\\(ha", f);
        else if (text[k] == '~')
            fputs("\\(ti", f);
        else
            putc(text[k], f);
    }
}

static void put_line(FILE *f, const char *text)
{
    put_text(f, text, strlen(text));
    putc('\n', f);
}

/* Lines are filled, but for those that are set in. */
static void put_paragraphs(FILE *f, const char *text)
{
    bool is_set = false;
    while (*text) {
        size_t n = strcspn(text, "\n");
        bool set = n > 1 && text[0] == ' ' && text[1] == ' ';
        if (set != is_set)
            fputs(set ? ".EX\n" : ".EE\n", f);
        is_set = set;
        while (!set && n > 0 && *text == ' ')
            text++, n--;
        if (n == 0)
            fputs(".PP", f);
        put_text(f, text, n);
        putc('\n', f);
        bool ends = !set && n > 0 && text[n - 1] == '.';
        text += n + (text[n] == '\n');
        if (ends && *text)
            fputs(".PP\n", f);
    }
    if (is_set)
        fputs(".EE\n", f);
}

static void put_options(FILE *f, const char *command)
{
    OptionText row;
    bool any = false;
    for (int k = 0; options_row(k, &row); k++) {
        if (command ? !options_is_of(&row, command) : row.commands != NULL)
            continue;
        if (!any)
            fputs(command ? ".SH OPTIONS\n" : ".SH OPTIONS OF EVERY COMMAND\n", f);
        any = true;
        fputs(".TP\n\\fB", f);
        if (row.letter)
            fprintf(f, "\\-%c\\fR, \\fB", row.letter);
        fputs("\\-\\-", f);
        put_text(f, row.name, strlen(row.name));
        fputs("\\fR", f);
        if (row.argument) {
            fputs(" \\fI", f);
            put_text(f, row.argument, strlen(row.argument));
            fputs("\\fR", f);
        }
        putc('\n', f);
        put_line(f, row.help);
    }
}

static void put_example(FILE *f, const char *text)
{
    fputs(".SH EXAMPLES\n.EX\n", f);
    put_line(f, text);
    fputs(".EE\n", f);
}

static void put_name(FILE *f, const char *command)
{
    fputs("rung", f);
    if (command)
        fprintf(f, "\\-%s", command);
}

static void put_head(FILE *f, const Command *c)
{
    fputs(".TH RUNG", f);
    for (const char *at = c ? c->name : ""; *at; at++)
        fprintf(f, "%s%c", at == c->name ? "\\-" : "", toupper((unsigned char)*at));
    fputs(" 1 \"\" \"rung " RUNG_VERSION "\" \"rung\"\n.SH NAME\n", f);
    put_name(f, c ? c->name : NULL);
    fputs(" \\- ", f);
    put_line(f, c ? c->what : "compiles equation-based models (Modelica) to fast C");
    fputs(".SH SYNOPSIS\n.B rung", f);
    fprintf(f, " %s\n", c ? c->name : "");
    put_line(f, c ? c->usage : "COMMAND [OPTIONS] FILES");
}

static void put_environment(FILE *f)
{
    static const char *const variables[][2] = {
        {"MODELICAPATH",
         "Folders with libraries, separated by colons; the first that contains a library is used."},
        {"CC, CFLAGS", "The C compiler, with its arguments, and flags for it."},
        {"RUNG_HOME", "The folder that holds rung's own library/, if it is not found beside the "
                      "program."},
        {"XDG_CACHE_HOME, RUNG_CACHE_SIZE", "The cache of compiled models (rung/ in it, else in "
                                            "~/.cache), and its maximum size (default: 1G)."},
        {"TMPDIR", "The folder for temporary files."},
        {"NO_COLOR", "No colours in error messages."},
    };
    fputs(".SH ENVIRONMENT\n", f);
    for (size_t k = 0; k < sizeof variables / sizeof *variables; k++) {
        fputs(".TP\n.B ", f);
        put_line(f, variables[k][0]);
        put_line(f, variables[k][1]);
    }
}

static void put_command_page(FILE *f, const Command *c)
{
    put_head(f, c);
    fputs(".SH DESCRIPTION\n", f);
    char first = (char)toupper((unsigned char)*c->what);
    put_text(f, &first, 1);
    put_text(f, c->what + 1, strlen(c->what) - 1);
    fputs(".\n", f);
    if (c->detail) {
        fputs(".PP\n", f);
        put_paragraphs(f, c->detail);
    }
    const Topic *t;
    for (int k = 0; (t = topic_at(k)); k++)
        if (strcmp(t->command, c->name) == 0) {
            fputs(".SS ", f);
            put_line(f, t->title);
            put_paragraphs(f, t->text);
        }
    put_options(f, c->name);
    fputs(".PP\nOptions of every command are in\n.BR rung (1).\n", f);
    put_example(f, c->example);
    fputs(".SH SEE ALSO\n.BR rung (1)\n", f);
}

static void put_main_page(FILE *f)
{
    put_head(f, NULL);
    fputs(".SH COMMANDS\n", f);
    const Command *c;
    for (int k = 0; (c = command_at(k)); k++) {
        fputs(".TP\n.BR rung\\-", f);
        put_text(f, c->name, strlen(c->name));
        fputs(" (1)\n", f);
        put_line(f, c->what);
    }
    put_options(f, NULL);
    put_example(f, command_find("simulate")->example);
    fputs(".SH EXIT STATUS\n", f);
    put_paragraphs(f, command_statuses);
    put_environment(f);
}

static Exit page(const char *path, const Command *c)
{
    Output out;
    if (!output_open(&out, path))
        return EXIT_FILE;
    if (c)
        put_command_page(out.file, c);
    else
        put_main_page(out.file);
    return output_close(&out) ? EXIT_GOOD : EXIT_FILE;
}

static Exit all_pages(const char *dir, Arena *mem)
{
    if (mkdir(dir, 0777) != 0 && errno != EEXIST) {
        fprintf(stderr, "rung: cannot create '%s': %s\n", dir, strerror(errno));
        return EXIT_FILE;
    }
    const Command *c;
    Exit status = page(arena_printf(mem, "%s/rung.1", dir), NULL);
    for (int k = 0; status == EXIT_GOOD && (c = command_at(k)); k++)
        status = page(arena_printf(mem, "%s/rung-%s.1", dir, c->name), c);
    return status;
}

Exit command_manual(const Options *o)
{
    const char *of = o->files.n ? o->files.at[0] : NULL;
    const Command *c = of ? command_find(of) : NULL;
    if (o->files.n > 1 || (of && !c) || (of && o->output)) {
        fprintf(stderr,
                "rung: manual takes one command, or -o DIR for the pages of all; there is "
                "no command '%s'\n",
                of);
        return EXIT_USAGE;
    }
    return o->output ? all_pages(o->output, o->mem) : page(NULL, c);
}
