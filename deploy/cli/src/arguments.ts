import { InvalidArgumentError, Option } from 'commander';

export function id(text: string): bigint {
  if (!/^[1-9]\d{0,17}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1.');
  return BigInt(text);
}

export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max)
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    return value;
  };
}

/** An RFC 3339 timestamp with its time zone. */
export function instantArgument(text: string): Date {
  const value = new Date(text);
  if (!/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(text) || Number.isNaN(value.getTime()))
    throw new InvalidArgumentError('Write it as 2026-11-20T00:00:00Z.');
  return value;
}

export function collect<T>(parse: (text: string) => T): (text: string, before: T[] | undefined) => T[] {
  return (text, before = []) => [...before, parse(text)];
}

/** Help and completion list its values; the gateway refuses others. */
export function several(flags: string, meaning: string, values: readonly string[]): Option {
  return new Option(flags, `${meaning}, repeatable`).choices(values).argParser(collect(asText));
}

export function asText(text: string): string {
  return text;
}
