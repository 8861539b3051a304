/** Largest message between services, either way, in bytes. */
export const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;
