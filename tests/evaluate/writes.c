/* A shim for LD_PRELOAD: at write number COMPANION_FAULT_AT it stops the process ("kill"), fails the call ("eio",
 * "enospc", "edquot", "erofs") from there on, or cuts the power ("power"): everything written since the last sync of each
 * file is undone. With COMPANION_FAULT_CALLS=N only N calls fail, as if somebody then made room.
 *
 * Counted are write, pwrite64 and ftruncate on files below COMPANION_FAULT_FOLDER, fsync and fdatasync. With
 * COMPANION_FAULT_AT=0 nothing fails, and the number of calls is written to COMPANION_FAULT_COUNT. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct undo { char path[512]; off_t at; ssize_t size; off_t end; char *old; struct undo *before; };
static struct undo *undos;
static long calls;

static const char *setting(const char *name) { const char *text = getenv(name); return text ? text : ""; }

static int watched(int fd, char *path) {
  char link[64];
  const char *folder = setting("COMPANION_FAULT_FOLDER");
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, 511);
  if (length <= 0 || !*folder) return 0;
  path[length] = 0;
  return strncmp(path, folder, strlen(folder)) == 0;
}

static void cut_power(void) {
  for (struct undo *one = undos; one; one = one->before) {
    int fd = open(one->path, O_RDWR);
    if (fd < 0) continue;
    ssize_t (*real)(int, const void *, size_t, off_t) = dlsym(RTLD_NEXT, "pwrite64");
    int (*cut)(int, off_t) = dlsym(RTLD_NEXT, "ftruncate");
    if (one->old && one->size > 0 && real(fd, one->old, one->size, one->at) < 0) _exit(98);
    if (cut(fd, one->end) < 0) _exit(98);
    close(fd);
  }
  _exit(99);
}

/* Returns whether this call is to fail. */
static int fault(void) {
  long at = atol(setting("COMPANION_FAULT_AT")), failing = atol(setting("COMPANION_FAULT_CALLS"));
  const char *kind = setting("COMPANION_FAULT_KIND");
  calls++;
  if (at == 0 || calls < at || (failing > 0 && calls >= at + failing)) return 0;
  if (strcmp(kind, "kill") == 0) _exit(99);
  if (strcmp(kind, "power") == 0) cut_power();
  errno = strcmp(kind, "enospc") == 0 ? ENOSPC : strcmp(kind, "edquot") == 0 ? EDQUOT
    : strcmp(kind, "erofs") == 0 ? EROFS : EIO;
  return 1;
}

static void remember(int fd, const char *path, off_t at, size_t size) {
  struct stat status;
  struct undo *one = calloc(1, sizeof *one);
  if (!one || fstat(fd, &status) < 0) return;
  strncpy(one->path, path, sizeof one->path - 1);
  one->at = at;
  one->end = status.st_size;
  one->old = malloc(size ? size : 1);
  int reader = open(path, O_RDONLY);
  one->size = reader < 0 ? 0 : pread(reader, one->old, size, at);
  if (reader >= 0) close(reader);
  one->before = undos;
  undos = one;
}

static void forget(const char *path) {
  for (struct undo **link = &undos; *link;) {
    struct undo *one = *link;
    if (strcmp(one->path, path) == 0) { *link = one->before; free(one->old); free(one); }
    else link = &one->before;
  }
}

ssize_t write(int fd, const void *data, size_t size) {
  static ssize_t (*real)(int, const void *, size_t);
  char path[512];
  if (!real) real = dlsym(RTLD_NEXT, "write");
  if (watched(fd, path)) { if (fault()) return -1; remember(fd, path, lseek(fd, 0, SEEK_CUR), size); }
  return real(fd, data, size);
}

ssize_t pwrite64(int fd, const void *data, size_t size, off_t at) {
  static ssize_t (*real)(int, const void *, size_t, off_t);
  char path[512];
  if (!real) real = dlsym(RTLD_NEXT, "pwrite64");
  if (watched(fd, path)) { if (fault()) return -1; remember(fd, path, at, size); }
  return real(fd, data, size, at);
}

int ftruncate64(int fd, off_t end) {
  static int (*real)(int, off_t);
  char path[512];
  if (!real) real = dlsym(RTLD_NEXT, "ftruncate");
  if (watched(fd, path)) {
    struct stat status;
    if (fault()) return -1;
    if (fstat(fd, &status) == 0 && status.st_size > end) remember(fd, path, end, status.st_size - end);
    else remember(fd, path, end, 0);
  }
  return real(fd, end);
}

static int synced(int fd, const char *name) {
  int (*real)(int) = dlsym(RTLD_NEXT, name);
  char path[512];
  if (watched(fd, path)) { if (fault()) return -1; forget(path); }
  return real(fd);
}
int fsync(int fd) { return synced(fd, "fsync"); }
int fdatasync(int fd) { return synced(fd, "fdatasync"); }

__attribute__((destructor)) static void count(void) {
  const char *file = setting("COMPANION_FAULT_COUNT");
  FILE *out = *file ? fopen(file, "w") : NULL;
  if (out) { fprintf(out, "%ld\n", calls); fclose(out); }
}
