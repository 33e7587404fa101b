import { type Static, Type } from 'typebox'
import type { TransactionKey } from '../../../chain/LiveChain.ts'
import { toBase64 } from '../../../primitives/base64.ts'
import { HashView, LtView, typeName } from './scalars.ts'

export const TransactionIdView = Type.Object(
  { '@type': typeName('internal.transactionId'), lt: LtView, hash: HashView },
  { $id: 'TransactionId', description: 'Which transaction of an account it is; zeros stand for none.' },
)

const none: TransactionKey = { lt: 0n, hash: new Uint8Array(32) }

export const toTransactionIdView = ({ lt, hash }: TransactionKey = none): Static<typeof TransactionIdView> => ({
  '@type': 'internal.transactionId',
  lt: lt.toString(),
  hash: toBase64(hash),
})
