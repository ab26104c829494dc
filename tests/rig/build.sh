# shellcheck shell=bash
# Sourced by run.sh: builds, once, a Linux kernel that runs as a program, and a Debian with a Raspberry Pi's camera stack.
# `rig` is this folder and `project` the one above. Everything lies in the cache folder; a part is built again only when what it is made from has changed.

: "${rig:?}" "${project:?}"
CACHE=${COMPANION_RIG_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/companion-rig}
MIRROR=${COMPANION_RIG_MIRROR:-http://deb.debian.org/debian}
SUITE=trixie
NOT_RUN=77
KERNEL_SOURCE=linux-source-6.12

COMPILERS=(build-essential python3-dev python3-pip flex bison bc swig xz-utils libelf-dev libssl-dev libcap-dev "$KERNEL_SOURCE")
GUEST=(python3-pip python3-numpy python3-libcamera libcamera-ipa)
# What deploy/install.sh asks apt for there: fetched once, installed by nobody but it.
FETCHED=(python3-venv)

# On a Pi these come from Raspberry Pi's apt archive. PiDNG and the rest are what picamera2 imports.
PINS_AND_CAMERA=(lgpio picamera2 python-prctl simplejpeg PiDNG piexif videodev2 av libarchive-c tqdm jsonschema pillow OpenEXR)
TOOLS=(pytest hypothesis)

say() { printf '== rig: %s\n' "$*"; }

# The gate does not take this for a pass: it tells that the rig was not run, and why.
not_run() {
  printf 'the rig was not run: %s\n' "$*" >&2
  exit "$NOT_RUN"
}

build() {
  needs
  mkdir -p "$CACHE"
  part base "$MIRROR $SUITE" clean_debian
  part compilers "${COMPILERS[*]}" debian_with_compilers
  part kernel "$(cat "$rig/kernel.config")" kernel
  part wheels "${PINS_AND_CAMERA[*]} ${TOOLS[*]} $(cat "$project/deploy/requirements.lock")" wheels
  part guest "${GUEST[*]} ${FETCHED[*]} $(cat "$CACHE/wheels.made")" guest
}

needs() {
  local tool
  [ "$(uname -s) $(uname -m)" = "Linux x86_64" ] || not_run "User-Mode Linux needs Linux on x86-64, this is $(uname -s) $(uname -m)"
  [ "$(id -u)" -eq 0 ] || not_run "it makes a Debian of its own, for which it must be root (in a container, say)"
  for tool in apt-get dpkg gpgv unshare chroot; do
    command -v "$tool" >/dev/null || not_run "it needs the command $tool, which is not here"
  done
  unshare --mount true 2>/dev/null || not_run "it may not make a mount namespace here"
}

# part NAME MADE_FROM FUNCTION: has FUNCTION fill the folder $CACHE/NAME, unless it was filled from the same before.
part() {
  local name=$1 made_from began=$SECONDS
  made_from=$(printf '%s %s' "$2" "$(declare -f "$3")" | cksum)
  if [ -d "$CACHE/$name" ] && [ "$(cat "$CACHE/$name.made" 2>/dev/null)" = "$made_from" ]; then
    return
  fi
  say "building $name (log: $CACHE/$name.log)"
  rm -rf "${CACHE:?}/$name" "$CACHE/$name.made"
  mkdir "$CACHE/$name"
  "$3" "$CACHE/$name" >"$CACHE/$name.log" 2>&1 ||
    not_run "$name could not be built (is there a network?): $(grep -v '^$' "$CACHE/$name.log" | tail -n 1)"
  echo "$made_from" >"$CACHE/$name.made"
  say "$name took $((SECONDS - began)) s"
}

# within ROOT COMMAND...: runs a command in a Debian of ours; its /proc goes when the command ends.
within() {
  local root=$1
  shift
  # shellcheck disable=SC2016 # expanded inside
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 \
    SSL_CERT_FILE=/etc/ssl/certs/host.crt PIP_CERT=/etc/ssl/certs/host.crt PIP_DISABLE_PIP_VERSION_CHECK=1 \
    PIP_ROOT_USER_ACTION=ignore \
    unshare --mount --propagation private sh -c 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"' "$root" "$@" </dev/null
}

clean_debian() (
  set -e
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  cd "$work"
  apt-get download debootstrap
  dpkg --extract debootstrap_*.deb .
  DEBOOTSTRAP_DIR=$work/usr/share/debootstrap sh usr/sbin/debootstrap --variant=minbase \
    --include=ca-certificates,systemd,systemd-sysv,libpam-systemd,dbus,polkitd,udev,python3 "$SUITE" "$1" "$MIRROR"
  # This machine may reach the network through a proxy that only its own certificates know.
  cp /etc/ssl/certs/ca-certificates.crt "$1/etc/ssl/certs/host.crt"
  cp --dereference /etc/resolv.conf "$1/etc/resolv.conf"
  within "$1" apt-get -q update
)

debian_with_compilers() (
  set -e
  cp -a "$CACHE/base/." "$1"
  within "$1" apt-get -q -y --no-install-recommends install "${COMPILERS[@]}"
)

# Debian's own source. HZ is raised because edges closer than a tick are lost; room for vector registers because
# processors with AMX have 11008 bytes of them and not 2696, without which no program starts ("ptrace set fp regs
# failed"). This kernel's vimc gives one order of colours only, whatever it is asked for: here the one that every Pi's
# camera has ("RGB888", which lies as B, G, R), since with the other no such stream starts ("Broken pipe").
kernel() (
  set -e
  folder=$CACHE/compilers/usr/src
  cp "$rig/kernel.config" "$folder"
  within "$CACHE/compilers" bash -ec "
    cd /usr/src
    [ -d $KERNEL_SOURCE ] || tar xf $KERNEL_SOURCE.tar.xz
    cd $KERNEL_SOURCE
    sed -i '/^config HZ/,/default 100/ s/default 100$/default 1000/' arch/um/Kconfig
    sed -i '/HOST_FP_SIZE/ s/2696/11264/' arch/x86/um/user-offsets.c
    sed -i '/define VIMC_DEBAYER_SOURCE_MBUS_FMT/ s/MEDIA_BUS_FMT_RGB888_1X24/MEDIA_BUS_FMT_BGR888_1X24/' \
      drivers/media/test-drivers/vimc/vimc-debayer.c
    make ARCH=um O=/usr/src/built defconfig
    cd /usr/src/built
    ARCH=um ../$KERNEL_SOURCE/scripts/kconfig/merge_config.sh -m -O . .config /usr/src/kernel.config
    make ARCH=um olddefconfig
    make ARCH=um -j$(nproc) linux"
  cp "$folder/built/linux" "$folder/built/.config" "$1"
)

# All that pip installs in the guest, so that a run needs no network. PYPI=1: lgpio with its C library inside.
wheels() (
  set -e
  rm -rf "$CACHE/compilers/wheels"
  cp "$project/deploy/requirements.lock" "$CACHE/compilers/requirements.lock"
  within "$CACHE/compilers" env PYPI=1 pip wheel --wheel-dir /wheels "${PINS_AND_CAMERA[@]}" "${TOOLS[@]}"
  within "$CACHE/compilers" pip download --no-deps --require-hashes --only-binary :all: --dest /wheels --requirement /requirements.lock
  cp "$CACHE/compilers/wheels/"* "$1"
)

guest() (
  set -e
  cp -a "$CACHE/base/." "$1"
  within "$1" apt-get -q -y --no-install-recommends install "${GUEST[@]}"
  within "$1" apt-get clean
  within "$1" apt-get -q -y --no-install-recommends --download-only install "${FETCHED[@]}"
  cp -a "$CACHE/wheels" "$1/wheels"
  within "$1" pip install --break-system-packages --no-index --find-links /wheels "${PINS_AND_CAMERA[@]}"
  within "$1" pip install --target /rig/tools --no-index --find-links /wheels "${TOOLS[@]}"
  # picamera2 imports pykms, which Debian has not, for its preview on a screen only.
  cat >"$1/usr/local/lib/python3.13/dist-packages/pykms.py" <<'PY'
class _AnyName:
    def __getattr__(self, name):
        return name


PixelFormat = _AnyName()
PY
  within "$1" python3 -c 'import lgpio, libcamera, picamera2'
  echo rig >"$1/etc/hostname"
)
