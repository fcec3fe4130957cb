/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is on a block device: by libblkid, or as udev once found it. */
#pragma once

#include "host/host.h"

/* As udev's database says. -ENODATA: udev has not looked at the device. */
int xa_signature_database(struct host *door, const char *devno, struct buf *out);

/* libblkid, once loaded. */
struct blkid_library;

/* Loads libblkid by that name. -ELIBACC: there is none. */
int xa_blkid_open(const char *library, struct blkid_library **out);
void xa_blkid_close(struct blkid_library *blkid);

/* Probes the open device. */
int xa_blkid_probe(struct blkid_library *blkid, int fd, struct buf *out);
