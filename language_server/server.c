#include "language_server/server.h"

#include "base/bug.h"
#include "base/temporary.h"
#include "language_server/analysis.h"
#include "language_server/copies.h"
#include "language_server/fixes.h"
#include "language_server/lenses.h"
#include "language_server/member.h"
#include "language_server/transport.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* Seconds. */
static const double pause_before_check = 0.3, longest_check = 60, longest_answer = 20,
                    longest_run = 3600;

typedef enum TaskKind { TASK_CHECK, TASK_ANSWER, TASK_RUN } TaskKind;

typedef struct Server Server;

/* The work of a copy. */
typedef struct Assignment {
    Server *server;
    Document *document;
    Position position;
    CheckDepth depth;
    bool with_declaration;
    char *new_name;        /* or NULL; the task's */
    char *command, *model; /* of a lens; likewise */
    uint32_t number;       /* of its run          */
    void (*answer)(const Analysis *a, Text *answer);
} Assignment;

/* A copy at work, or one that waits until others have ended. */
typedef struct Task {
    TaskKind kind;
    Assignment assignment;
    char *id; /* of the request, as JSON */
    bool is_running;
    Copy copy;
    struct Task *next;
} Task;

enum { COPIES_AT_ONCE = 4 };

struct Server {
    Transport transport;
    Documents documents;
    Texts libraries;
    Task *tasks;       /* in the order in which they begin */
    Arena *mem;        /* as long as the server */
    const char *pages; /* the folder of pages that were shown, or NULL */
    uint32_t n_runs;
    bool shows_pages; /* the client does, when it is asked to */
    bool is_shut_down, is_done;
    int status;
};

/* ---- Messages ---------------------------------------------------------------------------- */

static void send_text(Server *s, const Text *t)
{
    if (!transport_send(&s->transport, t->at, t->n))
        s->is_done = true;
}

/* {"jsonrpc": "2.0", "id": id, name: value}; or, without an id, a notification. */
static void send_message(Server *s, const char *id, const char *name, const char *value, size_t n)
{
    Arena *mem = arena_new();
    Text t = text_new(mem);
    if (id)
        text_printf(&t, "{\"jsonrpc\": \"2.0\", \"id\": %s, \"%s\": ", id, name);
    else
        text_printf(&t, "{\"jsonrpc\": \"2.0\", \"method\": \"%s\", \"params\": ", name);
    text_put_n(&t, value, n);
    text_put(&t, "}");
    send_text(s, &t);
    arena_free(mem);
}

static void send_result(Server *s, const char *id, const char *json)
{
    send_message(s, id, "result", json, strlen(json));
}

static void send_error(Server *s, const char *id, int code, const char *text)
{
    Arena *mem = arena_new();
    const char *json = arena_printf(mem, "{\"code\": %d, \"message\": \"%s\"}", code, text);
    send_message(s, id, "error", json, strlen(json));
    arena_free(mem);
}

/* ---- Tasks ------------------------------------------------------------------------------- */

/* The last byte of a copy's answer. */
enum { ANSWER_RESULT = 'r', ANSWER_REFUSAL = 'e' };

static void put_refusal(Text *answer, const char *reason)
{
    enum { REQUEST_FAILED = -32803 }; /* of the protocol */
    text_clear(answer);
    Json j = json_new(answer);
    json_object(&j, NULL);
    json_number(&j, "code", REQUEST_FAILED, 5);
    json_text(&j, "message", reason);
    json_close(&j);
}

static void work(const void *user, Text *answer)
{
    const Assignment *o = user;
    const char *refusal = NULL;
    char last = ANSWER_RESULT;
    Analysis a = {.documents = &o->server->documents,
                  .document = o->document,
                  .libraries = o->server->libraries,
                  .position = o->position,
                  .with_declaration = o->with_declaration,
                  .new_name = o->new_name,
                  .refusal = &refusal,
                  .mem = arena_new()};
    LensRun run = {o->command, o->model, o->server->pages, o->number};
    if (o->command)
        analysis_run(&a, &run, answer);
    else if (o->answer)
        o->answer(&a, answer);
    else
        analysis_diagnostics(&a, o->depth, answer);
    if (refusal) {
        last = ANSWER_REFUSAL;
        put_refusal(answer, refusal);
    }
    text_put_n(answer, &last, 1);
}

