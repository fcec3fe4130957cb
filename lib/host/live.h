/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The door to this machine, with the names of the libraries to load, which a test may change. */
#pragma once

#include "host/host.h"

int xa_host_live_with(const char *libudev, const char *libblkid, struct host **out,
                      struct xfsa_error *err);
