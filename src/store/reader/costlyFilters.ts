import { StoreError } from '../errors.ts'

/** Maximum number of matches for messages given by hash: one may have been received any number of times. */
export const MAX_NAMED = 50_000

/** Maximum number of messages scanned for senders: one transaction may have sent hundreds. */
export const MAX_SENT_SCANNED = 50_000

const SCANNED = 'Too many rows would have to be scanned.'
const NARROW_MESSAGES = 'Give msg_hash, or leave out a filter that few of these messages fulfil.'

/** The combinations of filters that may be refused for their cost, each with what the caller is told. docs/compatibility.md lists them. */
export const costlyFilters = {
  messages: `${SCANNED} Give msg_hash, or narrow the window by start_lt and end_lt.`,
  receivers: `${SCANNED} ${NARROW_MESSAGES}`,
  senders: `More than ${MAX_SENT_SCANNED} messages would have to be scanned. ${NARROW_MESSAGES}`,
  namedMessages: `More than ${MAX_NAMED} transactions received these messages. Name fewer at a time.`,
  excludedAccounts: `${SCANNED} Give seqno, mc_seqno, account or hash, or narrow the window of logical times.`,
  accountsInShard: `${SCANNED} Leave out shard, give seqno, mc_seqno or hash, or narrow the window of logical times.`,
  accountTraces:
    'The account has too many transactions in traces that are not finished, or in few traces. Narrow start_lt and end_lt.',
  distributedTransactions: 'Too many blocks would have to be read. Give account or hash, or narrow the window.',
} as const

export type CostlyFilter = keyof typeof costlyFilters

/** No index serves the query, and running it would mean scanning a whole table. */
export class QueryTooCostlyError extends StoreError {
  readonly code = 'query_too_costly'

  constructor(filter: CostlyFilter) {
    super(costlyFilters[filter])
  }
}
