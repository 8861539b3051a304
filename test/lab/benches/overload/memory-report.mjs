// Preloaded into a process that is to say what its memory consists of: at SIGUSR2, as it is and once what is dead is collected.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import v8 from 'node:v8';
import vm from 'node:vm';

const file = process.env.CES_LAB_MEMORY_FILE;
v8.setFlagsFromString('--expose-gc');
const collect = vm.runInNewContext('gc');

process.on('SIGUSR2', () => {
  const asItIs = look();
  collect();
  collect();
  writeFileSync(`${file}.new`, JSON.stringify({ asItIs, collected: look() }));
  renameSync(`${file}.new`, file);
});

/** Bytes. */
function look() {
  const { rss, heapUsed, external, arrayBuffers } = process.memoryUsage();
  const pagesOf = (name) =>
    v8.getHeapSpaceStatistics().find((space) => space.space_name === name)?.physical_space_size ?? 0;
  return {
    resident: rss,
    objects: heapUsed,
    'pages of young objects': pagesOf('new_space'),
    'pages of old objects': pagesOf('old_space'),
    external: external + arrayBuffers,
    'of malloc': mallocResident(),
  };
}

/** What the main arena of malloc holds; others are anonymous like V8's pages. */
function mallocResident() {
  const [, kilobytes = '0'] = /\[heap\]\n(?:.*\n)*?Rss:\s+(\d+)/.exec(readFileSync('/proc/self/smaps', 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}
