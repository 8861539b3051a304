import styles from './marked-text.module.css';
import type { Span } from './matched-words.ts';

interface MarkedTextProps {
  readonly spans: readonly Span[];
  readonly marks?: 'words' | 'sentence';
}

export function MarkedText({ spans, marks = 'words' }: MarkedTextProps) {
  return spans.map(({ text, matched }, index) =>
    matched ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other name
      <mark key={index} className={marks === 'sentence' ? styles.sentence : undefined}>
        {text}
      </mark>
    ) : (
      text
    ),
  );
}
