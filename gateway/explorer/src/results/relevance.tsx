import { Explanation } from '../ui/explanation.tsx';

/** Explains the estimate that orders an answer, as confidence is explained. */
export function RelevanceExplanation({ isExact }: { readonly isExact: boolean }) {
  return (
    <Explanation of="Relevance">
      <p>
        For each company, the service estimates how probable it is that its evidence answers your query: from the words
        found and how rare they are, and from how alike the meanings are.
      </p>
      <p>
        Companies below a low threshold (3 % by default) are left out and not charged. The others are listed best first.
        An answer does not contain the number.
      </p>
      {!isExact && <p>For this query or record the estimate is not exact enough to rely on.</p>}
      <p>It is not the probability that a company buys. Confidence is something else and does not affect it.</p>
    </Explanation>
  );
}
