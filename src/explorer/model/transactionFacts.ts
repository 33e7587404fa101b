import type { TransactionView } from '../../api/v3/views/TransactionView.ts'
import { explainExit, explainResult, explainSkip } from './exitCodes.ts'

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
