import { useCallback, useState } from 'react';

/** How wide an element is, in pixels; 0 until it has been measured. */
export function useWidth(): {
  readonly ref: (element: HTMLElement | null) => (() => void) | undefined;
  readonly width: number;
} {
  const [width, setWidth] = useState(0);
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, width };
}
