import { toHex } from '../../../src/primitives/hex.ts'
import type { BlockView, InMsgView } from './BlockView.ts'

/** Who put a message into the block that delivers it at once: a transaction of it, the block itself, or a developer. */
export type Origin = 'sent' | 'recover' | 'mint' | 'injected'

export const originOf = ({ outMsgs, master }: BlockView, { key, hash }: InMsgView): Origin => {
  if (outMsgs.get(key)?.msg.kind === 'immediate') return 'sent'
  if (master?.recoverCreateMsg !== undefined && toHex(master.recoverCreateMsg.hash()) === hash) return 'recover'
  if (master?.mintMsg !== undefined && toHex(master.mintMsg.hash()) === hash) return 'mint'
  return 'injected'
}

/** Messages that were delivered at once although no transaction of the block sent them. */
export const listInjected = (block: BlockView): InMsgView[] =>
  [...block.inMsgs.values()].filter((view) => view.msg.kind === 'immediate' && originOf(block, view) === 'injected')
