import type { Cell } from '../../codec/cell/Cell.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { writeWhole } from '../../codec/cell/wholeCell.ts'
import { type StateInit, writeStateInit } from '../../codec/tlb/StateInit.ts'
import type { Address } from '../../primitives/Address.ts'
import { fromBase64 } from '../../primitives/base64.ts'
import { compiledCodes } from './generated/compiledCodes.ts'

/** What an ordinary contract starts with. */
export const contractInit = (code: Cell, data: Cell): StateInit => ({
  fixedPrefixLength: undefined,
  special: undefined,
  code,
  data,
  library: undefined,
})

/** The address that a contract has because it starts this way. */
export const contractAddress = (init: StateInit, workchain = 0): Address => ({
  workchain,
  hash: writeWhole(writeStateInit, init).hash(),
})

export type OwnContract = keyof typeof compiledCodes

const cells = new Map<OwnContract, Cell>()

/** The code of a contract whose source is in `sources/`. */
export const compiledCode = (name: OwnContract): Cell => {
  const known = cells.get(name)
  if (known !== undefined) return known
  const code = decodeSingleBoc(fromBase64(compiledCodes[name].boc))
  cells.set(name, code)
  return code
}
