// SPDX-License-Identifier: LGPL-2.1-or-later
// Text: a growing buffer, sizes with suffixes, versions, and the places in table texts.
// Knows nothing of storage.
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char suffixes[] = "kmgtp";

void xa_buf_free(struct buf *buf)
{
    free(buf->text);
    *buf = (struct buf){0};
}

static bool buf_reserve(struct buf *buf, size_t more)
{
    if (buf->failed)
        return false;
    if (buf->length + more + 1 <= buf->room)
        return true;
    size_t room = buf->room ? buf->room : 128;
    while (room < buf->length + more + 1)
        room *= 2;
    char *text = realloc(buf->text, room);
    if (!text) {
        xa_buf_free(buf);
        buf->failed = true;
        return false;
    }
    buf->text = text;
    buf->room = room;
    return true;
}

void xa_buf_add(struct buf *buf, const char *text, size_t length)
{
    if (!buf_reserve(buf, length))
        return;
    memcpy(buf->text + buf->length, text, length);
    buf->length += length;
    buf->text[buf->length] = '\0';
}

void xa_buf_puts(struct buf *buf, const char *text)
{
    xa_buf_add(buf, text, strlen(text));
}

void xa_buf_printf(struct buf *buf, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int need = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (need < 0 || !buf_reserve(buf, (size_t)need))
        return;
    va_start(args, format);
    vsnprintf(buf->text + buf->length, (size_t)need + 1, format, args);
    va_end(args);
    buf->length += (size_t)need;
}

char *xa_buf_take(struct buf *buf)
{
    if (!buf->text)
        xa_buf_add(buf, "", 0);
    char *text = buf->text;
    if (buf->failed) {
        free(text);
        text = NULL;
    }
    *buf = (struct buf){.failed = buf->failed};
    return text;
}

static void add_arg(struct buf *buf, char kind, const struct arg *arg)
{
    char size[SIZE_TEXT_MAX];
    if (kind == 't')
        xa_buf_puts(buf, arg->text ? arg->text : "");
    else if (kind == 'b' || kind == 's')
        xa_buf_printf(buf, "%s%s", xa_size_text(arg->number, size),
                      kind == 'b' && arg->number % 1024 ? " bytes" : "");
    else
        xa_buf_printf(buf, "%" PRId64, (int64_t)arg->number);
}

void xa_buf_template(struct buf *buf, const char *text, const char *kinds, const struct arg *args)
{
    for (;;) {
        const char *place = strchr(text, '{');
        if (!place)
            break;
        xa_buf_add(buf, text, (size_t)(place - text));
        unsigned index = (unsigned)(place[1] - '0');
        add_arg(buf, kinds[index], &args[index]);
        text = place + 3;
    }
    xa_buf_puts(buf, text);
}

char *xa_size_text(uint64_t bytes, char out[SIZE_TEXT_MAX])
{
    int step = -1;
    while (bytes && bytes % 1024 == 0 && suffixes[step + 1]) {
        bytes /= 1024;
        step++;
    }
    snprintf(out, SIZE_TEXT_MAX, "%" PRIu64 "%.*s", bytes, step >= 0,
             suffixes + (step > 0 ? step : 0));
    return out;
}

int xa_number_parse(const char *text, size_t length, uint64_t *number)
{
    uint64_t value = 0;
    if (!length)
        return -EINVAL;
    for (size_t at = 0; at < length; at++) {
        if (text[at] < '0' || text[at] > '9')
            return -EINVAL;
    }
    for (size_t at = 0; at < length; at++) {
        uint64_t digit = (uint64_t)(text[at] - '0');
        if (value > ((uint64_t)INT64_MAX - digit) / 10)
            return -ERANGE;
        value = value * 10 + digit;
    }
    *number = value;
    return 0;
}

int xa_size_parse(const char *text, size_t length, uint64_t *bytes)
{
    unsigned shift = 0;
    const char *suffix = length ? strchr(suffixes, text[length - 1] | 0x20) : NULL;
    if (suffix && *suffix) {
        shift = (unsigned)(suffix - suffixes + 1) * 10;
        length--;
    }
    uint64_t value = 0;
    int err = xa_number_parse(text, length, &value);
    if (err)
        return err;
    if (value > (uint64_t)INT64_MAX >> shift)
        return -ERANGE;
    *bytes = value << shift;
    return 0;
}

int xa_version_parse(const char *text, uint32_t *version)
{
    uint32_t part[2] = {0, 0};
    for (unsigned which = 0; which < 2; which++) {
        unsigned digits = 0;
        for (; *text >= '0' && *text <= '9'; text++, digits++)
            part[which] = part[which] * 10 + (uint32_t)(*text - '0');
        if (!digits || digits > 3 || (which == 0 && *text++ != '.'))
            return -EINVAL;
    }
    if (*text && !strchr(".-+~_", *text))
        return -EINVAL;
    *version = part[0] * 1000 + part[1];
    return 0;
}

/* The number of bytes that follow a leading byte, or -1. */
static int utf8_following(unsigned char lead)
{
    if (lead < 0x80)
        return 0;
    if (lead >= 0xc2 && lead <= 0xdf)
        return 1;
    if (lead >= 0xe0 && lead <= 0xef)
        return 2;
    if (lead >= 0xf0 && lead <= 0xf4)
        return 3;
    return -1;
}

static bool utf8_second_valid(unsigned char lead, unsigned char second)
{
    switch (lead) {
    case 0xe0:
        return second >= 0xa0;
    case 0xed:
        return second < 0xa0;
    case 0xf0:
        return second >= 0x90;
    case 0xf4:
        return second < 0x90;
    default:
        return true;
    }
}

bool xa_utf8_valid(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    while (*at) {
        unsigned char lead = *at++;
        int more = utf8_following(lead);
        if (more < 0 || (more > 0 && !utf8_second_valid(lead, *at)))
            return false;
        for (; more > 0; more--, at++) {
            if ((*at & 0xc0) != 0x80)
                return false;
        }
    }
    return true;
}
