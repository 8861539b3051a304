import { randomUUID } from 'node:crypto';
import type { OperationsService } from '@ces/proto/ces/operations/v1/operations_service_pb.ts';
import type { Client } from '@connectrpc/connect';
import type { Subscriber } from '../../support/subscriber.ts';

/** A question that names something of another account, and the same question about nothing. */
export interface Probe {
  readonly name: string;
  /** Asks with a name of the other account's; `at` chooses which. */
  readonly foreign: (at: number) => Promise<unknown>;
  readonly absent: (at: number) => Promise<unknown>;
}

/** What the other account has. */
export interface Belongings {
  readonly usageIds: readonly number[];
  readonly keys: readonly string[];
  readonly cursors: readonly string[];
}

const NOBODY = ['nobody.example'];
/** Ids that no operation has. */
const UNKNOWN_FROM = 500_000_000;

export type Stranger = Pick<Subscriber, 'poll' | 'lookUp' | 'search' | 'token'>;

export function probes(
  stranger: Stranger,
  operations: Client<typeof OperationsService>,
  { usageIds, keys, cursors }: Belongings,
): readonly Probe[] {
  const caller = { identity: { case: 'bearer', value: stranger.token } } as const;
  const getOperation = (id: number) =>
    operations.getOperation({ caller, operationId: BigInt(id) }).catch((error: Error) => error);
  const searchFrom = (cursor: string) => stranger.search({ query: 'bakery', limit: 1, cursor }, randomUUID());
  const from = <T>(all: readonly T[], at: number) => all[at % all.length] as T;
  return [
    {
      name: 'GET /api/usages/{id}',
      foreign: (at) => stranger.poll(from(usageIds, at)),
      absent: (at) => stranger.poll(UNKNOWN_FROM + at),
    },
    {
      name: 'GetOperation with a bearer, without the gateway',
      foreign: (at) => getOperation(from(usageIds, at)),
      absent: (at) => getOperation(UNKNOWN_FROM + at),
    },
    {
      name: 'cursor',
      foreign: (at) => searchFrom(from(cursors, at)),
      absent: (at) => searchFrom(broken(from(cursors, at))),
    },
    {
      name: 'Idempotency-Key',
      foreign: (at) => stranger.lookUp({ domains: NOBODY }, from(keys, at)),
      absent: () => stranger.lookUp({ domains: NOBODY }, randomUUID()),
    },
  ];
}

/** A cursor of the same length whose signature is wrong. */
function broken(cursor: string): string {
  return cursor.slice(0, -1) + (cursor.endsWith('A') ? 'Q' : 'A');
}
