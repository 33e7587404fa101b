let depth = 0

/** Whether proofs are opened without being checked. */
export const isBelieving = (): boolean => depth > 0

/**
 * Runs a check as a mere reading: the Merkle proofs in it are opened and not verified. For those who trust their own
 * server and want its answers cheaper. It must be synchronous: what runs meanwhile would believe too.
 */
export const believing = <T>(read: () => T): T => {
  depth++
  try {
    return read()
  } finally {
    depth--
  }
}
