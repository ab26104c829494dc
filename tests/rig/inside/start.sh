#!/bin/bash
# Inside the guest: a Raspberry Pi's pins and camera, then everything that is tried on them.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8

# The service, which came up with the box and goes on trying without pins, lets go of what the panel's tests need.
systemctl stop companion

# On the host's file system every file is root's, whoever made it: the games lie in memory meanwhile.
mkdir /run/games
mount --bind /run/games /var/lib/companion

# A header of 54 lines by gpio-sim; /proc/cpuinfo tells gpiozero which Pi it is (c03115: a Pi 4 B).
mountpoint -q /sys/kernel/config || mount -t configfs none /sys/kernel/config
chip=/sys/kernel/config/gpio-sim/table
mkdir -p $chip/bank0
echo 54 >$chip/bank0/num_lines
echo 1 >$chip/live
RIG_PINS=/sys/devices/platform/$(cat $chip/dev_name)/$(cat $chip/bank0/chip_name)
export RIG_PINS
{ cat /proc/cpuinfo; echo 'Revision : c03115'; } >/run/cpuinfo
mount --bind /run/cpuinfo /proc/cpuinfo

# picamera2 asks for the contiguous memory of a Pi.
ln -sf system '/dev/dma_heap/linux,cma'
udevadm trigger
udevadm settle --timeout=20

cd /usr/src/companion || exit 1
mkdir /run/tried
cp -r tests pyproject.toml /run/tried
cd /run/tried || exit 1
export PYTHONPATH=/rig/tools PYTHONDONTWRITEBYTECODE=1
# Warnings are errors there, but for two that are not ours: picamera2 makes its thread a daemon in the old way, and lgpio's
# module, as SWIG 4.3.0 makes it, warns while Python ends, which then crashes if the warning is an error.
/opt/companion/venv/bin/python -m pytest -p no:cacheprovider -o addopts= -rA --tb=short \
  -W "ignore:setDaemon:DeprecationWarning" -W "ignore:builtin type swig:DeprecationWarning" \
  tests/rig/inside/*.py tests/contracts/test_panels_on_pins.py -k "not mock" 2>&1 | tee /rig/pytest.log
echo "${PIPESTATUS[0]}" >/rig/status
umount /var/lib/companion
cp -r /run/games/. /var/lib/companion
sync
