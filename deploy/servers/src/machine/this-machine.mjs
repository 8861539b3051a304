import { existsSync, readFileSync } from 'node:fs';

/** The machine that this runs on. */
export function thisMachine() {
  const { platform, arch } = process;
  return { platform, arch, libc: platform === 'linux' ? libcOf('/usr/bin/ldd') : undefined };
}

/** By the program that lists libraries, which belongs to the C library itself. */
function libcOf(ldd) {
  if (!existsSync(ldd)) return existsSync('/etc/alpine-release') ? 'musl' : 'glibc';
  return readFileSync(ldd, 'latin1').includes('musl') ? 'musl' : 'glibc';
}
