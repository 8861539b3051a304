export function withLock<T>(lock: string, waiting: string, work: () => Promise<T>): Promise<T>;
