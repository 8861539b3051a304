#!/bin/sh
# Within a namespace of users and mounts of its own, whose numbers are set when a line comes: programs for arm64 run by an emulator
# that this namespace alone has been told of, then a command in a root of that architecture. Ends it in order at the next line.
#
#   enter-arm64.sh EMULATOR ROOT TREE COMMAND…
set -eu
# What runs behind is given an empty input in place of this one.
exec 3<&0
read -r _
emulator=$1
root=$2
tree=$3
shift 3
mount -t binfmt_misc none /proc/sys/fs/binfmt_misc
magic='\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00'
mask='\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
echo ":arm64:M::$magic:$mask:$emulator:F" > /proc/sys/fs/binfmt_misc/register
mount --bind "$tree" "$root/product"
mount --rbind /dev "$root/dev"
mount -t proc proc "$root/proc"
env -i PATH=/usr/bin:/bin HOME=/tmp CES_DATA_DIR=/var/tmp/data "$(command -v chroot)" "$root" "$@" &
program=$!
(read -r _ || true; kill -TERM "$program") <&3 &
wait "$program"
