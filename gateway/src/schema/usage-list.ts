import { ACTION_NAMES, STATUS_NAMES } from '@ces/proto/operations';
import Type, { type Static } from 'typebox';
import { Operation } from './operation.ts';
import { closed, Instant, oneOf, orNull, Text } from './primitives.ts';

export const UsageListQuery = closed('UsageListQuery', {
  since: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'Inclusive: accepted at this instant or later. RFC 3339 with offset or Z.',
    }),
  ),
  until: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'Exclusive: accepted before this instant. RFC 3339 with offset or Z.',
    }),
  ),
  action: Type.Optional(oneOf([...ACTION_NAMES], 'Only operations that do this.')),
  status: Type.Optional(oneOf([...STATUS_NAMES], 'Only operations in this state.')),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Page size, default 50.' })),
  cursor: Type.Optional(Type.String({ description: '`next_cursor` of the page before; the filters stay the same.' })),
});
export type UsageListQuery = Static<typeof UsageListQuery>;

const StoredFailure = closed(
  'StoredFailure',
  {
    code: Type.String({ description: 'As in the Error body; values may be added.' }),
    message: Type.String({ description: 'What went wrong, for people.' }),
  },
  'Why an operation failed; nothing was charged for it.',
);

const ListedUsage = closed(
  'ListedUsage',
  {
    usage: Operation,
    action: Type.String({ description: 'What it does: one of the values of the filter `action`.' }),
    query: orNull(Text, 'The query as normalised; null for look-ups and diagnostics.'),
    created_at: Type.String({ format: 'date-time', description: 'When it was accepted.' }),
    finished_at: orNull(Instant, 'When it was delivered or failed; null before.'),
    error: orNull(StoredFailure, 'Null unless it failed.'),
  },
  'An operation without its result, which GET /api/usages/{id} has.',
);

export const UsageList = closed('UsageList', {
  usages: Type.Array(ListedUsage, {
    maxItems: 100,
    description:
      'Newest accepted first. A page may be shorter than `limit`, or empty, while `next_cursor` is not null: it ends where many operations in other states were passed over.',
  }),
  next_cursor: orNull(Type.String(), 'Null on the last page.'),
  as_of: Type.String({ format: 'date-time', description: 'When this page was read.' }),
});
export type UsageList = Static<typeof UsageList>;
