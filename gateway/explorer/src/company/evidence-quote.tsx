import { isQuoted } from '@ces/proto/quotation';
import type { Evidence } from '../session/client.ts';
import { classes } from '../ui/classes.ts';
import { dayOf } from '../words/dates.ts';
import styles from './evidence-quote.module.css';
import { MarkedText } from './marked-text.tsx';
import { markSentence, markWords } from './matched-words.ts';
import { sourceOf, webAddress } from './source-of.ts';
import { useSources } from './sources.ts';

interface EvidenceQuoteProps {
  readonly evidence: Evidence;
  readonly query: string;
  readonly fact?: string;
}

export function EvidenceQuote({ evidence, query, fact = '' }: EvidenceQuoteProps) {
  const { excerpt, source_uri: uri } = evidence;
  return (
    <figure className={styles.quote}>
      <blockquote className={classes(isQuoted(excerpt) && styles.quoted)}>
        <Excerpt excerpt={excerpt} query={query} fact={fact} />
      </blockquote>
      <figcaption className={styles.source}>
        <SourceLink uri={uri} />
        <Terms uri={uri} />
        {evidence.last_seen_at !== undefined && <span>unchanged when seen on {dayOf(evidence.last_seen_at)}</span>}
      </figcaption>
    </figure>
  );
}

/** Marks words of the query, else the sentence that carries the meaning. */
function Excerpt({ excerpt, query, fact }: { excerpt: string; query: string; fact: string }) {
  if (query === '') return excerpt;
  const words = markWords(excerpt, query);
  if (words.some(({ matched }) => matched)) return <MarkedText spans={words} />;
  return <MarkedText spans={markSentence(excerpt, fact)} marks="sentence" />;
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
