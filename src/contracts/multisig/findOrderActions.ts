import type { Cell } from '../../codec/cell/Cell.ts'
import { openCell } from '../../codec/cell/CellReader.ts'
import { Dict, type DictType } from '../../codec/cell/Dict.ts'
import { cellValue, uintKey } from '../../codec/cell/dictTypes.ts'
import { CellError } from '../../codec/cell/errors.ts'
import { type MessageRelaxed, readMessageRelaxed } from '../../codec/tlb/Message.ts'
import type { Address } from '../../primitives/Address.ts'
import { CodedError } from '../../primitives/errors.ts'
import { listNumberedAddresses } from '../methods/addressDict.ts'
import { findReadable } from '../methods/errors.ts'

const SEND_MESSAGE = 0xf1381e5b
const UPDATE_PARAMS = 0x1d0cfbd3

/** Numbers of 8 bits: no dictionary of them has more nodes. */
const MAX_NODES = 511

const actionsType: DictType<number, Cell> = { key: uintKey(8), value: cellValue }

/** What a multisig does when an order is carried out. */
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

/** The actions of an order, as they follow each other; `undefined` where the cell is no list of any. */
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
