import Type, { type Static } from 'typebox';
import { Count, closed, Id, oneOf, orNull, Text } from './primitives.ts';
import { SubscriptionPeriod } from './usage-report.ts';

export const UsageStatementQuery = closed('UsageStatementQuery', {
  since: Type.Optional(
    Type.String({
      format: 'date-time',
      description:
        'Inclusive: settled at this instant or later; default: the start of the current period. RFC 3339 with offset or Z.',
    }),
  ),
  until: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'Exclusive: settled before this instant; default: now. RFC 3339 with offset or Z.',
    }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'Page size, default 100.' })),
  cursor: Type.Optional(
    Type.String({ description: '`next_cursor` of the page before; `since` and `until` stay the same.' }),
  ),
});
export type UsageStatementQuery = Static<typeof UsageStatementQuery>;

const Signed = Type.Integer({ description: 'Negative in a reversal.' });

const StatementEntry = closed(
  'StatementEntry',
  {
    usage_id: Id,
    request_key: orNull(Text, 'The idempotency key; null when the operation is no longer kept.'),
    action: orNull(Text, 'As in GET /api/usages; null when the operation is no longer kept.'),
    settled_at: Type.String({
      format: 'date-time',
      description: 'When it was settled. A reversal has the time of the settlement that it reverses.',
    }),
    kind: oneOf(['settlement', 'reversal']),
    reason: orNull(Text, 'Why it was reversed; null for a settlement.'),
    request_units: Signed,
    delivered_units: Signed,
    fresh_evidence_units: Signed,
  },
  'What an operation settled, or the taking back of that.',
);

export const UsageStatement = closed(
  'UsageStatement',
  {
    subscription: SubscriptionPeriod,
    since: Type.String({ format: 'date-time', description: 'The interval begins with this instant.' }),
    until: Type.String({ format: 'date-time', description: 'The interval ends before this instant.' }),
    as_of: Type.String({
      format: 'date-time',
      description: 'When the first page was read. Later settlements and reversals are on no page.',
    }),
    entries: Type.Array(StatementEntry, {
      maxItems: 1000,
      description: 'Oldest settled first; a reversal follows its settlement.',
    }),
    totals: closed(
      'StatementTotals',
      { request_units: Count, delivered_units: Count, fresh_evidence_units: Count },
      'What the entries of all pages add up to. Of the current period: `usage` of GET /api/usage at `as_of`.',
    ),
    next_cursor: orNull(Type.String(), 'Null on the last page.'),
  },
  'What was settled on the subscription in an interval. All pages of it are as of the first.',
);
export type UsageStatement = Static<typeof UsageStatement>;
