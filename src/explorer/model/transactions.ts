import type { MessageView } from '../../api/v3/views/messages.ts'
import type { TransactionView } from '../../api/v3/views/transactions.ts'

const compute: { readonly [code: number]: string } = {
  0: 'success',
  1: 'success, the other way to say it',
  2: 'stack underflow: an instruction found too few values',
  3: 'stack overflow: too many values were kept',
  4: 'integer overflow, or a division by zero',
  5: 'a number is out of the range that was expected',
  6: 'there is no such instruction',
  7: 'a value has the wrong type',
  8: 'cell overflow: more was written than fits into a cell',
  9: 'cell underflow: more was read than a cell holds',
  10: 'a dictionary is broken',
  11: 'the contract knows no such method, or failed without saying why',
  12: 'fatal error of the virtual machine',
  13: 'out of gas',
  14: 'a pruned cell was read',
  [-14]: 'out of gas',
  65535: 'the contract does not know this message',
}

const action: { readonly [code: number]: string } = {
  0: 'success',
  32: 'the list of actions is malformed',
  33: 'there are more than 255 actions',
  34: 'an action is malformed or unknown',
  35: 'a message names a sender that is not the contract',
  36: 'a message goes to an address that cannot be reached',
  37: 'not enough coins for what was to be sent',
  38: 'not enough of an extra currency for what was to be sent',
  39: 'a message does not fit into a cell once it is rewritten',
  40: 'a message cannot be paid for, or is too large',
  41: 'a library is missing',
  42: 'a library could not be changed',
  43: 'libraries are too large, or too many',
  50: 'the account would become too large',
}

const skipped: { readonly [reason: string]: string } = {
  no_state: 'the account has no code',
  bad_state: 'the code that came with the message is not that of the account',
  no_gas: 'too few coins to pay for any gas',
  suspended: 'the account is suspended',
}

const ofContract = 'an error that the contract itself defines'

/** In words, whatever the virtual machine ended with. */
export const explainExit = (code: number): string => compute[code] ?? ofContract

export const explainResult = (code: number): string => action[code] ?? ofContract

export const explainSkip = (reason: string): string => skipped[reason] ?? reason

export type Outcome = 'done' | 'failed' | 'pending'

/** Whether it did what it was to do. One that only took coins in has no code to run, and did. */
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

/** Why it failed, in words; `undefined` where it did not. */
export const findFailure = ({ description }: TransactionView): string | undefined => {
  const { compute_ph: compute, action, bounce } = description
  if (compute?.skipped === false && compute.success === false) {
    return `Exit code ${compute.exit_code}: ${explainExit(compute.exit_code ?? 0)}.`
  }
  if (action?.success === false) return `Result code ${action.result_code}: ${explainResult(action.result_code)}.`
  if (compute?.skipped === true && bounce !== undefined) return `Not run: ${explainSkip(compute.reason ?? '')}.`
  if (bounce !== undefined) return 'The message was sent back.'
  return undefined
}

/** What an account has more or less after it; `undefined` where that is not known. */
export const balanceChange = ({ account_state_before: before, account_state_after: after }: TransactionView) =>
  before.balance === null || after.balance === null ? undefined : BigInt(after.balance) - BigInt(before.balance)

/** In hexadecimal. One dialect of the interface writes a signed number, the other text. */
export const formatOpcode = (opcode: number | string): string =>
  typeof opcode === 'string' ? opcode : `0x${(opcode >>> 0).toString(16).padStart(8, '0')}`

/** Where several layouts have an opcode the names of all come, and none is known to be right. */
export const isCertain = (name: string): boolean => name !== 'unknown' && !name.includes(',')

type Coded = Pick<MessageView, 'opcode' | 'decoded_opcode' | 'bounced' | 'source' | 'message_content'>

/** What a message says it is, in a word or two. */
export const nameMessage = (message: Coded): string => {
  const { opcode, decoded_opcode: decoded, bounced } = message
  if (bounced === true) return 'bounced'
  const type = (message.message_content?.decoded as { '@type'?: string } | null | undefined)?.['@type']
  if (type === 'text_comment' || opcode === 0) return 'comment'
  if (decoded !== null && isCertain(decoded)) return decoded
  if (type !== undefined && type !== 'empty_cell') return type
  if (opcode !== null) return formatOpcode(opcode)
  return message.source === null ? 'external' : 'transfer'
}

/** The words that go along with coins. */
export const findComment = (message: Pick<MessageView, 'message_content'>): string | undefined => {
  const decoded = message.message_content?.decoded as Record<string, unknown> | null | undefined
  const text = decoded?.['text'] ?? decoded?.['comment']
  return typeof text === 'string' && text !== '' ? text : undefined
}
