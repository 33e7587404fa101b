import { call } from '../../match/Pattern.ts'
import type { Block } from '../../tree/Block.ts'
import { cocoonOps } from '../bodies/cocoon.ts'

export const excesses = call(cocoonOps.excesses)
export const optionalExcesses = call(cocoonOps.excesses, { optional: true })
export const payout = call(cocoonOps.payout)

/** What follows most commands to a client: its proxy is told, and the rest of the money goes back. */
export const toldProxy = { all: [excesses, call(cocoonOps.clientRequest)] }

/** Whether the transaction came to nothing; even of a call without money. */
export const isAborted = ({ node }: Block): boolean => node.transaction.aborted
