import type { ReactNode } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useSessionContext } from '../session/session.tsx';
import { KeyEntry } from './key-entry.tsx';
import styles from './key-gate.module.css';
import { linkedPage } from './linked-page.ts';
import { Page } from './page.tsx';
import { ScreenSkeleton } from './screen-skeleton.tsx';

/** The address stays, so the screen that it names follows. */
export function KeyGate({ children }: { children: ReactNode }) {
  const { session, isAsking } = useSessionContext();
  const [path] = useLocation();
  const linked = linkedPage(path, useSearch());
  if (session) return children;
  if (isAsking) return <ScreenSkeleton />;
  if (linked)
    return (
      <Page title="Your key opens this link" lead={`It shows ${linked}. Opening it charges nothing.`}>
        <KeyEntry />
      </Page>
    );
  return (
    <Page
      title="Find companies by what they are doing"
      lead="Ask in plain words: who is opening a plant, asking for bids, raising money or hiring? Answers are companies in Canada and the United States, with published evidence."
    >
      <div className={styles.gate}>
        <KeyEntry />
        <ul className={styles.points}>
          <li>
            <strong>Evidence, not scores.</strong> Quotes with links to their sources, the day of the event and the day
            of collection.
          </li>
          <li>
            <strong>The price first.</strong> The highest price is next to the button, the actual cost next to the
            answer.
          </li>
          <li>
            <strong>Paid once.</strong> Opening an answer again, reloading and going back are free.
          </li>
          <li>
            <strong>Export.</strong> Copy each request as a <code>curl</code>, TypeScript or MCP call, and save results
            as files.
          </li>
        </ul>
      </div>
    </Page>
  );
}
