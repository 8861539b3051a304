import { Link } from 'wouter';
import { Page } from './page.tsx';

export function NotFoundScreen() {
  return (
    <Page title="Page not found" lead="The explorer has no page at this address.">
      <p>
        <Link href="/">Search for companies</Link>, or <Link href="/look-up">look up companies</Link> that you know.
      </p>
    </Page>
  );
}
