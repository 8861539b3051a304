import { Page } from '../frame/page.tsx';

export default function OperationsScreen() {
  return <Page title="Operations" />;
}