static void remove_task(Server *s, Task *t)
{
    for (Task **at = &s->tasks; *at; at = &(*at)->next)
        if (*at == t) {
            *at = t->next;
            break;
        }
    if (t->is_running)
        copy_end(&t->copy);
    free(t->id);
    free(t->assignment.new_name);
    free(t->assignment.command);
    free(t->assignment.model);
    free(t);
}

static void add_task(Server *s, TaskKind kind, const Assignment *o, const char *id)
{
    Task *t = calloc(1, sizeof *t), **last = &s->tasks;
    if (!t)
        bug("out of memory");
    t->kind = kind;
    t->assignment = *o;
    t->id = id ? strdup(id) : NULL;
    while (*last)
        last = &(*last)->next;
    *last = t;
}

static void start_tasks(Server *s)
{
    uint32_t running = 0;
    for (Task *t = s->tasks, *next; t && running < COPIES_AT_ONCE; t = next, running++) {
        next = t->next;
        if (t->is_running)
            continue;
        double seconds = t->kind == TASK_ANSWER  ? longest_answer
                         : t->kind == TASK_CHECK ? longest_check
                                                 : longest_run;
        t->is_running = copy_start(&t->copy, work, &t->assignment, seconds);
        if (t->is_running)
            continue;
        if (t->id)
            send_error(s, t->id, -32603, "no process can be started");
        remove_task(s, t);
    }
}

/* Ends checks of a document; answers too if it is closed. */
static void drop_tasks(Server *s, const Document *d, bool answers)
{
    for (Task *t = s->tasks, *next; t; t = next) {
        next = t->next;
        if (t->assignment.document != d || (t->kind != TASK_CHECK && !answers))
            continue;
        if (t->id)
            send_result(s, t->id, "null");
        remove_task(s, t);
    }
}

static void check(Server *s, Document *d, CheckDepth depth)
{
    Assignment o = {.server = s, .document = d, .depth = depth};
    drop_tasks(s, d, false);
    add_task(s, TASK_CHECK, &o, NULL);
}

enum { MESSAGE_ERROR = 1, MESSAGE_INFO = 3 }; /* of the protocol */

/* window/logMessage, window/showMessage */
static void send_note(Server *s, const char *method, uint32_t type, const char *text)
{
    Arena *mem = arena_new();
    Text t = text_new(mem);
    Json j = json_new(&t);
    json_object(&j, NULL);
    json_count(&j, "type", type);
    json_text(&j, "message", text);
    json_close(&j);
    send_message(s, NULL, method, t.at, t.n);
    arena_free(mem);
}

/* window/showDocument, a request of this side whose answer is not used; else the path as a message.
 */
static void show_page(Server *s, const char *path, bool external, uint32_t number)
{
    Arena *mem = arena_new();
    Text t = text_new(mem), uri = text_new(mem);
    if (s->shows_pages) {
        put_uri(&uri, path);
        text_printf(&t,
                    "{\"jsonrpc\": \"2.0\", \"id\": \"page %u\", \"method\": "
                    "\"window/showDocument\", \"params\": ",
                    number);
        Json j = json_new(&t);
        json_object(&j, NULL);
        json_text(&j, "uri", uri.at);
        json_bool(&j, "external", external);
        json_bool(&j, "takeFocus", true);
        json_close(&j);
        text_put(&t, "}");
        send_text(s, &t);
    } else {
        send_note(s, "window/showMessage", MESSAGE_INFO, arena_printf(mem, "see %s", path));
    }
    arena_free(mem);
}

