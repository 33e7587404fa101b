import { type CostlyFilter, MAX_NAMED, MAX_SENT_SCANNED } from '../../../src/store/reader/costlyFilters.ts'

/** Where a combination of filters may be refused for its cost. */
export type CostlyRequest = {
  readonly endpoints: readonly string[]
  readonly filters: string
  readonly when: string
}

const count = (number: number): string => number.toLocaleString('en')

/** All refusals of the store for their cost, for docs/compatibility.md. The cases that show them are in test/support/costlyCases.ts. */
export const costlyRequests: Readonly<Record<CostlyFilter, CostlyRequest>> = {
  messages: {
    endpoints: ['/messages'],
    filters: 'two or more of `source`, `destination`, `body_hash`, `opcode`, but not `destination` and `opcode` alone',
    when: 'each matches hundreds of thousands of messages, and hardly any message matches all',
  },
  receivers: {
    endpoints: ['/transactionsByMessage'],
    filters:
      '`body_hash` or `opcode` with each other, `source` or `destination`; not `opcode` with `destination`, unless more than 2,000 transactions match both',
    when: 'each matches hundreds of thousands of transactions, and hardly any of them, or only old ones, match all',
  },
  senders: {
    endpoints: ['/transactionsByMessage'],
    filters: '`body_hash`, also with `source` or `destination`, unless `direction=in`; above all `direction=out`',
    when: `the page needs more than ${count(MAX_SENT_SCANNED)} messages: each sender sent hundreds, or \`offset\` is that high`,
  },
  namedMessages: {
    endpoints: ['/transactionsByMessage'],
    filters: '`msg_hash`',
    when: `more than ${count(MAX_NAMED)} transactions received these messages`,
  },
  excludedAccounts: {
    endpoints: ['/transactions'],
    filters: '`exclude_account`, which the original ignores',
    when: 'the excluded accounts have hundreds of thousands of consecutive transactions',
  },
  accountsInShard: {
    endpoints: ['/transactions'],
    filters: '`account` with `shard`',
    when: 'the account has hundreds of thousands of consecutive transactions in other shards',
  },
  accountTraces: {
    endpoints: ['/traces', '/events'],
    filters: '`account`',
    when: 'the account has hundreds of thousands of consecutive transactions in few or unfinished traces',
  },
  distributedTransactions: {
    endpoints: ['/transactions'],
    filters: '`shard`, `start_utime` or `end_utime`, also with `workchain` or `exclude_account`, on a Citus cluster',
    when: 'the page needs more than 65,536 blocks',
  },
}
