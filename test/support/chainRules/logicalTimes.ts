import { findAccountBefore, momentOf } from './accountChanges.ts'
import type { BlockContext } from './BlockContext.ts'
import type { AccountBlockView, TransactionView } from './BlockView.ts'
import type { Findings } from './Findings.ts'
import { originOf } from './origins.ts'

const STEP = 1_000_000n
const MAX_WINDOW = 10_000_000n

/** The times of a block, in seconds and logical. */
export const checkTimes = (context: BlockContext, findings: Findings): void => {
  const { block, before, after, master, config, isMaster } = context
  const { info } = block
  const since = Math.max(...[...before, master].map(({ state }) => state.genUtime))
  // Since version 13 several blocks may be made in one second.
  const earliest = config.version >= 13 ? since : since + 1
  findings.isTrue('gen_utime', info.genUtime >= earliest, `${earliest} or later`, info.genUtime)
  findings.equal('gen_utime of the state', after.state.genUtime, info.genUtime)
  const tops = isMaster ? after.master.shards.map(({ descr }) => descr.endLt) : [master.state.genLt]
  const base = [...before.map(({ state }) => state.genLt), ...tops].reduce((a, b) => (a > b ? a : b))
  findings.equal('start_lt', info.startLt, base === 0n ? STEP : ((base + STEP - 1n) / STEP) * STEP)
  findings.equal('gen_lt of the state', after.state.genLt, info.endLt)
  const window = info.endLt - info.startLt
  findings.isTrue('window of logical times', window < MAX_WINDOW, `less than ${MAX_WINDOW}`, window)
  findings.equal('end_lt', info.endLt, expectedEnd(context))
}

/** Behind all transactions with their messages, and behind messages that only left the dispatch queue. */
const expectedEnd = ({ block }: BlockContext): bigint => {
  let end = block.info.startLt + 1n
  const reach = (lt: bigint): void => {
    if (lt > end) end = lt
  }
  for (const { endLt } of block.transactions) reach(endLt)
  for (const { envelope, msg } of block.inMsgs.values()) {
    if (msg.kind.startsWith('deferred')) reach((envelope?.envelope.emittedLt ?? 0n) + 1n)
  }
  return end
}

/** The logical times of transactions and of their messages. */
export const checkTransactionTimes = (context: BlockContext, findings: Findings): void => {
  for (const accountBlock of context.block.accountBlocks.values()) {
    const { account, block, transactions } = accountBlock
    findings.sameKeys(
      `keys of the transactions of ${account}`,
      block.transactions.entries().map(([lt]) => `${lt}`),
      transactions.map(({ tx }) => `${tx.lt}`),
    )
    const old = momentOf(findAccountBefore(context, account)).account
    let free = old.kind === 'none' ? 0n : old.lastTransLt
    for (const view of transactions) {
      checkOne(context, view, free, findings)
      free = view.endLt
    }
    checkOrder(context, accountBlock, findings)
  }
}

const checkOne = ({ block }: BlockContext, view: TransactionView, free: bigint, findings: Findings): void => {
  const { startLt, endLt } = block.info
  const { tx, inMessage, outMessages } = view
  const name = `transaction ${view.account}:${tx.lt}`
  findings.isTrue(`lt of ${name}`, tx.lt > startLt && tx.lt < endLt, `between ${startLt} and ${endLt}`, tx.lt)
  findings.isTrue(`lt of ${name}`, tx.lt >= free, `${free} or later, when its account is free`, tx.lt)
  findings.equal(`now of ${name}`, tx.now, block.info.genUtime)
  outMessages.forEach(({ info }, k) => {
    if (info.kind === 'externalIn') findings.fail(`message ${k} of ${name}`, 'an outgoing one', 'an incoming one')
    else {
      findings.equal(`created_lt of message ${k} of ${name}`, info.createdLt, tx.lt + 1n + BigInt(k))
      findings.equal(`created_at of message ${k} of ${name}`, info.createdAt, tx.now)
    }
  })
  const lt = inMessage && (block.inMsgs.get(inMessage.hash)?.envelope?.lt ?? 0n)
  if (lt !== undefined) findings.isTrue(`lt of ${name}`, tx.lt > lt, `later than its message of ${lt}`, tx.lt)
}

/** Messages reach an account in the order in which they became ready. */
const checkOrder = ({ block }: BlockContext, accountBlock: AccountBlockView, findings: Findings): void => {
  let last = -1n
  for (const { tx, inMessage } of accountBlock.transactions) {
    const entry = inMessage && block.inMsgs.get(inMessage.hash)
    if (entry?.envelope === undefined) continue
    if (entry.msg.kind === 'immediate' && originOf(block, entry) !== 'sent') continue
    const { lt } = entry.envelope
    const rule = `order of messages to ${accountBlock.account}`
    findings.isTrue(rule, lt >= last, `none of before ${last} at lt ${tx.lt}`, lt)
    last = lt
  }
}
