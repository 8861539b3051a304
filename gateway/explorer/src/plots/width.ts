import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** In pixels; 0 before the first render. */
export function useWidth<Measured extends Element>(): [RefObject<Measured | null>, number] {
  const element = useRef<Measured>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (!element.current) return;
    // Measures before the first paint, to avoid a layout shift.
    setWidth(Math.floor(element.current.getBoundingClientRect().width));
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return [element, width];
}
