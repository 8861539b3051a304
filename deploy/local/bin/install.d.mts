/** Whether node_modules holds what package-lock.json names. */
export function isInstalled(root: string): boolean;
/** Installs the locked packages with `npm ci`, unless they are there. */
export function install(root: string): Promise<void>;
