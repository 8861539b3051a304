import type { Config } from '../config.ts';
import type { Sources } from '../connector/sources.ts';
import type { BackgroundRuns } from '../run/background-runs.ts';
import type { FetchTools } from '../run/fetch-source.ts';
import type { Pending } from '../run/pending.ts';

export interface Dependencies extends FetchTools {
  readonly config: Config;
  readonly sources: Sources;
  readonly runs: BackgroundRuns;
  readonly pending: Pending;
}
