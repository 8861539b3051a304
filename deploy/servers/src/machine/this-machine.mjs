import { existsSync, readFileSync } from 'node:fs';

export function thisMachine() {
  const { platform, arch } = process;
  return { platform, arch, libc: platform === 'linux' ? libcOf('/usr/bin/ldd') : undefined };
}

/** Detected from ldd, which is part of the C library. */
function libcOf(ldd) {
  if (!existsSync(ldd)) return existsSync('/etc/alpine-release') ? 'musl' : 'glibc';
  return readFileSync(ldd, 'latin1').includes('musl') ? 'musl' : 'glibc';
}