/* The program has ended: its messages are logged, or are the reason of an error; its page is shown.
 */
static void finish_run(Server *s, const Task *t)
{
    cJSON *x = cJSON_ParseWithLength(t->copy.answer, t->copy.n);
    const char *message = member_text(x, "message"), *page = member_text(x, "page");
    Arena *mem = arena_new();
    Text refusal = text_new(mem);
    if (cJSON_IsTrue(member(x, "failed"))) {
        put_refusal(&refusal, message && *message ? message : "the program has failed");
        send_message(s, t->id, "error", refusal.at, refusal.n);
    } else {
        send_result(s, t->id, "null");
        if (message && *message)
            send_note(s, "window/logMessage", MESSAGE_INFO, message);
    }
    if (page && *page)
        show_page(s, page, cJSON_IsTrue(member(x, "external")), t->assignment.number);
    arena_free(mem);
    cJSON_Delete(x);
}

/* is_late: the copy has not ended by itself. */
static void finish_task(Server *s, Task *t, bool is_late)
{
    int signal = 0;
    bool good = !is_late && copy_is_good(&t->copy, &signal);
    if (!good) {
        Arena *mem = arena_new();
        send_note(
            s, "window/logMessage", MESSAGE_ERROR,
            is_late ? arena_printf(mem, "%s: an answer took too long", t->assignment.document->path)
                    : arena_printf(mem, "%s: no answer: signal %d", t->assignment.document->path,
                                   signal));
        arena_free(mem);
    }
    size_t n = good ? --t->copy.n : 0; /* without the last byte */
    bool refused = good && t->copy.answer[n] == ANSWER_REFUSAL;
    if (t->kind == TASK_RUN && good && !refused)
        finish_run(s, t);
    else if (t->kind != TASK_CHECK && good)
        send_message(s, t->id, refused ? "error" : "result", t->copy.answer, n);
    else if (t->kind != TASK_CHECK)
        send_result(s, t->id, "null");
    else if (good)
        send_message(s, NULL, "textDocument/publishDiagnostics", t->copy.answer, n);
    remove_task(s, t);
}

/* ---- Documents --------------------------------------------------------------------------- */

static Document *document_in(Server *s, const cJSON *params)
{
    const char *uri = member_text(member(params, "textDocument"), "uri");
    return uri ? document_find(&s->documents, uri) : NULL;
}

/* All classes are checked again at that time: each document may use a class that has changed. */
static void check_again(Server *s, double when)
{
    for (Document *d = s->documents.first; d; d = d->next) {
        d->is_checked = false;
        d->check_at = when;
    }
}

static void changed(Server *s, Document *d)
{
    check_again(s, clock_now() + pause_before_check);
    d->is_saved = false;
    check(s, d, CHECK_SYNTAX);
}

static void open_document(Server *s, const cJSON *params)
{
    const cJSON *x = member(params, "textDocument");
    const char *uri = member_text(x, "uri"), *text = member_text(x, "text");
    if (uri && text)
        changed(s, document_open(&s->documents, uri, text, (long)member_number(x, "version")));
}

static void change_document(Server *s, const cJSON *params)
{
    Document *d = document_in(s, params);
    const cJSON *change;
    if (!d)
        return;
    cJSON_ArrayForEach(change, member(params, "contentChanges"))
    {
        const cJSON *range = member(change, "range");
        const char *text = member_text(change, "text");
        bool utf8 = s->documents.utf8;
        uint32_t begin = 0, end = d->size;
        if (cJSON_IsObject(range)) {
            begin = position_offset(d->text, d->size, member_position(range, "start"), utf8);
            end = position_offset(d->text, d->size, member_position(range, "end"), utf8);
        }
        if (text && begin <= end)
            document_replace(d, begin, end, text);
    }
    d->version = (long)member_number(member(params, "textDocument"), "version");
    changed(s, d);
}

