// SPDX-License-Identifier: LGPL-2.1-or-later
// Asks libudev, which is loaded when it is first needed. Only for this machine.
#include <errno.h>
#include <libudev.h>
#include <stdlib.h>
#include <sys/sysmacros.h>

#include "host/door.h"
#include "host/library.h"
#include "host/udev.h"

struct udev_functions {
    __typeof__(&udev_new) udev_new;
    __typeof__(&udev_unref) udev_unref;
    __typeof__(&udev_device_new_from_devnum) udev_device_new_from_devnum;
    __typeof__(&udev_device_unref) udev_device_unref;
    __typeof__(&udev_device_get_properties_list_entry) udev_device_get_properties_list_entry;
    __typeof__(&udev_list_entry_get_next) udev_list_entry_get_next;
    __typeof__(&udev_list_entry_get_name) udev_list_entry_get_name;
    __typeof__(&udev_list_entry_get_value) udev_list_entry_get_value;
};

static const struct library_symbol symbols[] = {
    LIBRARY_SYMBOL(udev_functions, udev_new),
    LIBRARY_SYMBOL(udev_functions, udev_unref),
    LIBRARY_SYMBOL(udev_functions, udev_device_new_from_devnum),
    LIBRARY_SYMBOL(udev_functions, udev_device_unref),
    LIBRARY_SYMBOL(udev_functions, udev_device_get_properties_list_entry),
    LIBRARY_SYMBOL(udev_functions, udev_list_entry_get_next),
    LIBRARY_SYMBOL(udev_functions, udev_list_entry_get_name),
    LIBRARY_SYMBOL(udev_functions, udev_list_entry_get_value),
};

struct udev_library {
    void *handle;
    struct udev_functions call;
    struct udev *udev;
};

int xa_udev_open(const char *library, struct udev_library **out)
{
    struct udev_library *udev = calloc(1, sizeof(*udev));
    if (!udev)
        return -ENOMEM;
    int code = xa_library_open(library, symbols, sizeof(symbols) / sizeof(symbols[0]),
                               &udev->call, &udev->handle);
    if (!code) {
        udev->udev = udev->call.udev_new();
        if (!udev->udev)
            code = -ENOMEM;
    }
    if (code) {
        xa_udev_close(udev);
        return code;
    }
    *out = udev;
    return 0;
}

void xa_udev_close(struct udev_library *udev)
{
    if (!udev)
        return;
    if (udev->udev)
        udev->call.udev_unref(udev->udev);
    xa_library_close(udev->handle);
    free(udev);
}

int xa_udev_properties(struct udev_library *udev, const char *devno, struct properties *set)
{
    const struct udev_functions *call = &udev->call;
    unsigned number[2];
    int code = xa_devno_parse(devno, &number[0], &number[1]);
    if (code)
        return code;
    errno = 0;
    struct udev_device *device =
        call->udev_device_new_from_devnum(udev->udev, 'b', makedev(number[0], number[1]));
    if (!device)
        return errno == ENOMEM ? -ENOMEM : -ENOENT;
    struct udev_list_entry *entry = call->udev_device_get_properties_list_entry(device);
    for (; !code && entry; entry = call->udev_list_entry_get_next(entry))
        code = xa_properties_set(set, call->udev_list_entry_get_name(entry),
                                 call->udev_list_entry_get_value(entry));
    call->udev_device_unref(device);
    return code;
}
