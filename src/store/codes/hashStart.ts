/** How much of a hash is kept where the rest of it is found elsewhere. */
export const HASH_START_BYTES = 8
