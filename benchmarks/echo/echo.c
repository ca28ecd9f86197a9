/* An MCP server over stdio that costs next to nothing, so that what is measured is the client.

   --tools N    how many tools it has: `echo`, `tool_1`, ...
   --size B     bytes of text in a result
   --startup MS how long it sleeps before it reads anything
   --modern     speak 2026-07-28 too
   --hang       never answer a call
*/
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct {
    char *at;
    size_t size, room;
} Text;

static void add(Text *text, const char *bytes, size_t size) {
    if (text->size + size > text->room) {
        text->room = 2 * (text->size + size);
        if (!(text->at = realloc(text->at, text->room))) exit(1);
    }
    memcpy(text->at + text->size, bytes, size);
    text->size += size;
}

static void say(Text *text, const char *words) { add(text, words, strlen(words)); }

static const char *blank(const char *at, const char *end) {
    while (at < end && strchr(" \t\r", *at)) at++;
    return at;
}

static const char *after_string(const char *at, const char *end) {
    for (at++; at < end && *at != '"'; at++)
        if (*at == '\\') at++;
    return at < end ? at + 1 : end;
}

static const char *after_value(const char *at, const char *end) {
    int depth = 0;
    while (at < end) {
        if (*at == '"') {
            at = after_string(at, end);
            if (!depth) return at;
            continue;
        }
        if (*at == '{' || *at == '[') depth++;
        else if (*at == '}' || *at == ']') {
            if (!depth) return at;
            if (!--depth) return at + 1;
        } else if (*at == ',' && !depth) return at;
        at++;
    }
    return end;
}

typedef struct {
    const char *at;
    size_t size;
} Piece;

/* `id` and `method` of the message itself, never of what it carries; in any order, with or without blanks. */
static void look(const char *at, const char *end, Piece *id, Piece *method) {
    id->size = method->size = 0;
    at = blank(at, end);
    if (at == end || *at != '{') return;
    for (at = blank(at + 1, end); at < end && *at == '"'; at = blank(at, end)) {
        const char *key = at, *after = after_string(at, end);
        at = blank(after, end);
        if (at == end || *at != ':') return;
        const char *value = at = blank(at + 1, end);
        at = after_value(at, end);
        const char *last = at;
        while (last > value && strchr(" \t\r", last[-1])) last--;
        if (after - key == 4 && !memcmp(key, "\"id\"", 4)) *id = (Piece){value, (size_t)(last - value)};
        if (after - key == 8 && !memcmp(key, "\"method\"", 8)) *method = (Piece){value, (size_t)(last - value)};
        at = blank(at, end);
        if (at < end && *at == ',') at = blank(at + 1, end);
    }
}

static int is(Piece piece, const char *word) {
    size_t size = strlen(word);
    return piece.size == size + 2 && !memcmp(piece.at + 1, word, size);
}

static Text list, called, version;
static int modern, hang;
#define STAMP ",\"resultType\":\"complete\",\"ttlMs\":0,\"cacheScope\":\"public\"}"
#define US "\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"echo\",\"version\":\"1\"}"

static void prepare(int tools, int size) {
    say(&list, "{\"tools\":[");
    for (int number = 0; number < tools; number++) {
        char name[32], item[512];
        if (number) snprintf(name, sizeof name, "tool_%d", number);
        snprintf(item, sizeof item,
                 "%s{\"name\":\"%s\",\"description\":\"Gives back a text of a size that was settled when the server "
                 "was started, whatever it is asked for.\",\"inputSchema\":{\"type\":\"object\",\"properties\":{"
                 "\"text\":{\"type\":\"string\",\"description\":\"What to say\"},\"count\":{\"type\":\"integer\"}},"
                 "\"required\":[\"text\"]}}",
                 number ? "," : "", number ? name : "echo");
        say(&list, item);
    }
    say(&list, "]");
    say(&list, modern ? STAMP : "}");
    say(&called, "{\"content\":[{\"type\":\"text\",\"text\":\"");
    for (int number = 0; number < size; number++) add(&called, "abcdefghijklmnopqrstuvwxyz" + number % 26, 1);
    say(&called, "\"}],\"isError\":false");
    say(&called, modern ? ",\"resultType\":\"complete\"}" : "}");
}

static void offered(const char *line, const char *end) {
    const char *key = memmem(line, (size_t)(end - line), "\"protocolVersion\"", 17);
    version.size = 0;
    if (key) {
        const char *value = blank(blank(key + 17, end) + 1, end);
        add(&version, value, (size_t)(after_string(value, end) - value));
    } else say(&version, "\"2025-11-25\"");
}

static void answer(const char *line, const char *end, Text *out) {
    Piece id, method;
    look(line, end, &id, &method);
    if (!id.size || !method.size || (hang && is(method, "tools/call"))) return;
    say(out, "{\"jsonrpc\":\"2.0\",\"id\":");
    add(out, id.at, id.size);
    if (is(method, "tools/call")) say(out, ",\"result\":"), add(out, called.at, called.size);
    else if (is(method, "tools/list")) say(out, ",\"result\":"), add(out, list.at, list.size);
    else if (is(method, "ping")) say(out, ",\"result\":{}");
    else if (is(method, "initialize")) {
        offered(line, end);
        say(out, ",\"result\":{\"protocolVersion\":");
        add(out, version.at, version.size);
        say(out, "," US "}");
    } else if (modern && is(method, "server/discover"))
        say(out, ",\"result\":{\"supportedVersions\":[\"2026-07-28\"]," US STAMP);
    else say(out, ",\"error\":{\"code\":-32601,\"message\":\"Method not found\"}");
    say(out, "}\n");
}

static int number_after(int count, char **words, const char *option, int otherwise) {
    for (int at = 1; at < count; at++)
        if (!strcmp(words[at], option)) return at + 1 < count ? atoi(words[at + 1]) : 1;
    return otherwise;
}

static int has(int count, char **words, const char *option) {
    for (int at = 1; at < count; at++)
        if (!strcmp(words[at], option)) return 1;
    return 0;
}

int main(int count, char **words) {
    long startup = number_after(count, words, "--startup", 0);
    modern = has(count, words, "--modern");
    hang = has(count, words, "--hang");
    prepare(number_after(count, words, "--tools", 5), number_after(count, words, "--size", 100));
    nanosleep(&(struct timespec){startup / 1000, startup % 1000 * 1000000}, NULL);
    static char chunk[65536];
    Text in = {0}, out = {0};
    for (ssize_t size; (size = read(0, chunk, sizeof chunk)) > 0;) {
        add(&in, chunk, (size_t)size);
        char *line = in.at, *end;
        while ((end = memchr(line, '\n', in.size - (size_t)(line - in.at)))) answer(line, end, &out), line = end + 1;
        in.size -= (size_t)(line - in.at);
        memmove(in.at, line, in.size);
        for (size_t sent = 0; sent < out.size;) {
            ssize_t wrote = write(1, out.at + sent, out.size - sent);
            if (wrote <= 0) return 1;
            sent += (size_t)wrote;
        }
        out.size = 0;
    }
    return 0;
}
