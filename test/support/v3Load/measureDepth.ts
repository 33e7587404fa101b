import { median } from '../measure.ts'
import { EMPTY_BODY } from './listRequests.ts'
import type { IndexSample } from './sampleIndex.ts'

/** A list and how much its pages cost. */
export type Depth = {
  readonly list: string
  readonly 'page 1 ms': number
  readonly 'page 1,000 ms': number
  /** How many pages there were, where there are not so many. */
  readonly pages: number
  readonly ratio: number
}

const PAGES = 1000
const TIMES = 41

type Answer = { readonly ms: number; readonly next: string | undefined }

const ask = async (url: string): Promise<Answer> => {
  const start = performance.now()
  const response = await fetch(url)
  const text = await response.text()
  const ms = performance.now() - start
  if (response.status !== 200) throw new Error(`${url} was answered with ${response.status}: ${text}`)
  return { ms, next: response.headers.get('x-next-cursor') ?? undefined }
}

/** How much the last page costs of a list that is gone through by cursor, compared to the first. Both are asked in turn. */
export const measureDepth = async (url: string, { busiest, jettons, opcodes }: IndexSample): Promise<Depth[]> => {
  const lists = {
    'transactions of an account': `transactions?account=${busiest[0]}&limit=5`,
    'all transactions': 'transactions?limit=5',
    'jetton transfers': `jetton/transfers?jetton_master=${jettons[0]}&limit=5`,
    blocks: 'blocks?limit=10',
    'all jetton transfers': 'jetton/transfers?limit=5',
    'traces of an account': `traces?account=${busiest[0]}&limit=2`,
    'accounts by balance': 'topAccountsByBalance?limit=10',
    'transactions of a workchain': 'transactions?workchain=0&limit=5',
    'transactions of a shard': 'transactions?shard=4000000000000000&limit=5',
    'blocks of a workchain': 'blocks?workchain=0&limit=10',
    'jetton wallets by balance': 'jetton/wallets?sort=desc&limit=5',
    'messages to an account': `messages?destination=${busiest[0]}&limit=5`,
    'messages with the empty body': `messages?body_hash=${EMPTY_BODY}&limit=5`,
    'transactions by the empty body': `transactionsByMessage?body_hash=${EMPTY_BODY}&limit=5`,
    'transactions by opcode': `transactionsByMessage?opcode=${opcodes[0]}&limit=5`,
  }
  const depths: Depth[] = []
  for (const [list, path] of Object.entries(lists)) depths.push(await measureList(list, `${url}/api/v3/${path}`))
  return depths
}

const measureList = async (list: string, first: string): Promise<Depth> => {
  const place = (cursor: string): string => `${first}&cursor=${encodeURIComponent(cursor)}`
  // The one before the last: the last may have fewer rows.
  let last = first
  let pages = 1
  for (let { next } = await ask(first); next !== undefined && pages < PAGES; pages++) {
    const url = place(next)
    ;({ next } = await ask(url))
    if (next !== undefined) last = url
  }
  const times = { first: [] as number[], last: [] as number[] }
  for (let k = 0; k < TIMES; k++) {
    times.first.push((await ask(first)).ms)
    times.last.push((await ask(last)).ms)
  }
  const [one, deep] = [median(times.first), median(times.last)]
  return { list, 'page 1 ms': one, 'page 1,000 ms': deep, pages, ratio: deep / one }
}
