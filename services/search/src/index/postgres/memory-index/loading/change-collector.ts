import type { Queryable } from '@ces/chassis/postgres/pool';
import { type ChangedDocuments, type IndexVersion, readChangedAfter, readIndexVersion } from './index-version.ts';

/** The change log keeps few versions. */
const COLLECTED_EVERY_MS = 1_000;

/** Pages of documents take longer than the log keeps changes. */
export interface ChangeCollector extends ChangedDocuments {
  readonly version: bigint;
  /** The log no longer had all changes, so the load must start again. */
  readonly isLost: boolean;
  collect(): Promise<void>;
}

export function collectChanges(db: Queryable, from: Pick<IndexVersion, 'version' | 'origin'>): ChangeCollector {
  const observations = new Set<string>();
  const companies = new Set<string>();
  let { version } = from;
  let isLost = false;
  let collectedAt = performance.now();
  return {
    observations,
    companies,
    get version() {
      return version;
    },
    get isLost() {
      return isLost;
    },
    async collect() {
      if (isLost || performance.now() - collectedAt < COLLECTED_EVERY_MS) return;
      collectedAt = performance.now();
      const newest = await readIndexVersion(db);
      const changed = newest.origin === from.origin ? await readChangedAfter(db, version, newest.version) : undefined;
      for (const id of changed?.observations ?? []) observations.add(id);
      for (const id of changed?.companies ?? []) companies.add(id);
      if (changed) version = newest.version;
      else isLost = true;
    },
  };
}
