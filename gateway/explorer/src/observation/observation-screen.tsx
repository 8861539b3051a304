import { Page } from '../frame/page.tsx';

export default function ObservationScreen({ id }: { id: string }) {
  return <Page title={`Observation ${id}`} />;
}
