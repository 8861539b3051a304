import module from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { readSecretsFile } from './secrets-file.ts';

readSecretsFile();

/** The only entry point of the image. `ces` does not load the programs' code, so it starts fast. */
if (process.argv[2] === 'ces') {
  process.argv.splice(2, 1);
  // A long-lived container with a writable home keeps the cache. Elsewhere Node ignores the failure
  // silently.
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE ?? path.join(os.homedir(), '.cache/ces'));
  await import('../../cli/src/main.ts');
} else await import('./programs.ts');
