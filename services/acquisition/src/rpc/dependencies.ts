import type { Pending } from '../acquire/pending.ts';
import type { Config } from '../config.ts';
import type { BackgroundRuns } from '../run/background-runs.ts';
import type { FetchTools } from '../run/fetch-source.ts';
import type { Sources } from '../sources/sources.ts';

export interface Dependencies extends FetchTools {
  readonly config: Config;
  readonly sources: Sources;
  readonly runs: BackgroundRuns;
  readonly pending: Pending;
}
