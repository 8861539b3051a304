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
      title={withheld ? 'The companies found no longer have valid evidence.' : 'No company with evidence was found.'}
    >
      <p>This does not prove that there is none.</p>
      <PartialNotes pages={[answer]} />
      <p>Try the following:</p>
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
    filters.occurred_after === undefined ? 'Choose an earlier date: only the last 30 days were searched.' : '',
    asked ? 'Remove quotation marks and excluded words: they are strict conditions.' : '',
    narrowed ? 'Remove a filter: a result must match every filter.' : '',
    filters.kinds === undefined ? 'Choose the kind “Company profile” to find companies by what they are.' : '',
    'Use other or fewer words.',
    thinned ? 'Describe more precisely what they do: unlikely companies were omitted and not charged.' : '',
  ].filter((tip) => tip !== '');
}
