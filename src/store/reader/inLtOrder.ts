import { compareBytes } from '../../primitives/bytes.ts'

type OfAccount = { readonly lt: bigint; readonly account: Uint8Array }

/** By logical time in a direction; of one time, by account. */
export const inLtOrder =
  (direction: 'asc' | 'desc') =>
  (a: OfAccount, b: OfAccount): number =>
    a.lt === b.lt ? compareBytes(a.account, b.account) : a.lt < b.lt === (direction === 'asc') ? -1 : 1