static void close_document(Server *s, const cJSON *params)
{
    Document *d = document_in(s, params);
    if (!d)
        return;
    drop_tasks(s, d, true);
    Arena *mem = arena_new();
    Text t = text_new(mem);
    Json j = json_new(&t);
    json_object(&j, NULL);
    json_text(&j, "uri", d->uri);
    json_array(&j, "diagnostics");
    json_close(&j);
    json_close(&j);
    send_message(s, NULL, "textDocument/publishDiagnostics", t.at, t.n);
    arena_free(mem);
    document_close(&s->documents, d);
    check_again(s, clock_now() + pause_before_check);
}

/* ---- Requests ---------------------------------------------------------------------------- */

static bool offers_utf8(const cJSON *params)
{
    const cJSON *x;
    cJSON_ArrayForEach(
        x, member(member(member(params, "capabilities"), "general"), "positionEncodings"))
    {
        if (cJSON_IsString(x) && strcmp(x->valuestring, "utf-8") == 0)
            return true;
    }
    return false;
}

static void put_triggers(Json *j, const char *name, const char *characters)
{
    json_object(j, name);
    json_array(j, "triggerCharacters");
    for (const char *c = characters; *c; c++)
        json_text(j, NULL, (char[]){*c, 0});
    json_close(j);
    json_close(j);
}

static void put_capabilities(Json *j, bool utf8)
{
    static const char *const simple[] = {
        "documentFormattingProvider", "documentSymbolProvider", "hoverProvider",
        "definitionProvider",         "codeActionProvider",     "referencesProvider",
        "foldingRangeProvider"};
    enum { BY_RANGES = 2 }; /* changes of texts */
    json_object(j, "capabilities");
    json_text(j, "positionEncoding", utf8 ? "utf-8" : "utf-16");
    json_object(j, "textDocumentSync");
    json_bool(j, "openClose", true);
    json_count(j, "change", BY_RANGES);
    json_bool(j, "save", true);
    json_close(j);
    for (size_t k = 0; k < sizeof simple / sizeof *simple; k++)
        json_bool(j, simple[k], true);
    json_object(j, "renameProvider");
    json_bool(j, "prepareProvider", true);
    json_close(j);
    put_triggers(j, "signatureHelpProvider", "(,");
    put_triggers(j, "completionProvider", ".");
    json_object(j, "codeLensProvider");
    json_close(j);
    json_object(j, "executeCommandProvider");
    json_array(j, "commands");
    put_lens_commands(j);
    json_close(j);
    json_close(j);
    json_object(j, "semanticTokensProvider");
    put_semantic_legend(j);
    json_bool(j, "full", true);
    json_close(j);
    json_close(j);
}

static void initialize(Server *s, const char *id, const cJSON *params)
{
    Arena *mem = arena_new();
    Text t = text_new(mem);
    Json j = json_new(&t);
    s->documents.utf8 = offers_utf8(params);
    s->shows_pages = cJSON_IsTrue(member(
        member(member(member(params, "capabilities"), "window"), "showDocument"), "support"));
    json_object(&j, NULL);
    put_capabilities(&j, s->documents.utf8);
    json_object(&j, "serverInfo");
    json_text(&j, "name", "rung");
    json_text(&j, "version", RUNG_VERSION);
    json_close(&j);
    json_close(&j);
    send_message(s, id, "result", t.at, t.n);
    arena_free(mem);
}

static void send_fixes(Server *s, const char *id, const cJSON *params)
{
    const Document *d = document_in(s, params);
    Arena *mem = arena_new();
    Text t = text_new(mem);
    if (d)
        fixes_put(d, s->documents.utf8, params, &t);
    else
        text_put(&t, "null");
    send_message(s, id, "result", t.at, t.n);
    arena_free(mem);
}

