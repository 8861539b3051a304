import type { CesClient } from '@ces/client';
import type { Clock, World } from '../command.ts';
import type { Stack } from '../operator/stack.ts';
import type { SubscriberOptions } from './gateway.ts';

/** No RPC code, so that these verbs start fast. */
export interface SubscriberContext extends World {
  readonly clock: Clock;
  readonly dataDirectory: string;
  /** A client of the public interface, with the credential that `--as` or CES_TOKEN names. */
  gateway(options: SubscriberOptions): CesClient;
  openStack(): Promise<Stack>;
}
