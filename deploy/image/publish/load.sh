#!/bin/sh
# Puts image and chart of this bundle, with their signatures and lists of parts, into a registry. Needs no other network.
#
#   ./load HOST[:PORT]/PATH [--plain-http]
#
# Logs in to nothing itself: ./oras login HOST before, where the registry asks for it. ORAS names another oras to take.
set -eu
if [ $# -lt 1 ] || [ $# -gt 2 ] || { [ $# -eq 2 ] && [ "$2" != --plain-http ]; }; then
  echo 'Arguments: HOST[:PORT]/PATH [--plain-http]' >&2
  exit 2
fi
target=$1
case $target in
  *://* | *@* | */ | /*) echo 'The registry is HOST[:PORT]/PATH, without a scheme, a user or a slash at its end.' >&2; exit 2 ;;
  */*) ;;
  *) echo 'The registry is HOST[:PORT]/PATH, without a scheme, a user or a slash at its end.' >&2; exit 2 ;;
esac
plain=${2:+--to-plain-http}
cd "$(dirname "$0")"
version=$(cat VERSION)
oras=${ORAS:-./oras}

echo "checking the files of version $version"
sha256sum --check --quiet --strict SHA256SUMS || { echo 'The bundle is not what was written: fetch it again.' >&2; exit 1; }

load() {
  echo "loading $1 into $target/$2:$version"
  # shellcheck disable=SC2086 # nothing where it is empty
  "$oras" cp --recursive --no-tty $plain --from-oci-layout "$1:$version" "$target/$2:$version" > /dev/null
}

load image company-evidence-search
load chart charts/ces
host=${target%%/*}
echo "helm upgrade --install ces oci://$target/charts/ces --version $version${2:+ --plain-http} \\"
echo "  --set image.registry=$host --set image.repository=${target#*/}/company-evidence-search"
