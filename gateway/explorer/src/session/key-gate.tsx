import type { ReactNode } from 'react';
import { Page } from '../frame/page.tsx';
import { KeyEntry } from './key-entry.tsx';
import { useSessionContext } from './session.tsx';

/** What stands behind it has a client; without a key it asks for one. */
export function KeyGate({ children }: { children: ReactNode }) {
  const { session } = useSessionContext();
  if (session) return children;
  return (
    <Page
      title="Which companies are doing it now?"
      lead="Ask in plain words. Answers are companies in Canada and the United States with dated, quoted, linked evidence, and each costs what was said before."
    >
      <KeyEntry />
    </Page>
  );
}
