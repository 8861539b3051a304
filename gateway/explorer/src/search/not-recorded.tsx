import { notRecordedSentences } from '@ces/proto/not-recorded';
import { Callout } from '../ui/callout.tsx';
import type { PageAnswer } from './ask-page.ts';

/** Topics of the query that no kind covers: the companies below are no answer to them. */
export function NotRecorded({ pages }: { readonly pages: readonly PageAnswer[] }) {
  const sentences = new Set(pages.flatMap(({ result }) => notRecordedSentences(result.coverage.limitations)));
  if (sentences.size === 0) return null;
  return <Callout tone="warn">{[...sentences].join(' ')}</Callout>;
}
