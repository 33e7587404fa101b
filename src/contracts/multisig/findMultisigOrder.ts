import type { Cell } from '../../codec/cell/Cell.ts'
import { type Address, addressesEqual } from '../../primitives/Address.ts'
import { listNumberedAddresses } from '../methods/addressDict.ts'
import { intArgument } from '../methods/arguments.ts'
import { findReadable } from '../methods/errors.ts'
import { ResultReader } from '../methods/ResultReader.ts'
import type { MethodResult, RunMethod } from '../methods/RunMethod.ts'

/** How far an order came; an order is there before the multisig has filled it. */
export type OrderProgress = {
  readonly threshold: number
  readonly sentForExecution: boolean
  /** Who could sign when the order was made, in the order of their numbers. */
  readonly signers: readonly Address[]
  /** Bit n: signer n approved. */
  readonly approvalsMask: bigint
  readonly approvalsCount: number
  /** In seconds. */
  readonly expirationDate: number
  readonly order: Cell
}

/** What several owners agree on to send, for which their multisig vouches. */
export type MultisigOrder = {
  readonly multisig: Address
  readonly orderSeqno: bigint
  readonly progress: OrderProgress | undefined
}

export const findMultisigOrder = async (run: RunMethod, address: Address): Promise<MultisigOrder | undefined> => {
  const result = await run(address, 'get_order_data', [])
  const order = findReadable(() => readOrderData(result))
  if (order === undefined) return undefined
  const named = await run(order.multisig, 'get_order_address', [intArgument(order.orderSeqno)])
  const expected = findReadable(() => new ResultReader(named).readAddress())
  return expected !== undefined && addressesEqual(expected, address) ? order : undefined
}

const readOrderData = (result: MethodResult): MultisigOrder => {
  const r = new ResultReader(result)
  const identity = { multisig: r.readAddress(), orderSeqno: r.readInt() }
  return { ...identity, progress: r.nextIsNull() ? undefined : readProgress(r) }
}

const readProgress = (r: ResultReader): OrderProgress => ({
  threshold: r.readInt32(),
  sentForExecution: r.readBool(),
  signers: listNumberedAddresses(r.readMaybeCell()),
  approvalsMask: r.readInt(),
  approvalsCount: r.readInt32(),
  expirationDate: r.readNumber(),
  order: r.readCell(),
})
