import { Page } from '../frame/page.tsx';

export default function UsageScreen() {
  return <Page title="Usage" />;
}
