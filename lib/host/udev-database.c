// SPDX-License-Identifier: LGPL-2.1-or-later
// Reads udev's database without libudev, which knows no root but "/". Gives what libudev gives.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "host/door.h"
#include "host/udev.h"

/* What of a device is read line by line. */
struct reading {
    struct properties *set;
    struct buf links, tags, current_tags;
    const char *link;   /* looked for, or NULL */
    bool link_found;
    long long priority; /* of the links */
};

static bool is_number(const char *text)
{
    uint64_t number;
    return xa_number_parse(text, strlen(text), &number) == 0;
}

/* Cuts the text at its first newline and returns what follows, or NULL. */
static char *cut_line(char *text)
{
    char *end = strchr(text, '\n');
    if (!end)
        return NULL;
    *end = '\0';
    return end + 1;
}

static int set_pair(struct properties *set, char *pair, bool empty_unsets)
{
    char *value = strchr(pair, '=');
    if (!value || value == pair)
        return -EBADMSG;
    *value++ = '\0';
    return xa_properties_set(set, pair, *value || !empty_unsets ? value : NULL);
}

static int read_property(struct reading *reading, char *value)
{
    return set_pair(reading->set, value, true);
}

static int read_link(struct reading *reading, char *value)
{
    xa_buf_puts(&reading->links, "/dev/");
    xa_buf_puts(&reading->links, value);
    xa_buf_puts(&reading->links, " ");
    if (reading->link && strcmp(reading->link, value) == 0)
        reading->link_found = true;
    return reading->links.failed ? -ENOMEM : 0;
}

static int read_tag(struct reading *reading, char *value)
{
    xa_buf_puts(&reading->tags, value);
    xa_buf_puts(&reading->tags, ":");
    return reading->tags.failed ? -ENOMEM : 0;
}

static int read_current_tag(struct reading *reading, char *value)
{
    xa_buf_puts(&reading->current_tags, value);
    xa_buf_puts(&reading->current_tags, ":");
    return reading->current_tags.failed ? -ENOMEM : read_tag(reading, value);
}

static int read_initialized(struct reading *reading, char *value)
{
    if (!is_number(value))
        return -EBADMSG;
    return xa_properties_set(reading->set, "USEC_INITIALIZED", value);
}

static int read_priority(struct reading *reading, char *value)
{
    bool minus = value[0] == '-';
    uint64_t number;
    if (xa_number_parse(value + minus, strlen(value + minus), &number) || number > INT32_MAX)
        return -EBADMSG;
    reading->priority = minus ? -(long long)number : (long long)number;
    return 0;
}

/* The lines of the database; letters that are not here say nothing of interest. */
static const struct {
    char letter;
    int (*read)(struct reading *reading, char *value);
} line_kinds[] = {
    {'E', read_property}, {'G', read_tag},         {'I', read_initialized},
    {'L', read_priority}, {'Q', read_current_tag}, {'S', read_link},
};

static int read_line(struct reading *reading, char *line)
{
    if (line[0] < 'A' || line[0] > 'Z' || line[1] != ':' || !line[2])
        return -EBADMSG;
    for (unsigned at = 0; at < sizeof(line_kinds) / sizeof(line_kinds[0]); at++) {
        if (line_kinds[at].letter == line[0])
            return line_kinds[at].read(reading, line + 2);
    }
    return 0;
}

/* Reads all lines of a database file. One that is empty or ends within a line was cut. */
static int read_lines(struct reading *reading, struct buf *text)
{
    int code = 0;
    if (!text->length || text->text[text->length - 1] != '\n')
        return -EBADMSG;
    for (char *line = text->text; !code && *line;) {
        char *next = cut_line(line);
        code = read_line(reading, line);
        line = next;
    }
    return code;
}

static int write_sets(struct reading *reading)
{
    const struct {
        const char *key;
        const struct buf *words;
    } sets[] = {{"DEVLINKS", &reading->links},
                {"TAGS", &reading->tags},
                {"CURRENT_TAGS", &reading->current_tags}};
    int code = 0;
    for (unsigned at = 0; !code && at < sizeof(sets) / sizeof(sets[0]); at++) {
        if (sets[at].words->length)
            code = xa_properties_set(reading->set, sets[at].key, sets[at].words->text);
    }
    return code;
}

static void reading_free(struct reading *reading)
{
    xa_buf_free(&reading->links);
    xa_buf_free(&reading->tags);
    xa_buf_free(&reading->current_tags);
}

