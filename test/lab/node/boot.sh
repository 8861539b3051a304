#!/usr/bin/env bash
# boot.sh FOLDER COMMAND…: the first process of the node. What it mounts and sets is gone with its namespaces.
set -euo pipefail
folder=$1
shift

umount --recursive /sys
mount --make-rshared /
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t tmpfs cgroup /sys/fs/cgroup
while IFS=: read -r _ controllers _; do
  [ -n "$controllers" ] || continue
  mountpoint=/sys/fs/cgroup/${controllers#name=}
  mkdir "$mountpoint"
  option=$controllers
  [ "$controllers" = "${controllers#name=}" ] || option=none,$controllers
  mount -t cgroup -o "$option" cgroup "$mountpoint"
done < /proc/self/cgroup
mount -t tmpfs tmpfs /run
mount -t tmpfs tmpfs /var/log
mkdir -p "$folder/lib" "$folder/sys"
mount --bind "$folder/lib" /var/lib

# Settings of the whole machine that the kubelet would write: it writes these files instead.
while read -r setting value; do
  file=$folder/sys/${setting//\//-}
  echo "$value" > "$file"
  mount --bind "$file" "/proc/sys/$setting"
done <<END
vm/overcommit_memory 1
vm/panic_on_oom 0
kernel/panic 10
kernel/panic_on_oops 1
kernel/keys/root_maxkeys 1000000
kernel/keys/root_maxbytes 25000000
END

export TMPDIR=$folder/tmp
mkdir -p "$TMPDIR"

if [ -z "${SHARE_NETWORK:-}" ]; then
  hostname node0
  ip link set lo up
  ip link add node0 type bridge
  ip address add 10.88.0.1/24 dev node0
  ip link set node0 up
  ip route add default via 10.88.0.254
  for setting in ip_forward=1 conf.all.send_redirects=0 conf.default.send_redirects=0; do
    echo "${setting#*=}" > "/proc/sys/net/ipv4/$(echo "${setting%=*}" | tr . /)"
  done
fi

exec 3<&0
"$@" < /dev/null 3<&- &
command=$!
cat <&3 > /dev/null &
code=0
wait -n -p ended "$command" "$!" || code=$?
# Closed from outside: the first process ends, and with it every other.
[ "$ended" = "$command" ] || code=130
exit "$code"
