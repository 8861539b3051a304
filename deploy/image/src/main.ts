import module from 'node:module';
import os from 'node:os';
import path from 'node:path';

readSecretsFile();

/** The only entry point of the image. `ces` does not load the programs' code, so it starts fast. */
if (process.argv[2] === 'ces') {
  process.argv.splice(2, 1);
  // A long-lived container with a writable home keeps the cache. Elsewhere Node ignores the failure
  // silently.
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE ?? path.join(os.homedir(), '.cache/ces'));
  await import('../../cli/src/main.ts');
} else await import('./programs.ts');

/**
 * `CES_SECRETS_FILE` into the environment: a container's configuration is visible to everyone who
 * may inspect it.
 */
function readSecretsFile(): void {
  const { CES_SECRETS_FILE: file } = process.env;
  delete process.env.CES_SECRETS_FILE;
  if (!file) return;
  try {
    process.loadEnvFile(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    process.stderr.write(
      `CES_SECRETS_FILE: ${file} cannot be read (${code}): mount the file that was made for this program.\n`,
    );
    process.exit(1);
  }
}
