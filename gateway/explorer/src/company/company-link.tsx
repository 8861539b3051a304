import type { ReactNode } from 'react';
import { Link } from 'wouter';

interface CompanyLinkProps {
  readonly id: number;
  readonly name: ReactNode;
  readonly usageId?: number | undefined;
}

export function CompanyLink({ id, name, usageId }: CompanyLinkProps) {
  return <Link href={companyPath(id, usageId)}>{name}</Link>;
}

export function companyPath(id: number, usageId?: number): string {
  return usageId === undefined ? `/companies/${id}` : `/companies/${id}?operation=${usageId}`;
}
