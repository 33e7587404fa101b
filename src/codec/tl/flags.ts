import type { TlWriter } from './TlWriter.ts'

/*
 * A flags word (`mode`, `flags`) and the fields it governs, on writing: the bits of the fields that are there are added
 * to the word the caller gave, so callers need not repeat them. What cannot be added up throws: a bit without its field
 * (also where two fields share a bit and one is missing), and a flag given as `false` whose bit is set.
 */

/** The flags word to write: `given` with the bits of the present fields. */
export const joinFlags = (w: TlWriter, given: number, present: number): number => {
  if (given >>> 0 !== given) w.fail(`Expected an integer from 0 to 2^32 - 1 for the flags word, got ${String(given)}`)
  return (given | present) >>> 0
}

/** The bit of a field that is nothing but its bit. Left out, it is whatever the flags word says. */
export const flagBit = (w: TlWriter, given: number, bit: number, value: boolean | undefined, name: string): number => {
  if (value === true) return bit
  if (value === false && (given & bit) !== 0) w.fail(`Expected the bit of ${name} clear, as it is false, got it set`)
  return 0
}

/** For a field whose bit is set in the flags word but that was not given. */
export const missingField = (w: TlWriter, name: string): never =>
  w.fail(`Expected ${name}, as its bit is set in the flags word, got nothing`)
