import { toHex } from '../../primitives/hex.ts'
import type { Tables } from '../../store/tables.ts'

type MessageRow = Tables['unreceived_messages']
type TransactionRow = Tables['transactions']

const keyOf = (account: Uint8Array, lt: bigint): string => `${toHex(account)} ${lt}`

/** Messages by their sender and logical time, those that were received and those that were not. */
export class StoredMessages {
  readonly #unreceived: ReadonlyMap<string, MessageRow>
  readonly #receivers: ReadonlyMap<string, TransactionRow>

  constructor(unreceived: readonly MessageRow[], receivers: readonly TransactionRow[]) {
    this.#unreceived = new Map(unreceived.map((row) => [keyOf(row.account, row.created_lt), row]))
    this.#receivers = new Map(receivers.map((row) => [keyOf(row.in_source!, row.in_created_lt!), row]))
  }

  /** What transactions sent, in their order. What is missing is left out. */
  listSent(senders: readonly TransactionRow[]): { readonly messages: MessageRow[]; readonly doubled: number[] } {
    const messages: MessageRow[] = []
    const doubled: number[] = []
    for (const { account, lt, out_count, mc_seqno } of senders) {
      for (let k = 1n; k <= BigInt(out_count); k++) {
        const key = keyOf(account, lt + k)
        const receiver = this.#receivers.get(key)
        const row = this.#unreceived.get(key) ?? (receiver && toMessageRow(receiver, mc_seqno))
        if (row !== undefined) messages.push(row)
        if (receiver !== undefined && this.#unreceived.has(key)) doubled.push(receiver.mc_seqno)
      }
    }
    return { messages, doubled }
  }
}

/** The row that a message would have if nobody had received it. */
const toMessageRow = (row: TransactionRow, seqno: number): MessageRow => {
  const large = Object.entries((row.large ?? {}) as Record<string, string>)
    .filter(([name]) => name.startsWith(IN))
    .map(([name, value]) => [name.slice(IN.length), value])
  return {
    created_lt: row.in_created_lt!,
    value: row.in_value,
    fwd_fee: row.in_fwd_fee,
    ihr_fee: row.in_ihr_fee,
    created_at: row.in_created_at!,
    mc_seqno: seqno,
    opcode: row.in_opcode,
    bits: row.in_bits,
    account: row.in_source!,
    destination: row.account,
    hash: row.in_hash!,
    body_hash: row.in_body_hash,
    init_hash: row.in_init_hash,
    value_extra: row.in_value_extra,
    extra_flags: row.in_extra_flags,
    large: large.length === 0 ? null : (Object.fromEntries(large) as Record<string, string>),
    trace_id: row.trace_id,
  }
}

const IN = 'in_'
