import type { MessageView } from '../../api/v3/views/messages.ts'
import type { TransactionView } from '../../api/v3/views/transactions.ts'

const compute: { readonly [code: number]: string } = {
  0: 'success',
  1: 'success (alternative)',
  2: 'stack underflow',
  3: 'stack overflow',
  4: 'integer overflow or division by zero',
  5: 'range check error',
  6: 'invalid opcode',
  7: 'type check error',
  8: 'cell overflow',
  9: 'cell underflow',
  10: 'dictionary error',
  11: 'unknown error, or unknown method',
  12: 'fatal error',
  13: 'out of gas',
  14: 'virtualization error (pruned cell)',
  [-14]: 'out of gas',
  65535: 'unknown operation',
}

const action: { readonly [code: number]: string } = {
  0: 'success',
  32: 'invalid action list',
  33: 'too many actions',
  34: 'invalid or unknown action',
  35: 'invalid source address',
  36: 'invalid destination address',
  37: 'not enough coins',
  38: 'not enough extra currency',
  39: 'message does not fit into a cell',
  40: 'message cannot be processed: not enough funds or too large',
  41: 'library reference is null',
  42: 'library change error',
  43: 'library limits exceeded',
  50: 'account state too large',
}

const skipped: { readonly [reason: string]: string } = {
  no_state: 'no state: the account has no code',
  bad_state: 'bad state: the state init does not match the address',
  no_gas: 'no gas: not enough coins',
  suspended: 'the account is suspended',
}

const ofContract = 'contract-specific error'

/** Explains an exit code of the compute phase. */
export const explainExit = (code: number): string => compute[code] ?? ofContract

export const explainResult = (code: number): string => action[code] ?? ofContract

export const explainSkip = (reason: string): string => skipped[reason] ?? reason

export type Outcome = 'done' | 'failed' | 'pending'

/** The outcome of a transaction. A plain deposit to an account without code is a success. */
export const outcomeOf = ({ description, emulated }: TransactionView): Outcome => {
  const { compute_ph: compute, action, aborted } = description
  const hasFailed =
    (compute !== undefined && !compute.skipped && compute.success === false) ||
    action?.success === false ||
    description.bounce !== undefined ||
    (aborted === true && compute?.reason !== 'no_state')
  if (hasFailed) return 'failed'
  return emulated ? 'pending' : 'done'
}

/** The reason of a failure; `undefined` on success. */
export const findFailure = ({ description }: TransactionView): string | undefined => {
  const { compute_ph: compute, action, bounce } = description
  if (compute?.skipped === false && compute.success === false) {
    return `Exit code ${compute.exit_code}: ${explainExit(compute.exit_code ?? 0)}.`
  }
  if (action?.success === false) return `Result code ${action.result_code}: ${explainResult(action.result_code)}.`
  if (compute?.skipped === true && bounce !== undefined) return `Not run: ${explainSkip(compute.reason ?? '')}.`
  if (bounce !== undefined) return 'The message bounced.'
  return undefined
}

/** The code of a failure in two words; `undefined` on success. */
export const nameFailure = ({ description }: TransactionView): string | undefined => {
  const { compute_ph: compute, action, bounce } = description
  if (compute?.skipped === false && compute.success === false) return `exit code ${compute.exit_code}`
  if (action?.success === false) return `result code ${action.result_code}`
  return bounce === undefined ? undefined : 'bounced'
}

/** What an account gained or lost. */
export const balanceChange = (transaction: TransactionView): bigint => {
  const { account_state_before: before, account_state_after: after } = transaction
  if (before.balance !== null && after.balance !== null) return BigInt(after.balance) - BigInt(before.balance)
  return countedChange(transaction)
}

/**
 * What came in less what went out and what was paid. The state between two transactions of a block is in no block, so its balance is
 * not known.
 */
export const countedChange = ({ in_msg, out_msgs, description, total_fees }: TransactionView): bigint => {
  const came = description.credit_ph?.credit ?? in_msg?.value ?? 0
  // The network has its share of the forward fees already; the rest travels with the message.
  const sent = out_msgs.reduce(
    (sum, { value, fwd_fee, ihr_fee }) => sum + BigInt(value ?? 0) + BigInt(fwd_fee ?? 0) + BigInt(ihr_fee ?? 0),
    0n,
  )
  return BigInt(came) - sent - BigInt(total_fees)
}

/** Opcode in hex. The neutral dialect has a signed number, the TON dialect text. */
export const formatOpcode = (opcode: number | string): string =>
  typeof opcode === 'string' ? opcode : `0x${(opcode >>> 0).toString(16).padStart(8, '0')}`

/** Small numbers are opcodes of many contracts, of which the table knows some. */
const MAX_COMMON_OPCODE = 0xffff

/**
 * Whether an opcode alone tells the layout. Several layouts may share one; then the name lists all of them.
 */
export const isCertain = (name: string, opcode: string): boolean =>
  name !== 'unknown' && !name.includes(',') && Number(opcode) > MAX_COMMON_OPCODE

type Coded = Pick<MessageView, 'opcode' | 'decoded_opcode' | 'bounced' | 'source' | 'message_content' | 'init_state'>

/** A short name for a message. */
export const nameMessage = (message: Coded): string => {
  const { opcode, decoded_opcode: decoded, bounced } = message
  if (bounced === true) return 'bounced'
  const type = (message.message_content?.decoded as { '@type'?: string } | null | undefined)?.['@type']
  if (type === 'text_comment' || opcode === 0) return 'comment'
  if (decoded !== null && opcode !== null && isCertain(decoded, formatOpcode(opcode))) return decoded
  if (type !== undefined && type !== 'empty_cell') return type
  // External-in messages begin with a signature, and what a new contract gets is often no request: neither has an opcode.
  if (message.source === null) return 'external'
  if (opcode !== null) return message.init_state === null ? formatOpcode(opcode) : 'deploy'
  return message.init_state === null ? 'transfer' : 'deploy'
}

/** The comment of a message. */
export const findComment = (message: Pick<MessageView, 'message_content'>): string | undefined => {
  const decoded = message.message_content?.decoded as Record<string, unknown> | null | undefined
  const text = decoded?.['text'] ?? decoded?.['comment']
  return typeof text === 'string' && text !== '' ? text : undefined
}
