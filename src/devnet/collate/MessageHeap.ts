import type { Cell } from '../../codec/cell/Cell.ts'
import type { IntMsgInfo } from '../../codec/tlb/Message.ts'
import type { MsgMetadata } from '../../codec/tlb/MsgEnvelope.ts'
import { compareMessages } from './QueuedMessage.ts'

/** An internal message that a transaction of the block under way has sent. */
export type NewMessage = {
  readonly cell: Cell
  readonly hash: Uint8Array
  readonly lt: bigint
  readonly info: IntMsgInfo
  readonly transaction: Cell
  readonly metadata: MsgMetadata | undefined
}

/** New messages, the one that is next by lt and hash on top. */
export class MessageHeap {
  private readonly items: NewMessage[] = []

  get size(): number {
    return this.items.length
  }

  peek(): NewMessage | undefined {
    return this.items[0]
  }

  push(message: NewMessage): void {
    const { items } = this
    let at = items.push(message) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (compareMessages(items[parent]!, message) <= 0) break
      items[at] = items[parent]!
      at = parent
    }
    items[at] = message
  }

  pop(): NewMessage | undefined {
    const { items } = this
    const top = items[0]
    const last = items.pop()
    if (last === undefined || items.length === 0) return top
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= items.length) break
      if (child + 1 < items.length && compareMessages(items[child + 1]!, items[child]!) < 0) child++
      if (compareMessages(last, items[child]!) <= 0) break
      items[at] = items[child]!
      at = child
    }
    items[at] = last
    return top
  }
}
