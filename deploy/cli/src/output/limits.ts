import type { Limits } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { count, table } from './table.ts';

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
