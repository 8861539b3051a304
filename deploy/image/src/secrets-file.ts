/**
 * Reads the file that `CES_SECRETS_FILE` names into this program's environment: what stands in the environment of a container
 * everybody can read who may inspect it. Ends the program with one sentence when the file cannot be read.
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
