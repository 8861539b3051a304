import { isDeepStrictEqual } from 'node:util';
import { delivered, refusal } from '@ces/client/test-support/answers';
import {
  hangUp,
  hangUpMidBody,
  page,
  type ScriptedServer,
  slowBody,
  startScriptedServer,
} from '@ces/client/test-support/scripted-server';
import type { FaultsSaw } from './faults.ts';

/** Loses three attempts in three ways, is busy for one, answers the fifth, and sends the next call elsewhere. */
export async function startFaultyServer(): Promise<ScriptedServer> {
  const busy = refusal(503, 'service_unavailable', {}, { 'retry-after': '0' });
  const elsewhere = page(307, { location: 'http://127.0.0.1:9/' });
  return await startScriptedServer(hangUp, hangUpMidBody, slowBody, busy, delivered, elsewhere);
}

/** What was seen, in a sentence; throws unless five attempts were one call, and nothing followed elsewhere. */
export function judgeFaults(saw: FaultsSaw, { seen }: ScriptedServer): string {
  const [first, ...others] = seen.slice(0, 5).map(({ method, url, headers, body }) => ({
    ...{ method, url, body },
    key: Buffer.from(String(headers['idempotency-key']), 'latin1').toString('utf8'),
  }));
  const same = others.length === 4 && others.every((other) => isDeepStrictEqual(other, first));
  const right = saw.usageId === 7 && saw.refused === 'redirect_refused' && first?.key === 'clé ☀';
  if (!same || !right) throw new Error(JSON.stringify({ saw, seen: seen.map(({ headers, ...one }) => one) }));
  return `five requests (${saw.attempts.slice(0, -1)}) with one key and body, a redirect refused`;
}
