import type { Cell } from '../../codec/cell/Cell.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { fromBase64 } from '../../primitives/base64.ts'
import { compiledCodes } from './generated/compiledCodes.ts'

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
