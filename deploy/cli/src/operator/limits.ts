import { create } from '@bufbuild/protobuf';
import { type Limits, LimitsSchema } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { InvalidArgumentError } from 'commander';
import { wholeNumber } from '../arguments.ts';
import { count, table } from '../output/table.ts';

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

export function addLimit(text: string, before: Limits = create(LimitsSchema)): Limits {
  const [, name = '', number = ''] = /^([\w.]+)=(\d{1,15})$/.exec(text) ?? [];
  if (name === PAGE_LIMIT) return { ...before, pageLimit: wholeNumber(1, 1000)(number) };
  const field = Object.hasOwn(LIMITS, name) ? LIMITS[name] : undefined;
  if (!field) throw new InvalidArgumentError(`Write it as NAME=NUMBER, NAME one of ${LIMIT_NAMES}.`);
  return { ...before, [field]: BigInt(number) };
}

export function limitsTable(limits: Limits | undefined, own?: Limits): string {
  const cell = (name: Exclude<keyof Limits, `$${string}`>) =>
    `${count(limits?.[name])}${own?.[name] === undefined ? '' : ' *'}`;
  const rows = table(
    ['horizon', 'request units', 'delivered units'],
    [
      [`window of ${cell('windowSeconds')} s`, cell('windowRequestUnits'), cell('windowDeliveredUnits')],
      ['rolling week', cell('weekRequestUnits'), cell('weekDeliveredUnits')],
      ['period', cell('periodRequestUnits'), cell('periodDeliveredUnits')],
    ],
  );
  const text = `${rows}\nlargest page: ${cell('pageLimit')} companies`;
  return text.includes(' *') ? `${text}\n* own limit of the subscription instead of the plan` : text;
}
