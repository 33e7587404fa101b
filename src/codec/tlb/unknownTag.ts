import { CellError } from '../cell/errors.ts'

/** The error for a constructor tag of `bits` bits that is none of the expected ones, which are named as in the schema. */
export const unknownTag = (what: string, expected: string, tag: number, bits: number): CellError => {
  const found =
    bits % 4 === 0 ? `#${tag.toString(16).padStart(bits / 4, '0')}` : `$${tag.toString(2).padStart(bits, '0')}`
  return new CellError(`${what} starts with ${expected}, ${found} came.`)
}
