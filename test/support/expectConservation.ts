import assert from 'node:assert/strict'
import type { Json } from './v3Client.ts'

const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n)

/**
 * Balances before, with the value of an internal root message, are balances after, fees, and the value of messages that did not arrive.
 * It is read from the transactions of an answer, and compared with its summary.
 */
export const expectConservation = ({ transactions, trace, summary }: Json): void => {
  const list: Json[] = Object.values(transactions)
  list.sort((a, b) => (BigInt(a.lt) < BigInt(b.lt) ? -1 : 1))
  const first = new Map<string, bigint>()
  const last = new Map<string, bigint>()
  for (const { account, account_state_before: before, account_state_after: after } of list) {
    if (!first.has(account)) first.set(account, BigInt(before.balance ?? 0))
    last.set(account, BigInt(after.balance ?? 0))
  }
  const root = transactions[trace.tx_hash].in_msg
  const given = BigInt(root?.value ?? 0)
  const forward = sum(
    list.flatMap(({ out_msgs }) => out_msgs.map(({ fwd_fee }: Json) => (fwd_fee === null ? 0n : BigInt(fwd_fee)))),
  )
  const total = sum(list.map(({ total_fees }) => BigInt(total_fees))) + forward
  assert.equal(BigInt(summary.fees.total), total)
  assert.equal(BigInt(summary.fees.forward), forward)
  const { storage, gas, action, import: imported } = summary.fees
  assert.equal(BigInt(storage) + BigInt(gas) + BigInt(action) + BigInt(imported) + forward, total)
  assert.ok(BigInt(imported) >= 0n)
  const undelivered = sum(summary.undelivered.map(({ value }: Json) => BigInt(value)))
  const burned = BigInt(summary.burned ?? 0)
  assert.equal(sum([...first.values()]) + given - sum([...last.values()]) - burned, total + undelivered)
  assert.equal(BigInt(summary.paid), total + undelivered - given)
}
