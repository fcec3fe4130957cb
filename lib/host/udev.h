/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What udev knows of a block device: by libudev, or from its database without it. */
#pragma once

#include "host/host.h"
#include "host/properties.h"

/*
 * Reads sys/dev/block/M:m/uevent and run/udev/data/bM:m as libudev does. initialized (may be
 * NULL) says if udev has looked at the device. -ENOENT: no such device. -EBADMSG: the database
 * is damaged.
 */
int xa_udev_database(struct host *door, const char *devno, struct properties *set,
                     bool *initialized);

/* The device to which a link below dev/ belongs ("disk/by-id/..."), or -ENOENT. */
int xa_udev_find_link(struct host *door, const char *link, struct buf *devno);

/* libudev, once loaded. */
struct udev_library;

/* Loads libudev by that name. -ELIBACC: there is none. */
int xa_udev_open(const char *library, struct udev_library **out);
void xa_udev_close(struct udev_library *udev);
int xa_udev_properties(struct udev_library *udev, const char *devno, struct properties *set);
