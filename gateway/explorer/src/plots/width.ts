import { type RefObject, useEffect, useRef, useState } from 'react';

/** The width of an element in pixels, followed as it changes; 0 before it is first drawn. */
export function useWidth<Measured extends Element>(): [RefObject<Measured | null>, number] {
  const element = useRef<Measured>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!element.current) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return [element, width];
}
