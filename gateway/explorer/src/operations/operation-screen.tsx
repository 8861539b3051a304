import { Page } from '../frame/page.tsx';

export default function OperationScreen({ id }: { id: string }) {
  return <Page title={`Operation ${id}`} />;
}
