import type { Evidence } from '@ces/client';
import { webAddress } from '../company/source-of.ts';
import { Instant } from '../ui/instant.tsx';
import styles from './observation.module.css';

/** What sources say, verbatim, and where it stands. */
export function EvidenceRows({ evidence }: { readonly evidence: readonly Evidence[] }) {
  return (
    <section className={styles.evidence} aria-label="Evidence">
      <h3>Evidence</h3>
      {evidence.map((one) => (
        <figure key={`${one.source_uri} ${one.excerpt}`}>
          <blockquote cite={one.source_uri}>{one.excerpt}</blockquote>
          <figcaption>
            <SourceLink uri={one.source_uri} />
            <span>
              Event: {one.occurred_at === null ? 'no date' : <Instant at={one.occurred_at} />}. Collected:{' '}
              <Instant at={one.observed_at} />.
              {one.last_seen_at !== undefined && (
                <>
                  {' '}
                  Last seen unchanged: <Instant at={one.last_seen_at} />.
                </>
              )}
            </span>
          </figcaption>
        </figure>
      ))}
    </section>
  );
}

/** Addresses come from outside: only those of the web become links. */
function SourceLink({ uri }: { readonly uri: string }) {
  const address = webAddress(uri);
  return address ? (
    <a href={address.href} rel="noreferrer nofollow">
      {uri}
    </a>
  ) : (
    <code>{uri}</code>
  );
}
