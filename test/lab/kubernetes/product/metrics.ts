import type { ProductPod } from './product.ts';

const ADMIN_PORT = 9090;

interface Sample {
  readonly series: string;
  readonly value: number;
}

function metricsUrl({ address }: ProductPod): string {
  return `http://${address}:${ADMIN_PORT}/metrics`;
}

export async function metricsOf(pod: ProductPod, wanted: RegExp): Promise<Sample[]> {
  const answer = await fetch(metricsUrl(pod));
  if (!answer.ok) throw new Error(`${pod.name} shows no metrics`);
  return (await answer.text()).split('\n').flatMap((line) => {
    const end = line.lastIndexOf(' ');
    return wanted.test(line) ? [{ series: line.slice(0, end), value: Number(line.slice(end + 1)) }] : [];
  });
}