static const struct {
    const char *method;
    void (*answer)(const Analysis *a, Text *answer);
} questions[] = {
    {"textDocument/documentSymbol", analysis_symbols},
    {"textDocument/formatting", analysis_formatting},
    {"textDocument/hover", analysis_hover},
    {"textDocument/definition", analysis_definition},
    {"textDocument/references", analysis_references},
    {"textDocument/prepareRename", analysis_prepare_rename},
    {"textDocument/rename", analysis_rename},
    {"textDocument/signatureHelp", analysis_signature},
    {"textDocument/foldingRange", analysis_folding},
    {"textDocument/semanticTokens/full", analysis_semantic},
    {"textDocument/completion", analysis_completion},
    {"textDocument/codeLens", analysis_lenses},
};

/* workspace/executeCommand: its arguments are those of the lens, a document and a model. */
static void execute(Server *s, const char *id, const cJSON *params)
{
    const cJSON *arguments = member(params, "arguments");
    const char *command = member_text(params, "command");
    const char *uri = cJSON_GetStringValue(cJSON_GetArrayItem(arguments, 0));
    const char *model = cJSON_GetStringValue(cJSON_GetArrayItem(arguments, 1));
    Document *d = uri ? document_find(&s->documents, uri) : NULL;
    if (!d || !command || !model) {
        send_error(s, id, -32602, "a command has an open document and a model");
        return;
    }
    const char *path;
    if (!s->pages)
        s->pages = temporary_folder(s->mem, "rung-pages", &path);
    if (!s->pages) {
        send_error(s, id, -32603, "no folder for pages can be made");
        return;
    }
    Assignment o = {.server = s,
                    .document = d,
                    .command = strdup(command),
                    .model = strdup(model),
                    .number = ++s->n_runs};
    add_task(s, TASK_RUN, &o, id);
}

static void take_request(Server *s, const char *id, const char *method, const cJSON *params)
{
    if (strcmp(method, "initialize") == 0) {
        initialize(s, id, params);
        return;
    }
    if (strcmp(method, "shutdown") == 0) {
        s->is_shut_down = true;
        send_result(s, id, "null");
        return;
    }
    if (strcmp(method, "textDocument/codeAction") == 0) {
        send_fixes(s, id, params);
        return;
    }
    if (strcmp(method, "workspace/executeCommand") == 0) {
        execute(s, id, params);
        return;
    }
    for (size_t k = 0; k < sizeof questions / sizeof *questions; k++) {
        if (strcmp(method, questions[k].method) != 0)
            continue;
        Assignment o = {.server = s,
                        .document = document_in(s, params),
                        .position = member_position(params, "position"),
                        .with_declaration =
                            cJSON_IsTrue(member(member(params, "context"), "includeDeclaration")),
                        .answer = questions[k].answer};
        const char *new_name = member_text(params, "newName");
        o.new_name = o.document && new_name ? strdup(new_name) : NULL;
        if (o.document)
            add_task(s, TASK_ANSWER, &o, id);
        else
            send_error(s, id, -32602, "this document is not open");
        return;
    }
    send_error(s, id, -32601, "rung has no such method");
}

static void cancel(Server *s, const cJSON *params)
{
    char *id = cJSON_PrintUnformatted(member(params, "id"));
    for (Task *t = s->tasks, *next; id && t; t = next) {
        next = t->next;
        if (!t->id || strcmp(t->id, id) != 0)
            continue;
        send_error(s, id, -32800, "cancelled");
        remove_task(s, t);
    }
    cJSON_free(id);
}

static void take_notification(Server *s, const char *method, const cJSON *params)
{
    if (strcmp(method, "textDocument/didOpen") == 0) {
        open_document(s, params);
    } else if (strcmp(method, "textDocument/didChange") == 0) {
        change_document(s, params);
    } else if (strcmp(method, "textDocument/didClose") == 0) {
        close_document(s, params);
    } else if (strcmp(method, "textDocument/didSave") == 0) {
        Document *d = document_in(s, params);
        if (d)
            d->is_saved = true;
        check_again(s, 0);
    } else if (strcmp(method, "$/cancelRequest") == 0) {
        cancel(s, params);
    } else if (strcmp(method, "exit") == 0) {
        s->is_done = true;
        s->status = s->is_shut_down ? 0 : 1;
    }
}

