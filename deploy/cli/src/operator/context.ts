import type { Clock, World } from '../command.ts';
import type { Stack } from './stack.ts';

export interface Context extends World {
  readonly clock: Clock;
  readonly stack: Stack;
  /** The reason for audit rows; never empty for a verb that changes something (`addChange`). */
  readonly reason: string;
  readonly dataDirectory: string;
}
