import { useEffect, useState } from 'react';

export function useSecondsUntil(instant: Date | undefined): number {
  const [now, setNow] = useState(Date.now);
  const left = instant === undefined ? 0 : Math.max(0, Math.ceil((instant.getTime() - now) / 1_000));
  useEffect(() => {
    if (left === 0) return;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [left]);
  return left;
}

export function waitInWords(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`;
  return `${Math.floor(seconds / 86_400)} d ${Math.floor((seconds % 86_400) / 3_600)} h`;
}
