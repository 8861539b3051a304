/**
 * Loads the file in `CES_SECRETS_FILE` into the environment. Secrets in a container's configuration
 * are visible to everyone who may inspect it. Exits with a message when the file cannot be read.
 */
export function readSecretsFile(): void {
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
