import { Link } from 'wouter';
import { Page } from './page.tsx';

export function NotFoundScreen() {
  return (
    <Page title="There is no such screen" lead="The address leads nowhere in the explorer.">
      <p>
        <Link href="/">Search for companies</Link>, or <Link href="/look-up">look up companies</Link> that you know.
      </p>
    </Page>
  );
}
