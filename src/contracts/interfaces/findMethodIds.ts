import type { Cell } from '../../codec/cell/Cell.ts'
import { type CellReader, openCell } from '../../codec/cell/CellReader.ts'
import { walkDict } from '../../codec/cell/dictNodes.ts'
import { findReadable } from '../methods/errors.ts'

const SETCP_0 = 0xff00
/** The thirteen bits of DICTPUSHCONST, and one that says that the dictionary has entries. */
const PUSH_DICTIONARY = 0b11110100101001
const MAX_KEY_BITS = 32
const MAX_METHODS = 1024

/**
 * The numbers of the functions in a code, in order and as unsigned as they stand there, those that the network calls
 * included. `undefined` where the code does not begin as compilers make it: with the code page, then a dictionary.
 */
export const findMethodIds = (code: Cell): readonly number[] | undefined =>
  findReadable(() => {
    const r = openCell(code)
    if (r.readUint(16) !== SETCP_0 || r.readUint(14) !== PUSH_DICTIONARY) return undefined
    const keyBits = r.readUint(10)
    return keyBits === 0 || keyBits > MAX_KEY_BITS ? undefined : listKeys(r, keyBits)
  })

const listKeys = (r: CellReader, keyBits: number): readonly number[] => {
  const ids: number[] = []
  const dictionary = r.readRefCell()
  walkDict(
    dictionary,
    keyBits,
    (key) => {
      let id = 0
      for (let bit = 0; bit < keyBits; bit++) id = 2 * id + ((key[bit >> 3]! >> (7 - (bit & 7))) & 1)
      ids.push(id)
      return true
    },
    { maxNodes: 2 * MAX_METHODS },
  )
  return ids
}
