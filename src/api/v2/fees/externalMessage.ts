import { type Cell, wholeSlice } from '../../../codec/cell/Cell.ts'
import { MAX_BITS } from '../../../codec/cell/exotic.ts'
import { writeWhole } from '../../../codec/cell/wholeCell.ts'
import { type Message, writeMessage } from '../../../codec/tlb/Message.ts'
import type { StateInit } from '../../../codec/tlb/StateInit.ts'
import type { Address } from '../../../primitives/Address.ts'

const MAX_REFS = 4

/** The message that a client would send: its body in the first cell where there is room for it. */
export const packExternalMessage = ({ workchain, hash }: Address, init: StateInit | undefined, body: Cell): Cell => {
  const head: Omit<Message, 'body'> = {
    info: {
      kind: 'externalIn',
      source: { kind: 'none' },
      destination: { kind: 'std', workchain, hash, anycast: undefined },
      importFee: 0n,
    },
    init: init && { inRef: false, value: init },
  }
  const packed = writeWhole(writeMessage, { ...head, body })
  // The body is the last reference of the head now.
  const hasRoom = packed.bits + body.bits <= MAX_BITS && packed.refCount - 1 + body.refCount <= MAX_REFS
  return hasRoom && !body.isExotic ? writeWhole(writeMessage, { ...head, body: wholeSlice(body) }) : packed
}
