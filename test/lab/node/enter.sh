#!/usr/bin/env bash
# enter.sh FOLDER COMMAND…: runs COMMAND with FOLDER on a machine of its own: own mounts, network, processes, cgroups. All of it
# ends, and FOLDER with it, when COMMAND ends or when standard input is closed, as when its parent ends.
# SHARE_NETWORK leaves it on the network of this machine, KEEP_NODE leaves the folder.
set -euo pipefail
trap '' INT TERM HUP
here=$(dirname "$(readlink -f "$0")")
folder=$1
cgroups=()

clean() {
  for cgroup in "${cgroups[@]}"; do find "$cgroup" -depth -type d -exec rmdir {} + 2>/dev/null || true; done
  [ -n "${KEEP_NODE:-}" ] || rm -rf "$folder"
}
trap clean EXIT

while IFS=: read -r _ controllers place; do
  [ -n "$controllers" ] || continue
  parent=/sys/fs/cgroup/${controllers#name=}${place%/}
  cgroup=$parent/ces-lab-$$
  mkdir "$cgroup"
  cgroups+=("$cgroup")
  for file in cpuset.cpus cpuset.mems; do
    if [ -e "$parent/$file" ]; then cat "$parent/$file" > "$cgroup/$file"; fi
  done
done < /proc/self/cgroup

(
  for cgroup in "${cgroups[@]}"; do echo "$BASHPID" > "$cgroup/cgroup.procs"; done
  network=--net
  [ -z "${SHARE_NETWORK:-}" ] || network=--mount
  exec unshare --mount $network --pid --uts --ipc --cgroup --fork --kill-child --propagation private "$here/boot.sh" "$@"
) && code=0 || code=$?
exit "$code"
