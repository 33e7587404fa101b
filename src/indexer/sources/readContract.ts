import type { ContractState } from '../../chain/ports.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { emptyCell } from '../../codec/cell/CellWriter.ts'
import { openAccount } from '../../codec/tlb/Account.ts'
import type { Address } from '../../primitives/Address.ts'

/** The contract in the cell of an Account; `undefined` where that has no code. */
export const readContract = (address: Address, cell: Cell): ContractState | undefined => {
  const account = openAccount(cell)
  if (account.kind === 'none' || account.state.kind !== 'active') return undefined
  const { code, data = emptyCell } = account.state.init
  return code && { address, code, data, balance: account.balance }
}
