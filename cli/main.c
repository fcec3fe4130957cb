// SPDX-License-Identifier: LGPL-2.1-or-later
// xfsadvise, the command line of libxfsadvise.
#include "cli.h"

int main(int argc, char **argv)
{
    return cmd_advise(argc, argv);
}
