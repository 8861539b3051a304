import { create } from '@bufbuild/protobuf';
import { type Limits, LimitsSchema } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { InvalidArgumentError } from 'commander';

/** An id as written on the command line. */
export function id(text: string): bigint {
  if (!/^[1-9]\d{0,17}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1.');
  return BigInt(text);
}

/** A whole number within bounds. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max)
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    return value;
  };
}

/** An instant with its zone, as RFC 3339 writes it. */
export function instantArgument(text: string): Date {
  const value = new Date(text);
  if (!/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(text) || Number.isNaN(value.getTime()))
    throw new InvalidArgumentError('Write it as 2026-11-20T00:00:00Z.');
  return value;
}

/** For an option that may be given several times. */
export function collect<T>(parse: (text: string) => T): (text: string, before: T[] | undefined) => T[] {
  return (text, before = []) => [...before, parse(text)];
}

export function asText(text: string): string {
  return text;
}

const LIMITS: Readonly<Record<string, Exclude<keyof Limits, `$${string}` | 'pageLimit' | 'windowSeconds'>>> = {
  'window.request_units': 'windowRequestUnits',
  'week.request_units': 'weekRequestUnits',
  'period.request_units': 'periodRequestUnits',
  'window.delivered_units': 'windowDeliveredUnits',
  'week.delivered_units': 'weekDeliveredUnits',
  'period.delivered_units': 'periodDeliveredUnits',
};
const PAGE_LIMIT = 'page_limit';

export const LIMIT_NAMES = [...Object.keys(LIMITS), PAGE_LIMIT].join(', ');

/** `--limit NAME=NUMBER`, several times, as a subscription's own numbers. */
export function addLimit(text: string, before: Limits = create(LimitsSchema)): Limits {
  const [, name = '', number = ''] = /^([\w.]+)=(\d{1,15})$/.exec(text) ?? [];
  if (name === PAGE_LIMIT) return { ...before, pageLimit: wholeNumber(1, 1000)(number) };
  const field = Object.hasOwn(LIMITS, name) ? LIMITS[name] : undefined;
  if (!field) throw new InvalidArgumentError(`Write it as NAME=NUMBER, NAME one of ${LIMIT_NAMES}.`);
  return { ...before, [field]: BigInt(number) };
}
