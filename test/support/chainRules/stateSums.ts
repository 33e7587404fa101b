import { openAccount } from '../../../src/codec/tlb/Account.ts'
import { balanceOf } from './accountMoney.ts'
import { type Amount, amountOf, formatAmount, NOTHING, sumAmounts } from './amounts.ts'
import { checkSums } from './augmented.ts'
import type { BlockContext } from './BlockContext.ts'
import { openEnvelope } from './EnvelopeView.ts'
import type { Findings } from './Findings.ts'
import type { StateView } from './StateView.ts'

type Depth = { readonly depth: number; readonly balance: Amount }

/** What the dictionaries of a state sum up: balances, the least times of queues, the newest of old blocks. */
export const checkStateSums = ({ after, memory, isMaster }: BlockContext, findings: Findings): void => {
  checkBalances(after, findings, memory.knownNodes)
  const least = { stated: (lt: bigint) => lt, fork: minimum, empty: 0n, format: String }
  const { outQueue, extra } = after.queue
  const queueSums = {
    ...least,
    leaf: ({ outMsg }: { readonly outMsg: Parameters<typeof openEnvelope>[0] }) => openEnvelope(outMsg).lt,
  }
  checkSums('out_queue', outQueue, queueSums, findings, memory.knownNodes)
  if (extra !== undefined) {
    const leaf = ({ messages }: { readonly messages: { entries(): [bigint, unknown][] } }): bigint =>
      messages
        .entries()
        .map(([lt]) => lt)
        .reduce(minimum)
    checkSums('dispatch_queue', extra.dispatchQueue, { ...least, leaf }, findings, memory.knownNodes)
  }
  if (isMaster) checkOldBlocks(after, findings, memory.knownNodes)
}

const minimum = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/** Also for first states, with which a chain begins. */
export const checkBalances = (view: StateView, findings: Findings, known: Set<string>): void => {
  checkSums(
    'accounts',
    view.accounts,
    {
      stated: ({ splitDepth, balance }): Depth => ({ depth: splitDepth, balance: amountOf(balance) }),
      leaf: ({ account }) => ({ depth: 0, balance: balanceOf(openAccount(account)) }),
      fork: (left, right) => ({
        depth: Math.max(left.depth, right.depth),
        balance: sumAmounts([left.balance, right.balance]),
      }),
      empty: { depth: 0, balance: NOTHING },
      format: ({ depth, balance }) => `depth ${depth}, balance ${formatAmount(balance)}`,
    },
    findings,
    known,
  )
}

const checkOldBlocks = (view: StateView, findings: Findings, known: Set<string>): void => {
  checkSums(
    'prev_blocks',
    view.master.history.prevBlocks,
    {
      stated: ({ hasKey, maxEndLt }) => ({ hasKey, end: maxEndLt }),
      leaf: ({ isKey, block }) => ({ hasKey: isKey, end: block.endLt }),
      fork: (left, right) => ({
        hasKey: left.hasKey || right.hasKey,
        end: left.end > right.end ? left.end : right.end,
      }),
      empty: { hasKey: false, end: 0n },
      format: ({ hasKey, end }) => `${hasKey ? 'with' : 'without'} a key block, up to ${end}`,
    },
    findings,
    known,
  )
}