static void take_message(Server *s, const cJSON *message)
{
    const char *method = member_text(message, "method");
    const cJSON *id = member(message, "id");
    char *text = id && !cJSON_IsNull(id) ? cJSON_PrintUnformatted(id) : NULL;
    if (method && text)
        take_request(s, text, method, member(message, "params"));
    else if (method)
        take_notification(s, method, member(message, "params"));
    cJSON_free(text);
}

/* ---- The loop ---------------------------------------------------------------------------- */

/* Checks classes of documents that have not changed for a while; the milliseconds to wait for the
 * next, -1 for ever. One check at a time. */
static int start_checks(Server *s)
{
    double now = clock_now();
    for (const Task *t = s->tasks; t; t = t->next)
        if (t->kind == TASK_CHECK)
            return -1;
    for (Document *d = s->documents.first; d; d = d->next) {
        if (d->is_checked)
            continue;
        double wait = d->check_at - now;
        if (wait > 0)
            return (int)(1000 * wait) + 1;
        d->is_checked = true;
        check(s, d, d->is_saved ? CHECK_STRUCTURE : CHECK_CLASSES);
        return -1;
    }
    return -1;
}

static void end_late_tasks(Server *s)
{
    double now = clock_now();
    for (Task *t = s->tasks, *next; t; t = next) {
        next = t->next;
        if (t->is_running && t->copy.deadline <= now)
            finish_task(s, t, true);
    }
}

/* The milliseconds until the next copy takes too long, or `wait` if that is earlier. */
static int wait_for_copies(const Server *s, int wait)
{
    double now = clock_now();
    for (const Task *t = s->tasks; t; t = t->next) {
        double left = t->copy.deadline - now;
        int milliseconds = left > 0 ? (int)(1000 * left) + 1 : 0;
        if (t->is_running && (wait < 0 || milliseconds < wait))
            wait = milliseconds;
    }
    return wait;
}

static void wait_and_take(Server *s)
{
    enum { MOST = COPIES_AT_ONCE + 1 };
    struct pollfd fd[MOST] = {{.fd = s->transport.in, .events = POLLIN}};
    Task *task[MOST];
    nfds_t n = 1;
    end_late_tasks(s);
    int wait = start_checks(s);
    start_tasks(s);
    wait = wait_for_copies(s, wait);
    for (Task *t = s->tasks; t && n < MOST; t = t->next) {
        if (!t->is_running)
            continue;
        task[n] = t;
        fd[n++] = (struct pollfd){.fd = t->copy.from, .events = POLLIN};
    }
    if (poll(fd, n, wait) <= 0)
        return;
    for (nfds_t k = 1; k < n; k++) {
        if (fd[k].revents && copy_read(&task[k]->copy))
            finish_task(s, task[k], false);
    }
    if (!fd[0].revents)
        return;
    if (!transport_read(&s->transport))
        s->is_done = true;
    for (cJSON *message; !s->is_done && (message = transport_next(&s->transport));) {
        take_message(s, message);
        cJSON_Delete(message);
    }
}

int server_run(int in, int out, const Texts *libraries)
{
    Server s = {.transport = {.in = in, .out = out},
                .libraries = *libraries,
                .mem = arena_new(),
                .status = 1};
    signal(SIGPIPE, SIG_IGN);
    while (!s.is_done)
        wait_and_take(&s);
    while (s.tasks)
        remove_task(&s, s.tasks);
    while (s.documents.first)
        document_close(&s.documents, s.documents.first);
    temporary_remove(s.pages);
    arena_free(s.mem);
    transport_free(&s.transport);
    return s.status;
}
