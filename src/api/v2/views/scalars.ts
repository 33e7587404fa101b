import { type Static, Type } from 'typebox'
import type { TransactionKey } from '../../../chain/LiveChain.ts'
import type { Cell } from '../../../codec/cell/Cell.ts'
import { CHECKED_BOC, encodeBocBase64 } from '../../../codec/cell/encodeBoc.ts'
import type { ExtraCurrencies } from '../../../codec/tlb/CurrencyCollection.ts'
import { type Address, type FriendlyFlags, formatFriendlyAddress } from '../../../primitives/Address.ts'
import { toBase64 } from '../../../primitives/base64.ts'

/** The `@type` of an object on the wire. */
export const typeName = <const Name extends string>(name: Name) => Type.Literal(name)

export const HashView = Type.String({
  $id: 'Hash',
  description: '32 bytes in base64.',
  pattern: '^[A-Za-z0-9+/]{43}=$',
  examples: ['CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM='],
})

export const BytesView = Type.String({
  $id: 'Bytes',
  description: 'Bytes in base64; cells as bags of cells.',
  examples: ['te6cckEBAQEADgAAGNUydtsAAAAAAAAABxylUgg='],
})

export const AmountView = Type.String({
  $id: 'Amount',
  description: 'Amount in nano units, decimal.',
  examples: ['2500000000'],
})

export const LtView = Type.String({ $id: 'Lt', description: 'Logical time, decimal.', examples: ['66822814000007'] })

export const FriendlyView = Type.String({
  $id: 'Friendly',
  description: 'User-friendly address.',
  pattern: '^[A-Za-z0-9_-]{48}$',
  examples: ['EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'],
})

export const UpperRawView = Type.String({
  $id: 'UpperRaw',
  description: 'Raw address in upper case.',
  pattern: '^-?[0-9]{1,10}:[0-9A-F]{64}$',
  examples: ['0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8'],
})

/** A cell as a bag of cells in base64. */
export const toCellBytes = (cell: Cell): string => encodeBocBase64([cell], CHECKED_BOC)

/** The same; empty without a cell. */
export const toMaybeCellBytes = (cell: Cell | undefined): string => (cell === undefined ? '' : toCellBytes(cell))

export const AccountAddressView = Type.Object(
  { '@type': typeName('accountAddress'), account_address: Type.Union([FriendlyView, Type.Literal('')]) },
  { $id: 'AccountAddress', description: 'Address; empty if absent.' },
)

export const toAccountAddressView = (
  address: Address | undefined,
  flags?: FriendlyFlags,
): Static<typeof AccountAddressView> => ({
  '@type': 'accountAddress',
  account_address: address === undefined ? '' : formatFriendlyAddress(address, flags),
})

export const ExtraCurrencyView = Type.Object(
  { '@type': typeName('extraCurrency'), id: Type.Integer(), amount: Type.String({ examples: ['1000'] }) },
  { $id: 'ExtraCurrency', description: 'Amount of an extra currency.' },
)

/** Amounts of extra currencies by id. */
export const toExtraCurrencyViews = (currencies: ExtraCurrencies): Static<typeof ExtraCurrencyView>[] => {
  const views: Static<typeof ExtraCurrencyView>[] = []
  // Currency ids are signed in v2.
  currencies.forEach((id, amount) => {
    views.push({ '@type': 'extraCurrency', id: id | 0, amount: amount.toString() })
  })
  return views
}

export const TransactionIdView = Type.Object(
  { '@type': typeName('internal.transactionId'), lt: LtView, hash: HashView },
  { $id: 'TransactionId', description: 'Transaction id: lt and hash; zeros if absent.' },
)

const none: TransactionKey = { lt: 0n, hash: new Uint8Array(32) }

export const toTransactionIdView = ({ lt, hash }: TransactionKey = none): Static<typeof TransactionIdView> => ({
  '@type': 'internal.transactionId',
  lt: lt.toString(),
  hash: toBase64(hash),
})

export const CellView = Type.Object(
  { '@type': typeName('tvm.cell'), bytes: BytesView },
  { $id: 'Cell', description: 'Cell as a bag of cells; empty if absent.' },
)

export const toCellView = (cell: Cell | undefined): Static<typeof CellView> => ({
  '@type': 'tvm.cell',
  bytes: toMaybeCellBytes(cell),
})
