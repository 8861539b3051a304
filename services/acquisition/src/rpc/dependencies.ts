import type { Config } from '../config.ts';
import type { IngestTools } from '../ingest/tools.ts';
import type { BackgroundRuns } from '../run/background-runs.ts';
import type { SourceRegistrar } from '../run/register-source.ts';
import type { Sources } from '../sources/find-source.ts';

/** What the RPCs of this service work with. */
export interface Dependencies extends IngestTools {
  readonly config: Config;
  readonly sources: Sources;
  readonly registrar: SourceRegistrar;
  readonly runs: BackgroundRuns;
}
