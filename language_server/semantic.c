/* semantic.c -- names by their meaning, for colours (semantic tokens of the protocol). */
#include "frontend/evaluate/scope.h"
#include "language_server/meaning.h"

/* In the order of the legend. */
#define TYPES(T)                                                                                   \
    T(NAMESPACE, "namespace")                                                                      \
    T(CLASS, "class")                                                                              \
    T(STRUCT, "struct")                                                                            \
    T(INTERFACE, "interface")                                                                      \
    T(TYPE, "type")                                                                                \
    T(FUNCTION, "function")                                                                        \
    T(PARAMETER, "parameter")                                                                      \
    T(VARIABLE, "variable")                                                                        \
    T(PROPERTY, "property")                                                                        \
    T(LITERAL, "enumMember")
#define MODIFIERS(T)                                                                               \
    T(DECLARATION, "declaration")                                                                  \
    T(READONLY, "readonly")                                                                        \
    T(DEFAULT_LIBRARY, "defaultLibrary")

#define ID(id, text) SEMANTIC_##id,
typedef enum SemanticType { TYPES(ID) SEMANTIC_NONE } SemanticType;
typedef enum SemanticModifier { MODIFIERS(ID) SEMANTIC_N_MODIFIERS } SemanticModifier;
#undef ID

void put_semantic_legend(Json *j)
{
#define TEXT(id, text) json_text(j, NULL, text);
    json_object(j, "legend");
    json_array(j, "tokenTypes");
    TYPES(TEXT)
    json_close(j);
    json_array(j, "tokenModifiers");
    MODIFIERS(TEXT)
    json_close(j);
    json_close(j);
#undef TEXT
}

static SemanticType type_of_class(const SynClass *c)
{
    switch (c->restriction) {
    case SYN_R_PACKAGE:
        return SEMANTIC_NAMESPACE;
    case SYN_R_FUNCTION:
    case SYN_R_OPERATOR_FUNCTION:
        return SEMANTIC_FUNCTION;
    case SYN_R_RECORD:
    case SYN_R_OPERATOR_RECORD:
        return SEMANTIC_STRUCT;
    case SYN_R_CONNECTOR:
    case SYN_R_EXPANDABLE_CONNECTOR:
        return SEMANTIC_INTERFACE;
    case SYN_R_TYPE:
        return SEMANTIC_TYPE;
    default:
        return SEMANTIC_CLASS;
    }
}

/* Parameters of models, inputs of functions. */
static SemanticType type_of_component(const SynElement *e)
{
    const SynComponent *c = e->component;
    const SynClass *in = e->in;
    bool is_input = c->prefix.causality == SYN_INPUT && in && in->restriction == SYN_R_FUNCTION;
    return is_input || c->prefix.variability == SYN_PARAMETER ? SEMANTIC_PARAMETER
                                                              : SEMANTIC_VARIABLE;
}

static SemanticType type_of(const Cursor *p, uint32_t k, const Meaning *m, uint32_t *modifiers)
{
    const SourceToken *t = cursor_token(p, k);
    const SynElement *e = m->declaration.element;
    bool is_here = m->name.file == p->tree->file && m->name.begin == t->begin;
    *modifiers |= (uint32_t)is_here << SEMANTIC_DECLARATION;
    if (m->iterator.end > 0) {
        *modifiers |= 1u << SEMANTIC_READONLY;
        return SEMANTIC_VARIABLE;
    }
    if (!e) {
        *modifiers |= 1u << SEMANTIC_DEFAULT_LIBRARY;
        return SEMANTIC_TYPE;
    }
    if (m->declaration.literal)
        return SEMANTIC_LITERAL;
    if (e->kind == SYN_CLASS)
        return type_of_class(e->class_);
    SynVariability v = e->component->prefix.variability;
    *modifiers |= (uint32_t)(v == SYN_PARAMETER || v == SYN_CONSTANT) << SEMANTIC_READONLY;
    return type_of_component(e);
}

/* A call of a predefined function. */
static bool is_predefined_call(const Cursor *p, uint32_t k)
{
    const SourceToken *t = cursor_token(p, k);
    return cursor_token(p, k + 1)->kind == TOK_LPAREN &&
           (k == 0 || cursor_token(p, k - 1)->kind != TOK_DOT) &&
           builtin_is_function(name_of_n(p->c->names, p->text + t->begin, t->end - t->begin).s);
}

/* An attribute of a predefined type, x(start = 1). */
static bool is_attribute(const Cursor *p, uint32_t k)
{
    uint32_t bracket = cursor_bracket(p, k);
    TokenKind before = k > 0 ? cursor_token(p, k - 1)->kind : TOK_NONE;
    return !(p->phrases.flags[k] & PHRASE_ANNOTATION) && bracket != UINT32_MAX &&
           cursor_token(p, bracket)->kind == TOK_LPAREN &&
           (before == TOK_LPAREN || before == TOK_COMMA || before == TOK_EACH ||
            before == TOK_FINAL) &&
           cursor_token(p, k + 1)->kind == TOK_EQUALS && cursor_is_modification(p, bracket);
}

/* Five numbers for each name: lines from the last one, columns from the last one in this line,
 * its length, type and modifiers. Names that are declared nowhere have no colour. */
void analysis_semantic(const Analysis *a, Text *answer)
{
    Cursor p = cursor_open(a);
    Lines lines = analysis_lines(a);
    Position last = {0};
    Json j = json_new(answer);
    json_object(&j, NULL);
    json_array(&j, "data");
    for (uint32_t k = 0; k < p.list.token.n; k++) {
        const SourceToken *t = cursor_token(&p, k);
        Meaning m;
        uint32_t modifiers = 0;
        SemanticType type = SEMANTIC_NONE;
        if (t->kind != TOK_IDENT)
            continue;
        if (meaning_of(&p, k, &m)) {
            type = type_of(&p, k, &m, &modifiers);
        } else if (is_predefined_call(&p, k)) {
            type = SEMANTIC_FUNCTION;
            modifiers = 1u << SEMANTIC_DEFAULT_LIBRARY;
        } else if (is_attribute(&p, k)) {
            type = SEMANTIC_PROPERTY;
            modifiers = 1u << SEMANTIC_DEFAULT_LIBRARY;
        }
        Position at = lines_position(&lines, t->begin), end = lines_position(&lines, t->end);
        if (type == SEMANTIC_NONE || end.line != at.line)
            continue;
        json_count(&j, NULL, at.line - last.line);
        json_count(&j, NULL, at.line == last.line ? at.column - last.column : at.column);
        json_count(&j, NULL, end.column - at.column);
        json_count(&j, NULL, type);
        json_count(&j, NULL, modifiers);
        last = at;
    }
    json_close(&j);
    json_close(&j);
}
