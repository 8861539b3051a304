import module from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { readSecretsFile } from './secrets-file.ts';

readSecretsFile();

/** The one entry of the image: the command line, which a person waits for, loads nothing of the programs. */
if (process.argv[2] === 'ces') {
  process.argv.splice(2, 1);
  // Kept in a container that lives on and may write; where it may not, nothing is said and nothing lost.
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE ?? path.join(os.homedir(), '.cache/ces'));
  await import('../../cli/src/main.ts');
} else await import('./programs.ts');
