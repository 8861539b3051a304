import type { Evidence } from '../session/client.ts';
import { dayOf } from '../words/dates.ts';
import styles from './evidence-quote.module.css';
import { markWords } from './matched-words.ts';
import { sourceOf, webAddress } from './source-of.ts';
import { useSources } from './sources.ts';

export function EvidenceQuote({ evidence, query }: { evidence: Evidence; query: string }) {
  return (
    <figure className={styles.quote}>
      <blockquote>
        {markWords(evidence.excerpt, query).map(({ text, matched }, index) =>
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other name
          matched ? <mark key={index}>{text}</mark> : text,
        )}
      </blockquote>
      <figcaption className={styles.source}>
        <SourceLink uri={evidence.source_uri} />
        <Terms uri={evidence.source_uri} />
        {evidence.last_seen_at !== undefined && <span>unchanged when seen on {dayOf(evidence.last_seen_at)}</span>}
      </figcaption>
    </figure>
  );
}

function SourceLink({ uri }: { uri: string }) {
  const address = webAddress(uri);
  if (!address) return <span>{uri}</span>;
  return (
    <a href={address.href} target="_blank" rel="noopener noreferrer">
      {address.hostname}
    </a>
  );
}

function Terms({ uri }: { uri: string }) {
  const source = sourceOf(uri, useSources());
  if (!source)
    return (
      <span>
        terms: <a href="/sources">see all sources</a>
      </span>
    );
  const { licence, licence_url: address, attribution } = source;
  return (
    <span>
      {address && webAddress(address) ? (
        <a href={address} target="_blank" rel="noopener noreferrer license">
          {licence}
        </a>
      ) : (
        licence
      )}
      {' · '}
      {attribution}
    </span>
  );
}
