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
    [`states of ${MANY_STATES} accounts`]: () => `accountStates?${states(MANY_STATES)}&include_boc=false`,
    'messages to a system contract': () => `messages?destination=${pick(sample.system)}&exclude_externals=true`,
  }
  return { typical, heavy }
}

/** All of them in turn. */
export const mixQuestions = (questions: readonly Question[]): Question => {
  let turn = 0
  return { name: 'mixed', next: () => questions[turn++ % questions.length]!.next() }
}
