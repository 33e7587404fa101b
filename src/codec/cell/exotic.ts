/** First data byte of an exotic cell. */
export const PRUNED_BRANCH = 1
export const LIBRARY_REFERENCE = 2
export const MERKLE_PROOF = 3
export const MERKLE_UPDATE = 4

export const MAX_DEPTH = 1024
export const MAX_BITS = 1023

/** How many of the three level bits are set. */
export const popcount3 = (mask: number): number => (mask & 1) + ((mask >> 1) & 1) + ((mask >> 2) & 1)

/** Index of the highest set bit, plus one. */
export const levelOfMask = (mask: number): number => 32 - Math.clz32(mask)

/**
 * Checks the fixed layout of an exotic cell and says what is wrong, or `undefined`. Level masks, and what Merkle cells state
 * of their children, are checked where those are known.
 */
export const findExoticFault = (
  bytes: Uint8Array,
  dataStart: number,
  bits: number,
  refs: number,
): string | undefined => {
  if (bits < 8) return `an exotic cell needs at least 8 data bits for its type, it has ${bits}`
  const type = bytes[dataStart]!
  switch (type) {
    case PRUNED_BRANCH: {
      if (refs !== 0) return `a pruned branch has no references, this one has ${refs}`
      if (bits < 16) return `a pruned branch needs a level mask, it has ${bits} bits`
      const stored = bytes[dataStart + 1]!
      if (stored < 1 || stored > 7) return `the level mask of a pruned branch is 1 to 7, it is ${stored}`
      const hashes = popcount3(stored)
      if (bits !== 8 * (2 + 34 * hashes)) {
        return `a pruned branch with level mask ${stored} has ${8 * (2 + 34 * hashes)} bits, it has ${bits}`
      }
      const depths = dataStart + 2 + 32 * hashes
      for (let k = 0; k < hashes; k++) {
        const depth = (bytes[depths + 2 * k]! << 8) | bytes[depths + 2 * k + 1]!
        if (depth > MAX_DEPTH) return `a pruned branch stands for depth ${depth}, at most ${MAX_DEPTH} is allowed`
      }
      return undefined
    }
    case LIBRARY_REFERENCE:
      if (bits !== 264 || refs !== 0) {
        return `a library reference has 264 bits and no references, it has ${bits} and ${refs}`
      }
      return undefined
    case MERKLE_PROOF:
      if (bits !== 280 || refs !== 1) return `a Merkle proof has 280 bits and 1 reference, it has ${bits} and ${refs}`
      return undefined
    case MERKLE_UPDATE:
      if (bits !== 552 || refs !== 2) return `a Merkle update has 552 bits and 2 references, it has ${bits} and ${refs}`
      return undefined
    default:
      return `exotic cells have type 1 to 4, it is ${type}`
  }
}

/** Level mask of a cell from its exotic type (0 if ordinary), the mask in its data if it is pruned, and the OR of its children's. */
export const levelMaskOf = (exoticType: number, prunedMask: number, childMasks: number): number => {
  switch (exoticType) {
    case PRUNED_BRANCH:
      return prunedMask
    case LIBRARY_REFERENCE:
      return 0
    case MERKLE_PROOF:
    case MERKLE_UPDATE:
      return childMasks >> 1
    default:
      return childMasks
  }
}
