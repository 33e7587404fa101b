import { fromHex } from '../../../src/primitives/hex.ts'
import { momentOf } from './accountChanges.ts'
import type { BlockContext } from './BlockContext.ts'
import type { AccountBlockView, TransactionView } from './BlockView.ts'
import type { Findings } from './Findings.ts'

/** Special contracts that ask for it run at the beginning and at the end of every masterchain block, and no others do. */
export const checkTickTock = (context: BlockContext, findings: Findings): void => {
  const { block, config, isMaster } = context
  for (const accountBlock of block.accountBlocks.values()) {
    for (const { tx, inMessage } of accountBlock.transactions) {
      const name = `transaction ${accountBlock.account}:${tx.lt}`
      const runs = tx.description.kind === 'tick_tock'
      findings.equal(`message of ${name}, a tick or tock`, inMessage === undefined, runs)
      const isAllowed = isMaster && config.special.has(accountBlock.account)
      if (runs) findings.isTrue(`account of ${name}, a tick or tock`, isAllowed, 'a special one', accountBlock.account)
    }
  }
  if (isMaster) for (const account of config.special) checkRuns(context, account, findings)
}

const checkRuns = (context: BlockContext, account: string, findings: Findings): void => {
  const { block, before } = context
  const { account: old } = momentOf(before[0]!.accounts.find(fromHex(account)))
  const flags = old.kind === 'account' && old.state.kind === 'active' ? old.state.init.special : undefined
  const accountBlock = block.accountBlocks.get(account)
  const ticks = listRuns(accountBlock, false)
  const tocks = listRuns(accountBlock, true)
  findings.equal(`ticks of ${account}`, ticks.length, flags?.tick === true ? 1 : 0)
  findings.equal(`tocks of ${account}`, tocks.length, flags?.tock === true ? 1 : 0)
  const [tick] = ticks
  const [tock] = tocks
  if (tick !== undefined) {
    findings.equal(`lt of the tick of ${account}`, tick.tx.lt, block.info.startLt + 1n)
    findings.equal(`first transaction of ${account}`, accountBlock?.transactions[0]?.tx.lt, tick.tx.lt)
  }
  if (tock !== undefined) {
    findings.equal(`lt of the tock of ${account}`, tock.tx.lt, endBeforeTocks(context))
    findings.equal(`last transaction of ${account}`, accountBlock?.transactions.at(-1)?.tx.lt, tock.tx.lt)
  }
}

const listRuns = (accountBlock: AccountBlockView | undefined, isTock: boolean): TransactionView[] =>
  accountBlock?.transactions.filter(({ tx: { description } }) => isRun(description, isTock)) ?? []

const isRun = (description: TransactionView['tx']['description'], isTock: boolean): boolean =>
  description.kind === 'tick_tock' && description.isTock === isTock

/** All tocks are as of the end of all other transactions. */
const endBeforeTocks = ({ block }: BlockContext): bigint => {
  let end = block.info.startLt + 1n
  for (const { tx, endLt } of block.transactions) if (!isRun(tx.description, true) && endLt > end) end = endLt
  return end
}
