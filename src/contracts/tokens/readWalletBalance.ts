import type { Cell } from '../../codec/cell/Cell.ts'
import { type CellReader, openCell } from '../../codec/cell/CellReader.ts'
import { readMsgAddress } from '../../codec/tlb/MsgAddress.ts'
import { type Address, addressesEqual } from '../../primitives/Address.ts'
import { CodedError } from '../../primitives/errors.ts'

/** Bits before the balance in the data of the known wallets: none, or the status of governed jettons. */
const LAYOUTS = [0, 4] as const

/** The balance in the data of a jetton wallet, if the data has a known layout with just this owner and master. */
export const readWalletBalance = (data: Cell, owner: Address, master: Address): bigint | undefined => {
  for (const statusBits of LAYOUTS) {
    try {
      const r = openCell(data)
      r.skipBits(statusBits)
      const balance = r.readCoins()
      if (isAddress(r, owner) && isAddress(r, master)) return balance
    } catch (error) {
      // Another layout, or a part that is not shown.
      if (!(error instanceof CodedError)) throw error
    }
  }
  return undefined
}

const isAddress = (r: CellReader, expected: Address): boolean => {
  const found = readMsgAddress(r)
  return found.kind === 'std' && addressesEqual(found, expected)
}
