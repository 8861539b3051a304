import type { Evidence } from '@ces/client';
import { EvidenceQuote } from '../company/evidence-quote.tsx';
import { Instant } from '../ui/instant.tsx';
import styles from './observation.module.css';

export function EvidenceRows({ evidence }: { readonly evidence: readonly Evidence[] }) {
  return (
    <section className={styles.evidence} aria-labelledby="evidence">
      <h2 id="evidence">{evidence.length === 1 ? '1 piece of evidence' : `${evidence.length} pieces of evidence`}</h2>
      {evidence.map((one, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows of an answer never move
        <div key={index} className={styles.row}>
          <EvidenceQuote evidence={one} query="" />
          <p className={styles.dates}>
            <code>{one.source_uri}</code>
            <br />
            {one.occurred_at === null ? (
              'Undated'
            ) : (
              <>
                Happened <Instant at={one.occurred_at} />
              </>
            )}
            , collected <Instant at={one.observed_at} />
            {one.last_seen_at !== undefined && (
              <>
                , last seen unchanged <Instant at={one.last_seen_at} />
              </>
            )}
            .
          </p>
        </div>
      ))}
    </section>
  );
}
