import type { CompanySearchInput } from '../session/client.ts';
import { Callout } from '../ui/callout.tsx';
import type { PageAnswer } from './ask-page.ts';
import { PartialNotes } from './partial-notes.tsx';

export function EmptyAnswer({ input, answer }: { input: CompanySearchInput; answer: PageAnswer | undefined }) {
  if (!answer) return null;
  const withheld = answer.result.withheld_units > 0;
  return (
    <Callout
      tone="warn"
      title={withheld ? 'What was found has lost its evidence.' : 'No company with evidence was found.'}
    >
      <p>This is no proof that there is none.</p>
      <PartialNotes pages={[answer]} />
      <p>What may help:</p>
      <ul>
        {tipsFor(input, answer).map((tip) => (
          <li key={tip}>{tip}</li>
        ))}
      </ul>
    </Callout>
  );
}

function tipsFor({ query, filters = {} }: CompanySearchInput, { result }: PageAnswer): readonly string[] {
  const narrowed = Object.keys(filters).some((name) => name !== 'occurred_after');
  const thinned = !result.coverage.limitations.includes('relevance_not_validated');
  const asked = /"|(?:^|\s)-\S/.test(query);
  return [
    filters.occurred_after === undefined ? 'Look further back: only the last 30 days were searched.' : '',
    asked ? 'Take out quotation marks and excluded words: they are hard conditions.' : '',
    narrowed ? 'Take out a filter: all of them must hold.' : '',
    filters.kinds === undefined ? 'Choose the kind “Company profile” to find companies by what they are.' : '',
    'Use other words for the same thing, or fewer.',
    thinned ? 'Say more exactly what they do: companies that hardly answer were left out, uncharged.' : '',
  ].filter((tip) => tip !== '');
}
