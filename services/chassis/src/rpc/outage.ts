import { Code, ConnectError } from '@connectrpc/connect';
import pg from 'pg';
import { isTransient } from './error.ts';

/** What says more than this, in characters, speaks of the work and not of an absence. */
const LONGEST_EXCUSE = 1_000;
/** Of the transient ones: a statement that took too long, and transactions that met. */
const OF_THE_WORK = /^(57014|40001|40P01|25P03|55P03)$/;

/**
 * Whether an attempt ended because another service, or the database, could not be reached: nothing that the work did. A peer that
 * was reached and took too long, or found the work too much, is the work's fault.
 */
export function isOutage(error: unknown): boolean {
  return isTransient(error) && !sourcesOf(error).some(isOfTheWork);
}

function isOfTheWork(error: unknown): boolean {
  if (error instanceof ConnectError)
    return error.code === Code.DeadlineExceeded || error.rawMessage.length > LONGEST_EXCUSE;
  return error instanceof pg.DatabaseError && OF_THE_WORK.test(error.code ?? '');
}

/** An error and what it was made of. */
function sourcesOf(error: unknown): unknown[] {
  return error instanceof Error && error.cause !== undefined ? [error, ...sourcesOf(error.cause)] : [error];
}
