import { Code, ConnectError } from '@connectrpc/connect';
import pg from 'pg';
import { isTransient } from './error.ts';

/** A longer message describes the work, not an outage. */
const LONGEST_EXCUSE = 1_000;
/** Statement and lock timeouts, transaction conflicts. */
const OF_THE_WORK = /^(57014|40001|40P01|25P03|55P03)$/;

/** A peer that was reached and took too long is not an outage. */
export function isOutage(error: unknown): boolean {
  return isTransient(error) && !sourcesOf(error).some(isOfTheWork);
}

function isOfTheWork(error: unknown): boolean {
  if (error instanceof ConnectError)
    return error.code === Code.DeadlineExceeded || error.rawMessage.length > LONGEST_EXCUSE;
  return error instanceof pg.DatabaseError && OF_THE_WORK.test(error.code ?? '');
}

function sourcesOf(error: unknown): unknown[] {
  return error instanceof Error && error.cause !== undefined ? [error, ...sourcesOf(error.cause)] : [error];
}
