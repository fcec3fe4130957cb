/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What mkfs.xfs sees of a machine, set from the environment: a library to load before it, for
 * the comparison of the model with real versions. What is not set stays as it is; it changes no
 * byte of any file. Build: cc -shared -fPIC -o preload.so preload.c
 *
 * T_ROTATIONAL  0 or 1: answer of BLKROTATIONAL, for a regular file too
 * T_CPUS        CPUs online
 * T_MIN T_OPT   minimum and optimal I/O size, bytes
 * T_PS T_LS     physical and logical sector size, bytes
 * T_ALIGN       alignment offset, bytes
 * T_SIZE        size of a block device, bytes
 * T_BLOCK       1: regular files of 1 MiB or more pass for block devices
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#undef _FILE_OFFSET_BITS /* both names of stat stand below: none may be redirected */
#include <dlfcn.h>
#include <linux/fs.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* No driver has it, so that no mount and no entry of sysfs is taken for the file. */
#define PRETENDED_MAJOR 4000
#define DEVICE_AT_LEAST (1024 * 1024)

static bool setting(const char *name, unsigned long long *value)
{
	const char *text = getenv(name);

	if (!text || !*text)
		return false;
	*value = strtoull(text, NULL, 0);
	return true;
}

static bool pretends(void)
{
	unsigned long long value = 0;

	return setting("T_BLOCK", &value) && value != 0;
}

/* dlsym() gives an object pointer and C has no cast from it to a function. */
static void find(void *function, const char *name)
{
	void *found = dlsym(RTLD_NEXT, name);

	if (!found)
		abort();
	memcpy(function, &found, sizeof(found));
}

long sysconf(int name)
{
	static long (*real)(int);
	unsigned long long value;

	if (name == _SC_NPROCESSORS_ONLN && setting("T_CPUS", &value))
		return (long)value;
	if (!real)
		find(&real, "sysconf");
	return real(name);
}

#define STAT(function, type, where)                                   \
	int function(where what, struct type *result);                \
	int function(where what, struct type *result)                 \
	{                                                             \
		static int (*real)(where, struct type *);             \
		int rc;                                               \
                                                                      \
		if (!real)                                            \
			find(&real, #function);                       \
		rc = real(what, result);                              \
		if (rc == 0 && pretends() && S_ISREG(result->st_mode) \
		    && result->st_size >= DEVICE_AT_LEAST) {          \
			result->st_mode ^= S_IFREG ^ S_IFBLK;         \
			result->st_rdev = makedev(PRETENDED_MAJOR,    \
						  (unsigned int)result->st_ino); \
		}                                                     \
		return rc;                                            \
	}

STAT(stat, stat, const char *)
STAT(fstat, stat, int)
STAT(stat64, stat64, const char *)
STAT(fstat64, stat64, int)

static bool is_pretended(int fd, struct stat *found)
{
	return pretends() && fstat(fd, found) == 0 && S_ISBLK(found->st_mode)
	       && major(found->st_rdev) == PRETENDED_MAJOR;
}

/* Answers what the environment or a file that passes for a device has to say to the request. */
static bool answer(int fd, unsigned long request, void *argument)
{
	unsigned long long value;
	struct stat found;

	switch (request) {
	case BLKROTATIONAL:
		if (!setting("T_ROTATIONAL", &value))
			return false;
		*(unsigned short *)argument = (unsigned short)value;
		return true;
	case BLKGETSIZE64:
		if (setting("T_SIZE", &value))
			*(uint64_t *)argument = value;
		else if (is_pretended(fd, &found))
			*(uint64_t *)argument = (uint64_t)found.st_size;
		else
			return false;
		return true;
	case BLKSSZGET:
		if (!is_pretended(fd, &found))
			return false;
		*(int *)argument = setting("T_LS", &value) ? (int)value : 512;
		return true;
	case BLKBSZSET:
	case BLKFLSBUF:
		return is_pretended(fd, &found);
	default:
		return false;
	}
}

int ioctl(int fd, unsigned long request, ...)
{
	static int (*real)(int, unsigned long, ...);
	va_list arguments;
	void *argument;

	va_start(arguments, request);
	argument = va_arg(arguments, void *);
	va_end(arguments);
	if (answer(fd, request, argument))
		return 0;
	if (!real)
		find(&real, "ioctl");
	return real(fd, request, argument);
}

/* A file that passes for a device has no entry in sysfs, so libblkid knows no topology of it. */
static char pretended_topology;

void *blkid_probe_get_topology(void *probe);
void *blkid_probe_get_topology(void *probe)
{
	static void *(*real)(void *);
	void *found;

	if (!real)
		find(&real, "blkid_probe_get_topology");
	found = real(probe);
	return !found && pretends() ? &pretended_topology : found;
}

#define TOPOLOGY(function, variable, otherwise)                     \
	unsigned long function(void *topology);                     \
	unsigned long function(void *topology)                      \
	{                                                           \
		static unsigned long (*real)(void *);               \
		unsigned long long value;                           \
                                                                    \
		if (setting(variable, &value))                      \
			return (unsigned long)value;                \
		if (topology == (void *)&pretended_topology)        \
			return otherwise;                           \
		if (!real)                                          \
			find(&real, #function);                     \
		return real(topology);                              \
	}

TOPOLOGY(blkid_topology_get_minimum_io_size, "T_MIN", 512)
TOPOLOGY(blkid_topology_get_optimal_io_size, "T_OPT", 0)
TOPOLOGY(blkid_topology_get_physical_sector_size, "T_PS", 512)
TOPOLOGY(blkid_topology_get_logical_sector_size, "T_LS", 512)
TOPOLOGY(blkid_topology_get_alignment_offset, "T_ALIGN", 0)
