import { Page } from '../frame/page.tsx';

export default function LookUpScreen() {
  return <Page title="Look up" />;
}
