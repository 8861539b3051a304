import { Badge, type Tone } from '../ui/badge.tsx';

export const STATUSES = ['pending', 'processing', 'delivered', 'failed'] as const;
export type Status = (typeof STATUSES)[number];

const NAMES: Readonly<Record<Status, string>> = {
  pending: 'Pending',
  processing: 'Processing',
  delivered: 'Delivered',
  failed: 'Failed',
};
const TONES: Readonly<Record<Status, Tone>> = {
  pending: 'neutral',
  processing: 'accent',
  delivered: 'good',
  failed: 'bad',
};

export function statusName(status: Status): string {
  return NAMES[status];
}

export function StatusBadge({ status }: { readonly status: Status }) {
  return <Badge tone={TONES[status]}>{NAMES[status]}</Badge>;
}
