import type { Cell } from '../codec/cell/Cell.ts'
import { openCell } from '../codec/cell/CellReader.ts'
import { Dict, type DictType } from '../codec/cell/Dict.ts'
import { cellValue, uintKey } from '../codec/cell/dictTypes.ts'
import { CellError } from '../codec/cell/errors.ts'
import { type MessageRelaxed, readMessageRelaxed } from '../codec/tlb/Message.ts'
import { type Address, addressesEqual } from '../primitives/Address.ts'
import { CodedError } from '../primitives/errors.ts'
import {
  findReadable,
  intArgument,
  listNumberedAddresses,
  type MethodResult,
  ResultReader,
  type RunMethod,
} from './getMethods.ts'

/** A wallet of several owners, of the second version. */
export type Multisig = {
  /** -1 where orders may have any number. */
  readonly nextOrderSeqno: bigint
  readonly threshold: number
  /** In the order of their numbers. */
  readonly signers: readonly Address[]
  readonly proposers: readonly Address[]
}

export const findMultisig = async (run: RunMethod, address: Address): Promise<Multisig | undefined> => {
  const result = await run(address, 'get_multisig_data', [])
  return findReadable(() => readMultisigData(result))
}

const readMultisigData = (result: MethodResult): Multisig => {
  const r = new ResultReader(result)
  return {
    nextOrderSeqno: r.readInt(),
    threshold: r.readInt32(),
    signers: listNumberedAddresses(r.readMaybeCell()),
    proposers: listNumberedAddresses(r.readMaybeCell()),
  }
}

/** An order of a multisig wallet, confirmed by the multisig. */
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

const readProgress = (r: ResultReader) => ({
  threshold: r.readInt32(),
  sentForExecution: r.readBool(),
  /** Who could sign when the order was made, in the order of their numbers. */
  signers: listNumberedAddresses(r.readMaybeCell()),
  /** Bit n: signer n approved. */
  approvalsMask: r.readInt(),
  approvalsCount: r.readInt32(),
  /** In seconds. */
  expirationDate: r.readNumber(),
  order: r.readCell(),
})

/** The state of an order. It exists before the multisig fills it in. */
export type OrderProgress = Readonly<ReturnType<typeof readProgress>>

const SEND_MESSAGE = 0xf1381e5b
const UPDATE_PARAMS = 0x1d0cfbd3

/** Numbers of 8 bits: no dictionary of them has more nodes. */
const MAX_NODES = 511

const actionsType: DictType<number, Cell> = { key: uintKey(8), value: cellValue }

/** The actions that a multisig performs when it executes an order. */
export type OrderAction =
  | { readonly kind: 'message'; readonly mode: number; readonly message: MessageRelaxed }
  | {
      readonly kind: 'params'
      readonly threshold: number
      readonly signers: readonly Address[]
      readonly proposers: readonly Address[]
    }
  /** Nothing that is known of orders, or less than that. */
  | { readonly kind: 'unreadable'; readonly error: CodedError }

/** The actions of an order in order; `undefined` where the cell is not an action list. */
export const findOrderActions = (order: Cell): OrderAction[] | undefined => {
  const cells = findReadable(() => new Dict(actionsType, order).entries({ maxNodes: MAX_NODES }))
  return cells?.map(([, cell]) => readAction(cell))
}

const readAction = (cell: Cell): OrderAction => {
  try {
    return readKnownAction(cell)
  } catch (error) {
    if (error instanceof CodedError) return { kind: 'unreadable', error }
    throw error
  }
}

/**
 * send_message#f1381e5b mode:uint8 message:^Cell = Action;
 * update_multisig_params#1d0cfbd3 threshold:uint8 signers:^(Hashmap 8 MsgAddressInt) proposers:(HashmapE 8 MsgAddressInt) = Action;
 */
const readKnownAction = (cell: Cell): OrderAction => {
  const r = openCell(cell)
  const tag = r.readUint(32)
  switch (tag) {
    case SEND_MESSAGE:
      return { kind: 'message', mode: r.readUint(8), message: readMessageRelaxed(r.readRef()) }
    case UPDATE_PARAMS:
      return {
        kind: 'params',
        threshold: r.readUint(8),
        signers: listNumberedAddresses(r.readRefCell()),
        proposers: listNumberedAddresses(r.readMaybeRefCell()),
      }
    default:
      throw new CellError(`An action of an order is a message or new parameters, this one has the tag ${tag}.`)
  }
}
