import type { Cell } from '../../codec/cell/Cell.ts'
import { type CellReader, openCell } from '../../codec/cell/CellReader.ts'
import { walkDict } from '../../codec/cell/dictNodes.ts'
import { getMethodId } from '../../codec/tlb/VmValue.ts'
import { toBase64 } from '../../primitives/base64.ts'
import { findReadable } from '../getMethods.ts'
import { walletKinds } from '../wallets.ts'
import { contractInterfaces } from './contractInterfaces.ts'

const byCodeHash = new Map<string, string>()
for (const { name, codeHashes = [] } of contractInterfaces) for (const hash of codeHashes) byCodeHash.set(hash, name)
for (const { codeHash, interfaceName } of walletKinds) {
  if (interfaceName !== undefined) byCodeHash.set(codeHash, interfaceName)
}

const byMethods = contractInterfaces
  .flatMap(({ name, methods }) => (methods === undefined ? [] : [{ name, ids: methods.map(getMethodId) }]))
  .sort((a, b) => (a.name < b.name ? -1 : 1))

/** The interfaces of a contract: by its code where that is known, otherwise by its get-methods. */
export const listInterfaces = (codeHash: Uint8Array, methodIds: readonly number[] | undefined): readonly string[] => {
  const known = byCodeHash.get(toBase64(codeHash))
  if (known !== undefined) return [known]
  const present = new Set(methodIds)
  return byMethods.filter(({ ids }) => ids.every((id) => present.has(id))).map(({ name }) => name)
}

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
