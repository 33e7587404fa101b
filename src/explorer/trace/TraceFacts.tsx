import { formatTime } from '../model/times.ts'
import type { TreeNode } from '../model/traceTree.ts'
import { Amount } from '../parts/Amount.tsx'
import { Facts } from '../parts/Facts.tsx'
import { stateOf } from './TraceTree.tsx'

export const TraceFacts = ({ nodes }: { readonly nodes: readonly TreeNode[] }) => {
  const transactions = nodes.flatMap(({ transaction }) => transaction ?? [])
  const times = transactions.map(({ now }) => now)
  const fees = transactions.reduce((sum, { total_fees }) => sum + BigInt(total_fees), 0n)
  const gas = transactions.reduce((sum, { description }) => sum + BigInt(description.compute_ph?.gas_used ?? 0), 0n)
  const forward = transactions.reduce(
    (sum, { out_msgs }) => sum + out_msgs.reduce((each, { fwd_fee }) => each + BigInt(fwd_fee ?? 0), 0n),
    0n,
  )
  const count = (state: ReturnType<typeof stateOf>): number => nodes.filter((node) => stateOf(node) === state).length
  const waiting = count('waiting') + count('pending')
  return (
    <Facts
      facts={[
        ['Transactions', String(transactions.length)],
        count('failed') > 0 && ['Failed', <span class="bad">{count('failed')}</span>],
        waiting > 0 && ['Not in a block yet', String(waiting)],
        ['Accounts', String(new Set(nodes.map(({ account }) => account)).size)],
        ['Began', times.length === 0 ? '–' : formatTime(Math.min(...times))],
        ['Lasted', times.length === 0 ? '–' : `${Math.max(...times) - Math.min(...times)} s`],
        ['Fees', <Amount value={fees} />],
        ['Forward fees', <Amount value={forward} />],
        ['Gas', gas.toLocaleString('en').replaceAll(',', ' ')],
      ]}
    />
  )
}
