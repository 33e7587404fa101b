import { call, kindOf } from '../../match/Pattern.ts'
import { tgbtcOps } from '../bodies/tgbtc.ts'
import { tonTransfer } from '../core/tonTransfer.ts'

/** The contract that pays out bitcoin is made, and sends its change back. */
export const pegout = call(tgbtcOps.pegout, {
  optional: true,
  all: [call(tgbtcOps.pegoutFollowUp, { optional: true }), kindOf(tonTransfer, { optional: true })],
})
