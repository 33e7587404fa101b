import { EMPTY_BODY } from './listRequests.ts'
import type { IndexSample } from './sampleIndex.ts'

/** A kind of question: the path of the next one, always with other values. */
export type Question = { readonly name: string; readonly next: () => string }

const HOUR = 3600
const STATES = 5
const MANY_STATES = 100

/** What callers typically ask: a page of the usual length, or one thing. Every one has an index that leads to it. */
export const listQuestions = (sample: IndexSample): readonly Question[] => toQuestions(createPaths(sample).typical)

/** What is much more work: far longer answers, or accounts that are like no other. They are measured by themselves. */
export const listHeavyQuestions = (sample: IndexSample): readonly Question[] => toQuestions(createPaths(sample).heavy)

/** Filters that very many rows fulfil, or none, in either direction and within windows: an index in order leads to each. */
export const listFilters = (sample: IndexSample): readonly Question[] => toQuestions(createFilters(sample))

type Paths = Readonly<Record<string, () => string>>

const toQuestions = (paths: Paths): Question[] =>
  Object.entries(paths).map(([name, path]) => ({ name, next: () => `/api/v3/${path()}` }))

const createPaths = (sample: IndexSample): { readonly typical: Paths; readonly heavy: Paths } => {
  let asked = 0
  const pick = (values: readonly string[]): string => values[asked++ % values.length]!
  // One question in eight is about one of the accounts with the longest histories.
  const account = (): string => (asked % 8 === 0 ? pick(sample.busiest) : pick(sample.accounts))
  const within = ({ first, last }: IndexSample['times']): number =>
    first + ((asked++ * 7919) % Math.max(1, last - first))
  const window = (span: number): string => {
    const start = within(sample.times)
    return `start_utime=${start}&end_utime=${start + span}`
  }
  const sides = ['source', 'destination']
  const states = (count: number): string =>
    Array.from({ length: count }, () => `address=${pick(sample.accounts)}`).join('&')
  const typical = {
    'transactions of an account': () => `transactions?account=${account()}`,
    'transactions of an account in a time': () => `transactions?account=${account()}&${window(24 * HOUR)}`,
    'a transaction by hash': () => `transactions?hash=${pick(sample.transactions)}`,
    'transactions of a masterchain block': () => `transactionsByMasterchainBlock?seqno=${within(sample.seqnos)}`,
    'transactions of a message': () => `transactionsByMessage?msg_hash=${pick(sample.messages)}`,
    'messages of an account': () => `messages?${sides[asked % 2]}=${account()}&exclude_externals=true`,
    'the trace of a transaction': () => `traces?tx_hash=${pick(sample.transactions)}`,
    'states of some accounts': () => `accountStates?${states(STATES)}&include_boc=false`,
    'jetton wallets of an owner': () => `jetton/wallets?owner_address=${pick(sample.walletOwners)}`,
    'jetton transfers of an owner': () => `jetton/transfers?owner_address=${pick(sample.transferOwners)}`,
    'items of an owner': () => `nft/items?owner_address=${pick(sample.itemOwners)}`,
    'blocks of a time': () => `blocks?${window(HOUR)}`,
  }
  const heavy = {
    'ten whole traces of an account': () => `traces?account=${account()}`,
    'newest transactions': () => 'transactions',
    'transactions of a busy account at offset 1,000': () => `transactions?account=${pick(sample.busiest)}&offset=1000`,
    'all transactions at offset 1,000': () => 'transactions?offset=1000',
    [`states of ${MANY_STATES} accounts`]: () => `accountStates?${states(MANY_STATES)}&include_boc=false`,
    'messages to a system contract': () => `messages?destination=${pick(sample.system)}&exclude_externals=true`,
    // Each has very many, and some pairs have none in common: rows of one are compared with the other.
    'messages with an opcode to a busy account': () =>
      `messages?destination=${pick(sample.busiest)}&opcode=${sample.opcodes[(asked >> 3) % sample.opcodes.length]}`,
  }
  return { typical, heavy }
}

const createFilters = ({ busiest, system, times, lts, opcodes }: IndexSample): Paths => {
  let asked = 0
  // Two that are picked for one path must not go through their values in step.
  const pick = (values: readonly string[]): string => values[Math.floor((asked++ * 7919) / 8) % values.length]!
  const sort = (): string => (asked++ % 3 === 0 ? 'asc' : 'desc')
  const window = (): string => {
    const start = times.first + ((asked++ * 7919) % Math.max(1, times.last - times.first))
    return asked % 2 === 0 ? `start_utime=${start}` : `end_utime=${start}`
  }
  const middleLt = (lts.first + lts.last) / 2n
  const workchains = ['-1', '0', '7']
  const shards = ['8000000000000000', '4000000000000000', '1230000000000000']
  const ends = [...busiest, ...system]
  const sides = ['source', 'destination']
  return {
    'transactions of a workchain': () => `transactions?workchain=${pick(workchains)}&sort=${sort()}`,
    'transactions of a workchain in a time': () => `transactions?workchain=${pick(workchains)}&${window()}`,
    'transactions of a shard': () => `transactions?shard=${pick(shards)}&sort=${sort()}`,
    'transactions of a shard in a time': () => `transactions?shard=${pick(shards)}&${window()}`,
    'transactions of a shard of a workchain': () =>
      `transactions?workchain=${pick(workchains)}&shard=${pick(shards)}&end_lt=${middleLt}`,
    'blocks of a workchain': () => `blocks?workchain=${pick(workchains)}&sort=${sort()}`,
    'blocks of a shard in a time': () => `blocks?shard=${pick(shards)}&${window()}`,
    'jetton wallets by balance': () => `jetton/wallets?sort=${sort()}`,
    'messages to a busy account': () => `messages?destination=${pick(ends)}&sort=${sort()}`,
    'messages of a busy account in a time': () => `messages?${pick(sides)}=${pick(ends)}&${window()}`,
    // Each of the two has very many, and most have none in common.
    'messages to a busy account with an opcode': () =>
      `messages?destination=${pick(ends)}&opcode=${pick(opcodes)}&sort=${sort()}`,
    'messages with the empty body': () => `messages?body_hash=${EMPTY_BODY}&sort=${sort()}`,
    'transactions by the empty body': () => `transactionsByMessage?body_hash=${EMPTY_BODY}&sort=${sort()}`,
    'who sent the empty body': () => `transactionsByMessage?body_hash=${EMPTY_BODY}&direction=out`,
    'transactions by opcode': () => `transactionsByMessage?opcode=${pick(opcodes)}&sort=${sort()}`,
  }
}

/** All of them in turn. */
export const mixQuestions = (questions: readonly Question[]): Question => {
  let turn = 0
  return { name: 'mixed', next: () => questions[turn++ % questions.length]!.next() }
}
