import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** Parses arguments. Invalid ones print the usage and exit with code 2. */
export function readArguments<const O extends ParseArgsOptionsConfig>(usage: string, options: O) {
  try {
    return parseArgs({ allowPositionals: true, options });
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\nusage: ${usage}\n`);
    process.exit(2);
  }
}

/** Parses a positive integer, or exits with code 2. */
export function atLeastOne(text: string | undefined, standard: number): number {
  if (text === undefined) return standard;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  process.stderr.write(`${text} is no whole number from 1.\n`);
  process.exit(2);
}
