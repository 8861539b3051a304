import { useQuery } from '@tanstack/react-query';

export interface SampleKey {
  readonly name: string;
  readonly apiKey: string;
}

/** Only a local stack has sample keys; elsewhere the route answers 404. */
export function useSampleKeys(): readonly SampleKey[] {
  const { data = [] } = useQuery({ queryKey: ['sample-keys'], queryFn: fetchSampleKeys });
  return data;
}

async function fetchSampleKeys(): Promise<readonly SampleKey[]> {
  const response = await fetch('/explore/sample-keys.json');
  if (response.status === 404) return [];
  if (!response.ok) throw new Error(`The sample keys could not be read: status ${response.status}.`);
  const { credentials }: { credentials: Readonly<Record<string, string>> } = await response.json();
  return Object.entries(credentials).map(([name, apiKey]) => ({ name, apiKey }));
}
