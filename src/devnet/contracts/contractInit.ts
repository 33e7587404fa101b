import type { Cell } from '../../codec/cell/Cell.ts'
import { writeWhole } from '../../codec/cell/wholeCell.ts'
import { type StateInit, writeStateInit } from '../../codec/tlb/StateInit.ts'
import type { Address } from '../../primitives/Address.ts'

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
