/* rung completion: scripts by which shells complete commands, options and their values. */
#include "cli/command.h"
#include "cli/topics.h"
#include "runtime/run/simulate.h"
#include "study/output.h"
#include "translate/driver.h"

#include <string.h>

/* The words an option's value can be, one blank apart; "" if any text will do. */
static const char *words_of(const OptionText *row, Arena *mem)
{
    const char *words = "";
    if (!row->argument)
        return words;
    if (!strcmp(row->name, "method")) {
        const char *m;
        for (uint32_t k = 0; (m = simulate_method(k)); k++)
            words = arena_printf(mem, "%s%s%s", words, k ? " " : "", m);
    } else if (!strcmp(row->name, "dump")) {
        for (uint32_t k = 0; k < driver_n_passes(); k++)
            words = arena_printf(mem, "%s%s%s", words, k ? " " : "", driver_pass(k)->name);
    } else if (strchr(row->argument, '|') && !strpbrk(row->argument, ", ")) {
        char *all = arena_copy(mem, row->argument, strlen(row->argument));
        for (char *c = all; *c; c++)
            *c = *c == '|' ? ' ' : *c;
        words = all;
    }
    return words;
}

static void put_commands(FILE *f)
{
    const Command *c;
    for (int k = 0; (c = command_at(k)); k++)
        fprintf(f, "%s%s", k ? " " : "", c->name);
}

/* "simulate:--stop" for each command that takes it; "*:--stop" where all do. */
static void put_patterns(FILE *f, const OptionText *row, Arena *mem)
{
    const char *commands = row->commands ? row->commands : "*";
    const char *separator = "";
    for (char *rest = arena_copy(mem, commands, strlen(commands)), *save = NULL, *c;
         (c = strtok_r(rest, " ", &save)); rest = NULL) {
        fprintf(f, "%s%s:--%s", separator, c, row->name);
        separator = "|";
        if (row->letter)
            fprintf(f, "|%s:-%c", c, row->letter);
    }
}

static void put_option_names(FILE *f, const char *command)
{
    OptionText row;
    for (int k = 0; options_row(k, &row); k++)
        if (!row.commands || options_is_of(&row, command))
            fprintf(f, " --%s", row.name);
}

static void put_topics(FILE *f)
{
    const Topic *t;
    for (int k = 0; (t = topic_at(k)); k++)
        fprintf(f, " %s", t->name);
}

static void put_bash(FILE *f, Arena *mem)
{
    fputs("# bash completion of rung, written by `rung completion bash`\n"
          "_rung()\n{\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
          "    local cmd= word words=\n"
          "    for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
          "        case \" ",
          f);
    put_commands(f);
    fputs(" help \" in\n"
          "            *\" $word \"*) cmd=$word; break ;;\n"
          "        esac\n"
          "    done\n"
          "    case $cmd:$prev in\n",
          f);
    OptionText row;
    for (int k = 0; options_row(k, &row); k++) {
        if (!row.argument)
            continue;
        const char *words = words_of(&row, mem);
        fputs("        ", f);
        put_patterns(f, &row, mem);
        if (*words)
            fprintf(f, ") words='%s' ;;\n", words);
        else
            fputs(") COMPREPLY=($(compgen -f -- \"$cur\")); return ;;\n", f);
    }
    fputs("        help:*) words='", f);
    put_commands(f);
    put_topics(f);
    fputs("' ;;\n        :*|manual:*) words='help ", f);
    put_commands(f);
    fputs("' ;;\n        completion:*) words='bash zsh' ;;\n", f);
    const Command *c;
    for (int k = 0; (c = command_at(k)); k++) {
        if (!strcmp(c->name, "manual") || !strcmp(c->name, "completion"))
            continue;
        fprintf(f, "        %s:*) words='", c->name);
        put_option_names(f, c->name);
        fputs("' ;;\n", f);
    }
    fputs("    esac\n"
          "    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
          "    [[ -n $cmd && $cur != -* && ${#COMPREPLY[@]} -eq 0 ]] &&\n"
          "        COMPREPLY=($(compgen -f -- \"$cur\"))\n"
          "    return 0\n"
          "}\n"
          "complete -o filenames -F _rung rung\n",
          f);
}

/* Writes a text in single quotes, with the special characters of _arguments and _describe
 * escaped. */
static void put_zsh_text(FILE *f, const char *text)
{
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\''", f);
        else if (strchr("[]:\\", *text))
            fprintf(f, "\\%c", *text);
        else
            putc(*text, f);
    }
}

static void put_zsh_option(FILE *f, const OptionText *row, Arena *mem)
{
    const char *words = words_of(row, mem);
    for (int is_letter = 0; is_letter <= (row->letter != 0); is_letter++) {
        fprintf(f, " \\\n            '*");
        if (is_letter)
            fprintf(f, "-%c[", row->letter);
        else
            fprintf(f, "--%s[", row->name);
        put_zsh_text(f, row->help);
        putc(']', f);
        if (row->argument) {
            fputs(": :", f);
            if (*words)
                fprintf(f, "(%s)", words);
            else
                fputs("_files", f);
        }
        putc('\'', f);
    }
}

static void put_zsh(FILE *f, Arena *mem)
{
    fputs("#compdef rung\n# zsh completion of rung, written by `rung completion zsh`\n"
          "local -a commands\ncommands=(\n    'help:help on a command'\n",
          f);
    const Command *c;
    for (int k = 0; (c = command_at(k)); k++) {
        fprintf(f, "    '%s:", c->name);
        put_zsh_text(f, c->what);
        fputs("'\n", f);
    }
    fputs(")\nif (( CURRENT == 2 )); then\n    _describe command commands\n    return\nfi\n"
          "case $words[2] in\n    manual) _describe command commands ;;\n"
          "    help)\n        _describe command commands\n        _values topic",
          f);
    put_topics(f);
    fputs(" ;;\n    completion) _values shell bash zsh ;;\n", f);
    for (int k = 0; (c = command_at(k)); k++) {
        if (!strcmp(c->name, "manual") || !strcmp(c->name, "completion"))
            continue;
        fprintf(f, "    %s)\n        _arguments", c->name);
        OptionText row;
        for (int i = 0; options_row(i, &row); i++)
            if (!row.commands || options_is_of(&row, c->name))
                put_zsh_option(f, &row, mem);
        fputs(" \\\n            '*:file:_files' ;;\n", f);
    }
    fputs("esac\n", f);
}

Exit command_completion(const Options *o)
{
    const char *shell = o->files.n == 1 ? o->files.at[0] : "";
    bool bash = !strcmp(shell, "bash");
    if (!bash && strcmp(shell, "zsh") != 0) {
        fputs("rung: completion is for bash or zsh: `rung completion bash`\n", stderr);
        return EXIT_USAGE;
    }
    Output out;
    if (!output_open(&out, o->output))
        return EXIT_FILE;
    if (bash)
        put_bash(out.file, o->mem);
    else
        put_zsh(out.file, o->mem);
    return output_close(&out) ? EXIT_GOOD : EXIT_FILE;
}
