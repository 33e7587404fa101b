import type { Action } from '../../actions/rows/Action.ts'
import { addressKeyOf, parseAddress } from '../../primitives/Address.ts'
import { fromBase64 } from '../../primitives/base64.ts'
import type { ActionRecord } from '../../store/reader/ActionRecord.ts'
import type { TraceRecord } from '../../store/reader/TraceRecord.ts'

/** Some patterns name as accounts what is none. */
const findKey = (address: string): Uint8Array | undefined =>
  /^-?[0-9]+:[0-9A-F]{64}$/.test(address) ? addressKeyOf(parseAddress(address)) : undefined

/** An action as it is kept. */
export const toActionRecord = (action: Action, trace: TraceRecord): ActionRecord => ({
  traceId: trace.traceId,
  actionId: fromBase64(action.actionId),
  startLt: action.startLt,
  endLt: action.endLt,
  startUtime: action.startUtime,
  endUtime: action.endUtime,
  traceEndLt: trace.endLt,
  traceEndUtime: trace.endUtime,
  traceEndSeqno: trace.endSeqno,
  transactions: action.transactions.map(fromBase64),
  accounts: action.accounts.map(findKey).filter((key) => key !== undefined),
  success: action.success,
  type: action.type,
  shownType: action.shownType,
  ancestorTypes: action.ancestorTypes,
  details: action.details,
  rawAction: action.rawAction,
})
