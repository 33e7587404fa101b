import { openAccount } from '../../codec/tlb/Account.ts'
import { ChainDataError } from '../store/errors.ts'
import type { BlockDraft } from './BlockDraft.ts'

/** Runs the special contracts that want to run at the beginning (tick) or the end (tock) of every masterchain block. */
export const runTickTocks = async (draft: BlockDraft, kind: 'tick' | 'tock'): Promise<void> => {
  const lt = draft.maxLt
  const accounts = draft.context.rules.specialContracts.map((hash) => draft.accounts.get(hash))
  const wanting = accounts.filter(({ current }) => {
    const account = openAccount(current.account)
    return account.kind === 'account' && account.state.kind === 'active' && account.state.init.special?.[kind] === true
  })
  const runs = await Promise.all(wanting.map((account) => draft.run(account, { kind }, lt)))
  wanting.forEach((account, at) => {
    const run = runs[at]!
    if (run.kind !== 'executed') throw new ChainDataError(`A ${kind} was not executed: ${run.reason}.`)
    draft.take(account, run, 'start')
  })
}
