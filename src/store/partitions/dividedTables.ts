import type { tables } from '../tables.ts'

/** The tables that are divided by the seqno of the masterchain block, all at the same seqnos. */
export const dividedTables = [
  'indexed_blocks',
  'blocks',
  'shard_tops',
  'transactions',
  'unreceived_messages',
  'message_contents',
  'traces',
  'jetton_transfers',
  'jetton_burns',
  'nft_transfers',
  'long_traces',
  'actions',
  'action_accounts',
] as const satisfies readonly (keyof typeof tables)[]

/** The first seqno of the partition that holds a seqno. */
export const partitionStart = (seqno: number, width: number): number => seqno - (seqno % width)

export const partitionName = (table: string, start: number): string => `${table}_p${start}`
