import type { Json } from './v3Client.ts'

/** Why a trace is not as it was foreseen. */
export type Difference = {
  readonly cause: 'none' | 'another transaction' | 'another order' | 'another second' | 'cut short' | 'unexplained'
  /** Which transaction was the first that was another. */
  readonly detail: string
}

const none: Difference = { cause: 'none', detail: '' }

/**
 * Compares what was foreseen with what happened: accounts, values and exit codes, from the first transaction on. What follows from a
 * difference is not looked at: the first one tells why.
 */
export const explainDifference = (foreseen: Json, final: Json): Difference => {
  const open: [Json, Json][] = [[foreseen.trace, final.trace]]
  for (let at = 0; at < open.length; at++) {
    const [mine, real] = open[at]!
    const [p, r] = [foreseen.transactions[mine.tx_hash], final.transactions[real.tx_hash]]
    if (describe(p) !== describe(r)) return { cause: findCause(p, r, foreseen, final), detail: tell(p, r) }
    const children = [...real.children]
    for (const child of mine.children) {
      const k = children.findIndex((each) => isSameMessage(foreseen, child, final, each))
      if (k < 0) return { cause: 'unexplained', detail: `${child.tx_hash} is missing` }
      open.push([child, children.splice(k, 1)[0]!])
    }
    // It says of itself that there is more to come: there was no time to foresee that.
    const missing = foreseen.is_incomplete === true ? 'cut short' : 'unexplained'
    if (children.length > 0) return { cause: missing, detail: `${children[0].tx_hash} was not foreseen` }
  }
  return none
}

const isSameMessage = (foreseen: Json, mine: Json, final: Json, real: Json): boolean => {
  const [p, r] = [foreseen.transactions[mine.tx_hash].in_msg, final.transactions[real.tx_hash].in_msg]
  return p.destination === r.destination && p.value === r.value && p.opcode === r.opcode
}

/** What it did: its end, and what it sent. */
const describe = ({ account, description: { compute_ph: run }, out_msgs: sent }: Json): string =>
  JSON.stringify([
    account,
    run.skipped ? run.reason : run.exit_code,
    sent.map(({ destination, value, opcode }: Json) => [destination, value, opcode].join(' ')).sort(),
  ])

const findCause = (p: Json, r: Json, foreseen: Json, final: Json): Difference['cause'] => {
  const [mine, real] = [listOwn(foreseen, p.account), listOwn(final, r.account)]
  // The state that the account had when the trace reached it first, and what became of it in between.
  if (mine[0].prev_trans_lt !== real[0].prev_trans_lt || hasStrangers(real)) return 'another transaction'
  if (mine.indexOf(p) !== real.indexOf(r)) return 'another order'
  if (p.now !== r.now || feeOf(p) !== feeOf(r)) return 'another second'
  return 'unexplained'
}

/** The transactions of a trace that an account has. */
const listOwn = (trace: Json, account: string): Json[] =>
  Object.values<Json>(trace.transactions)
    .filter((each) => each.account === account)
    .sort((a, b) => (BigInt(a.lt) < BigInt(b.lt) ? -1 : 1))

const hasStrangers = (own: readonly Json[]): boolean =>
  own.some(({ prev_trans_hash: hash }, k) => k > 0 && hash !== own[k - 1].hash)

const feeOf = ({ description }: Json): string => description.storage_ph?.storage_fees_collected ?? '0'

const tell = (p: Json, r: Json): string =>
  `${r.account} ${r.lt}, foreseen at ${p.now} after ${p.prev_trans_lt}, happened at ${r.now} after ${r.prev_trans_lt}: ` +
  `${describe(p)} became ${describe(r)}`
