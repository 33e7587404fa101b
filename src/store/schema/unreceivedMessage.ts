import type { Tables } from './tables.ts'

type MessageRow = Tables['unreceived_messages']

/** Prefix of the columns that a transaction has of the message it received. */
const IN = 'in_'

/** The row of a received message if it were unreceived: what its receiver does not know is from its sender. */
export const toUnreceivedMessage = (
  row: Tables['transactions'],
  { mc_seqno, trace_id }: Pick<MessageRow, 'mc_seqno' | 'trace_id'>,
): MessageRow => {
  const large = Object.entries((row.large ?? {}) as Record<string, string>)
    .filter(([name]) => name.startsWith(IN))
    .map(([name, value]) => [name.slice(IN.length), value])
  return {
    created_lt: row.in_created_lt!,
    value: row.in_value,
    fwd_fee: row.in_fwd_fee,
    ihr_fee: row.in_ihr_fee,
    created_at: row.in_created_at!,
    mc_seqno,
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
    trace_id,
  }
}