static int read_database(struct host *door, const char *file, struct reading *reading)
{
    struct buf text = {0}, path = {0};
    xa_buf_printf(&path, "run/udev/data/%s", file);
    int code = path.failed ? -ENOMEM : xa_door_raw(door, path.text, &text);
    if (!code)
        code = read_lines(reading, &text);
    else if (code == -EILSEQ || code == -EFBIG)
        code = -EBADMSG;
    xa_buf_free(&path);
    xa_buf_free(&text);
    return code;
}

/* One line of a uevent file. The name of the node gets its folder, as libudev gives it. */
static int read_uevent_line(struct properties *set, char *line)
{
    static const char name[] = "DEVNAME=";
    if (!*line)
        return 0;
    int code = set_pair(set, line, false);
    if (code || strncmp(line, name, sizeof(name) - 2) != 0 || line[sizeof(name) - 2])
        return code;
    const char *value = xa_properties_get(set, "DEVNAME");
    if (!value || value[0] == '/')
        return 0;
    struct buf path = {0};
    xa_buf_printf(&path, "/dev/%s", value);
    code = path.failed ? -ENOMEM : xa_properties_set(set, "DEVNAME", path.text);
    xa_buf_free(&path);
    return code;
}

static int read_uevent(struct host *door, const char *devno, struct properties *set)
{
    struct buf path = {0}, text = {0};
    xa_buf_printf(&path, "sys/dev/block/%s/uevent", devno);
    int code = path.failed ? -ENOMEM : xa_host_read(door, path.text, &text);
    if (!code)
        code = xa_properties_set(set, "SUBSYSTEM", "block");
    for (char *line = text.text; !code && line;) {
        char *next = cut_line(line);
        code = read_uevent_line(set, line);
        line = next;
    }
    xa_buf_free(&path);
    xa_buf_free(&text);
    return code;
}

/* The device's folder below sys/, from the link "../../devices/..." that leads to it. */
static int read_devpath(struct host *door, const char *devno, struct properties *set)
{
    struct buf path = {0}, link = {0};
    xa_buf_printf(&path, "sys/dev/block/%s", devno);
    int code = path.failed ? -ENOMEM : xa_host_link(door, path.text, &link);
    if (!code && strncmp(link.text, "../../", 6) == 0)
        code = xa_properties_set(set, "DEVPATH", link.text + 5);
    xa_buf_free(&path);
    xa_buf_free(&link);
    return code == -ENOMEM ? code : 0;
}

int xa_udev_database(struct host *door, const char *devno, struct properties *set,
                     bool *initialized)
{
    struct reading reading = {.set = set};
    char file[24];
    snprintf(file, sizeof(file), "b%.21s", devno);
    int uevent = read_uevent(door, devno, set);
    int code = uevent && uevent != -ENOENT ? uevent : read_devpath(door, devno, set);
    if (!code)
        code = read_database(door, file, &reading);
    if (initialized)
        *initialized = !code;
    if (!code)
        code = write_sets(&reading);
    else if (code == -ENOENT)
        code = uevent;
    reading_free(&reading);
    return code;
}

/* Looks for the link in one file; better says if a claim of higher priority was found. */
static int search_file(struct host *door, const char *file, const char *link, bool *found,
                       long long *priority, bool *better)
{
    struct properties set = {0};
    struct reading reading = {.set = &set, .link = link};
    int code = read_database(door, file, &reading);
    *better = !code && reading.link_found && (!*found || reading.priority > *priority);
    if (*better) {
        *found = true;
        *priority = reading.priority;
    }
    reading_free(&reading);
    xa_properties_free(&set);
    return code;
}

/* Searches the files; returns -EBADMSG when nothing was found and one was damaged. */
static int search_files(struct host *door, char *files, const char *link, struct buf *devno)
{
    bool found = false, better = false;
    long long priority = 0;
    int damage = -ENOENT;
    while (files) {
        char *next = cut_line(files);
        if (files[0] == 'b') {
            int code = search_file(door, files, link, &found, &priority, &better);
            if (code == -ENOMEM)
                return code;
            if (code == -EBADMSG)
                damage = code;
        }
        if (files[0] == 'b' && better) {
            xa_buf_clear(devno);
            xa_buf_puts(devno, files + 1);
        }
        files = next;
    }
    if (devno->failed)
        return -ENOMEM;
    return found ? 0 : damage;
}

int xa_udev_find_link(struct host *door, const char *link, struct buf *devno)
{
    struct buf files = {0};
    int code = xa_host_list(door, "run/udev/data", &files);
    if (!code)
        code = search_files(door, files.text, link, devno);
    else if (code != -ENOMEM)
        code = -ENOENT;
    xa_buf_free(&files);
    return code;
}
